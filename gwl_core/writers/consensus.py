"""A matching from agreeing methods as a CSV table."""

from __future__ import annotations

import numpy as np

from gwl_core.agreement import Agreement
from gwl_core.problem import MatchingProblem
from gwl_core.writers.tables import csv_table, safe_cell


def consensus_csv(problem: MatchingProblem, agreed: Agreement, matching: np.ndarray) -> bytes:
    """One row per pair: source, target, votes (how many methods found it), of (how many there were), methods.

    Labels that a spreadsheet would run as a formula get a leading apostrophe, as in matches.csv.

    Args:
        agreed: the pairs that the methods found.
        matching: (n_s,) target of each source, −1 for none, made of these pairs.
    """
    rows = []
    for (i, j), found in zip(agreed.pairs.tolist(), agreed.found, strict=True):
        if matching[i] == j:
            names = [key for key, here in zip(agreed.methods, found, strict=True) if here]
            pair = safe_cell(problem.source.labels[i]), safe_cell(problem.target.labels[j])
            rows.append((*pair, str(len(names)), str(len(agreed.methods)), safe_cell(" ".join(names))))
    return csv_table(("source", "target", "votes", "of", "methods"), rows)
