"""Measures against values worked out by hand; undefined is None, never 0, 1 or a crash."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.metrics import (
    Component,
    correctness,
    edge_correctness,
    edge_counts,
    hits_at_k,
    ics,
    largest_conserved_component,
    mean_neighbourhood_conservation,
    mean_reciprocal_rank,
    node_correctness,
    rank_auc,
    s3,
    true_ranks,
)


def graph(*edges: str, directed: bool = False, nodes: str = "") -> Graph:
    return Graph.from_edges([(e[0], e[1], 1.0) for e in edges], directed=directed, nodes=tuple(nodes))


PATH = graph("01", "12", "23", "34")
BRACED = graph("AB", "BC", "CD", "DE", "AC")
SWAPPED_END = np.array([0, 1, 2, 4, 3])
TRUTH = np.array([[0, 0], [1, 1], [2, 2], [3, 3]])


def test_measures_of_a_path_in_a_braced_path() -> None:
    assert node_correctness(SWAPPED_END, TRUTH) == 0.75
    assert edge_correctness(SWAPPED_END, PATH, BRACED) == 0.75
    assert ics(SWAPPED_END, PATH, BRACED) == 0.6
    assert s3(SWAPPED_END, PATH, BRACED) == 0.5


def test_component_and_neighbourhoods_of_a_path_in_a_braced_path() -> None:
    # Conserved: 01, 12, 34→ED; 23→CE is none. So one path of three nodes, one of two.
    assert largest_conserved_component(SWAPPED_END, PATH, BRACED) == Component(3, 2)
    # Per node, shared of union: 0: B of {B, C}; 1: A, C of {A, C}; 2→C: B of {B, E, A, D}; 3→E: D of {C, D}; 4→D: E of
    # {E, C}.
    assert mean_neighbourhood_conservation(SWAPPED_END, PATH, BRACED) == pytest.approx(
        (1 / 2 + 1 + 1 / 4 + 1 / 2 * 2) / 5
    )


def test_unmatched_nodes_in_component_and_neighbourhoods() -> None:
    matching = np.array([0, 1, -1, -1, -1])
    assert largest_conserved_component(matching, PATH, BRACED) == Component(2, 1)
    # 0→A: B of {B, C}; 1→B: A of {A, the lost 2, C}; the other three have neighbours and no match.
    assert mean_neighbourhood_conservation(matching, PATH, BRACED) == pytest.approx((1 / 2 + 1 / 3) / 5)
    nobody = np.full(5, -1)
    assert largest_conserved_component(nobody, PATH, BRACED) == Component(0, 0)
    assert mean_neighbourhood_conservation(nobody, PATH, BRACED) == 0.0
    bare = graph(nodes="xy")
    assert mean_neighbourhood_conservation(np.array([0, 1]), bare, bare) is None


def test_of_two_components_of_equal_nodes_the_one_of_more_edges_counts() -> None:
    two = graph("ab", "bc", "de", "ef", "df")
    assert largest_conserved_component(np.arange(6), two, two) == Component(3, 3)
    directed = graph("ab", "cb", directed=True)
    assert largest_conserved_component(np.arange(3), directed, directed) == Component(3, 2)
    backward = graph("ab", "bc", directed=True)
    # 0→1 is conserved, 2→1 is not; node 1: in from 0 of {in 0, in 2, out 2}.
    assert mean_neighbourhood_conservation(np.arange(3), directed, backward) == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_correctness_shows_its_denominator() -> None:
    found = correctness(SWAPPED_END, TRUTH)
    assert found is not None
    assert (found.correct, found.known, found.sources) == (3, 4, 5)
    assert (found.share, found.of_all) == (0.75, 0.6)
    assert found.label == "75.0% (3 of 4 known, of 5 sources)"
    whole = correctness(np.array([0, -1]), np.array([[0, 0], [1, 1]]))
    assert whole is not None
    assert whole.label == "50.0% (1 of 2)"
    assert correctness(SWAPPED_END, None) is None


def test_node_correctness_counts_known_sources_only() -> None:
    assert node_correctness(SWAPPED_END, TRUTH[:3]) == 1.0
    assert node_correctness(np.array([0, -1]), np.array([[0, 0], [1, 1]])) == 0.5
    assert node_correctness(SWAPPED_END, None) is None


def test_source_without_edges_has_no_edge_correctness() -> None:
    bare = graph(nodes="xy")
    matching = np.array([0, 1])
    assert edge_correctness(matching, bare, BRACED) is None
    assert ics(matching, bare, BRACED) == 0.0
    assert s3(matching, bare, BRACED) == 0.0
    assert ics(matching, bare, bare) is None
    assert s3(matching, bare, bare) is None


def test_unmatched_nodes_conserve_nothing() -> None:
    matching = np.array([0, 1, -1, -1, -1])
    assert edge_correctness(matching, PATH, BRACED) == 0.25
    assert ics(matching, PATH, BRACED) == 1.0
    nobody = np.full(5, -1)
    assert edge_correctness(nobody, PATH, BRACED) == 0.0
    assert ics(nobody, PATH, BRACED) is None


def test_direction_of_an_edge_counts() -> None:
    forward, backward = graph("ab", "bc", directed=True), graph("ab", "cb", directed=True)
    assert edge_correctness(np.arange(3), forward, backward) == 0.5
    assert s3(np.arange(3), forward, backward) == pytest.approx(1 / 3)


def test_self_loops_and_weights_play_no_part() -> None:
    looped = Graph.from_edges([("a", "a", 3), ("a", "b", 5), ("b", "c", 1)])
    assert edge_correctness(np.arange(3), looped, graph("ab", "bc")) == 1.0
    assert ics(np.arange(3), graph("ab", "bc"), looped) == 1.0


def test_shared_target_is_refused() -> None:
    with pytest.raises(InputError, match="same target"):
        edge_correctness(np.array([0, 0, 1, 2, 3]), PATH, BRACED)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_rates_agree_with_a_loop_over_edges(seed: int, directed: bool) -> None:
    rng = np.random.default_rng(seed)
    n_s, n_t = rng.integers(2, 8, 2)
    source, target = (
        Graph.from_matrix(w if directed else w + w.T, directed=directed)
        for w in ((rng.random((n, n)) < 0.4).astype(float) for n in (n_s, n_t))
    )
    matching = np.full(n_s, -1)
    k = rng.integers(0, min(n_s, n_t) + 1)
    matching[rng.permutation(n_s)[:k]] = rng.permutation(n_t)[:k]
    kind = nx.DiGraph if directed else nx.Graph
    a, b = (nx.from_numpy_array(g.adjacency.toarray(), create_using=kind) for g in (source, target))
    image = [int(j) for j in matching if j >= 0]
    conserved = sum(b.has_edge(matching[u], matching[v]) for u, v in a.edges if min(matching[u], matching[v]) >= 0)
    edges, induced = a.number_of_edges(), b.subgraph(image).number_of_edges()
    before = matching.copy()
    for _ in range(2):
        counts = edge_counts(matching, source, target)
        assert counts.edge_correctness == (conserved / edges if edges else None)
        assert counts.ics == (conserved / induced if induced else None)
        assert counts.s3 == (conserved / (edges + induced - conserved) if edges + induced else None)
    np.testing.assert_array_equal(matching, before)


SCORES = np.array([[0.5, 0.5, 0.5], [0.9, 0.1, 0.0], [0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
RANKED = np.array([[0, 2], [1, 0], [2, 1]])  # row 3 has no truth


def test_hits_say_how_ties_and_large_k_were_treated() -> None:
    rates = {(k, ties): hits_at_k(SCORES, RANKED, k, ties) for k in (1, 2, 10) for ties in ("strict", "optimistic")}
    assert rates[1, "strict"].value == pytest.approx(1 / 3)
    assert rates[1, "optimistic"].value == pytest.approx(2 / 3)
    assert rates[2, "strict"].value == pytest.approx(2 / 3)
    assert rates[2, "optimistic"].value == 1.0
    assert rates[10, "strict"].value == 1.0
    assert rates[10, "strict"].label == "hits@3 (tied is not a hit, clipped from 10 to the 3 targets)"
    assert hits_at_k(SCORES, RANKED, 1).label == "hits@1 (average rank)"


def test_tied_scores_share_their_average_rank() -> None:
    before = SCORES.copy()
    assert true_ranks(SCORES, RANKED).tolist() == [2, 1, 2]
    assert mean_reciprocal_rank(SCORES, RANKED) == pytest.approx((0.5 + 1 + 0.5) / 3)
    # A constant row is worth what guessing is.
    assert rank_auc(SCORES[:1], RANKED[:1]) == 0.5
    np.testing.assert_array_equal(SCORES, before)


def test_rank_auc_of_a_single_target_is_not_defined() -> None:
    assert rank_auc(np.array([[0.7], [0.2]]), np.array([[0, 0]])) is None


@pytest.mark.parametrize(
    ("scores", "truth", "ties", "message"),
    [
        (SCORES, RANKED, "lucky", "ties must be one of"),
        (SCORES, RANKED[:0], "average", "at least one true pair"),
        (np.full((3, 3), np.nan), RANKED, "average", "not a number"),
    ],
)
def test_ranks_refuse_what_has_no_rank(scores: np.ndarray, truth: np.ndarray, ties: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        true_ranks(scores, truth, ties)
    with pytest.raises(InputError):
        hits_at_k(SCORES, RANKED, 0)
