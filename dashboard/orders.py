"""In which order the heatmap's rows and columns come. Pure."""

from __future__ import annotations

from functools import lru_cache

import networkx as nx
import numpy as np

from dashboard.figures.heatmap import HeatmapView, diagonal_order
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

ORDERS = ("degree", "match", "input", "community")


def order(problem: MatchingProblem, name: str, matching: np.ndarray | None = None) -> HeatmapView:
    """The whole heatmap in an order.

    Args:
        name: degree (true partners on the diagonal where the truth is known), match (present matches on the diagonal),
            input (as in the files), or community (densely linked groups together, the target's as the source's).
        matching: (n_s,) target of each source, −1 for none; needed for match and community only.
    """
    if name == "match" and matching is not None:
        return diagonal_order(matching, problem.target.n_nodes, _by_degree(problem.source))
    if name == "input":
        return HeatmapView(np.arange(problem.source.n_nodes), np.arange(problem.target.n_nodes))
    if name == "community":
        return _by_community(problem, matching)
    return _fixed(problem)


@lru_cache(maxsize=16)
def _fixed(problem: MatchingProblem) -> HeatmapView:
    """Sources by degree; targets by the truth where it is known, so that a right coupling is the diagonal."""
    rows = _by_degree(problem.source)
    if problem.truth is not None:
        return diagonal_order(true_matching(problem), problem.target.n_nodes, rows)
    return HeatmapView(rows, _by_degree(problem.target))


def _by_degree(graph: Graph) -> np.ndarray:
    return np.argsort(-graph.degrees, kind="stable")


def true_matching(problem: MatchingProblem) -> np.ndarray:
    """(n_s,) true target of each source, −1 where it is not known."""
    matching = np.full(problem.source.n_nodes, -1)
    if problem.truth is not None:
        matching[problem.truth[:, 0]] = problem.truth[:, 1]
    return matching


def _by_community(problem: MatchingProblem, matching: np.ndarray | None) -> HeatmapView:
    """Communities of either graph, the largest first; a target community comes where its matches lie on average."""
    ours, theirs = communities(problem.source), communities(problem.target)
    rows = np.lexsort((-problem.source.degrees, ours))
    rank = np.empty(len(rows))
    rank[rows] = np.arange(len(rows))
    lie = np.full(problem.target.n_nodes, np.nan)
    if matching is not None:
        matched = np.flatnonzero(matching >= 0)
        lie[matching[matched]] = rank[matched]
    known = ~np.isnan(lie)
    counts = np.bincount(theirs, weights=known)
    sums = np.bincount(theirs, weights=np.where(known, lie, 0.0))
    places = np.where(counts > 0, sums / np.maximum(counts, 1), np.arange(len(counts)) + len(rows))
    return HeatmapView(rows, np.lexsort((-problem.target.degrees, theirs, places[theirs])))


@lru_cache(maxsize=16)
def communities(graph: Graph) -> np.ndarray:
    """(n,) community of each node by Louvain's method (Blondel et al. 2008), 0 the largest; direction plays no part."""
    rows, columns, weights = graph.edges
    drawn = nx.Graph()
    drawn.add_nodes_from(range(graph.n_nodes))
    drawn.add_weighted_edges_from(zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True))
    found = sorted(nx.community.louvain_communities(drawn, seed=0), key=lambda c: (-len(c), min(c)))
    member = np.empty(graph.n_nodes, dtype=np.int64)
    for number, nodes in enumerate(found):
        member[list(nodes)] = number
    return member
