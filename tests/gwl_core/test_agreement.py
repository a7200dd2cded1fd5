"""Agreement between matchings, by hand, and the consensus of most votes against brute force."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl_core.agreement import agreement, consensus, known_share
from gwl_core.errors import InputError
from gwl_core.matching import is_one_to_one

A, B, C = np.array([0, 1, 2, -1]), np.array([0, 2, 1, 3]), np.array([0, 1, -1, 3])
AGREED = agreement({"a": A, "b": B, "c": C})


def test_pairs_votes_and_who_is_alone() -> None:
    assert AGREED.pairs.tolist() == [[0, 0], [1, 1], [1, 2], [2, 1], [2, 2], [3, 3]]
    assert AGREED.votes.tolist() == [3, 2, 1, 1, 1, 2]
    assert AGREED.counts.tolist() == [3, 2, 1]
    assert AGREED.by_at_least(2).tolist() == [[0, 0], [1, 1], [3, 3]]
    assert AGREED.only("a").tolist() == [[2, 2]]
    assert AGREED.only("b").tolist() == [[1, 2], [2, 1]]
    assert AGREED.only("c").tolist() == []
    assert AGREED.overlap == pytest.approx(np.array([[1, 1 / 6, 2 / 4], [1 / 6, 1, 2 / 5], [2 / 4, 2 / 5, 1]]))


def test_a_majority_decides_unless_told_otherwise() -> None:
    assert consensus(AGREED, 4).tolist() == [0, 1, -1, 3]
    assert consensus(AGREED, 4, 3).tolist() == [0, -1, -1, -1]
    assert consensus(AGREED, 4, 1).tolist() == [0, 1, 2, 3]
    with pytest.raises(InputError, match="1 to 3 methods, got 4"):
        consensus(AGREED, 4, 4)


def test_nothing_found_is_a_consensus_too() -> None:
    nobody = agreement({"a": np.full(3, -1), "b": np.full(3, -1)})
    assert nobody.pairs.shape == (0, 2)
    assert nobody.overlap.tolist() == [[0, 0], [0, 0]]
    assert consensus(nobody, 3).tolist() == [-1, -1, -1]


def test_what_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="at least one matching"):
        agreement({})
    with pytest.raises(InputError, match="same source nodes"):
        agreement({"a": A, "b": A[:2]})
    with pytest.raises(InputError, match="'d' is not among"):
        AGREED.only("d")


def test_share_of_known_pairs_that_are_right() -> None:
    truth = np.array([[0, 0], [1, 2]])
    assert known_share(AGREED.pairs, truth) == pytest.approx(2 / 3)  # (0, 0), (1, 1), (1, 2) have a known source
    assert known_share(np.array([[3, 3]]), truth) is None
    assert known_share(AGREED.pairs, None) is None
    assert known_share(AGREED.pairs[:0], truth) is None


@given(st.integers(0, 2**32 - 1))
def test_no_other_matching_has_more_votes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 4
    found = {str(m): np.where(rng.random(n) < 0.8, rng.permutation(n), -1) for m in range(3)}
    agreed = agreement(found)
    votes = np.zeros((n, n), dtype=int)
    votes[agreed.pairs[:, 0], agreed.pairs[:, 1]] = agreed.votes
    matching = consensus(agreed, n, 1)
    assert is_one_to_one(matching)
    matched = matching >= 0
    total = votes[np.arange(n)[matched], matching[matched]].sum()
    assert total == max(votes[np.arange(n), list(order)].sum() for order in permutations(range(n)))
    sure = consensus(agreed, n)  # two votes of three
    assert sorted(zip(np.flatnonzero(sure >= 0), sure[sure >= 0], strict=True)) == sorted(
        map(tuple, agreed.by_at_least(2))
    )
