"""Results as .npz archives of plain arrays; they load without pickle."""

from __future__ import annotations

import io

import numpy as np

from gwl_core.result import Result


def coupling_npz(result: Result) -> bytes:
    """The coupling, from which the reported discrepancy and marginal error can be recomputed.

    Arrays: coupling (n_s, n_t), slack_rows (k, n_t), slack_columns (n_s, k), source_labels, target_labels,
    source_marginal, target_marginal. The padded coupling is the real block with the slack rows below or the slack
    columns to its right; its marginals are the two given.
    """
    return _npz(
        coupling=result.coupling,
        slack_rows=result.slack_rows,
        slack_columns=result.slack_columns,
        source_labels=_labels(result.problem.source.labels),
        target_labels=_labels(result.problem.target.labels),
        source_marginal=result.source_marginal,
        target_marginal=result.target_marginal,
    )


def embeddings_npz(result: Result) -> bytes | None:
    """Arrays source (n_s, D), target (n_t, D), source_labels, target_labels; None for a run without embeddings."""
    if result.source_embedding is None or result.target_embedding is None:
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
