"""The split and the graphs of the recommendation task."""

import numpy as np
import pytest

from gwl_core.datasets.admissions import from_records
from gwl_core.errors import InputError
from gwl_core.recommendation.task import matching_problem, split

FOUR = from_records([(["a", "b"], ["x", "y"]), (["a", "b", "c"], ["x"]), (["a"], ["y", "z"]), (["c"], ["z"])])


def test_counts_are_admissions_that_have_both() -> None:
    problem = matching_problem(FOUR)
    assert problem.source.labels == ("da", "db", "dc")
    assert problem.source.weights.toarray().tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    assert problem.target.weights.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert problem.anchors is not None
    assert problem.anchors.toarray().tolist() == [[2, 2, 1], [2, 1, 0], [1, 0, 1]]


def test_a_graph_needs_an_edge() -> None:
    with pytest.raises(InputError, match="No two procedures occur in one admission"):
        matching_problem(from_records([(["a", "b"], ["x"]), (["a"], ["y"])]))


def test_the_split_is_half_a_quarter_and_a_quarter() -> None:
    records = [([f"{i:03}"], ["x"]) for i in range(100)]
    parts = split(from_records(records), np.random.default_rng(0))
    rows = [part.disease_rows.toarray() for part in (parts.training, parts.validation, parts.testing)]
    assert [len(part) for part in rows] == [50, 25, 25]
    assert np.vstack(rows).sum(axis=0).tolist() == [1] * 100
    again = split(from_records(records), np.random.default_rng(0))
    assert np.array_equal(rows[2], again.testing.disease_rows.toarray())


def test_too_few_to_split() -> None:
    with pytest.raises(InputError, match="only 2 admissions"):
        split(FOUR.part(np.array([0, 1])), np.random.default_rng(0))
