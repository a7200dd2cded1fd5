"""The sparse form of a cost does what the dense matrix does."""

import numpy as np
import pytest
import torch
from scipy import sparse

from gwl_core.costs import ObservedCost
from gwl_core.coupling import Decomposed, TransportProblem
from gwl_core.losses import LOSSES, Loss
from gwl_core.operators import ConstantPlusSparse, Dense, as_operator

torch.set_num_threads(1)
CPU = torch.device("cpu")


def sparse_cost(n: int, entries: int, seed: int, symmetric: bool = False, background: float = 1.0) -> ObservedCost:
    rng = np.random.default_rng(seed)
    deviation = np.zeros((n, n))
    deviation[rng.integers(0, n, entries), rng.integers(0, n, entries)] = -rng.uniform(0.1, 0.4, entries)
    return ObservedCost(background, sparse.csr_array(deviation + deviation.T if symmetric else deviation))


SPARSE = as_operator(sparse_cost(40, 20, 0), CPU)
DENSE = Dense(SPARSE.dense() - 1, 1.0)


def test_a_sparse_cost_becomes_the_sparse_form_and_a_dense_one_the_dense() -> None:
    assert isinstance(SPARSE, ConstantPlusSparse)
    assert isinstance(as_operator(sparse_cost(8, 30, 0), CPU), Dense)
    assert isinstance(as_operator(ObservedCost(1.0, np.zeros((40, 40))), CPU), Dense)


def test_every_method_agrees_with_the_dense_form() -> None:
    rng = np.random.default_rng(1)
    tall, wide, vector = (torch.tensor(rng.normal(size=shape)) for shape in ((40, 7), (7, 40), (40,)))
    for left, right in (
        (SPARSE, DENSE),
        (SPARSE.transposed(), DENSE.transposed()),
        (SPARSE.map(lambda c: c.square() - 3), DENSE.map(lambda c: c.square() - 3)),
        (SPARSE.map(torch.log).transposed(), DENSE.map(torch.log).transposed()),
    ):
        np.testing.assert_allclose(left.left(tall), right.left(tall), atol=1e-12)
        np.testing.assert_allclose(left.left(tall, slice(8, 24)), right.left(tall)[8:24], atol=1e-12)
        np.testing.assert_allclose(left.right(wide), right.right(wide), atol=1e-12)
        np.testing.assert_allclose(left.vector(vector), right.vector(vector), atol=1e-12)
        np.testing.assert_allclose(left.dense(), right.dense(), atol=1e-15)
    deviation = DENSE.dense().numpy() - 1
    np.testing.assert_allclose(DENSE.left(tall), deviation @ tall.numpy(), atol=1e-12)
    np.testing.assert_allclose(DENSE.right(wide), wide.numpy() @ deviation.T, atol=1e-12)
    np.testing.assert_allclose(DENSE.vector(vector), DENSE.dense().numpy() @ vector.numpy())


def test_half_the_digits_give_half_the_digits() -> None:
    rng = np.random.default_rng(1)
    tall, wide = (torch.tensor(rng.normal(size=shape)) for shape in ((40, 7), (7, 40)))
    for operator in (SPARSE, DENSE):
        half = operator.cast(torch.float32)
        assert half is operator.cast(torch.float32)
        assert operator.cast(torch.float64) is operator
        for rows in (slice(None), slice(16, 40)):
            np.testing.assert_allclose(half.left(tall.float(), rows), operator.left(tall, rows), atol=1e-5)
        np.testing.assert_allclose(half.right(wide.float()), operator.right(wide), atol=1e-5)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=lambda loss: loss.name)
@pytest.mark.parametrize("symmetric", [False, True])
def test_the_quadratic_form_is_the_same_in_both(loss: Loss, symmetric: bool) -> None:
    costs = [as_operator(sparse_cost(n, 20, n, symmetric), CPU) for n in (40, 50)]
    coupling = torch.tensor(np.random.default_rng(2).dirichlet(np.full(2000, 0.1)).reshape(40, 50))
    found, expected = (
        Decomposed.of(TransportProblem(source, target, None, 0.0, loss, symmetric)).linearize(coupling)
        for source, target in (costs, [Dense(c.dense()) for c in costs])
    )
    assert found.discrepancy == pytest.approx(expected.discrepancy, rel=1e-11)
    np.testing.assert_allclose(found.cost, expected.cost, atol=1e-12)


def test_a_cost_without_deviations_works() -> None:
    flat = as_operator(ObservedCost(1.0, sparse.csr_array((5, 5))), CPU)
    assert isinstance(flat, ConstantPlusSparse)
    np.testing.assert_array_equal(flat.left(torch.eye(5).double()), np.zeros((5, 5)))
    np.testing.assert_array_equal(flat.cast(torch.float32).right(torch.eye(5)), np.zeros((5, 5)))
    np.testing.assert_array_equal(flat.map(torch.square).transposed().dense(), np.ones((5, 5)))


def test_symmetry_is_seen_in_both_forms() -> None:
    assert not SPARSE.symmetric
    assert not DENSE.symmetric
    even = as_operator(sparse_cost(40, 20, 0, symmetric=True), CPU)
    assert even.symmetric
    assert Dense(even.dense()).symmetric
