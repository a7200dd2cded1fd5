"""The end of a search: from the matching that fits best to the matches that are likeliest.

Where graphs differ by noise, many matchings fit about as well as the best one, and a node that the best one sends
astray may be at home in most of the others. So the best matching is read as a sample of how the graphs differ: which
strengths of interaction lie on each other how much more often than by chance. With that log-odds g as what an ordered
pair of nodes brings, the probability of a permutation is taken as proportional to exp(β Σ g(a_ik, b_π(i)π(k))), and the
share of permutations that send i to j is found in the naive mean-field approximation: over doubly stochastic P, steps
of generalised conditional gradient from the best matching raise

    F(P) = β/2 ⟨P, M(P)⟩ + H(P),    M(P)_ij = Σ_kl (g(a_ik, b_jl) + g(a_ki, b_lj)) P_kl,    H(P) = −Σ P log P.

The one-to-one matching with the largest sum of P is the answer. Anchors and pins enter M. Where the best matching puts
practically every edge of one graph on an edge of the other, there is no noise to average over, and it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from gwl_core.coupling import update
from gwl_core.pins import FIRM
from gwl_core.projection import project
from gwl_core.search import anchor_tilt, coupling_of
from gwl_core.sinkhorn import change_of
from gwl_core.workspace import Workspace

MOST = 460
"""Padded nodes up to which this is done: a step is a few products of dense matrices for each strength."""

MOST_STEPS = 40

_WHOLE = 0.98
"""Share of conserved edges, of the graph with fewer, from which a best matching stands as it is."""

_TRUST = 0.25
"""β: the log-odds are those of a matching that was chosen for its edges, one edge does not speak for itself alone, and
the mean field takes what neighbours probably are for what they are. From 0.2 to 0.3 figures are about the same."""

GAMMA = 1 / _TRUST
"""The temperature of the steps, in nats of log-odds."""

_STRENGTHS = 8
"""Classes of interactions by weight, equally full as far as weights can be told apart; no interaction is another."""

_SEEN = 0.5
"""Added to every count, so that what was never seen is not impossible."""

_PASSES = 200
_PROJECTED = 20
_LENGTHS = (1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.003, 0.001)
_SETTLED = 1e-4
"""Rise of F a node below which the steps end."""

_COUNTED = ("zipf", "log", "rank")
"""Costs that are functions of the interactions counted here."""


@dataclass(frozen=True, eq=False)
class Gains:
    """What pairs of nodes bring at each other, M(P).

    Attributes:
        source: for each strength a, (n, n) which pairs of sources have it.
        target: for each strength a, (n, n) what a pair of targets brings on it: g(a, b_jl), less what it brings
            wherever it lies.
        tilt: (n, n) what anchors and pins take off, or None.
        symmetric: both graphs are undirected.
    """

    source: tuple[Tensor, ...]
    target: tuple[Tensor, ...]
    tilt: Tensor | None
    symmetric: bool

    def quadratic(self, shares: Tensor) -> Tensor:
        """M(P) without the tilt, linear in P."""
        total = torch.zeros_like(shares)
        for ours, theirs in zip(self.source, self.target, strict=True):
            if self.symmetric:
                total.addmm_(ours @ shares, theirs, alpha=2)
            else:
                total.addmm_(ours @ shares, theirs.T)
                total.addmm_(ours.T @ shares, theirs)
        return total


@dataclass(frozen=True, eq=False)
class Averaged:
    """One step.

    Attributes:
        coupling: P/n after the step.
        log_scaling: to go on from.
        free_energy: −F(P)/n.
        change: ‖P′ − P‖₁/n.
        settled: no further rise is to be had.
    """

    coupling: Tensor
    log_scaling: Tensor
    free_energy: float
    change: float
    settled: bool


def applies(space: Workspace, matching: Tensor) -> bool:
    """Whether a search that found this matching goes on so: not on given costs or hops, which are no interactions."""
    problem, config = space.problem, space.config
    if not config.likeliest or len(matching) > MOST or config.loss != "square" or config.cost not in _COUNTED:
        return False
    if problem.source_cost is not None or not problem.source.n_edges or not problem.target.n_edges:
        return False
    source, target = (found > 0 for found in _classes(space, matching))
    return int((source & target).sum()) < _WHOLE * min(int(source.sum()), int(target.sum()))


def average(space: Workspace, matching: Tensor, coupling: Tensor, log_scaling: Tensor) -> Averaged:
    """A conditional gradient step on F from a coupling, with the length among a few that raises it most.

    Args:
        matching: (n,) the best one, from which the log-odds are read.
        coupling: (n, n) P/n.
    """
    n, gains = len(matching), gains_of(space, matching)
    shares = n * coupling
    here = gains.quadratic(shares)
    slope = here if gains.tilt is None else here - gains.tilt
    moved = update("entropic", -slope, coupling, GAMMA, space.source, space.target, log_scaling, _PASSES)
    direction = n * project(moved.coupling, space.source, space.target, _PROJECTED).to(shares) - shares
    across, along = _dot(here, direction), _dot(gains.quadratic(direction), direction)
    tilted = 0.0 if gains.tilt is None else _dot(gains.tilt, direction)

    def rise(length: float) -> float:
        return _TRUST * (length * (across - tilted) + length**2 * along / 2) + _entropy(shares + length * direction)

    before = _entropy(shares)
    best, length = max((rise(length), length) for length in _LENGTHS)
    if best <= before + _SETTLED * n:
        length, best = 0.0, before
    reached = coupling if length == 0 else (coupling + (length / n) * direction).clamp_min_(0.0)  # rounding
    held = _dot(here, shares) / 2 - (0.0 if gains.tilt is None else _dot(gains.tilt, shares))
    energy = -(_TRUST * held + best) / n
    return Averaged(reached, moved.log_a, energy, change_of(reached, coupling), length == 0)


def matching_of(space: Workspace, coupling: Tensor) -> Tensor:
    """(n,) the one-to-one matching with the largest sum of shares, and none that a pin bars."""
    shares = coupling if space.pin_cost is None else coupling.masked_fill(space.pin_cost >= FIRM, -1.0)
    return torch.as_tensor(linear_sum_assignment(shares.cpu().numpy(), maximize=True)[1])


def gains_of(space: Workspace, matching: Tensor) -> Gains:
    """The log-odds at a matching, as matrices; kept for the steps to come."""
    return space.remember("gains", (matching,), lambda: _gains(space, matching))


def _gains(space: Workspace, matching: Tensor) -> Gains:
    n = len(matching)
    source, matched = _classes(space, matching)
    odds = log_odds(source, matched)
    odds = odds - odds[:, :1] - odds[:1] + odds[0, 0]  # what a pair brings wherever it lies is no matter
    order = matching.argsort().cpu().numpy()
    target = matched[np.ix_(order, order)]
    classes = range(1, len(odds))
    gains = Gains(
        tuple(torch.as_tensor(source == a, device=space.device).to(space.product) for a in classes),
        tuple(torch.as_tensor(odds[a][target], device=space.device).to(space.product) for a in classes),
        None, space.symmetric,
    )  # fmt: skip
    tilt = anchor_tilt(space)
    if tilt is None:
        return gains
    vertex = n * coupling_of(space, matching)
    unit = max(1.0, _dot(gains.quadratic(vertex), vertex) / n)  # what a match brings here, as the gain s does there
    return replace(gains, tilt=tilt * (unit / space.gain))


def _classes(space: Workspace, matching: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """(n, n) classes of the pairs of sources, and of the pairs of targets that lie on them."""
    graphs = (space.problem.source, space.problem.target)
    source, target = (strengths(graph.without_loops, len(matching)) for graph in graphs)
    order = matching.cpu().numpy()
    return source, target[np.ix_(order, order)]


def strengths(weights: sparse.csr_array, n: int) -> np.ndarray:
    """(n, n) class of every ordered pair: 0 without an interaction, else 1 and more by weight; dummies have none."""
    found = np.zeros((n, n), dtype=np.int64)
    entries = weights.tocoo()
    bounds = np.unique(np.quantile(entries.data, np.arange(1, _STRENGTHS) / _STRENGTHS))
    found[entries.row, entries.col] = 1 + np.searchsorted(bounds, entries.data)
    return found


def log_odds(source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """(K_s, K_t) log of how much more often two classes lie on each other than by chance, the diagonal included."""
    counts = np.full((int(source.max()) + 1, int(target.max()) + 1), _SEEN)
    np.add.at(counts, (source.ravel(), target.ravel()), 1.0)
    shares = counts / counts.sum()
    return np.log(shares / np.outer(shares.sum(1), shares.sum(0)))


def _dot(a: Tensor, b: Tensor) -> float:
    return float((a * b).sum(dtype=torch.float64))


def _entropy(shares: Tensor) -> float:
    return -float(torch.special.xlogy(shares, shares.clamp_min(1e-300)).sum(dtype=torch.float64))
