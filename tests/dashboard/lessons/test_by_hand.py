"""The hand example of Learn, computed again by plain loops over plain numbers."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from dashboard.lessons.by_hand import terms
from dashboard.lessons.couplings import between, swapped
from dashboard.lessons.pairs import THREE, right, shuffled
from dashboard.lessons.transport import small
from gwl_core.losses import LOSSES

PROBLEM = shuffled(THREE, 1)


def cost(weights: np.ndarray, loss: str) -> list[list[float]]:
    """Eq. (zipf) by hand: 1/(w + 1), a node costs itself nothing under the square loss."""
    n = len(weights)
    return [[0.0 if i == j and loss == "square" else 1 / (weights[i][j] + 1) for j in range(n)] for i in range(n)]


def compared(loss: str, a: float, b: float) -> float:
    return (a - b) ** 2 if loss == "square" else a * math.log(a / b) - a + b


@pytest.mark.parametrize("loss", ["square", "kl"])
@pytest.mark.parametrize("sureness", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("matching", list(permutations(range(3))))
def test_every_term_and_their_sum(loss: str, sureness: float, matching: tuple[int, ...]) -> None:
    coupling = between(np.array(matching), sureness)
    case = small(PROBLEM, loss=loss)
    found = terms(case, coupling, LOSSES[loss])
    source, target = (cost(g.weights.toarray().tolist(), loss) for g in (PROBLEM.source, PROBLEM.target))
    share = [[(1 - sureness) / 9 + (sureness / 3 if matching[i] == j else 0) for j in range(3)] for i in range(3)]
    total = 0.0
    for i in range(3):
        for j in range(3):
            for k in range(3):
                for m in range(3):
                    term = compared(loss, source[i][j], target[k][m]) * share[i][k] * share[j][m]
                    assert found.values[i, j, k, m] == pytest.approx(term, abs=1e-14)
                    total += term
    assert found.total == pytest.approx(total, abs=1e-14)
    assert case.discrepancy(coupling) == pytest.approx(total, abs=1e-13)


def test_one_matching_alone_has_no_discrepancy_and_a_matching_lets_nine_terms_count() -> None:
    case = small(PROBLEM)
    zero = [m for m in permutations(range(3)) if case.discrepancy(between(np.array(m), 1.0)) < 1e-12]
    assert zero == [tuple(right(PROBLEM))]
    weight = terms(case, between(np.array([0, 1, 2]), 1.0), LOSSES["square"]).weight
    assert np.count_nonzero(weight) == 9
    assert weight.size == 81


@pytest.mark.parametrize("sureness", [0.0, 0.4, 1.0])
def test_sums_of_a_coupling_never_change(sureness: float) -> None:
    coupling = between(np.array([2, 0, 3, 1]), sureness)
    np.testing.assert_allclose(coupling.sum(0), 0.25)
    np.testing.assert_allclose(coupling.sum(1), 0.25)
    assert (coupling >= 0).all()


def test_a_swap_keeps_one_to_one() -> None:
    assert swapped(np.array([0, 1, 2, 3]), 1, 3).tolist() == [0, 3, 2, 1]
    assert swapped(np.array([0, 1, 2, 3]), 1, 1).tolist() == [0, 1, 2, 3]
