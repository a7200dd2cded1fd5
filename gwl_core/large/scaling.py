"""A sparse coupling from scores: Sinkhorn scaling on the support, with slack for what finds no match there."""

from __future__ import annotations

import numpy as np
from scipy import sparse

_REACH = 300.0
"""Largest exponent, so that nothing over- or underflows."""

LEAST = 1e-7
"""Entries below this share of a node's mass are dropped from the support."""


def coupling_from_scores(scores: sparse.csr_array, slack: float, passes: int = 20) -> sparse.csr_array:
    """T_ij = u_i exp(score_ij) v_j with u_i (Σ_j exp(score_ij) v_j + e) = 1 and likewise for columns, e = exp(slack).

    In units of a node's mass: rows sum to at most 1, and so, after a last pass, do columns. The rest of a node is
    unmatched, so that every support admits a solution.

    Args:
        scores: (n_s, n_t) CSR of gains over γ; stored zeros count.
        slack: the score of staying unmatched.
    """
    rows, columns, values = _triples(scores)
    best_row = np.full(scores.shape[0], slack)
    np.maximum.at(best_row, rows, values)
    shifted = values - best_row[rows]
    best_column = np.full(scores.shape[1], -np.inf)
    np.maximum.at(best_column, columns, shifted)
    best_column[~np.isfinite(best_column)] = 0
    kernel = np.exp(np.maximum(shifted - best_column[columns], -_REACH))
    T = sparse.csr_array((kernel, scores.indices, scores.indptr), shape=scores.shape)
    T_t = sparse.csr_array(T.T)
    row_slack = np.exp(np.clip(slack - best_row, -_REACH, _REACH))
    column_slack = np.exp(np.clip(slack - best_column, -_REACH, _REACH))
    v = np.ones(scores.shape[1])
    for _ in range(passes):
        u = 1 / (T @ v + row_slack)
        v = 1 / (T_t @ u + column_slack)
    u = 1 / (T @ v + row_slack)
    T.data = u[rows] * T.data * v[columns]
    return without_excess(_dropped(T))


def without_excess(coupling: sparse.csr_array) -> sparse.csr_array:
    """The coupling with every column, then every row, scaled down to a sum of at most 1."""
    T = coupling.copy()
    T.data = T.data / np.maximum(np.asarray(T.sum(axis=0)).ravel(), 1)[T.indices]
    T.data = T.data / np.repeat(np.maximum(np.asarray(T.sum(axis=1)).ravel(), 1), np.diff(T.indptr))
    return T


def merged(gains: sparse.csr_array, rows: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows, columns, gains) of the union of a support with further pairs, which gain 0 where they are new; sorted."""
    own_rows, own_columns, values = _triples(gains)
    width = gains.shape[1]
    keys = np.concatenate([own_rows * width + own_columns, rows.astype(np.int64) * width + columns])
    keys, first = np.unique(keys, return_index=True)
    padded = np.concatenate([values, np.zeros(len(rows))])
    return keys // width, keys % width, padded[first]


def as_csr(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> sparse.csr_array:
    """A CSR of triples sorted by row and column, zeros kept."""
    pointers = np.r_[0, np.cumsum(np.bincount(rows, minlength=shape[0]))]
    return sparse.csr_array((values, columns.astype(np.int32), pointers.astype(np.int32)), shape=shape)


def _triples(matrix: sparse.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return rows, matrix.indices.astype(np.int64), matrix.data


def _dropped(T: sparse.csr_array) -> sparse.csr_array:
    T.data[T.data < LEAST] = 0
    T.eliminate_zeros()
    return T
