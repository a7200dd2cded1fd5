"""Symmetry-aware node correctness against brute force over automorphisms."""

import time
from itertools import permutations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core.graph import Graph
from gwl_core.metrics import node_correctness
from gwl_core.symmetry import find_symmetry, symmetry_aware_correctness, tied_matches, tied_nodes

YEAST = Path(__file__).parents[2] / ".." / "shared" / "data" / "pairs" / "yeast" / "yeast0.txt"


def of_networkx(graph: nx.Graph) -> Graph:
    return Graph.from_matrix(nx.to_numpy_array(graph), directed=graph.is_directed())


def identity(n: int) -> np.ndarray:
    return np.column_stack([np.arange(n), np.arange(n)])


def aware(matching: np.ndarray, truth: np.ndarray, source: Graph, target: Graph) -> float:
    value = symmetry_aware_correctness(matching, truth, find_symmetry(source), find_symmetry(target))
    assert value is not None
    return value


def automorphisms(weights: np.ndarray) -> np.ndarray:
    """Every permutation p with W[p, p] = W, (k, n)."""
    p = np.array(list(permutations(range(len(weights)))))
    return p[(weights[p[:, :, None], p[:, None, :]] == weights).all(axis=(1, 2))]


def best_under(perms: np.ndarray, matching: np.ndarray, truth: np.ndarray, on_source: bool) -> float:
    """max over σ of |{i : f(i) = π(σ(i))}| or of |{i : f(i) = σ(π(i))}|, over |π|."""
    pi = np.full(len(matching), -2)
    pi[truth[:, 0]] = truth[:, 1]
    hits = matching == pi[perms] if on_source else matching[truth[:, 0]] == perms[:, truth[:, 1]]
    return hits.sum(axis=1).max() / len(truth)


def branch(weights: np.ndarray, top: int, parent: int) -> set[int] | None:
    """The nodes behind the edge parent–top if they are a tree cut off by that edge."""
    cut = nx.from_numpy_array((weights + weights.T > 0).astype(int))
    cut.remove_edge(parent, top)
    nodes = nx.node_connected_component(cut, top)
    return None if parent in nodes or not nx.is_tree(cut.subgraph(nodes)) else nodes


def generated_group(weights: np.ndarray) -> np.ndarray:
    """Closure of twin swaps and swaps of isomorphic pendant branches, found among all automorphisms."""
    n, everything = len(weights), automorphisms(weights)
    skeleton = weights + weights.T > 0
    generators = [p for p in everything if (p != np.arange(n)).sum() == 2]
    hangs = [(p, c, branch(weights, c, p)) for p in range(n) for c in range(n) if skeleton[p, c]]
    for p, c, one in hangs:
        for q, d, other in hangs:
            # Beside each other at one node, or the two halves of a tree.
            if one and other and not one & other and (p == q or (p, c) == (d, q)):
                outside = [v for v in range(n) if v not in one | other]
                fixed = (everything[:, outside] == outside).all(axis=1)
                generators += [s for s in everything[fixed] if s[c] == d and {int(s[v]) for v in one} == other]
    group, frontier = {tuple(range(n))}, [tuple(range(n))]
    while frontier:
        frontier = list({tuple(int(s[v]) for v in g) for g in frontier for s in generators} - group)
        group |= set(frontier)
    return np.array(sorted(group))


