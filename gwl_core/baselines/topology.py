"""What the topological systems see of a graph: who is joined to whom, without direction, weights and self-loops."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem


@dataclass(frozen=True, eq=False)
class Topology:
    """An undirected simple graph: (n, n) symmetric CSR of ones, zero diagonal."""

    adjacency: sparse.csr_array

    @property
    def n(self) -> int:
        return int(self.adjacency.shape[0])

    @cached_property
    def degrees(self) -> np.ndarray:
        """(n,) number of neighbours, int."""
        return np.diff(self.adjacency.indptr).astype(np.int64)

    def neighbours(self, node: int) -> np.ndarray:
        """Indices of the neighbours, ascending."""
        return self.adjacency.indices[self.adjacency.indptr[node] : self.adjacency.indptr[node + 1]]

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """(rows, columns) of every edge once, row < column."""
        upper = sparse.triu(self.adjacency, k=1).tocoo()
        return upper.row.astype(np.int64), upper.col.astype(np.int64)


def topology(graph: Graph) -> Topology:
    """The topology of a graph; of a directed one, nodes joined in either direction."""
    joined = graph.adjacency
    if graph.directed:
        joined = sparse.csr_array(joined.maximum(joined.T))
    joined = sparse.csr_array(joined, copy=True)
    joined.sort_indices()
    return Topology(joined)


@dataclass(frozen=True, eq=False)
class Sides:
    """Both topologies, the one with fewer nodes first: these systems map it into the other."""

    smaller: Topology
    larger: Topology
    turned: bool

    @classmethod
    def of(cls, problem: MatchingProblem) -> Sides:
        source, target = topology(problem.source), topology(problem.target)
        turned = source.n > target.n
        return cls(target, source, True) if turned else cls(source, target, False)

    def matching(self, image: np.ndarray) -> np.ndarray:
        """(n_s,) matching of the problem from the (n_smaller,) image of the smaller side, −1 for none."""
        if not self.turned:
            return image.astype(np.int64)
        matching = np.full(self.larger.n, -1, dtype=np.int64)
        matched = np.flatnonzero(image >= 0)
        matching[image[matched]] = matched
        return matching

    def scores(self, values: np.ndarray) -> np.ndarray:
        """(n_s, n_t) scores of the problem from those of (smaller, larger)."""
        return values.T if self.turned else values


def direction_notice(problem: MatchingProblem) -> tuple[str, ...]:
    """What to tell the user of a directed graph."""
    if problem.source.directed or problem.target.directed:
        return ("This method knows no direction: nodes joined in either direction count as joined.",)
    return ()
