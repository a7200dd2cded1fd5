"""The rounds of a search: how many there are, and where each begins."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from gwl_core.pins import FIRM
from gwl_core.search import ANCHOR_SHARE, Best, anchor_tilt, coupling_of, relaxed
from gwl_core.settings import Hyperparameters, auto_rounds
from gwl_core.start import prior_coupling
from gwl_core.tabu import Assignment, tabu_search
from gwl_core.workspace import Workspace

CONVEX_MOST = 460
"""Padded nodes up to which the convex relaxation is tried: its 30 assignments are one step, which Stop waits for; they
take 1.5 s there."""

EXCHANGED_MOST = 60
"""Padded nodes up to which a tabu search from a random matching often comes upon a best one that all descents miss."""

EXCHANGES = 100
"""Exchanges of such a search, for every node: one step, of half a second at most."""

SPARED = 0.3
"""Weight of a pair that fits best when pairs are drawn to be loosened, where the mean pair has 1 more."""


@dataclass(frozen=True)
class Kind:
    """How a round begins.

    Attributes:
        name: for the user.
        share: of the N inner iterations that the round may take; 0 goes straight to the polish.
        heat: γ at the head of the round, in gains s.
        guided: whether anchors and soft pins count before the polish. One start goes without: what a wrong pair draws
            to it at high γ, no polish brings back. What a firm pin bars, it always bars.
    """

    name: str
    share: float
    heat: float
    guided: bool = True

    def steps(self, inner: int) -> int:
        """Inner iterations of the round."""
        return math.ceil(self.share * inner)


STARTS = (
    Kind("structural prior", 1.0, 2.0),
    Kind("product coupling", 1.0, 2.0, guided=False),
    Kind("convex relaxation", 0.4, 0.5),
)
SLOW = tuple(replace(kind, share=2.0) for kind in STARTS[:2])
"""The starts where few rounds are to come, as on 700 to 1,200 nodes: what they miss, kicks seldom find."""
FIRST = {
    "prior": STARTS[0],
    "product": replace(STARTS[1], guided=True),
    "perturbed": Kind("perturbed coupling", 1.0, 2.0),
}
"""The first round, by config.start."""

KICKS = (
    Kind("best, some pairs loosened", 0.0, 0.0),
    Kind("best, reheated", 0.4, 0.5),
    Kind("best, some pairs loosened", 0.0, 0.0),
    Kind("best, mixed with the prior", 0.4, 1.0),
)
EXCHANGED = Kind("exchanges from chance", 0.0, 0.0)
SMALL_KICKS = (EXCHANGED, *KICKS[:2], EXCHANGED, *KICKS[2:])
"""The kicks up to EXCHANGED_MOST padded nodes."""
JOINT = Kind("joint with embeddings", 1.0, 0.0)


def count(space: Workspace, hyper: Hyperparameters) -> int:
    """Rounds of the search, 0 without one: it needs equal masses, so that vertices are one-to-one matchings.

    "auto" takes 28 up to 300 padded nodes and fewer above, so that the time stays bounded.
    """
    masses = space.masses
    if hyper.rounds == 0 or len(masses.source) != len(masses.target):
        return 0
    if len(np.unique(np.concatenate([masses.source, masses.target]))) > 1:
        return 0
    return auto_rounds(len(masses.source)) if hyper.rounds is None else hyper.rounds


def step_tilt(space: Workspace, kind: Kind | None) -> Tensor | None:
    """(n, m) cost beside f(T) in a step of a round; without a search (None) that of the pins: file anchors then count
    in the start and in R alone."""
    if kind is not None and kind.guided:
        return anchor_tilt(space)
    if space.pin_cost is None:
        return None
    weight = ANCHOR_SHARE * space.gain
    if kind is not None:
        return space.remember("barred", (), lambda: (weight * _firm(space.pin_cost)).to(space.product))
    return space.remember("pins", (), lambda: (weight * space.pin_cost).to(space.product))


def _firm(cost: Tensor) -> Tensor:
    """What firm pins bar, without what soft ones speak against."""
    return cost.where(cost >= FIRM, 0.0)


def unheard(space: Workspace, hyper: Hyperparameters) -> tuple[str, ...]:
    """A sentence for the user where anchors were given and nothing listens to them, else none."""
    config = space.config
    if space.anchor_cost is None or config.embeddings or config.start != "product" or count(space, hyper):
        return ()
    return ("The anchors had no part in this run: take start prior, rounds of a search or embeddings.",)


def kind_of(space: Workspace, hyper: Hyperparameters, number: int) -> Kind:
    """What round `number` (from 0) tries."""
    start, total = space.config.start, count(space, hyper)
    most = len(STARTS) if len(space.source) <= CONVEX_MOST else 2
    starts: tuple[Kind, ...] = (FIRST[start],)
    if start == "prior" and total >= 4:
        starts = STARTS[:most] if total >= 8 else SLOW
    kicks = SMALL_KICKS if len(space.source) <= EXCHANGED_MOST else KICKS
    return starts[number] if number < len(starts) else kicks[(number - len(starts)) % len(kicks)]


def steps_ahead(space: Workspace, hyper: Hyperparameters, number: int) -> int:
    """Steps of rounds `number` and later, if the search does not end early; polish steps are a guess."""
    kinds = (kind_of(space, hyper, k) for k in range(number, count(space, hyper)))
    return sum(kind.steps(hyper.inner) + 6 for kind in kinds)


def begin(space: Workspace, kind: Kind, best: Best, generator: torch.Generator) -> Tensor:
    """The (n, n) coupling that a round of this kind starts from, after the first."""
    if kind in (STARTS[1], SLOW[1]):
        return space.product
    if kind is STARTS[2]:
        return _convex_coupling(space)
    if kind is EXCHANGED:
        return coupling_of(space, _exchanged(space, generator))
    vertex = coupling_of(space, best.matching)
    if kind.share == 0:
        return _loosened(vertex, best.matching, _misfit(space, vertex, best.matching), generator)
    if kind.heat < 1:
        return (vertex + space.product) / 2
    weight = 6 * float(torch.rand((), generator=generator, dtype=torch.float64))
    return 0.3 * vertex + 0.7 * prior_coupling(space, weight)


def _convex_coupling(space: Workspace) -> Tensor:
    """The minimum of ‖S_s P − P S_t‖² over doubly stochastic P, as a coupling."""
    from threadpoolctl import threadpool_limits

    from gwl_core.convex_start import convex_start

    source, target = (cost.dense().cpu().numpy() for cost in (space.source_cost, space.target_cost))
    with threadpool_limits(1):  # else rounding, and with it the run, would depend on the cores of the machine
        found = convex_start(source, target, 30)
    return 0.9 / len(space.source) * torch.as_tensor(found).to(space.product) + 0.1 * space.product


def _exchanged(space: Workspace, generator: torch.Generator) -> Tensor:
    """(n,) the best matching that a tabu search from a random one meets."""
    n, half, tilt = len(space.source), relaxed(space).halves[0], anchor_tilt(space)
    left, right = ((side.dense() - side.constant).double().cpu().numpy() for side in (half.left, half.right))
    pull = np.zeros((n, n)) if tilt is None else n * tilt.double().cpu().numpy()  # all in units of n² times the score
    real = space.problem.source.n_nodes, space.problem.target.n_nodes
    start = torch.randperm(n, generator=generator).numpy()
    return torch.as_tensor(tabu_search(Assignment(left, right, pull, real), start, EXCHANGES * n, generator))


def _misfit(space: Workspace, vertex: Tensor, matching: Tensor) -> Tensor:
    """(n,) what each pair of a matching costs, above the least of them, in units of their mean."""
    cost = relaxed(space).linearize(vertex).cost
    paid = cost[torch.arange(len(matching)), matching].double().cpu()
    paid = paid - paid.min()
    return paid / paid.mean().clamp_min(1e-300)


def _loosened(vertex: Tensor, matching: Tensor, misfit: Tensor, generator: torch.Generator) -> Tensor:
    """The vertex, with 10 to 40% of its pairs, badly fitting ones first, spread over each other's targets."""
    share = 0.1 + 0.3 * float(torch.rand((), generator=generator, dtype=torch.float64))
    draws = torch.rand(len(matching), generator=generator, dtype=torch.float64)
    # Gumbel noise on log weights: a draw without replacement in proportion to the weights.
    keys = (misfit + SPARED).log() - (-draws.clamp(1e-12, 1 - 1e-12).log()).log()
    rows = keys.topk(min(len(matching), max(2, round(share * len(matching))))).indices.sort().values
    vertex[rows] = 0
    vertex[rows[:, None], matching[rows][None, :]] = 1 / (len(rows) * len(matching))
    return vertex
