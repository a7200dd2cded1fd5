"""Why directed graphs need both halves of the gradient."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dashboard.lessons.pairs import FOLLOWERS, shuffled
from dashboard.lessons.transport import Path, run, small
from gwl_core.matching import by_coupling
from gwl_core.metrics import node_correctness
from gwl_core.problem import MatchingProblem

STEPS = 40
EDGES = ("as drawn", "reversed", "undirected")


@dataclass(frozen=True, eq=False)
class Halves:
    """One problem by L(C_s, C_t, T) alone and by both halves; `correct` is (STEPS + 1,) node correctness."""

    problem: MatchingProblem
    paths: dict[str, Path]
    correct: dict[str, np.ndarray]


@lru_cache(maxsize=3)
def problem(edges: str) -> MatchingProblem:
    """The graph as drawn, with every edge reversed, or with edges that go both ways."""
    rows = [(b, a, w) for a, b, w in FOLLOWERS] if edges == "reversed" else FOLLOWERS
    return shuffled(rows, 4, directed=edges != "undirected")


@lru_cache(maxsize=32)
def compare(edges: str, gamma: float) -> Halves:
    """STEPS proximal iterations from the product coupling, by one half ("one-sided") and by both ("exact")."""
    held = problem(edges)
    paths = {
        gradient: run(small(held, one_sided=gradient == "one-sided"), "proximal", gamma, 1, STEPS)
        for gradient in ("one-sided", "exact")
    }
    correct = {
        gradient: np.array([node_correctness(by_coupling(t), held.truth) for t in path.couplings])
        for gradient, path in paths.items()
    }
    return Halves(held, paths, correct)