@st.composite
def weight_matrices(draw: st.DrawFn) -> np.ndarray:
    """Small graphs with many symmetries: sparse, few different weights, some directed, some with copied nodes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(1, 6))
    weights = rng.integers(1, draw(st.sampled_from([2, 3])), (n, n)) * (rng.random((n, n)) < draw(st.floats(0.1, 0.6)))
    if draw(st.booleans()):
        weights = np.triu(weights, 1) + np.triu(weights, 1).T
    if n < 6 and draw(st.booleans()):
        # A copy of a node, joined to it or not, makes twins.
        v, own = rng.integers(n), rng.integers(0, 2)
        weights = np.pad(weights, (0, 1))
        weights[n, :n], weights[:n, n] = weights[v, :n], weights[:n, v]
        weights[n, v] = weights[v, n] = own
    np.fill_diagonal(weights, 0)
    return weights.astype(float)


@st.composite
def trees(draw: st.DrawFn) -> nx.Graph:
    n = draw(st.integers(1, 8))
    return nx.random_labeled_tree(n, seed=draw(st.integers(0, 10**6)))


def random_case(rng: np.random.Generator, n_s: int, n_t: int) -> tuple[np.ndarray, np.ndarray]:
    """A partial one-to-one matching and a partial truth between the two."""
    k = min(n_s, n_t)
    matching = np.full(n_s, -1)
    some = rng.permutation(n_s)[: rng.integers(0, k + 1)]
    matching[some] = rng.permutation(n_t)[: len(some)]
    size = rng.integers(1, k + 1)
    truth = np.column_stack([rng.permutation(n_s)[:size], rng.permutation(n_t)[:size]])
    return matching, truth


@settings(max_examples=25, deadline=None)
@given(weight_matrices(), weight_matrices(), st.integers(0, 2**32 - 1))
def test_it_is_the_maximum_over_the_generated_group(w_s: np.ndarray, w_t: np.ndarray, seed: int) -> None:
    matching, truth = random_case(np.random.default_rng(seed), len(w_s), len(w_t))
    expected, bound = (
        max(best_under(group(w_s), matching, truth, True), best_under(group(w_t), matching, truth, False))
        for group in (generated_group, automorphisms)
    )
    before = matching.copy()
    source, target = Graph.from_matrix(w_s), Graph.from_matrix(w_t)
    value = aware(matching, truth, source, target)
    assert value == pytest.approx(expected)
    assert (node_correctness(matching, truth) or 0) <= value <= bound <= 1
    assert aware(matching, truth, source, target) == value
    np.testing.assert_array_equal(matching, before)


@settings(max_examples=40, deadline=None)
@given(weight_matrices())
def test_tied_nodes_are_those_the_group_moves(weights: np.ndarray) -> None:
    moved = (generated_group(weights) != np.arange(len(weights))).any(axis=0)
    np.testing.assert_array_equal(tied_nodes(Graph.from_matrix(weights)), moved)


@settings(max_examples=25, deadline=None)
@given(trees(), st.integers(0, 2**32 - 1))
def test_on_a_tree_it_is_brute_force_over_automorphisms(tree: nx.Graph, seed: int) -> None:
    n, rng = tree.number_of_nodes(), np.random.default_rng(seed)
    every = automorphisms(nx.to_numpy_array(tree))
    matching = every[rng.integers(len(every))].copy()
    swap = rng.integers(0, n, 2)
    matching[swap] = matching[swap[::-1]]
    truth = identity(n)
    assert aware(matching, truth, of_networkx(tree), of_networkx(tree)) == pytest.approx(
        best_under(every, matching, truth, True)
    )


@pytest.mark.parametrize("n", [5, 6, 9])
def test_a_cycle_has_no_swaps_so_any_map_is_not_right(n: int) -> None:
    cycle = of_networkx(nx.cycle_graph(n))
    turned = np.roll(np.arange(n), 1)
    assert aware(turned, identity(n), cycle, cycle) == 0
    assert not tied_nodes(cycle).any()


def test_complete_bipartite_permits_swaps_within_each_side_only() -> None:
    graph = of_networkx(nx.complete_bipartite_graph(4, 4))
    within = np.array([1, 2, 3, 0, 7, 6, 5, 4])
    across = np.roll(np.arange(8), 4)
    assert aware(within, identity(8), graph, graph) == 1
    assert aware(across, identity(8), graph, graph) == 0
    assert tied_nodes(graph).all()


def test_complete_graph_and_isolated_nodes_are_interchangeable() -> None:
    for graph in (nx.complete_graph(5), nx.empty_graph(5)):
        assert aware(np.array([3, 4, 0, 1, 2]), identity(5), of_networkx(graph), of_networkx(graph)) == 1


def test_branches_swap_whole_not_piecewise() -> None:
    # A square with two 2-node branches at node 0: 4–5 and 6–7.
    graph = of_networkx(nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5), (0, 6), (6, 7)]))
    whole = np.array([0, 1, 2, 3, 6, 7, 4, 5])
    piece = np.array([0, 1, 2, 3, 6, 5, 4, 7])
    assert aware(whole, identity(8), graph, graph) == 1
    assert aware(piece, identity(8), graph, graph) == 6 / 8
    # 1 and 3 are twins; the branches are interchangeable; 0 and 2 differ.
    assert tied_nodes(graph).tolist() == [False, True, False, True, True, True, True, True]


def test_a_different_weight_or_direction_is_not_a_twin() -> None:
    weighted = Graph.from_edges([("c", "x", 1), ("c", "y", 2), ("c", "z", 1)])
    directed = Graph.from_edges([("c", "x", 1), ("y", "c", 1), ("c", "z", 1)], directed=True)
    for graph in (weighted, directed):
        assert tied_nodes(graph)[[graph.index[label] for label in "cxyz"]].tolist() == [False, True, False, True]


def test_larger_target_uses_its_own_twins() -> None:
    # The source leaf is alone; the target has two, of which one is an addition.
    source = Graph.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("a", "x", 1)])
    target = Graph.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("a", "x", 1), ("a", "new", 1)])
    pairs = np.array([[source.index[label], target.index[label]] for label in "abcx"])
    matching = pairs[np.argsort(pairs[:, 0]), 1].copy()
    matching[source.index["x"]] = target.index["new"]
    assert node_correctness(matching, pairs) == 0.75
    assert aware(matching, pairs, source, target) == 1
    tied = tied_matches(matching, find_symmetry(source), find_symmetry(target))
    assert tied[source.index["x"]]
    assert not tied[source.index["a"]]


def test_no_truth_is_not_defined_and_unmatched_is_wrong() -> None:
    path = find_symmetry(of_networkx(nx.path_graph(3)))
    assert symmetry_aware_correctness(np.arange(3), None, path, path) is None
    assert symmetry_aware_correctness(np.array([2, 1, -1]), identity(3), path, path) == pytest.approx(2 / 3)
    assert not tied_matches(np.full(3, -1), path, path).any()


@pytest.mark.parametrize("shape", ["star", "path", "caterpillar"])
def test_thousands_of_nodes_take_little_time(shape: str) -> None:
    n = 3000
    edges = {
        "star": [(0, i) for i in range(1, n)],
        "path": [(i, i + 1) for i in range(n - 1)],
        "caterpillar": [(i // 2, i) for i in range(1, n)],
    }[shape]
    graph = Graph.from_edges([(str(a), str(b), 1.0) for a, b in edges], nodes=[str(i) for i in range(n)])
    turned = {
        "star": np.r_[0, np.roll(np.arange(1, n), 1)],
        "path": np.arange(n)[::-1],
        "caterpillar": np.arange(n),
    }[shape]
    start = time.process_time()
    assert aware(turned, identity(n), graph, graph) == 1
    assert time.process_time() - start < 3


def test_yeast_aligned_with_itself_is_right_up_to_symmetry() -> None:
    if not YEAST.exists():
        pytest.skip("the shared yeast network is not beside the repository")
    edges = {tuple(line.split()[:2]) for line in YEAST.read_text().splitlines()}
    graph = Graph.from_edges([(a, b, 1.0) for a, b in edges], nodes=[str(i) for i in range(1004)])
    symmetry = find_symmetry(graph)
    rng = np.random.default_rng(0)
    matching = np.arange(1004)
    for group in {(p, k) for p, k in zip(symmetry.parent, symmetry.kind, strict=True)}:
        leaves = np.flatnonzero((symmetry.parent == group[0]) & (symmetry.kind == group[1]) & (symmetry.height == 0))
        matching[leaves] = rng.permutation(matching[leaves])
    start = time.process_time()
    plain, best = node_correctness(matching, identity(1004)), aware(matching, identity(1004), graph, graph)
    assert 0.82 < (plain or 0) < 0.88
    assert best == 1
    assert time.process_time() - start < 3
