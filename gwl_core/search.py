"""The search of the first outer iteration: candidates, polished, the best kept by what is observed.

A round brings forward one candidate: a coupling from some start is annealed by proximal iterations, then polished to a
one-to-one matching by Frank-Wolfe steps (Vogelstein et al. 2015, FAQ, here on any decomposable loss). The candidate
with the least observed discrepancy is kept; known pairs of the truth play no part. After the starts, rounds disturb the
best matching so far and descend again (iterated local search).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from gwl_core.costs import observed_costs
from gwl_core.coupling import Decomposed, TransportProblem
from gwl_core.operators import as_operator
from gwl_core.settings import Hyperparameters
from gwl_core.start import prior_coupling, tilt_cost
from gwl_core.workspace import Workspace

ANCHOR_SHARE = 4.0
"""Weight of a whole unit of C_st in the score, in gains s: more than the edges of one node."""

POLISH_STEPS = 30
"""Most Frank-Wolfe steps of a round; they end by themselves after about ten."""

PATIENCE = 12
"""Rounds in a row without a better candidate before the search ends."""

CONVEX_MOST = 460
"""Padded nodes up to which the convex relaxation is tried: its 30 assignments are one step, which Stop waits for; they
take 1.5 s there."""

SPARED = 0.3
"""Weight of a pair that fits best when pairs are drawn to be loosened, where the mean pair has 1 more."""

_SETTLED = 1e-9
"""Fall of the objective, in gains s, below which polishing ends."""

_SLOW = 2000
"""Padded nodes from which the assignment of a polishing step takes a good part of a second; polishing then ends when a
step lowers the objective by less than _WORTHWHILE of it."""

_WORTHWHILE = 1e-3


@dataclass(frozen=True)
class Kind:
    """How a round begins.

    Attributes:
        name: for the user.
        share: of the N inner iterations that the round may take; 0 goes straight to the polish.
        heat: γ at the head of the round, in gains s.
    """

    name: str
    share: float
    heat: float

    def steps(self, inner: int) -> int:
        """Inner iterations of the round."""
        return math.ceil(self.share * inner)


STARTS = (
    Kind("structural prior", 1.0, 2.0),
    Kind("product coupling", 1.0, 2.0),
    Kind("convex relaxation", 0.4, 0.5),
)
FIRST = {"prior": STARTS[0], "product": STARTS[1], "perturbed": Kind("perturbed coupling", 1.0, 2.0)}
"""The first round, by config.start."""

KICKS = (
    Kind("best, some pairs loosened", 0.0, 0.0),
    Kind("best, reheated", 0.4, 0.5),
    Kind("best, some pairs loosened", 0.0, 0.0),
    Kind("best, mixed with the prior", 0.4, 1.0),
)
JOINT = Kind("joint with embeddings", 1.0, 0.0)


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


def rounds(space: Workspace, hyper: Hyperparameters) -> int:
    """Rounds of the search, 0 without one: it needs equal masses, so that vertices are one-to-one matchings.

    "auto" takes 28 up to 300 padded nodes and fewer above, so that the time stays bounded.
    """
    masses = space.masses
    if hyper.rounds == 0 or len(masses.source) != len(masses.target):
        return 0
    if len(np.unique(np.concatenate([masses.source, masses.target]))) > 1:
        return 0
    return auto_rounds(len(masses.source)) if hyper.rounds is None else hyper.rounds


def auto_rounds(n: int) -> int:
    """28 rounds up to 300 nodes, then as n^-1.5, at least 2."""
    return int(min(28, max(2, round(28 * (300 / max(n, 1)) ** 1.5))))


def kind_of(space: Workspace, hyper: Hyperparameters, number: int) -> Kind:
    """What round `number` (from 0) tries."""
    start = space.config.start
    several = rounds(space, hyper) >= 8 and start == "prior"
    most = len(STARTS) if len(space.source) <= CONVEX_MOST else 2
    starts = STARTS[:most] if several else (FIRST[start],)
    return starts[number] if number < len(starts) else KICKS[(number - len(starts)) % len(KICKS)]


def steps_ahead(space: Workspace, hyper: Hyperparameters, number: int) -> int:
    """Steps of rounds `number` and later, if the search does not end early; polish steps are a guess."""
    kinds = (kind_of(space, hyper, k) for k in range(number, rounds(space, hyper)))
    return sum(kind.steps(hyper.inner) + 6 for kind in kinds)


def begin(space: Workspace, kind: Kind, best: Best, generator: torch.Generator) -> Tensor:
    """The (n, n) coupling that a round of this kind starts from, after the first."""
    if kind is STARTS[1]:
        return space.product
    if kind is STARTS[2]:
        return _convex_coupling(space)
    vertex = coupling_of(space, best.matching)
    if kind.share == 0:
        return _loosened(vertex, best.matching, _misfit(space, vertex, best.matching), generator)
    if kind.heat < 1:
        return (vertex + space.product) / 2
    weight = 6 * float(torch.rand((), generator=generator, dtype=torch.float64))
    return 0.3 * vertex + 0.7 * prior_coupling(space, weight)


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
    """The observed sub-problem with the background cost on the diagonal, which one-to-one matchings do not see.

    A zero diagonal adds ⟨T, T⟩ and ⟨S T, T⟩ to what a coupling gains, and so favours being decided over being right.
    """
    return space.remember(f"relaxed, one-sided {one_sided}", (), lambda: _relaxed(space, one_sided))


def _relaxed(space: Workspace, one_sided: bool) -> Decomposed:
    masses = space.masses
    costs = (cost.off_diagonal() for cost in observed_costs(space.problem, space.config))
    source, target = (
        as_operator(cost.padded(count, cost.background), space.device)
        for cost, count in zip(costs, (masses.source_dummies, masses.target_dummies), strict=True)
    )
    return Decomposed.of(TransportProblem(source, target, None, 0.0, space.loss, space.symmetric, one_sided))


def anchor_tilt(space: Workspace) -> Tensor | None:
    """(n, n) cost by which anchors count in a search, beside the discrepancy."""
    if space.anchor_cost is None:
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
    source, target = space.source_cost.deviations, space.target_cost.deviations  # from the same background
    both = min(len(space.source) ** 2, len(source) + len(target))  # entries beyond are 0 on both sides
    source, target = (torch.cat([part, part.new_zeros(both - len(part))]).sort().values for part in (source, target))
    return float((source - target).square().sum()) / len(space.source) ** 2


def _convex_coupling(space: Workspace) -> Tensor:
    """The minimum of ‖S_s P − P S_t‖² over doubly stochastic P, as a coupling."""
    from gwl_core.convex_start import convex_start

    found = convex_start(space.source_cost.dense().cpu().numpy(), space.target_cost.dense().cpu().numpy(), 30)
    return 0.9 / len(space.source) * torch.as_tensor(found).to(space.product) + 0.1 * space.product


def _misfit(space: Workspace, vertex: Tensor, matching: Tensor) -> Tensor:
    """(n,) what each pair of a matching costs, above the least of them, in units of their mean."""
    cost = relaxed(space).linearize(vertex).cost
    paid = cost[torch.arange(len(matching)), matching].double().cpu()
    paid = paid - paid.min()
    return paid / paid.mean().clamp_min(1e-300)


def _loosened(vertex: Tensor, matching: Tensor, misfit: Tensor, generator: torch.Generator) -> Tensor:
    """The vertex, with 10 to 40% of its pairs spread evenly over each other's targets, above all those that fit badly."""
    share = 0.1 + 0.3 * float(torch.rand((), generator=generator, dtype=torch.float64))
    draws = torch.rand(len(matching), generator=generator, dtype=torch.float64)
    # Gumbel noise on log weights: a draw without replacement in proportion to the weights.
    keys = (misfit + SPARED).log() - (-draws.clamp(1e-12, 1 - 1e-12).log()).log()
    rows = keys.topk(min(len(matching), max(2, round(share * len(matching))))).indices.sort().values
    vertex[rows] = 0
    vertex[rows[:, None], matching[rows][None, :]] = 1 / (len(rows) * len(matching))
    return vertex


def _dot(a: Tensor, b: Tensor) -> float:
    """⟨a, b⟩."""
    return float((a * b).sum(dtype=torch.float64))
