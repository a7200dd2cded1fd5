"""How hard nodes are, counted by hand."""

import numpy as np

from gwl_core.agreement import agreement
from gwl_core.difficulty import difficulty


def test_counts_by_hand() -> None:
    agreed = agreement({"a": np.array([0, 1, 2, -1]), "b": np.array([0, 2, 1, -1]), "c": np.array([0, 2, 3, -1])})
    hard = difficulty(agreed, 4, np.array([[0, 0], [1, 1], [3, 3]]))
    assert hard.favourite.tolist() == [0, 2, 1, -1]  # of equals the first
    assert hard.alike.tolist() == [3, 2, 1, 0]
    assert hard.choices.tolist() == [1, 2, 3, 0]
    assert hard.known.tolist() == [0, 1, -1, 3]
    assert hard.right.tolist() == [3, 1, 0, 0]


def test_without_truth_nothing_is_right() -> None:
    hard = difficulty(agreement({"a": np.array([1, 0])}), 2)
    assert hard.known.tolist() == [-1, -1]
    assert hard.right.tolist() == [0, 0]
