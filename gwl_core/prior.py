"""A structural prior: how alike two nodes look from their surroundings, before any transport.

Degrees, clustering and their averages over one and two hops; robustly scaled over both graphs.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from gwl_core.graph import Graph


def structural_cost(source: Graph, target: Graph) -> np.ndarray:
    """(n_s, n_t) mean absolute difference of scaled node features; 0 for indistinguishable nodes."""
    directed = source.directed or target.directed
    features = [node_features(graph, directed) for graph in (source, target)]
    together = np.vstack(features)
    center = np.median(together, axis=0)
    spread = np.mean(np.abs(together - center), axis=0)
    kept = spread > 1e-9
    if not kept.any():
        return np.zeros((source.n_nodes, target.n_nodes))
    left, right = (np.clip((f[:, kept] - center[kept]) / spread[kept], -5, 5) for f in features)
    cost = np.zeros((source.n_nodes, target.n_nodes))
    for k in range(left.shape[1]):
        cost += np.abs(left[:, k, None] - right[None, :, k])
    return cost / left.shape[1]


def node_features(graph: Graph, directed: bool) -> np.ndarray:
    """(n, F) log degrees and counts (each direction if directed), clustering, and their means over one and two hops."""
    out = graph.adjacency
    directions = [(out, graph.without_loops)]
    if directed:
        directions.append((out.T.tocsr(), graph.without_loops.T.tocsr()))
    own = [np.log1p(np.asarray(matrix.sum(axis=1)).ravel()) for pair in directions for matrix in pair]
    own.append(clustering(graph))
    level = np.column_stack(own)
    levels = [level]
    for _ in range(2):
        level = np.hstack([_neighbour_mean(adjacency, levels[-1]) for adjacency, _ in directions])
        levels.append(level)
    return np.hstack(levels)


def clustering(graph: Graph) -> np.ndarray:
    """(n,) share of a node's neighbour pairs that are linked, direction and weight ignored; 0 below two neighbours."""
    pattern = sparse.csr_array(((graph.adjacency + graph.adjacency.T) > 0).astype(np.float64))
    degree = np.asarray(pattern.sum(axis=1)).ravel()
    triangles = np.asarray(((pattern @ pattern) * pattern).sum(axis=1)).ravel()
    pairs = degree * (degree - 1)
    return np.divide(triangles, pairs, out=np.zeros_like(pairs), where=pairs > 0)


def _neighbour_mean(adjacency: sparse.csr_array, features: np.ndarray) -> np.ndarray:
    count = np.asarray(adjacency.sum(axis=1)).ravel()
    return (adjacency @ features) / np.maximum(count, 1)[:, None]
