"""Noise: more nodes, more edges, another order. Every function returns a new graph and ends at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count as count_up
from itertools import islice

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph

Weights = Callable[[np.random.Generator, int], np.ndarray]


def unit_weights(rng: np.random.Generator, size: int) -> np.ndarray:
    """(size,) ones."""
    return np.ones(size)


def interaction_counts(rng: np.random.Generator, size: int) -> np.ndarray:
    """(size,) draws of Poisson(10), zeros redrawn: the paper's number of interactions on an edge."""
    counts = rng.poisson(10, size)
    while not counts.all():
        zero = counts == 0
        counts[zero] = rng.poisson(10, np.count_nonzero(zero))
    return counts.astype(np.float64)


def add_noise_edges(graph: Graph, count: int, rng: np.random.Generator, weight: Weights = unit_weights) -> Graph:
    """Add `count` edges, drawn uniformly from the pairs of different nodes that have no edge yet.

    A pair is ordered where the graph is directed. Raises InputError ("no free pair") when there are fewer.
    """
    count = _whole("count", count)
    n = graph.n_nodes
    rows, columns, _ = graph.edges
    taken = np.sort(_rank_of_pair(rows, columns, n, graph.directed))
    free = n * (n - 1) // (1 if graph.directed else 2) - len(taken)
    if count > free:
        raise InputError(
            f"{graph.name} has no free pair for {count - free} of {count} added edges: "
            "add nodes first or ask for fewer edges."
        )
    if count == 0:
        return graph
    # The k-th free rank is k plus the number of taken ranks below it: no rejection, so no loop that could go on.
    draws = rng.choice(free, size=count, replace=False, shuffle=False)
    ranks = draws + np.searchsorted(taken - np.arange(len(taken)), draws, side="right")
    return _extended(graph, graph.labels, *_pair_of_rank(ranks, n, graph.directed), weight(rng, count))


def add_noise_nodes(
    graph: Graph,
    count: int,
    links: int,
    rng: np.random.Generator,
    weight: Weights = unit_weights,
    preferential: bool = False,
) -> Graph:
    """Add `count` nodes one after another, each with edges to `links` distinct nodes that are there already.

    The nodes are drawn uniformly, or in proportion to their number of edges where preferential. Links that exceed
    the nodes there are left out. In a directed graph the added node is the start of the edge.
    """
    count, links = _whole("count", count), _whole("links", links)
    n = graph.n_nodes
    degrees = np.bincount(np.concatenate(graph.edges[:2]), minlength=n + count)
    rows: list[int] = []
    columns: list[int] = []
    for node in range(n, n + count):
        size = min(links, node)
        chances = degrees[:node] if preferential else np.ones(node)
        if np.count_nonzero(chances) < max(size, 1):
            chances = chances + 1  # too few nodes have an edge to draw from those alone
        ends = rng.choice(node, size, replace=False, p=chances / chances.sum())
        degrees[node] = size
        degrees[ends] += 1
        rows += [node] * size
        columns += ends.tolist()
    names = (f"noise{i}" for i in count_up(n))
    labels = graph.labels + tuple(islice((name for name in names if name not in graph.index), count))
    return _extended(graph, labels, np.array(rows, dtype=int), np.array(columns, dtype=int), weight(rng, len(rows)))


def permute_and_relabel(graph: Graph, rng: np.random.Generator, prefix: str) -> tuple[Graph, np.ndarray]:
    """Shuffle the nodes and call them prefix0, prefix1, …, so that neither place nor label tells who is who.

    Returns the graph and the permutation: node i of `graph` is node permutation[i] of the result. It is never the
    identity, except for a single node.
    """
    n = graph.n_nodes
    permutation = rng.permutation(n)
    while n > 1 and (permutation == np.arange(n)).all():
        permutation = rng.permutation(n)
    back = np.argsort(permutation)
    weights = graph.weights[back][:, back]
    weights.sort_indices()
    return replace(graph, labels=tuple(f"{prefix}{i}" for i in range(n)), weights=weights), permutation


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise InputError(f"{name} must be a whole number, 0 or more, got {value!r}.")
    return int(value)


def _rank_of_pair(rows: np.ndarray, columns: np.ndarray, n: int, directed: bool) -> np.ndarray:
    """Number the pairs of different nodes from 0: row by row where directed, else (row < column) by column."""
    if directed:
        return rows * (n - 1) + columns - (columns > rows)
    return columns * (columns - 1) // 2 + rows


def _pair_of_rank(ranks: np.ndarray, n: int, directed: bool) -> tuple[np.ndarray, np.ndarray]:
    """The inverse of `_rank_of_pair`."""
    if directed:
        rows, columns = np.divmod(ranks, n - 1)
        return rows, columns + (columns >= rows)
    first = np.arange(n) * (np.arange(n) - 1) // 2
    columns = np.searchsorted(first, ranks, side="right") - 1
    return ranks - first[columns], columns


def _extended(
    graph: Graph, labels: tuple[str, ...], rows: np.ndarray, columns: np.ndarray, weights: np.ndarray
) -> Graph:
    """The graph with these labels and these edges on top of its own."""
    if not graph.directed:
        rows, columns, weights = np.r_[rows, columns], np.r_[columns, rows], np.r_[weights, weights]
    old = graph.weights.tocoo()
    values = np.r_[old.data, weights]
    places = (np.r_[old.row, rows], np.r_[old.col, columns])
    matrix = sparse.coo_array((values, places), shape=(len(labels), len(labels))).tocsr()
    return replace(graph, labels=labels, weights=matrix)
