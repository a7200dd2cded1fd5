"""The edges around one pair: which of them the matching conserves, which it breaks, and which the target adds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gwl_core.problem import MatchingProblem

CONSERVED, BROKEN, ADDED = "conserved", "broken", "added"


@dataclass(frozen=True)
class Link:
    """One edge at a pair (i, j), seen from both graphs.

    Attributes:
        kind: conserved: an edge at i whose image is an edge at j; broken: an edge at i without one; added: an edge
            at j that is the image of none.
        source: the neighbour of i, or what is matched to the neighbour of j; −1 for none.
        target: the neighbour of j, or what the neighbour of i is matched to; −1 for none.
        outward: whether the edge leaves the pair; True for undirected edges.
        weight: interaction count in the graph that has the edge (conserved: the smaller of the two).
    """

    kind: str
    source: int
    target: int
    outward: bool
    weight: float


def links(problem: MatchingProblem, matching: np.ndarray, pair: tuple[int, int]) -> tuple[Link, ...]:
    """Every edge at a pair, heaviest first within conserved, broken, added; self-loops play no part.

    An undirected edge comes once, a directed one by its direction, so that over all matched pairs the conserved links
    are those that `metrics.edge_counts` counts.

    Args:
        matching: (n_s,) target of each source, −1 for none, no target twice; the pair itself need not be in it.
    """
    taken = np.full(problem.target.n_nodes, -1)
    matched = np.flatnonzero(matching >= 0)
    taken[matching[matched]] = matched
    image = np.array(matching)
    if image[pair[0]] != pair[1]:  # for the sake of the argument, the pair holds
        image[pair[0]], displaced = pair[1], taken[pair[1]]
        if displaced >= 0:
            image[displaced] = -1
        if matching[pair[0]] >= 0:
            taken[matching[pair[0]]] = -1
        taken[pair[1]] = pair[0]
    directed = problem.source.directed or problem.target.directed
    found: list[Link] = []
    for outward in (True, False) if directed else (True,):
        ours, theirs = (
            _weights(graph.without_loops if outward else graph.without_loops.T, node)
            for graph, node in ((problem.source, pair[0]), (problem.target, pair[1]))
        )
        for k, weight in ours.items():
            at = int(image[k])
            kind = CONSERVED if at in theirs else BROKEN
            found.append(Link(kind, k, at, outward, min(weight, theirs.get(at, weight))))
        for j, weight in theirs.items():
            if int(taken[j]) not in ours:
                found.append(Link(ADDED, int(taken[j]), j, outward, weight))
    order = (CONSERVED, BROKEN, ADDED)
    return tuple(sorted(found, key=lambda link: (order.index(link.kind), -link.weight, link.source, link.target)))


def _weights(matrix: object, node: int) -> dict[int, float]:
    """Neighbour → weight in one row."""
    row = matrix.tocsr()[[node]].tocoo()  # type: ignore[attr-defined]
    return dict(zip(row.col.tolist(), row.data.tolist(), strict=True))
