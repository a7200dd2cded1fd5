"""Large graphs, communities first: a node for each densely linked group. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import sparse

from dashboard.figures.layout import aligned_layout, spring_layout
from dashboard.orders import communities
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

MANY = 2000
"""Nodes of a graph above which its communities are drawn in place of its nodes."""


@dataclass(frozen=True, eq=False)
class Coarse:
    """One graph seen as its communities.

    Attributes:
        member: (n,) community of each node.
        labels: of the communities, with their sizes.
        weights: (c, c) CSR, summed weights between communities.
        hub: (c,) the node of highest degree in each.
    """

    member: np.ndarray
    labels: tuple[str, ...]
    weights: sparse.csr_array
    hub: np.ndarray

    @property
    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = sparse.triu(self.weights, k=1).tocoo()
        return found.row, found.col, found.data


@lru_cache(maxsize=8)
def coarse(graph: Graph) -> Coarse:
    """The communities of a graph (Louvain), without the edges inside them."""
    member = communities(graph)
    count = int(member.max()) + 1
    into = sparse.csr_array((np.ones(len(member)), (np.arange(len(member)), member)), shape=(len(member), count))
    weights = sparse.csr_array(into.T @ (graph.without_loops + graph.without_loops.T) @ into)
    weights.setdiag(0)
    weights.eliminate_zeros()
    sizes = np.bincount(member)
    order = np.lexsort((graph.degrees, member))
    hub = order[np.searchsorted(member[order], np.arange(count), side="right") - 1]
    labels = tuple(f"group of {graph.labels[h]}, {size} nodes" for h, size in zip(hub, sizes, strict=True))
    return Coarse(member, labels, weights, hub)


def large(problem: MatchingProblem) -> bool:
    """Whether the graphs are drawn as communities."""
    return max(problem.source.n_nodes, problem.target.n_nodes) > MANY


def carried(matching: np.ndarray, source: Coarse, target: Coarse) -> tuple[np.ndarray, np.ndarray]:
    """(target community that gets most of each source community, −1 for none; its share of the community)."""
    matched = np.flatnonzero(matching >= 0)
    shape = (len(source.labels), len(target.labels))
    counts = np.zeros(shape)
    np.add.at(counts, (source.member[matched], target.member[matching[matched]]), 1)
    best = counts.argmax(axis=1)
    most = counts[np.arange(shape[0]), best]
    return np.where(most > 0, best, -1), most / np.bincount(source.member, minlength=shape[0])


@lru_cache(maxsize=8)
def _own(graph: Graph) -> np.ndarray:
    return spring_layout(coarse(graph).weights, np.random.default_rng(0))


def coarse_layouts(problem: MatchingProblem, partners: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Places of both graphs' communities; the target's follow their partners' where there are any."""
    source, target = _own(problem.source), _own(problem.target)
    if partners is not None:
        target = aligned_layout(source, partners, coarse(problem.target).weights, target)
    return source, target
