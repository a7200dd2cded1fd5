"""Graphs: what counts as an edge, a degree, an isolated node; what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph

ROWS = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.floats(0, 100)), min_size=1, max_size=12
)


def test_repeated_rows_add_up_and_an_undirected_edge_may_be_given_both_ways() -> None:
    rows = [("a", "b", 1.0), ("b", "a", 2.0), ("b", "c", 4.0)]
    undirected = Graph.from_edges(rows)
    assert undirected.labels == ("a", "b", "c")
    np.testing.assert_array_equal(undirected.weights.toarray(), [[0, 3, 0], [3, 0, 4], [0, 4, 0]])
    assert undirected.n_edges == 2
    directed = Graph.from_edges(rows, directed=True)
    np.testing.assert_array_equal(directed.weights.toarray(), [[0, 1, 0], [2, 0, 4], [0, 0, 0]])
    assert directed.n_edges == 3


def test_loops_are_kept_but_are_no_edges_and_no_degree() -> None:
    graph = Graph.from_edges([("a", "a", 5.0), ("a", "b", 1.0)])
    assert (graph.n_edges, graph.n_self_loops) == (1, 1)
    assert graph.weights[0, 0] == 5
    np.testing.assert_array_equal(graph.degrees, [1, 1])
    assert graph.adjacency.diagonal().sum() == 0


def test_directed_degrees_count_both_ways() -> None:
    graph = Graph.from_edges([("a", "b", 2.0), ("c", "a", 3.0)], directed=True)
    np.testing.assert_array_equal(graph.degrees, [5, 2, 3])


def test_named_nodes_come_first_keep_their_place_and_may_be_isolated() -> None:
    graph = Graph.from_edges([("b", "c", 1.0)], nodes=("a", "b", "a"))
    assert graph.labels == ("a", "b", "c")
    assert graph.index == {"a": 0, "b": 1, "c": 2}
    assert graph.n_isolated == 1
    assert graph.n_edges == 1


def test_a_row_of_weight_zero_names_its_nodes_only() -> None:
    graph = Graph.from_edges([("a", "b", 0.0)])
    assert (graph.n_nodes, graph.n_edges, graph.weights.nnz) == (2, 0, 0)


def test_edges_list_an_undirected_edge_once_with_row_below_column() -> None:
    rows, columns, weights = Graph.from_edges([("a", "b", 1.0), ("c", "a", 2.0), ("b", "b", 9.0)]).edges
    assert (rows < columns).all()
    assert sorted(zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True)) == [(0, 1, 1.0), (0, 2, 2.0)]


def test_a_matrix_is_directed_unless_symmetric() -> None:
    assert not Graph.from_matrix(np.array([[0, 1], [1, 0]])).directed
    assert Graph.from_matrix(np.array([[0, 1], [0, 0]])).directed
    assert Graph.from_matrix(np.array([[0, 1], [1, 0]]), directed=True).directed


@given(ROWS, st.booleans())
def test_total_weight_is_kept_and_symmetry_holds(rows: list[tuple[str, str, float]], directed: bool) -> None:
    graph = Graph.from_edges(rows, directed)
    weights = graph.weights.toarray()
    total = sum(w for _, _, w in rows)
    assert (weights.sum() if directed else np.triu(weights).sum()) == pytest.approx(total)
    assert directed or np.array_equal(weights, weights.T)
    assert graph.n_edges == np.count_nonzero(weights - np.diag(weights.diagonal())) / (1 if directed else 2)


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: Graph.from_edges([]), "no nodes"),
        (lambda: Graph.from_edges([("a", "b", -1.0)]), "-1.0 between a and b"),
        (lambda: Graph.from_edges([("a", "b", 3.0), ("a", "b", -1.0)]), "-1.0"),
        (lambda: Graph.from_edges([("a", "b", float("nan"))]), "finite"),
        (lambda: Graph.from_edges([("a", "b", float("inf"))]), "finite"),
        (lambda: Graph.from_edges([("a", "b", 1e308), ("a", "b", 1e308)]), "finite"),
        (lambda: Graph.from_matrix(np.ones((2, 3))), "square"),
        (lambda: Graph.from_matrix(np.array([["x", "y"], ["z", "w"]])), "numbers"),
        (lambda: Graph.from_matrix(np.array([[0, np.nan], [1, 0]])), "finite"),
        (lambda: Graph.from_matrix(np.eye(2), labels=["a"]), "1 labels"),
        (lambda: Graph(("a", "a"), sparse.csr_array((2, 2))), "same label"),
        (lambda: Graph(("a", "b"), sparse.csr_array(np.array([[0.0, 1.0], [0.0, 0.0]]))), "not symmetric"),
    ],
)
def test_what_is_no_graph_is_refused_in_one_sentence(build, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=says) as error:
        build()
    assert "\n" not in str(error.value)
