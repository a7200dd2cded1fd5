"""Ranking and top-L measures against values worked out by hand."""

import numpy as np
import pytest
from scipy import sparse

from gwl_core.recommendation.measures import admission_scores, ranking, released_top_measures, top_measures

# Two admissions over three diseases and four procedures.
DISTANCES = np.array([[0.1, 0.5, 0.9, 0.4], [0.6, 0.2, 0.9, 0.1], [0.9, 0.9, 0.0, 0.9]])
DISEASES = sparse.csr_array(np.array([[1.0, 1, 0], [0, 0, 1]]))
TRUTH = sparse.csr_array(np.array([[1.0, 0, 0, 1], [0, 1, 0, 0]]))


def test_scores_sum_the_distances_of_an_admission() -> None:
    scores = admission_scores(DISEASES, DISTANCES)
    assert scores == pytest.approx(np.array([[-0.7, -0.7, -1.8, -0.5], [-0.9, -0.9, 0.0, -0.9]]))


def test_the_closest_come_first_and_ties_keep_their_order() -> None:
    assert ranking(np.array([[-0.75, -0.75, -1.8, -0.5]])).tolist() == [[3, 0, 1, 2]]


def test_top_one_by_hand() -> None:
    """First admission: 3 is right, P = 1, R = 1/2, F1 = 2/3; second: 2 is wrong, all 0. Means: 1/2, 1/4, 1/3."""
    found = top_measures(admission_scores(DISEASES, DISTANCES), TRUTH, 1)
    assert (found.precision, found.recall, found.f1) == pytest.approx((1 / 2, 1 / 4, 1 / 3))


def test_top_three_by_hand() -> None:
    """First: {3, 0, 1} has both, P = 2/3, R = 1, F1 = 4/5; second: {2, 0, 1} has 1, P = 1/3, R = 1, F1 = 1/2."""
    found = top_measures(admission_scores(DISEASES, DISTANCES), TRUTH, 3)
    assert (found.precision, found.recall, found.f1) == pytest.approx((1 / 2, 1, 0.65))


def test_the_released_variant_takes_more_than_it_divides_by() -> None:
    """First: two taken, {3, 0}, both right, P = 2/1, R = 1, F1 = 4/3; second: one taken, wrong. Means: 1, 1/2, 2/3."""
    scores = np.array([[-0.6, -0.7, -1.8, -0.5], [-0.9, -0.9, 0.0, -0.9]])
    found = released_top_measures(scores, TRUTH, 1)
    assert (found.precision, found.recall, found.f1) == pytest.approx((1, 1 / 2, 2 / 3))


def test_admissions_without_procedures_are_left_out() -> None:
    scores = admission_scores(DISEASES, DISTANCES)
    one = sparse.csr_array(np.array([[1.0, 0, 0, 1], [0, 0, 0, 0]]))
    assert top_measures(scores, one, 1).f1 == pytest.approx(2 / 3)
    assert top_measures(scores, sparse.csr_array((2, 4)), 1).f1 == 0


def test_a_list_longer_than_the_procedures_is_all_of_them() -> None:
    found = top_measures(admission_scores(DISEASES, DISTANCES), TRUTH, 9)
    assert (found.precision, found.recall) == pytest.approx(((2 / 4 + 1 / 4) / 2, 1))
