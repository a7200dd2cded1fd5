"""Going on from where a run is after a person has pinned or forbidden pairs."""

from __future__ import annotations

from dataclasses import replace

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from gwl_core import rounds, search
from gwl_core.pins import moved_onto
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters
from gwl_core.start import first_scaling
from gwl_core.state import State
from gwl_core.workspace import Workspace, workspace

ROUNDS = 8
"""Rounds of the search that a run which was past it gets again."""


def resumed(problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters, state: State) -> State:
    """The state with which a run goes on under the pins of `problem`; embeddings and their optimiser stay.

    A run that searches goes back to the polish, at its best matching with the pinned pairs exchanged into it, and tries
    a few more candidates from there; one still in its search goes on with it. Without a search, the inner loop is
    entered again half-way, from the coupling softened.
    """
    space = workspace(problem, config)
    with torch.no_grad():
        total = rounds.count(space, hyperparameters)
        return _searching(space, total, state) if total else _plain(space, hyperparameters, state)


def _searching(space: Workspace, total: int, state: State) -> State:
    under_way = state.outer == 0 and state.phase in ("coupling", "polish")
    if under_way:
        best = None if state.best is None else _pinned(space, state.best.matching)
        return replace(state, best=best, best_round=state.round, settled=0)
    known = state.best.matching if state.best is not None else _assigned(state.coupling)
    start = search.coupling_of(space, _pinned(space, known).matching)
    return replace(
        state, outer=0, inner=0, epoch=0, phase="polish", progress=0.0, coupling=start, change=float("inf"), settled=0,
        log_scaling=first_scaling(space), round=max(0, total - 1 - ROUNDS), best=None, best_round=0,
    )  # fmt: skip


def _plain(space: Workspace, hyper: Hyperparameters, state: State) -> State:
    outer = min(state.outer, hyper.outer - 1)
    inner = state.inner if state.phase == "coupling" else max(1, hyper.inner // 2)
    soft = 0.9 * state.coupling + 0.1 * space.product
    progress = state.progress if state.outer < hyper.outer else outer / hyper.outer
    return replace(
        state, outer=outer, inner=inner, epoch=0, phase="coupling", progress=progress, coupling=soft.to(space.product),
        log_scaling=first_scaling(space), change=float("inf"), settled=0,
    )  # fmt: skip


def _pinned(space: Workspace, matching: Tensor) -> search.Best:
    moved = torch.as_tensor(moved_onto(matching.cpu().numpy(), space.problem.pins))
    return search.candidate(space, search.coupling_of(space, moved), "pinned")


def _assigned(coupling: Tensor) -> Tensor:
    return torch.as_tensor(linear_sum_assignment(coupling.cpu().numpy(), maximize=True)[1])
