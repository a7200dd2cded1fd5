"""Problems: known pairs, given costs and given marginals are checked when the problem is made."""

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

SOURCE = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0)])
TARGET = Graph.from_edges([("A", "B", 1.0)])


def test_truth_by_labels_becomes_indices_and_keeps_the_rest() -> None:
    mass = np.array([0.2, 0.3, 0.5])
    problem = MatchingProblem(SOURCE, TARGET, source_marginal=mass).with_truth_labels([("c", "A"), ("a", "B")])
    assert problem.truth is not None
    np.testing.assert_array_equal(problem.truth, [[2, 0], [0, 1]])
    assert problem.source_marginal is mass


def test_an_unknown_label_is_named() -> None:
    with pytest.raises(InputError, match="'z'"):
        MatchingProblem(SOURCE, TARGET).with_truth_labels([("a", "z")])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"truth": np.zeros((0, 2), dtype=int)}, "at least one"),
        ({"truth": np.array([[0, 2]])}, "neither graph"),
        ({"truth": np.array([[-1, 0]])}, "neither graph"),
        ({"truth": np.array([[0, 0], [0, 1]])}, "two targets"),
        ({"truth": np.array([[0.5, 1.0]])}, "indices"),
        ({"source_cost": np.eye(3)}, "both cost matrices"),
        ({"source_cost": np.eye(2), "target_cost": np.eye(2)}, "shape"),
        ({"source_cost": np.full((3, 3), np.nan), "target_cost": np.eye(2)}, "finite"),
        ({"source_cost": np.eye(3).astype(str), "target_cost": np.eye(2)}, "number"),
        ({"source_marginal": np.array([0.6, -0.1, 0.5])}, "negative"),
        ({"source_marginal": np.array([1.0, 2.0, 1.0])}, "sums to 4"),
        ({"target_marginal": np.array([1.0])}, "shape"),
        ({"target_marginal": np.array([np.inf, 0.0])}, "finite"),
        ({"anchors": sparse.csr_array((2, 3))}, "shape"),
        ({"anchors": sparse.csr_array(np.array([[-1.0, 0], [0, 0], [0, 0]]))}, "negative"),
        ({"anchors": sparse.csr_array(np.array([[np.nan, 0], [0, 0], [0, 0]]))}, "finite"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        MatchingProblem(SOURCE, TARGET, **given)
    assert "\n" not in str(error.value)
