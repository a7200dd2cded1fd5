"""The paper's comparison of proximal and entropic steps over γ and J (supplement, figure cmp), on a small pair."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dashboard.lessons.transport import Small, run, small
from gwl_core.datasets.noise import add_noise_edges, interaction_counts
from gwl_core.datasets.synthetic import knn
from gwl_core.matching import by_coupling
from gwl_core.metrics import node_correctness

METHODS = ("proximal", "entropic")
GAMMAS = (1e-3, 1e-2, 1e-1, 1.0)
PASSES = (1, 10, 100)
STEPS = 60
NODES, ADDED, MEAN_DEGREE, SEED = 10, 4, 2.0, 6

Cell = tuple[float, int]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one method did with one γ and J.

    Attributes:
        discrepancy: (STEPS + 1,).
        coupling: (n_s, n_t) the real block at the end.
        correct: node correctness by coupling at the end.
    """

    discrepancy: np.ndarray
    coupling: np.ndarray
    correct: float


@lru_cache(maxsize=1)
def case() -> Small:
    """A K-NN graph, and its shuffled copy with some edges added at random."""
    rng = np.random.default_rng(SEED)
    clean = knn(NODES, 0.0, rng, mean_degree=MEAN_DEGREE)
    return small(replace(clean, target=add_noise_edges(clean.target, ADDED, rng, interaction_counts)))


def outcomes(cell: Cell) -> dict[str, Outcome]:
    """Both methods from the product coupling with this (γ, J)."""
    return {method: _outcome(method, *cell) for method in METHODS}


def _outcome(method: str, gamma: float, passes: int) -> Outcome:
    problem = case().problem
    path = run(case(), method, gamma, passes, STEPS)
    block = path.couplings[-1][: problem.source.n_nodes, : problem.target.n_nodes]
    correct = node_correctness(by_coupling(block), problem.truth)
    return Outcome(path.discrepancy, block, correct or 0.0)


@lru_cache(maxsize=1)
def truth_discrepancy() -> float:
    """The discrepancy of the known matching, unmatched nodes on dummies."""
    return case().discrepancy(hard(case(), case().problem.truth))


def hard(held: Small, truth: np.ndarray | None) -> np.ndarray:
    """The padded coupling of known (source, target) pairs; what is left over is matched in order."""
    n = len(held.source)
    matching = np.full(n, -1)
    if truth is not None:
        matching[truth[:, 0]] = truth[:, 1]
    matching[matching < 0] = np.setdiff1d(np.arange(n), matching)
    coupling = np.zeros((n, n))
    coupling[np.arange(n), matching] = held.source.numpy()
    return coupling


ALL: tuple[Cell, ...] = tuple((gamma, passes) for passes in PASSES for gamma in GAMMAS)
