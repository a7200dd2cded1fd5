"""Observed costs against their formulas written out, padding, given matrices, and the KL floor."""

import re

import numpy as np
import pytest
from scipy import sparse

from gwl_core.costs import KL_FLOOR, anchor_cost, observed_costs
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config

WEIGHTS = np.array([[5.0, 1, 0], [3, 0, 0], [0, 7, 0]])
GRAPH = Graph.from_matrix(WEIGHTS)
PATH = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0), ("c", "d", 1.0)])
SPLIT = Graph.from_edges([("a", "b", 1.0)], nodes=("a", "b", "c"), name="split")


def costs(source: Graph, target: Graph, **settings: str) -> tuple[np.ndarray, np.ndarray]:
    pair = observed_costs(MatchingProblem(source, target), Config(**settings))  # type: ignore[arg-type]
    return pair[0].dense(), pair[1].dense()


def test_zipf_is_one_over_count_plus_one_with_a_zero_diagonal() -> None:
    expected = 1 / (WEIGHTS + 1)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(costs(GRAPH, GRAPH)[0], expected)


def test_kl_keeps_the_diagonal_of_the_formula() -> None:
    np.testing.assert_allclose(costs(GRAPH, GRAPH, loss="kl")[0], 1 / (WEIGHTS + 1))


def test_log_equals_zipf_at_weight_one_and_falls_more_slowly() -> None:
    zipf, log = costs(GRAPH, GRAPH)[0], costs(GRAPH, GRAPH, cost="log")[0]
    assert log[0, 1] == zipf[0, 1] == 0.5
    assert log[1, 0] == pytest.approx(1 / 3)
    assert log[2, 1] == pytest.approx(1 / 4)
    assert log[0, 2] == 1
    assert log[0, 0] == 0


def test_adjacency_is_the_weight_without_loops() -> None:
    np.testing.assert_array_equal(costs(GRAPH, GRAPH, cost="adjacency")[0], [[0, 1, 0], [3, 0, 0], [0, 7, 0]])


def test_shortest_paths_count_hops_and_part_what_is_out_of_reach() -> None:
    problem = MatchingProblem(PATH, SPLIT)
    path, split = observed_costs(problem, Config(cost="shortest-path"))
    np.testing.assert_array_equal(path.dense()[0], [0, 1, 2, 3])
    np.testing.assert_array_equal(split.dense(), [[0, 1, 4], [1, 0, 4], [4, 4, 0]])
    assert not path.notices
    assert "split: 4 ordered pairs are out of reach" in split.notices[0]


def test_directed_paths_follow_the_arrows() -> None:
    chain = Graph.from_edges([("a", "b", 9.0), ("b", "c", 9.0)], directed=True)
    np.testing.assert_array_equal(costs(chain, chain, cost="shortest-path")[0], [[0, 1, 2], [3, 0, 1], [3, 3, 0]])


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64, np.float32])
def test_given_matrices_of_any_number_type_are_taken_as_they_are(dtype: type) -> None:
    matrix = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=dtype)
    problem = MatchingProblem(SPLIT, SPLIT, source_cost=matrix, target_cost=1 - matrix.astype(np.int64))
    source, target = observed_costs(problem, Config(cost="shortest-path"))
    np.testing.assert_array_equal(source.dense(), matrix.astype(float))
    np.testing.assert_array_equal(target.dense(), 1 - matrix.astype(float))
    assert source.dense().dtype == np.float64


def test_a_negative_given_cost_is_refused_under_kl_only() -> None:
    given = -np.eye(3)
    problem = MatchingProblem(SPLIT, SPLIT, source_cost=np.eye(3), target_cost=given)
    np.testing.assert_array_equal(observed_costs(problem, Config())[1].dense(), given)
    with pytest.raises(InputError, match="negative"):
        observed_costs(problem, Config(loss="kl"))


def test_kl_raises_zeros_to_the_floor_and_says_so() -> None:
    source, target = observed_costs(MatchingProblem(PATH, PATH), Config(cost="adjacency", loss="kl"))
    assert source.dense().min() == pytest.approx(KL_FLOOR, rel=1e-9)
    assert source.dense()[0, 1] == 1
    assert "10 costs below 1e-06 were raised" in target.notices[0]


def test_a_dummy_under_kl_is_never_at_cost_zero() -> None:
    loop = Graph.from_edges([("a", "a", 2.0)])
    cost = observed_costs(MatchingProblem(loop, PATH), Config(cost="adjacency", loss="kl"))[0]
    assert cost.notices == ()
    assert cost.padded(3, cost.background).dense().min() >= KL_FLOOR * (1 - 1e-9)


@pytest.mark.parametrize("kind", ["zipf", "log", "adjacency", "shortest-path"])
def test_dummies_are_at_the_background_cost_from_everything_but_themselves(kind: str) -> None:
    cost = observed_costs(MatchingProblem(PATH, PATH), Config(cost=kind))[0]
    padded = cost.padded(2, 0.0).dense()
    np.testing.assert_array_equal(padded[:4, :4], cost.dense())
    dummies = padded[4:]
    np.testing.assert_array_equal(dummies[:, :4], np.full((2, 4), cost.background))
    np.testing.assert_array_equal(dummies[:, 4:], cost.background * (1 - np.eye(2)))
    assert cost.padded(0, 0.0) is cost


def test_zipf_background_is_one() -> None:
    assert observed_costs(MatchingProblem(PATH, PATH), Config())[0].background == 1


def test_anchor_cost_is_zipf_of_the_known_counts() -> None:
    np.testing.assert_array_equal(anchor_cost(sparse.csr_array(np.array([[0.0, 1], [3, 0]]))), [[1, 0.5], [0.25, 1]])


def test_costs_leave_the_graph_as_it_was() -> None:
    before = GRAPH.weights.toarray().copy()
    for kind in ("zipf", "log", "adjacency", "shortest-path"):
        costs(GRAPH, GRAPH, cost=kind, loss="kl")
    np.testing.assert_array_equal(GRAPH.weights.toarray(), before)


@pytest.mark.parametrize("weight", [1e160, 1e-160])
def test_costs_whose_squares_are_no_numbers_are_refused(weight: float) -> None:
    graph = Graph.from_edges([("a", "b", weight), ("b", "c", 2 * weight)])
    with pytest.raises(InputError, match=rf"largest cost is {re.escape(f'{2 * weight:.3g}')}, .*take cost zipf"):
        observed_costs(MatchingProblem(graph, graph), Config(cost="adjacency"))
    assert observed_costs(MatchingProblem(graph, graph), Config(cost="rank"))[0].size == 1.0
