"""How much node correctness is within reach, where nodes cannot be told apart.

A perfect method that knows no labels hits node i with chance 1/|orbit of i| under the automorphisms of a graph, so
the most to be expected is the mean of that over the known pairs, for the graph that leaves less. Orbits are expensive;
two partitions enclose them: colour refinement never splits an orbit (its figure is at most the true one), and twins
with pendant branches only ever join nodes of one orbit (its figure is at least the true one). Luck may beat both.
"""

from __future__ import annotations

import numpy as np

from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.symmetry import alike_nodes, find_symmetry


def ceilings(problem: MatchingProblem) -> tuple[float, float]:
    """(lower, upper) estimate of the node correctness that can be expected at best; (1, 1) means no symmetry seen."""
    if problem.truth is None:
        raise ValueError("a ceiling needs the known pairs")
    sides = ((problem.source, problem.truth[:, 0]), (problem.target, problem.truth[:, 1]))
    lower, upper = (
        min(float(np.mean(_chance(classes(graph))[nodes])) for graph, nodes in sides)
        for classes in (alike_nodes, swap_classes)
    )
    return lower, upper


def _chance(classes: np.ndarray) -> np.ndarray:
    return 1 / np.bincount(classes)[classes]


def swap_classes(graph: Graph) -> np.ndarray:
    """(n,) class of each node under swaps of twins and of isomorphic pendant branches."""
    symmetry = find_symmetry(graph)
    names: dict[tuple[int, int], int] = {}
    found = np.full(graph.n_nodes, -1, dtype=np.int64)

    def class_of(node: int) -> int:
        path = []
        while node >= 0 and found[node] < 0:
            path.append(node)
            node = int(symmetry.parent[node])
        above = -1 if node < 0 else int(found[node])
        for below in reversed(path):
            above = names.setdefault((above, int(symmetry.kind[below])), len(names))
            found[below] = above
        return above

    for node in range(graph.n_nodes):
        class_of(node)
    return found
