"""Rows that give one edge several times become one weight; and the user's wishes about weights and components."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from gwl_core.readers.direction import combine
from gwl_core.readers.phrases import counted

MERGED = {
    "sum": "the weights were added up",
    "largest": "the largest weight was kept, as asked",
    "mean": "the mean weight was taken, as asked",
}


def merge(
    ends: tuple[np.ndarray, np.ndarray],
    weights: np.ndarray,
    summed: sparse.csr_array,
    directed: bool,
    mirrored: bool,
    how: str,
) -> sparse.csr_array:
    """(n, n) weights of the edges from k rows of (start, end) and weight > 0; `summed` is their sum by start and end.

    Args:
        mirrored: an undirected list gives every edge both ways; each pair of rows is one edge.
        how: "sum", "largest" or "mean" of the rows of an edge.
    """
    if how == "sum":
        return combine(summed, directed, mirrored)
    one, two = ends if directed or mirrored else (np.minimum(*ends), np.maximum(*ends))
    n = summed.shape[0]
    keys, place, times = np.unique(one * n + two, return_inverse=True, return_counts=True)
    if how == "mean":
        merged = np.bincount(place, weights, len(keys)) / times
    else:
        merged = np.zeros(len(keys))
        np.maximum.at(merged, place, weights)
    matrix = sparse.coo_array((merged, (keys // n, keys % n)), shape=(n, n)).tocsr()
    return matrix if directed else sparse.csr_array(matrix.maximum(matrix.T))


def transformed(weights: sparse.csr_array, how: str) -> tuple[sparse.csr_array, list[str]]:
    """The weights as the user wants them, and a sentence if they are changed."""
    if how not in ("log", "ones"):
        return weights, []
    changed = weights.copy()
    changed.data = np.log1p(weights.data) if how == "log" else np.ones_like(weights.data)
    return changed, ["Weights are log(1 + w), as asked." if how == "log" else "Every edge counts 1, as asked."]


def components(weights: sparse.csr_array) -> tuple[int, np.ndarray]:
    """The number of (weakly) connected components, and (n,) the one of every node."""
    number, of = connected_components(weights, directed=True, connection="weak")
    return int(number), of


def largest_component(weights: sparse.csr_array) -> tuple[np.ndarray, list[str]]:
    """Positions of the nodes in the largest component (the first of several), and a sentence if others are left out."""
    number, of = components(weights)
    if number == 1:
        return np.arange(len(of)), []
    kept = np.flatnonzero(of == np.bincount(of).argmax())
    left_out = counted(len(of) - len(kept), "node")
    return kept, [f"{left_out} outside the largest component left out, as asked."]
