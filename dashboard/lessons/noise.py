"""Noise and what it leaves of node correctness, by the solver itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from dashboard.lessons.compare import hard
from dashboard.lessons.transport import small
from gwl_core.datasets.synthetic import barabasi_albert
from gwl_core.matching import one_to_one
from gwl_core.metrics import edge_correctness, node_correctness
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS
from gwl_core.solver import init, step
from gwl_core.symmetry import find_symmetry, symmetry_aware_correctness

NODES, ATTACH, STEPS = 10, 2, 80
LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SEEDS = tuple(range(5))


@dataclass(frozen=True, eq=False)
class Trial:
    """One noisy pair, aligned.

    Attributes:
        matching: (n_s,) one-to-one.
        coupling: (n_s, n_t) the real block.
        correct, edges: node and edge correctness of the matching.
        symmetric: node correctness up to the swaps of either graph.
        discrepancy, true_discrepancy: of the coupling found, and of the known pairs.
    """

    problem: MatchingProblem
    matching: np.ndarray
    coupling: np.ndarray
    correct: float
    edges: float
    symmetric: float
    discrepancy: float
    true_discrepancy: float


@lru_cache(maxsize=128)
def trial(noise: float, seed: int) -> Trial:
    """A Barabási-Albert graph, its noisy copy, and STEPS steps of the `gwd` preset on them."""
    problem = barabasi_albert(NODES, noise, np.random.default_rng(seed), ATTACH)
    preset = PRESETS["gwd"]
    config = replace(preset.config, device="cpu", threads=1)
    hyper = replace(preset.hyperparameters, inner=STEPS)
    state = init(problem, config, hyper)
    while state.phase != "done":
        state, _ = step(problem, config, hyper, state)
    padded = state.coupling.numpy()
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    matching = one_to_one(padded[:n_s, :n_t], padded[n_s:, :n_t], padded[:n_s, n_t:])
    held = small(problem)
    swaps = find_symmetry(problem.source), find_symmetry(problem.target)
    symmetric = symmetry_aware_correctness(matching, problem.truth, *swaps)
    found = np.column_stack([np.flatnonzero(matching >= 0), matching[matching >= 0]])
    return Trial(
        problem, matching, padded[:n_s, :n_t], node_correctness(matching, problem.truth) or 0.0,
        edge_correctness(matching, problem.source, problem.target) or 0.0,
        symmetric or 0.0,
        held.discrepancy(hard(held, found)), held.discrepancy(hard(held, problem.truth)),
    )  # fmt: skip


ALL = tuple((noise, seed) for seed in SEEDS for noise in LEVELS)
