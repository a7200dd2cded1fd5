"""The recommendation task: admissions split in three, and the two graphs with their partial correspondences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from gwl_core.datasets.admissions import Admissions
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

TRAINING, VALIDATION = 0.5, 0.25
"""Shares of the admissions; the rest is for testing."""


@dataclass(frozen=True, eq=False)
class Split:
    """Admissions for training, validation and testing; the codes are the same in all three."""

    training: Admissions
    validation: Admissions
    testing: Admissions


def split(admissions: Admissions, generator: np.random.Generator) -> Split:
    """A random 50/25/25 split.

    Raises:
        InputError: fewer than four admissions, so that a part would be empty.
    """
    n = len(admissions)
    if n < 4:
        raise InputError(f"There are only {n} admissions; at least 4 are needed to train, validate and test.")
    order = generator.permutation(n)
    first, second = round(TRAINING * n), round((TRAINING + VALIDATION) * n)
    return Split(*(admissions.part(np.sort(part)) for part in np.split(order, [first, second])))


def co_occurrence(left: sparse.csr_array, right: sparse.csr_array) -> sparse.csr_array:
    """(left codes, right codes) number of admissions that have both."""
    return sparse.csr_array(left.T @ right)


def matching_problem(training: Admissions) -> MatchingProblem:
    """Disease graph and procedure graph: w_ij counts admissions with both codes; the anchors count those across.

    Raises:
        InputError: no two codes of one kind occur together, so a graph would have no edge.
    """
    graphs = []
    for name, codes, rows in (
        ("diseases", training.codes[: len(training.diseases)], training.disease_rows),
        ("procedures", training.codes[len(training.diseases) :], training.procedure_rows),
    ):
        counts = co_occurrence(rows, rows)
        counts = sparse.csr_array(counts - sparse.diags_array(counts.diagonal()))
        counts.eliminate_zeros()
        if not counts.nnz:
            raise InputError(f"No two {name} occur in one admission, so they make no graph; give more admissions.")
        graphs.append(Graph(codes, counts, name=name))
    source, target = graphs
    return MatchingProblem(source, target, anchors=co_occurrence(training.disease_rows, training.procedure_rows))
