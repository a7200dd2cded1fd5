"""The small graphs of the lessons: letters on the source, numbers on its shuffled copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gwl_core.datasets.noise import permute_and_relabel
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

Edge = tuple[str, str, float]

THREE: Sequence[Edge] = (("a", "b", 3), ("b", "c", 1))
"""A path with a heavy end: the smallest graph with one right answer."""

FOUR: Sequence[Edge] = (("a", "b", 3), ("b", "c", 1), ("c", "d", 1))

FIVE: Sequence[Edge] = (("a", "b", 3), ("b", "c", 1), ("c", "d", 1), ("d", "e", 1), ("b", "d", 1))

SEVEN: Sequence[Edge] = (
    ("a", "b", 3), ("b", "c", 3), ("c", "a", 2), ("c", "d", 1), ("d", "e", 4), ("e", "f", 2), ("f", "g", 3),
    ("d", "f", 1),
)  # fmt: skip

FOLLOWERS: Sequence[Edge] = (
    ("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "e", 1), ("e", "f", 1), ("f", "g", 1), ("g", "e", 1),
)  # fmt: skip
"""Directed, and every node points at exactly one other: a queue of four that ends in a circle of three."""


def shuffled(edges: Sequence[Edge], seed: int, *, directed: bool = False) -> MatchingProblem:
    """A graph and its copy with shuffled nodes; the truth says which is which."""
    nodes = sorted({name for start, end, _ in edges for name in (start, end)})
    source = Graph.from_edges(edges, directed, nodes, "source")
    target, permutation = permute_and_relabel(replace(source, name="target"), np.random.default_rng(seed), "")
    target = replace(target, labels=tuple(str(i + 1) for i in range(target.n_nodes)))
    return MatchingProblem(source, target, np.column_stack([np.arange(source.n_nodes), permutation]))


def right(problem: MatchingProblem) -> np.ndarray:
    """(n_s,) the true matching; −1 where the truth does not tell."""
    matching = np.full(problem.source.n_nodes, -1)
    if problem.truth is not None:
        matching[problem.truth[:, 0]] = problem.truth[:, 1]
    return matching
