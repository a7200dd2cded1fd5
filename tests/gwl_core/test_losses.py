"""Losses and the quadratic form they make, against a four-index loop."""

import math

import numpy as np
import pytest
import torch

from gwl_core.costs import KL_FLOOR
from gwl_core.coupling import Decomposed, TransportProblem
from gwl_core.losses import KL, LOSSES, SQUARE, Loss
from gwl_core.operators import Dense

torch.set_num_threads(1)
N_S, N_T = 4, 5


def square(a: float, b: float) -> float:
    return (a - b) ** 2


def kl(a: float, b: float) -> float:
    return (a * math.log(a / b) if a > 0 else 0.0) - a + b


NAIVE = {"square": square, "kl": kl}


def naive(loss: Loss, source: np.ndarray, target: np.ndarray, coupling: np.ndarray) -> tuple[float, np.ndarray]:
    """Value and L(C_s, C_t, T)_{jj'} = Σ_{ii'} L(c^s_{ji}, c^t_{j'i'}) T_{ii'}, entry by entry."""
    n, m = coupling.shape
    matrix = np.zeros((n, m))
    for j in range(n):
        for k in range(m):
            for i in range(n):
                for h in range(m):
                    matrix[j, k] += NAIVE[loss.name](source[j, i], target[k, h]) * coupling[i, h]
    return float((matrix * coupling).sum()), matrix


def costs(directed: bool, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    pair = [rng.uniform(0.05, 2, (n, n)) for n in (N_S, N_T)]
    if not directed:
        pair = [c + c.T for c in pair]
    coupling = rng.uniform(0, 1, (N_S, N_T)) ** 3
    return pair[0], pair[1], coupling / coupling.sum()


@pytest.mark.parametrize("loss", LOSSES.values(), ids=lambda loss: loss.name)
def test_the_decomposition_gives_the_loss_itself(loss: Loss) -> None:
    a, b = torch.tensor([0.0, 0.1, 0.7, 3.0]).double(), torch.tensor([0.2, 0.1, 2.0, 0.5]).double()
    expected = [NAIVE[loss.name](float(x), float(y)) for x, y in zip(a, b, strict=True)]
    decomposed = loss.f1(a) + loss.f2(b) - loss.h1(a) * loss.h2(b)
    np.testing.assert_allclose(decomposed, expected, atol=1e-14)
    np.testing.assert_allclose(loss.elementwise(a, b), expected, atol=1e-14)
    assert float(loss.elementwise(b, b).abs().max()) < 1e-15
    assert loss.f1(torch.zeros(0)).shape == (0,)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("loss", LOSSES.values(), ids=lambda loss: loss.name)
def test_value_and_matrix_equal_the_four_index_loop(loss: Loss, directed: bool) -> None:
    source, target, coupling = costs(directed)
    problem = TransportProblem(
        Dense(torch.tensor(source)), Dense(torch.tensor(target)), None, 0.0, loss, symmetric=not directed
    )
    value, matrix = naive(loss, source, target, coupling)
    _, flipped = naive(loss, source.T, target.T, coupling)
    decomposed, tensor = Decomposed.of(problem), torch.tensor(coupling)
    found = decomposed.linearize(tensor)
    assert found.discrepancy == pytest.approx(value, abs=1e-13)
    assert found.objective == found.discrepancy
    np.testing.assert_allclose(decomposed.half(tensor), matrix, atol=1e-13)
    np.testing.assert_allclose(decomposed.half(tensor, transposed=True), flipped, atol=1e-13)
    np.testing.assert_allclose(found.cost, (matrix + flipped) / 2, atol=1e-13)


def test_square_value_of_a_permutation_is_zero_and_of_a_wrong_one_is_not() -> None:
    source, _, _ = costs(directed=True)
    order = np.array([2, 0, 3, 1])
    target = np.empty_like(source)
    target[np.ix_(order, order)] = source
    for columns, expected in ((order, 0.0), (order[::-1], None)):
        coupling = np.zeros((N_S, N_S))
        coupling[np.arange(N_S), columns] = 1 / N_S
        value = quadratic(SQUARE, source, target, coupling)
        assert value == pytest.approx(0, abs=1e-15) if expected == 0 else value > 0.1


def test_kl_on_floored_adjacency_matrices_has_the_value_worked_out_by_hand() -> None:
    # A path and a star of 4 nodes and 3 edges each: p = 6/16 of the entries are 1. Under the product coupling, with ε
    # in place of 0, Σ over the four combinations of kl(a, b) is p(1−p) [kl(1, ε) + kl(ε, 1)] = p(1−p) (1−ε) ln(1/ε).
    path, star = np.zeros((4, 4)), np.zeros((4, 4))
    for matrix, edges in ((path, ((0, 1), (1, 2), (2, 3))), (star, ((0, 1), (0, 2), (0, 3)))):
        for i, j in edges:
            matrix[i, j] = matrix[j, i] = 1
    floored = [np.maximum(c, KL_FLOOR) for c in (path, star)]
    expected = 0.234375 * (1 - KL_FLOOR) * math.log(1 / KL_FLOOR)
    assert quadratic(KL, floored[0], floored[1], np.full((4, 4), 1 / 16)) == pytest.approx(expected, rel=1e-12)
    assert quadratic(KL, floored[0], floored[0], np.eye(4) / 4) == pytest.approx(0, abs=1e-14)


def test_kl_admits_nothing_below_its_floor_and_square_everything() -> None:
    values = torch.tensor([-1.0, 0.0, 2.0]).double()
    np.testing.assert_array_equal(KL.admit(values), [KL_FLOOR, KL_FLOOR, 2])
    assert SQUARE.admit(values) is values


def quadratic(loss: Loss, source: np.ndarray, target: np.ndarray, coupling: np.ndarray) -> float:
    problem = TransportProblem(Dense(torch.tensor(source)), Dense(torch.tensor(target)), None, 0.0, loss, False)
    return Decomposed.of(problem).linearize(torch.tensor(coupling)).discrepancy
