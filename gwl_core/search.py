"""The search of the first outer iteration: candidates, polished, the best kept by what is observed.

A round brings forward one candidate: a coupling from some start is annealed by proximal iterations, then polished to a
one-to-one matching by Frank-Wolfe steps (Vogelstein et al. 2015, FAQ, here on any decomposable loss). The candidate
with the least observed discrepancy is kept; known pairs of the truth play no part. After the starts, rounds disturb the
best matching so far and descend again (iterated local search).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from gwl_core.coupling import Decomposed, TransportProblem
from gwl_core.operators import as_operator
from gwl_core.start import tilt_cost
from gwl_core.workspace import Workspace

ANCHOR_SHARE = 4.0
"""Weight of a whole unit of C_st in the score, in gains s: more than the edges of one node."""

POLISH_STEPS = 30
"""Most Frank-Wolfe steps of a round; they end by themselves after about ten."""

PATIENCE = 12
"""Rounds in a row without a better candidate before the search ends."""

_SETTLED = 1e-9
"""Fall of the objective, in gains s, below which polishing ends."""

_SLOW = 2000
"""Padded nodes from which the assignment of a polishing step takes a good part of a second; polishing then ends when a
step lowers the objective by less than _WORTHWHILE of it."""

_WORTHWHILE = 1e-3


@dataclass(frozen=True, eq=False)
class Best:
    """A candidate, or the best of them so far.

    Attributes:
        matching: (n,) target of every padded source.
        score: discrepancy, plus what broken anchors cost.
        discrepancy: of the observed costs.
        name: how its round began.
    """

    matching: Tensor
    score: float
    discrepancy: float
    name: str


@dataclass(frozen=True, eq=False)
class Polished:
    """One Frank-Wolfe step.

    Attributes:
        coupling: where it led.
        objective: discrepancy, plus what broken anchors cost, there.
        discrepancy: that of the observed costs there.
        change: ‖T′ − T‖₁.
        settled: no further fall is to be had.
    """

    coupling: Tensor
    objective: float
    discrepancy: float
    change: float
    settled: bool


def polish(space: Workspace, coupling: Tensor) -> Polished:
    """A Frank-Wolfe step on the observed discrepancy (and anchors), with exact line search."""
    problem = relaxed(space)
    slope = 2 * space.linearize(problem, coupling).step.matrix
    if (anchors := anchor_tilt(space)) is not None:
        slope += anchors
    rows, columns = linear_sum_assignment(slope.cpu().numpy())
    direction = -coupling
    direction[torch.as_tensor(rows), torch.as_tensor(columns)] += 1 / len(rows)
    linear = _dot(slope, direction)
    square = _dot(problem.half(direction), direction)
    length = _line_search(square, linear)
    fall = -length * (linear + length * square)
    reached = coupling if length == 0 else coupling + length * direction
    discrepancy = space.linearize(problem, reached).discrepancy
    change = length * float(direction.abs().sum(dtype=torch.float64))
    return Polished(
        reached, discrepancy + _broken(space, reached), discrepancy, change, fall <= _least_fall(space, discrepancy)
    )


def _least_fall(space: Workspace, objective: float) -> float:
    """The fall of the objective below which polishing ends."""
    least = _SETTLED * space.gain
    return max(least, _WORTHWHILE * objective) if len(space.source) >= _SLOW else least


def _line_search(square: float, linear: float) -> float:
    """The t in [0, 1] of least square·t² + linear·t."""
    if square <= 0:
        return 1.0 if square + linear < 0 else 0.0
    return min(1.0, max(0.0, -linear / (2 * square)))


def candidate(space: Workspace, coupling: Tensor, name: str) -> Best:
    """The one-to-one matching nearest to a coupling, with its score."""
    matching = torch.as_tensor(linear_sum_assignment(coupling.cpu().numpy(), maximize=True)[1])
    vertex = coupling_of(space, matching)
    discrepancy = relaxed(space).linearize(vertex).discrepancy
    return Best(matching, discrepancy + _broken(space, vertex), discrepancy, name)


def coupling_of(space: Workspace, matching: Tensor) -> Tensor:
    """The coupling that a one-to-one matching of the padded nodes stands for."""
    vertex = torch.zeros_like(space.product)
    vertex[torch.arange(len(matching)), matching] = 1 / len(matching)
    return vertex


def softened(space: Workspace, matching: Tensor) -> Tensor:
    """A coupling near a matching from which proximal steps, which multiply entries, can leave it."""
    return 0.9 * coupling_of(space, matching) + 0.1 * space.product


def relaxed(space: Workspace, one_sided: bool = False) -> Decomposed:
    """The observed sub-problem, with the background cost on the diagonal where all nodes cost themselves the same.

    One-to-one matchings then do not see it, and a zero diagonal adds ⟨T, T⟩ and ⟨S T, T⟩ to what a coupling gains, and
    so favours being decided over being right. A diagonal that tells nodes apart stays (self-loops under the KL loss,
    given costs).
    """
    return space.remember(f"relaxed, one-sided {one_sided}", (), lambda: _relaxed(space, one_sided))


def _relaxed(space: Workspace, one_sided: bool) -> Decomposed:
    masses, source, target = space.masses, space.source_cost, space.target_cost
    dummies = masses.source_dummies, masses.target_dummies
    own = {space.dummy_cost} if any(dummies) else set()
    if len(own.union(*(cost.own.tolist() for cost in space.real_costs))) == 1:
        source, target = (
            as_operator(cost.off_diagonal().padded(count, cost.background), space.device)
            for cost, count in zip(space.real_costs, dummies, strict=True)
        )
    return Decomposed.of(TransportProblem(source, target, None, 0.0, space.loss, space.symmetric, one_sided))


def anchor_tilt(space: Workspace) -> Tensor | None:
    """(n, n) cost by which anchors and pins count in a search, beside the discrepancy."""
    if space.anchor_cost is None and space.pin_cost is None:
        return None
    return space.remember("tilt", (), lambda: tilt_cost(space, 0.0, ANCHOR_SHARE * space.gain))


def _broken(space: Workspace, coupling: Tensor) -> float:
    """What anchors cost at a coupling."""
    tilt = anchor_tilt(space)
    return 0.0 if tilt is None else _dot(tilt, coupling)


def least_discrepancy(space: Workspace) -> float:
    """A lower bound on the discrepancy of any one-to-one matching (rearrangement inequality); square loss, else 0."""
    return space.remember("least", (), lambda: _least(space))


def _least(space: Workspace) -> float:
    if space.loss.name != "square":
        return 0.0
    problem = relaxed(space).problem
    source, target = problem.source.deviations, problem.target.deviations  # from the same background
    both = min(len(space.source) ** 2, len(source) + len(target))  # entries beyond are 0 on both sides
    source, target = (torch.cat([part, part.new_zeros(both - len(part))]).sort().values for part in (source, target))
    return float((source - target).square().sum()) / len(space.source) ** 2


def _dot(a: Tensor, b: Tensor) -> float:
    """⟨a, b⟩."""
    return float((a * b).sum(dtype=torch.float64))
