"""Ranking procedures for an admission, and top-L precision, recall and F1: the paper's and its released code's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class TopMeasures:
    """Means over admissions. F1 is the mean of the admissions' own F1, not the F1 of the means."""

    precision: float
    recall: float
    f1: float


def admission_scores(disease_rows: sparse.csr_array, distances: np.ndarray) -> np.ndarray:
    """(admissions, procedures): minus the sum, over an admission's diseases, of their distances to a procedure.

    Args:
        disease_rows: (admissions, diseases) 0 and 1.
        distances: (diseases, procedures), smaller is closer.
    """
    return -np.asarray(disease_rows @ distances)


def ranking(scores: np.ndarray) -> np.ndarray:
    """(admissions, procedures) positions from the highest score down; ties in the order of the codes."""
    return np.argsort(-scores, axis=1, kind="stable")


def top_measures(scores: np.ndarray, truth: sparse.csr_array, length: int) -> TopMeasures:
    """The paper's: E holds the `length` best; P = |E ∩ T|/|E|, R = |E ∩ T|/|T|, F1 = 2PR/(P + R), 0 where P + R = 0.

    Averaged over the admissions with at least one procedure in T (the paper prints sums); E is every procedure where
    there are no more than `length`.
    """
    return _measures(scores, truth, length, longer=False)


def released_top_measures(scores: np.ndarray, truth: sparse.csr_array, length: int) -> TopMeasures:
    """The released code's variant: it takes length·|T| procedures and still divides by `length`, so P may exceed 1."""
    return _measures(scores, truth, length, longer=True)


def _measures(scores: np.ndarray, truth: sparse.csr_array, length: int, longer: bool) -> TopMeasures:
    known = truth.toarray() > 0
    kept = known.any(axis=1)
    if not kept.any():
        return TopMeasures(0.0, 0.0, 0.0)
    known, order = known[kept], ranking(scores[kept])
    hits = np.cumsum(np.take_along_axis(known, order, axis=1), axis=1)
    sizes, most = known.sum(axis=1), known.shape[1]
    taken = np.minimum(length * sizes if longer else np.full(len(sizes), length), most)
    hit = hits[np.arange(len(sizes)), taken - 1].astype(np.float64)
    precision, recall = hit / (length if longer else taken), hit / sizes
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return TopMeasures(float(precision.mean()), float(recall.mean()), float(f1.mean()))
