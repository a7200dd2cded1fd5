"""The structural prior: blind to labels and order, defined on every pair of graphs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl_core.graph import Graph
from gwl_core.prior import clustering, structural_cost

PATH = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0), ("c", "d", 1.0)])
ARROWS = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0)], directed=True)


def random_matrix(n: int, seed: int, directed: bool) -> np.ndarray:
    rng = np.random.default_rng(seed)
    matrix = rng.poisson(3, (n, n)) * (rng.uniform(size=(n, n)) < 0.4)
    return matrix if directed else np.triu(matrix, 1) + np.triu(matrix, 1).T


def test_clustering_of_a_triangle_with_a_tail() -> None:
    graph = Graph.from_edges([("a", "b", 9.0), ("b", "c", 1.0), ("c", "a", 1.0), ("c", "d", 1.0), ("d", "d", 5.0)])
    np.testing.assert_allclose(clustering(graph), [1, 1, 1 / 3, 0])


@given(st.integers(2, 8), st.booleans(), st.integers(0, 10**6))
def test_a_relabelled_copy_costs_nothing_at_the_true_pairs(n: int, directed: bool, seed: int) -> None:
    matrix, order = random_matrix(n, seed, directed), np.random.default_rng(seed).permutation(n)
    source, target = (Graph.from_matrix(m, directed=directed) for m in (matrix, matrix[np.ix_(order, order)]))
    cost = structural_cost(source, target)
    assert np.isfinite(cost).all()
    assert (cost >= 0).all()
    np.testing.assert_allclose(cost[order, np.arange(n)], 0, atol=1e-12)


def test_twins_and_mirrors_are_alike_and_ends_differ_from_the_middle() -> None:
    cost = structural_cost(PATH, PATH)
    np.testing.assert_allclose(cost, cost[::-1, ::-1], atol=1e-12)
    assert cost[0, 3] == pytest.approx(0)
    assert cost[0, 1] > 0.5


def test_the_direction_of_an_edge_is_seen() -> None:
    cost = structural_cost(ARROWS, ARROWS)
    assert cost[0, 2] > 0.5
    assert cost[0, 0] == 0


@pytest.mark.parametrize("swap", [False, True])
def test_a_directed_and_an_undirected_graph_can_be_compared(swap: bool) -> None:
    pair = (PATH, ARROWS) if swap else (ARROWS, PATH)
    cost = structural_cost(*pair)
    assert cost.shape == (pair[0].n_nodes, pair[1].n_nodes)
    assert np.isfinite(cost).all()
    np.testing.assert_allclose(cost.T, structural_cost(pair[1], pair[0]), atol=1e-12)
    both_ways = Graph.from_matrix(PATH.weights.toarray(), directed=True)
    np.testing.assert_allclose(structural_cost(PATH, both_ways)[np.arange(4), np.arange(4)], 0, atol=1e-12)


@pytest.mark.parametrize("n", [1, 3])
def test_graphs_without_structure_cost_nothing(n: int) -> None:
    empty = Graph.from_edges([], nodes=tuple("abc"[:n]))
    np.testing.assert_array_equal(structural_cost(empty, empty), np.zeros((n, n)))


def test_heavy_weights_stay_finite() -> None:
    heavy = Graph.from_edges([("a", "b", 1e300), ("b", "c", 1.0)])
    assert np.isfinite(structural_cost(heavy, PATH)).all()
