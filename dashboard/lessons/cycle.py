"""A cycle has no right answer: every turn and every mirror image fits as well."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import torch

from dashboard.lessons.couplings import between
from dashboard.lessons.pairs import right, shuffled
from dashboard.lessons.transport import Small, run, small
from gwl_core.matching import by_coupling
from gwl_core.metrics import node_correctness
from gwl_core.sinkhorn import scale
from gwl_core.symmetry import alike_nodes

NAMES = "abcdefgh"
MARKS = ("none", "one", "two")
STEPS, GAMMA = 60, 0.03
PERFECT = 1e-9


@dataclass(frozen=True, eq=False)
class Answer:
    """What the solver found from one start: the matching (−1 for none), its discrepancy and node correctness."""

    matching: np.ndarray
    coupling: np.ndarray
    discrepancy: float
    correct: float


@lru_cache(maxsize=16)
def case(n: int, marks: str) -> Small:
    """A cycle of n nodes with no, one or two edges of another weight, and its shuffled copy."""
    weights = [1.0] * n
    if marks != "none":
        weights[0] = 3.0
    if marks == "two":
        weights[1] = 2.0
    return small(shuffled([(NAMES[i], NAMES[(i + 1) % n], weights[i]) for i in range(n)], 2))


@lru_cache(maxsize=16)
def all_discrepancies(n: int, marks: str) -> np.ndarray:
    """(n!,) the discrepancy of every one-to-one matching."""
    held = case(n, marks)
    return np.array([held.discrepancy(between(np.array(order), 1.0)) for order in permutations(range(n))])


def classes(n: int, marks: str) -> np.ndarray:
    """(n,) class of each source node by colour refinement: nodes of one class look the same from everywhere."""
    return alike_nodes(case(n, marks).problem.source)


def moved(n: int, marks: str, turn: int, flip: bool) -> Answer:
    """The true matching after turning the source by some places, and mirroring it."""
    truth = right(case(n, marks).problem)
    places = (np.arange(n) + turn) % n
    return _answer(case(n, marks), between(truth[places[::-1] if flip else places], 1.0))


@lru_cache(maxsize=256)
def solved(n: int, marks: str, seed: int | None) -> Answer:
    """STEPS proximal iterations, from the product coupling or from one that chance (a seed) has tilted."""
    held = case(n, marks)
    start = held.product
    if seed is not None:
        noise = torch.as_tensor(np.random.default_rng(seed).random((n, n)))
        unscaled = torch.zeros_like(held.source)
        start = scale(noise, 1.0, torch.as_tensor(start), held.source, held.target, unscaled, 20).coupling.numpy()
    return _answer(held, run(held, "proximal", GAMMA, 1, STEPS, start).couplings[-1])


def _answer(held: Small, coupling: np.ndarray) -> Answer:
    matching = by_coupling(coupling)
    correct = node_correctness(matching, held.problem.truth) or 0.0
    return Answer(matching, coupling, held.discrepancy(coupling), correct)
