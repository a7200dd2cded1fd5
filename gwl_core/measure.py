"""Every number shown for a state, and the result of a finished run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gwl_core import matching, metrics, rounds, symmetry
from gwl_core.problem import MatchingProblem
from gwl_core.projection import project
from gwl_core.result import Measures, Result
from gwl_core.schedules import alpha_of
from gwl_core.settings import Config, Hyperparameters
from gwl_core.sinkhorn import marginal_error
from gwl_core.solver import embedding_problem, real_tensor, status
from gwl_core.state import State
from gwl_core.sweep import alone
from gwl_core.workspace import Workspace, workspace


def measure(problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters, state: State) -> Measures:
    """The measures of a state as it is; all but the symmetry-aware correctness, which is kept for results."""
    space = workspace(problem, config)
    with torch.no_grad(), alone():
        coupling = to_numpy(state.coupling)
        return _measures(space, hyperparameters, state, state.coupling, _matchings(space, state, coupling))


def finish(
    problem: MatchingProblem,
    config: Config,
    hyperparameters: Hyperparameters,
    state: State,
    preset: str = "default",
    seconds: float = 0.0,
    history: Sequence[Mapping[str, Any]] = (),
    notices: Sequence[str] = (),
) -> Result:
    """The result at a state: the coupling projected onto its marginals, then measured and matched.

    Every reported value is that of the projected coupling, so it can be recomputed from the export.
    """
    space = workspace(problem, config)
    space.forget()
    with torch.no_grad(), alone():
        projected = project(state.coupling, space.source, space.target)
        coupling = to_numpy(projected)
        found = _matchings(space, state, coupling)
        measures = _measures(space, hyperparameters, state, projected, found, final=True)
        cross = _cross_cost(space, state)
    real, slack_rows, slack_columns = split(problem, coupling)
    embeddings = state.embeddings
    return Result(
        problem=problem,
        config=config,
        hyperparameters=hyperparameters,
        preset=preset,
        coupling=real,
        slack_rows=slack_rows,
        slack_columns=slack_columns,
        source_marginal=space.masses.source,
        target_marginal=space.masses.target,
        source_embedding=None if embeddings is None else to_numpy(embeddings.source),
        target_embedding=None if embeddings is None else to_numpy(embeddings.target),
        cross_cost=cross,
        status=status(problem, config, hyperparameters, state),
        measures=measures,
        outer_iterations=state.outer + (state.phase != "averaging" and (state.inner > 0 or state.epoch > 0)),
        inner_iterations=state.inner_total,
        seconds=seconds,
        history=tuple(dict(row) for row in history),
        notices=(
            *space.notices,
            *rounds.unheard(space, hyperparameters),
            *_open_choices(real, found["one_to_one"]),
            *notices,
        ),
    )


def split(problem: MatchingProblem, coupling: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A padded coupling as its real block (n_s, n_t), slack rows (k, n_t) and slack columns (n_s, k)."""
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    return coupling[:n_s, :n_t], coupling[n_s:, :n_t], coupling[:n_s, n_t:]


def to_numpy(tensor: Tensor) -> np.ndarray:
    """A float64 copy on the CPU."""
    return tensor.detach().to("cpu", torch.float64).numpy().copy()


def _open_choices(coupling: np.ndarray, found: np.ndarray) -> tuple[str, ...]:
    """A sentence where matches were chosen among equals, else none."""
    count = matching.chosen_among_equals(coupling, found)
    if not count:
        return ()
    return (
        f"{count} of {int((found >= 0).sum())} matches were chosen among targets that the coupling does not tell "
        "apart, and might not fit each other; with another order of the nodes they may differ. "
        "The default preset, a search or start perturbed decides them.",
    )


def _matchings(space: Workspace, state: State, coupling: np.ndarray) -> dict[str, np.ndarray]:
    real, slack_rows, slack_columns = matching.restricted(*split(space.problem, coupling), space.problem.pins)
    found = {
        "coupling": matching.by_coupling(real),
        "one_to_one": matching.one_to_one(real, slack_rows, slack_columns),
    }
    cross = _cross_cost(space, state)
    if cross is not None:
        found["embedding"] = matching.by_embedding(cross)
    return found


def _cross_cost(space: Workspace, state: State) -> np.ndarray | None:
    if state.embeddings is None:
        return None
    return to_numpy(space.kernel.cross(state.embeddings.source, state.embeddings.target))


def _measures(
    space: Workspace,
    hyperparameters: Hyperparameters,
    state: State,
    coupling: Tensor,
    found: Mapping[str, np.ndarray],
    final: bool = False,
) -> Measures:
    problem = space.problem
    source, target, truth = problem.source, problem.target, problem.truth
    alpha = alpha_of(hyperparameters, state)
    observed = _non_negative(space.observed.linearize(coupling).discrepancy)
    objective, wasserstein, regularizer = observed, None, None
    if state.embeddings is not None:
        mixed = space.transport(state.embeddings, alpha, coupling.dtype).linearize(coupling)
        cross = space.kernel.cross(state.embeddings.source, state.embeddings.target)
        wasserstein = float((cross * real_tensor(space, coupling)).sum())
        regularizer = float(embedding_problem(space, hyperparameters, state).regularizer(state.embeddings))
        objective = mixed.objective + hyperparameters.beta * regularizer
    one_to_one = found["one_to_one"]
    edges = metrics.edge_counts(one_to_one, source, target)
    aware = None
    if final and truth is not None:
        aware = symmetry.symmetry_aware_correctness(
            one_to_one, truth, symmetry.find_symmetry(source), symmetry.find_symmetry(target)
        )
    return Measures(
        gw_discrepancy=observed,
        objective=objective,
        wasserstein=wasserstein,
        regularizer=regularizer,
        marginal_error=marginal_error(coupling, space.source, space.target),
        unmatched=int((one_to_one < 0).sum()),
        node_correctness_coupling=metrics.node_correctness(found["coupling"], truth),
        node_correctness_embedding=_correctness(found.get("embedding"), truth),
        node_correctness_one_to_one=metrics.node_correctness(one_to_one, truth),
        node_correctness_symmetry_aware=aware,
        edge_correctness=edges.edge_correctness,
        ics=edges.ics,
        s3=edges.s3,
    )  # fmt: skip


def _correctness(found: np.ndarray | None, truth: np.ndarray | None) -> float | None:
    return None if found is None else metrics.node_correctness(found, truth)


def _non_negative(value: float) -> float:
    """Rounding can take a zero discrepancy below 0, and give it a sign; NaN stays NaN."""
    return 0.0 if value <= 0 else value
