"""Hard pairs read from a coupling: rules, ties, unmatched mass."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core.errors import InputError
from gwl_core.matching import (
    alternatives,
    by_coupling,
    by_embedding,
    matched_pairs,
    one_to_one,
    tells_apart,
)

# Three sources on two targets; the first two share the best target.
PLAN = np.array([[0.30, 0.08], [0.25, 0.12], [0.10, 0.15]])


@st.composite
def plans(draw: st.DrawFn) -> np.ndarray:
    shape = draw(st.tuples(st.integers(1, 7), st.integers(1, 7)))
    values = draw(st.lists(st.floats(0, 1), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return np.array(values).reshape(shape)


def test_argmax_and_one_to_one_differ_on_three_against_two() -> None:
    assert by_coupling(PLAN).tolist() == [0, 0, 1]
    matching = one_to_one(PLAN)
    assert matching.tolist() == [0, -1, 1]
    assert PLAN[[0, 2], matching[[0, 2]]].sum() == pytest.approx(0.45)


def test_slack_columns_decide_who_stays_unmatched() -> None:
    # Without slack q is left over; its slack mass says that p is the unmatched one.
    slack = np.array([[0.9], [0.0], [0.0]])
    assert one_to_one(PLAN, slack_columns=slack).tolist() == [-1, 0, 1]


def test_slack_rows_decide_which_target_stays_free() -> None:
    plan = np.array([[0.30, 0.28]])
    assert one_to_one(plan).tolist() == [0]
    assert one_to_one(plan, slack_rows=np.array([[0.4, 0.0]])).tolist() == [1]


def test_nodes_without_mass_are_unmatched_under_every_rule() -> None:
    plan = np.array([[0.0, 0.0], [0.5, 0.4]])
    assert by_coupling(plan).tolist() == [-1, 0]
    assert one_to_one(plan).tolist()[0] == -1
    assert by_embedding(np.array([[np.nan, np.nan], [0.3, 0.1]])).tolist() == [-1, 1]


def test_non_finite_entries_carry_no_mass() -> None:
    plan = np.array([[np.nan, 0.2], [np.inf, 0.1]])
    assert by_coupling(plan).tolist() == [1, 1]
    assert sorted(one_to_one(plan).tolist()) == [-1, 1]


def test_alternatives_come_best_first_with_shares_of_all_mass() -> None:
    plan = np.array([[0.1, 0.3, 0.2, 0.3], [0, 0, 0, 0]])
    indices, shares = alternatives(plan, 3, slack_columns=np.array([[0.1], [0.0]]))
    assert indices[0].tolist() == [1, 3, 2]
    np.testing.assert_allclose(shares, np.array([[0.3, 0.3, 0.2], [0, 0, 0]]))


def test_matched_pairs_name_the_next_best_targets_only() -> None:
    tied = np.array([True, False, False])
    pairs = matched_pairs(PLAN, one_to_one(PLAN), np.array([0.5, 0.0, 0.7]), tied=tied)
    assert [(p.source, p.target, p.coupling, p.tied) for p in pairs] == [(0, 0, 0.30, True), (2, 1, 0.15, False)]
    assert [p.confidence for p in pairs] == [0.5, 0.7]
    ((target, share),) = pairs[0].alternatives
    assert target == 1
    assert share == pytest.approx(0.08 / 0.38)


def test_matched_pairs_refuse_a_shared_target() -> None:
    with pytest.raises(InputError, match="same target"):
        matched_pairs(PLAN, by_coupling(PLAN), np.ones(3))


@settings(max_examples=50, deadline=None)
@given(plans())
def test_one_to_one_is_injective_positive_and_at_least_greedy(plan: np.ndarray) -> None:
    before = plan.copy()
    matching = one_to_one(plan)
    np.testing.assert_array_equal(plan, before)
    np.testing.assert_array_equal(matching, one_to_one(plan))
    rows = np.flatnonzero(matching >= 0)
    assert len(set(matching[rows])) == len(rows) <= min(plan.shape)
    assert (plan[rows, matching[rows]] > 0).all()
    greedy, left, total = plan.copy(), min(plan.shape), 0.0
    for _ in range(left):
        i, j = np.unravel_index(greedy.argmax(), plan.shape)
        total += greedy[i, j]
        greedy[i], greedy[:, j] = 0, 0
    assert plan[rows, matching[rows]].sum() >= total - 1e-12 or not tells_apart(plan)


@pytest.mark.parametrize("shape", [(6, 6), (3, 5), (1, 4), (4, 1)])
def test_a_coupling_that_tells_no_nodes_apart_matches_nothing(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    uniform = np.full(shape, 1 / np.prod(shape))
    assert (by_coupling(uniform) == -1).all()
    assert (one_to_one(uniform) == -1).all()
    if min(shape) > 1:
        product = np.outer(rng.dirichlet(np.ones(shape[0])), rng.dirichlet(np.ones(shape[1])))
        assert (one_to_one(product) == -1).all()
    tilted = uniform * (1 + 1e-3 * rng.random(shape))
    assert (one_to_one(tilted) >= 0).sum() == min(shape)


def test_two_single_nodes_match_each_other() -> None:
    assert one_to_one(np.array([[1.0]])).tolist() == [0]
