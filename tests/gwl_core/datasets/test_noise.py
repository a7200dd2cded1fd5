"""Noise is added exactly, ends at once, and never as a self-loop or on a pair that has an edge."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core.datasets.noise import add_noise_edges, add_noise_nodes, interaction_counts, permute_and_relabel
from gwl_core.errors import InputError
from gwl_core.graph import Graph


def rng(seed=0):
    return np.random.default_rng(seed)


def complete(n):
    return Graph.from_edges([(str(a), str(b), 1) for a, b in combinations(range(n), 2)], name=f"K{n}")


@st.composite
def graphs(draw):
    n = draw(st.integers(2, 9))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30, unique=True))
    edges = [(str(a), str(b), 1 + a) for a, b in pairs]
    return Graph.from_edges(edges, directed=draw(st.booleans()), nodes=[str(i) for i in range(n)])


@pytest.mark.parametrize("count", [1, 5, 6])
def test_complete_graph_has_no_free_pair(count):
    with pytest.raises(InputError, match=f"K5 has no free pair for {count} of {count} added edges"):
        add_noise_edges(complete(5), count, rng())


@settings(max_examples=25, deadline=None)
@given(graphs(), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_noise_edges_fill_free_pairs_exactly(graph, seed, share):
    n = graph.n_nodes
    free = n * (n - 1) // (1 if graph.directed else 2) - graph.n_edges
    count = round(share * free)
    noisy = add_noise_edges(graph, count, rng(seed))
    assert noisy.n_edges == graph.n_edges + count
    assert noisy.n_self_loops == graph.n_self_loops
    kept = graph.weights.toarray() > 0
    np.testing.assert_array_equal(noisy.weights.toarray()[kept], graph.weights.toarray()[kept])
    with pytest.raises(InputError, match="no free pair for 1 of"):
        add_noise_edges(graph, free + 1, rng(seed))


@pytest.mark.parametrize("directed", [False, True])
def test_noise_edges_are_uniform_over_free_pairs(directed):
    graph = Graph.from_edges([("0", "1", 1), ("2", "3", 1)], directed=directed)
    hits = np.zeros((4, 4))
    for seed in range(400):
        hits += add_noise_edges(graph, 2, rng(seed)).adjacency.toarray() - graph.adjacency.toarray()
    free = (graph.adjacency.toarray() == 0) & ~np.eye(4, dtype=bool)
    assert hits[~free].sum() == 0
    expected = 800 / (10 if directed else 4)
    assert (abs(hits[free] - expected) < 5 * np.sqrt(expected)).all()


def test_links_are_clipped_to_the_nodes_there():
    pair = Graph.from_edges([("a", "b", 1)])
    grown = add_noise_nodes(pair, 1, 3, rng())
    assert (grown.n_nodes, grown.n_edges, grown.n_self_loops) == (3, 3, 0)
    assert add_noise_nodes(pair, 2, 9, rng()).n_edges == 1 + 2 + 3


def test_added_nodes_have_fresh_labels_and_point_outwards():
    graph = Graph.from_edges([("noise2", "b", 1)], directed=True)
    grown = add_noise_nodes(add_noise_nodes(graph, 2, 1, rng()), 1, 0, rng(), preferential=True)
    assert grown.labels == ("noise2", "b", "noise3", "noise4", "noise5")
    assert grown.adjacency.sum(axis=1).tolist() == [1, 0, 1, 1, 0]


def test_preferential_links_prefer_hubs():
    star = Graph.from_edges([("hub", f"leaf{i}", 1) for i in range(9)])
    hits = sum(add_noise_nodes(star, 1, 1, rng(s), preferential=True).adjacency[[0], [10]].item() for s in range(300))
    assert 110 < hits < 190  # the hub holds half of all link ends; uniform draws would give 30


def test_preferential_links_on_an_edgeless_graph_are_uniform():
    empty = Graph.from_edges([], nodes=["a", "b", "c"])
    assert add_noise_nodes(empty, 1, 2, rng(), preferential=True).n_edges == 2


def test_interaction_counts_are_poisson_without_zeros():
    counts = interaction_counts(rng(), 50_000)
    assert counts.min() >= 1
    assert counts.mean() == pytest.approx(10, abs=0.1)
    assert counts.var() == pytest.approx(10, abs=0.3)


@settings(max_examples=25, deadline=None)
@given(graphs(), st.integers(0, 2**32 - 1))
def test_permutation_maps_every_weight_and_is_not_the_identity(graph, seed):
    shuffled, permutation = permute_and_relabel(graph, rng(seed), "t")
    assert shuffled.labels == tuple(f"t{i}" for i in range(graph.n_nodes))
    assert sorted(permutation) == list(range(graph.n_nodes))
    assert (permutation != np.arange(graph.n_nodes)).any()
    moved = shuffled.weights.toarray()[np.ix_(permutation, permutation)]
    np.testing.assert_array_equal(moved, graph.weights.toarray())


def test_one_node_keeps_its_place():
    shuffled, permutation = permute_and_relabel(Graph.from_edges([], nodes=["a"]), rng(), "t")
    assert shuffled.labels == ("t0",)
    assert permutation.tolist() == [0]


def test_inputs_stay_untouched():
    graph = complete(4)
    before = graph.weights.toarray()
    permute_and_relabel(add_noise_edges(add_noise_nodes(graph, 3, 2, rng()), 2, rng()), rng(), "t")
    np.testing.assert_array_equal(graph.weights.toarray(), before)


@pytest.mark.parametrize("count", [-1, 1.5, True, "2"])
def test_counts_must_be_whole(count):
    with pytest.raises(InputError, match="count must be a whole number, 0 or more, got"):
        add_noise_edges(complete(3), count, rng())
    with pytest.raises(InputError, match="links must be a whole number, 0 or more, got"):
        add_noise_nodes(complete(3), 1, count, rng())
