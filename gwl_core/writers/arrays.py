"""Results as .npz archives of plain arrays; they load without pickle."""

from __future__ import annotations

import io

import numpy as np

from gwl_core.result import Result, SparseResult
from gwl_core.writers.record import provenance
from gwl_core.writers.sparse import sparse_arrays
from gwl_core.writers.strict_json import strict_json


def coupling_npz(result: Result | SparseResult) -> bytes:
    """The coupling, from which the reported discrepancy and marginal error can be recomputed.

    Arrays: coupling (n_s, n_t), slack_rows (k, n_t), slack_columns (n_s, k), source_labels, target_labels,
    source_marginal, target_marginal, and run: JSON with settings, seed, versions and the graphs' hashes. The padded
    coupling is the real block with the slack rows below or the slack columns to its right; its marginals are the two
    given.

    A sparse result has data, indices, indptr and shape of a CSR matrix, row_rest and column_rest in place of the first
    three. With n = max(n_s, n_t), its padded (n, n) coupling is the CSR matrix in the upper left corner, plus
    outer(row_rest, column_rest) / sum(row_rest).
    """
    if isinstance(result, SparseResult):
        parts = sparse_arrays(result)
    else:
        names = ("coupling", "slack_rows", "slack_columns")
        parts = {name: getattr(result, name) for name in names}
    return _npz(
        **parts,
        source_labels=_labels(result.problem.source.labels),
        target_labels=_labels(result.problem.target.labels),
        source_marginal=result.source_marginal,
        target_marginal=result.target_marginal,
        run=np.array(strict_json(provenance(result))),
    )


def embeddings_npz(result: Result | SparseResult) -> bytes | None:
    """Arrays source (n_s, D), target (n_t, D), source_labels, target_labels; None for a run without embeddings."""
    if isinstance(result, SparseResult) or result.source_embedding is None or result.target_embedding is None:
        return None
    return _npz(
        source=result.source_embedding,
        target=result.target_embedding,
        source_labels=_labels(result.problem.source.labels),
        target_labels=_labels(result.problem.target.labels),
    )


def _labels(labels: tuple[str, ...]) -> np.ndarray:
    return np.array(labels, dtype=np.str_)


def _npz(**arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **{name: np.asarray(array) for name, array in arrays.items()})
    return buffer.getvalue()
