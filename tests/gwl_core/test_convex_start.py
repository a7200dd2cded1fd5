"""The convex relaxation: monotone, doubly stochastic, and right where there is no symmetry."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from gwl_core.convex_start import convex_objective, convex_start


def graphs(seed: int, n: int = 14, directed: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A random graph, a permuted copy, and the permutation matrix P with A P = P B."""
    generator = np.random.default_rng(seed)
    A = np.triu(generator.random((n, n)) < 0.4, 1).astype(float)
    A = A if directed else A + A.T
    order = generator.permutation(n)
    return A, A[np.ix_(order, order)], np.eye(n)[:, order]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_objective_never_rises_and_marginals_hold(seed: int, directed: bool) -> None:
    A, B, _ = graphs(seed, directed=directed)
    B[0, 1:4] = 1 - B[0, 1:4]
    plans = [convex_start(A, B, iterations) for iterations in range(25)]
    objectives = [convex_objective(A, B, P) for P in plans]
    assert objectives[0] == pytest.approx(np.linalg.norm(A @ plans[0] - plans[0] @ B) ** 2)
    assert all(after <= before + 1e-12 for before, after in pairwise(objectives))
    assert objectives[-1] < 0.9 * objectives[0]
    for P in plans:
        assert P.min() >= 0
        assert np.allclose(P.sum(0), 1)
        assert np.allclose(P.sum(1), 1)


def test_finds_an_asymmetric_graph_again() -> None:
    A, B, truth = graphs(5)
    assert convex_objective(A, B, truth) == 0
    found = convex_start(A, B, 2000, least_gain=1e-9)
    assert np.array_equal(found.argmax(1), truth.argmax(1))


@pytest.mark.parametrize("directed", [False, True])
def test_sparse_and_dense_agree_and_inputs_stay(directed: bool) -> None:
    A, B, _ = graphs(2, directed=directed)
    kept = A.copy()
    dense = convex_start(A, B, 12)
    assert np.allclose(convex_start(sparse.csr_array(A), sparse.csr_array(B), 12), dense, atol=1e-12)
    assert np.allclose(convex_start(sparse.csr_array(A), B, 12), dense, atol=1e-12)
    assert np.array_equal(A, kept)


def test_graphs_without_edges_stay_uniform() -> None:
    empty = sparse.csr_array((4, 4))
    assert np.array_equal(convex_start(empty, empty, 5), np.full((4, 4), 0.25))


def test_sizes_must_agree() -> None:
    with pytest.raises(ValueError, match="two square matrices of one size"):
        convex_start(np.zeros((3, 3)), np.zeros((4, 4)), 1)
