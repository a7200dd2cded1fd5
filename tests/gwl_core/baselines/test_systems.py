"""The parts of each system against values worked out by hand, brute force and definitions."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations, product
from types import ModuleType
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from gwl_core.baselines import BASELINES, align
from gwl_core.baselines import orbits as orbits_module
from gwl_core.baselines.best_pairs import BestPairs
from gwl_core.baselines.gaa import softassign
from gwl_core.baselines.graal import distances
from gwl_core.baselines.greedy import cheapest, greedy_matching
from gwl_core.baselines.hubalign import importance
from gwl_core.baselines.lrsa import candidates, factors, heaviest_matching, weights_of
from gwl_core.baselines.magna import halfway
from gwl_core.baselines.mi_graal import relative_difference, shares_farther
from gwl_core.baselines.netal import similarity
from gwl_core.baselines.orbits import DEPENDENCIES, counted, orbit_counts, signature_similarity
from gwl_core.baselines.orders import of_shuffled_edges
from gwl_core.baselines.protocol import Progress
from gwl_core.baselines.tame import conserved_triangles, products, triangles
from gwl_core.baselines.topology import Topology, topology
from gwl_core.errors import InputError, MethodError
from gwl_core.graph import Graph
from gwl_core.metrics import edge_correctness
from gwl_core.problem import MatchingProblem


def last(steps):
    """What a generator returns."""
    while True:
        try:
            assert isinstance(next(steps), Progress)
        except StopIteration as end:
            return end.value


def of_edges(*edges: str) -> Topology:
    return topology(Graph.from_edges([(e[0], e[1], 1.0) for e in edges]))


def random_topology(n: int, seed: int, density: float = 0.4) -> Topology:
    upper = np.triu(np.random.default_rng(seed).random((n, n)) < density, 1).astype(float)
    return Topology(sparse.csr_array(upper + upper.T))


PAW = of_edges("ab", "bc", "ca", "ad")
"""A triangle abc with a leaf d at a."""


def test_topology_forgets_direction_weights_and_loops() -> None:
    graph = Graph.from_edges([("a", "b", 3), ("b", "a", 1), ("b", "c", 2), ("c", "c", 5)], directed=True)
    seen = topology(graph)
    assert seen.adjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert seen.degrees.tolist() == [1, 2, 1]
    assert [edge.tolist() for edge in seen.edges] == [[0, 1], [1, 2]]


@given(st.integers(0, 2**32 - 1))
def test_best_pairs_is_a_scan_of_the_whole_matrix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 5, (5, 6)).astype(float)
    kept, best = scores.copy(), BestPairs(scores.copy())
    while (pair := best.pop()) is not None:
        assert pair == divmod(int(kept.argmax()), 6)
        kept[pair[0]] = kept[:, pair[1]] = -np.inf
        rows, columns = (np.flatnonzero(np.isfinite(kept).any(axis=axis)) for axis in (1, 0))
        if len(rows):
            rows, columns = rng.choice(rows, 1), rng.choice(columns, min(2, len(columns)), replace=False)
            kept[np.ix_(rows, columns)] += 1.5
            best.add(rows, columns, 1.5)
            fresh = rng.integers(0, 9, (5, 6)).astype(float)
            touched = np.zeros((5, 6), dtype=bool)
            touched[rows] = touched[:, columns] = True
            kept = np.where(touched & np.isfinite(kept), fresh, kept)
            best.refresh(rows, columns, lambda i, j, fresh=fresh: fresh[i, j])
    assert (best.matching >= 0).all()
    assert best.share_taken == 1


def test_greedy_takes_the_cheapest_of_what_is_left() -> None:
    cost = np.array([[5, 1, 9], [1.5, 2, 9], [0, 0, 0]])
    rng = np.random.default_rng(0)
    assert greedy_matching(cost, np.array([0, 1]), np.array([0, 1]), rng) == [(0, 1), (1, 0)]
    assert greedy_matching(cost, np.array([0]), np.array([], dtype=int), rng) == []
    assert {cheapest(cost, np.array([0, 2]), np.arange(3), rng) for _ in range(50)} == {(2, 0), (2, 1), (2, 2)}


@pytest.mark.parametrize("seed", range(4))
def test_netal_similarity_is_the_greedy_matching_of_neighbourhoods(seed: int) -> None:
    one, other = random_topology(7, seed), random_topology(9, seed + 50)

    def first(u: int, v: int) -> float:
        return min(one.degrees[u], other.degrees[v]) / max(one.degrees[u], other.degrees[v], 1)

    expected = np.zeros((7, 9))
    for u, v in product(range(7), range(9)):
        near, far = one.neighbours(u).tolist(), other.neighbours(v).tolist()
        walk, rest, value = (near, far, first) if len(near) <= len(far) else (far, near, lambda a, b: first(b, a))
        rest = list(rest)
        for x in walk:
            best = max(rest, key=lambda y: value(x, y))
            expected[u, v] += value(x, best)
            rest.remove(best)
        expected[u, v] /= max(len(near), len(far), 1)
    assert last(similarity(one, other)) == pytest.approx(expected)


def test_hubalign_importance_by_hand() -> None:
    # d hands 0 + 1 to a. Then b and c have degree 2, a too: a goes first, of weight 1 + 1 + 1, to its pair (b, c),
    # whose edge becomes 4; then b hands 0 + 4 to c.
    assert importance(PAW, 10, 0.0).tolist() == [1, 0, 4, 0]
    sums = [3, 1 + 4, 1 + 4, 1]  # ab + ac + ad, ab + bc, ac + bc, ad
    assert importance(PAW, 10, 0.1) == pytest.approx([0.9 + 0.3, 0.5, 3.6 + 0.5, 0.1])
    assert importance(PAW, 10, 1.0).tolist() == sums
    assert importance(PAW, 2, 0.0).tolist() == [1, 0, 0, 0]  # only leaves go


@pytest.mark.parametrize("seed", range(3))
def test_lrsa_factors_are_the_power_steps_of_eigenalign(seed: int) -> None:
    one, other = random_topology(6, seed), random_topology(8, seed + 9)
    c1, c2, c3 = weights_of(one, other)
    a, b = one.adjacency.toarray(), other.adjacency.toarray()
    ones_a, ones_b = np.ones_like(a), np.ones_like(b)
    x = np.ones((6, 8))
    for _ in range(3):
        x = c1 * a @ x @ b + c2 * (a @ x @ ones_b + ones_a @ x @ b) + c3 * ones_a @ x @ ones_b
    left, right = last(factors(one, other, 3))
    found = left @ right.T
    assert found / np.abs(found).max() == pytest.approx(x / np.abs(x).max())


def test_lrsa_candidates_are_ranked_alike() -> None:
    left, right = np.array([[3.0], [1.0], [-2.0]]), np.array([[1.0], [5.0], [-1.0], [-4.0]])
    rows, columns, weights = candidates(left, right, 0)
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == [(0, 1), (1, 0), (2, 3)]
    assert weights.tolist() == [15, 1, 8]
    wider = candidates(left, right, 1)
    assert (0, 0) in set(zip(wider[0].tolist(), wider[1].tolist(), strict=True))
    image = heaviest_matching(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 1.0, 3.5]), (3, 2))
    assert image.tolist() == [1, 0, -1]


def test_softassign_normalises_rows_and_columns_with_slack() -> None:
    exponents = np.array([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    block = softassign(exponents)
    assert (block.sum(axis=0) <= 1).all()
    assert (block.sum(axis=1) <= 1.05).all()
    ratio = block / np.exp(exponents)
    assert np.linalg.matrix_rank(ratio, tol=1e-9) == 1  # rows and columns were scaled, nothing else


def test_triangles_and_their_products() -> None:
    assert triangles(PAW).tolist() == [[0, 1, 2]]
    complete = random_topology(6, 0, 1.1)
    assert sorted(map(tuple, triangles(complete).tolist())) == list(combinations(range(6), 3))
    u, v = np.array([2.0, 3.0, 5.0, 7.0]), np.array([1.0, 10.0, 100.0, 1000.0])
    # node 0: u_1 v_2 + u_2 v_1, and so on; node 3 is in no triangle
    assert products(triangles(PAW), u, v, 4).tolist() == [3 * 100 + 5 * 10, 2 * 100 + 5 * 1, 2 * 10 + 3 * 1, 0]
    joined = PAW.adjacency.toarray() > 0
    assert conserved_triangles(triangles(PAW), np.array([1, 0, 2, 3]), joined) == 1
    assert conserved_triangles(triangles(PAW), np.array([3, 1, 2, 0]), joined) == 0


def test_orbits_by_hand_and_against_networkx() -> None:
    counts = orbit_counts(PAW)
    # degree; ends and middles of paths of three; triangles; then the paw's own orbits 9 (leaf), 11 (hub), 10 (rest)
    assert counts[:, 0].tolist() == [3, 2, 2, 1]
    assert counts[:, 1].tolist() == [0, 1, 1, 2]
    assert counts[:, 2].tolist() == [2, 0, 0, 0]
    assert counts[:, 3].tolist() == [1, 1, 1, 0]
    assert counts[:, 9:12].tolist() == [[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]]
    square = orbit_counts(of_edges("ab", "bc", "cd", "da"))
    assert square[:, 8].tolist() == [1, 1, 1, 1]
    graph = random_topology(12, 3)
    closed = nx.triangles(nx.from_scipy_sparse_array(graph.adjacency))
    assert orbit_counts(graph)[:, 3].tolist() == [closed[node] for node in range(12)]
    assert not orbit_counts(Topology(sparse.csr_array((3, 3)))).any()


def test_signatures_of_equal_counts_are_alike() -> None:
    counts = np.array([[1.0] * 15, [0.0] * 15])
    same = last(signature_similarity(counts, counts))
    assert np.diag(same).tolist() == [1, 1]
    assert same[0, 1] == pytest.approx(1 - np.log(2) / np.log(3))  # every orbit is off by the same share


def test_seventy_three_orbits_need_the_optional_counter() -> None:
    try:
        import orbit_count  # noqa: F401
    except ImportError:
        with pytest.raises(InputError, match="73 orbits need the package orbit-count"):
            orbit_counts(PAW, "73")
    else:
        assert orbit_counts(PAW, "73")[:, :15].tolist() == orbit_counts(PAW).tolist()


def test_another_order_is_that_of_a_shuffled_list_of_edges() -> None:
    star = Graph.from_edges([("hub", leaf, 1.0) for leaf in "abcdef"], nodes=("alone", "hub", *"abcdef"))
    hub, alone = star.index["hub"], star.index["alone"]
    orders = [of_shuffled_edges(star, np.random.default_rng(seed)) for seed in range(20)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(8))
        assert hub in order[:2]  # every edge names it
        assert order[-1] == alone
    assert len({tuple(order.tolist()) for order in orders}) > 10


def test_seventy_three_orbits_come_from_the_optional_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the counter, which need not be installed: its 15 orbits are real, the other 58 made up."""

    def node_orbit_counts(graph: nx.Graph, graphlet_size: int, node_list: list[int]) -> np.ndarray:
        assert graphlet_size == 5
        assert node_list == sorted(graph.nodes)
        fifteen = orbit_counts(Topology(sparse.csr_array(nx.to_scipy_sparse_array(graph, nodelist=node_list))))
        return np.hstack([fifteen, np.outer(fifteen[:, 0], np.arange(58))]).astype(np.int64)

    stand_in = ModuleType("orbit_count")
    stand_in.node_orbit_counts = node_orbit_counts  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "orbit_count", stand_in)
    graph = random_topology(14, 2)
    counts = last(counted(graph, "73"))
    assert counts.shape == (14, 73)
    assert counts[:, :15].tolist() == orbit_counts(graph).tolist()
    weights = 1 - np.log(DEPENDENCIES) / np.log(73)
    assert len(weights) == 73
    a, b = counts[0], counts[1]
    apart = weights * np.abs(np.log(a + 1) - np.log(b + 1)) / np.log(np.maximum(a, b) + 2)
    assert last(signature_similarity(counts, counts))[0, 1] == pytest.approx(1 - apart.sum() / weights.sum())
    same = Graph.from_matrix(graph.adjacency.toarray())
    for key in ("graal", "h-graal", "mi-graal"):
        found = align(BASELINES[key], MatchingProblem(same, same), {"orbits": "73"})
        assert edge_correctness(found.matching, same, same) > 0.5


def test_dense_graphs_are_counted_in_a_process_that_a_stop_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_topology(30, 1)
    here = last(counted(graph))
    assert here.tolist() == orbit_counts(graph).tolist()
    monkeypatch.setattr(orbits_module, "LIGHT", 0)
    assert last(counted(graph)).tolist() == here.tolist()

    children: list[subprocess.Popen[bytes]] = []
    started = subprocess.Popen

    def watched(*args: Any, **more: Any) -> subprocess.Popen[bytes]:
        children.append(started([sys.executable, "-c", "import time; time.sleep(600)"], **more))
        return children[-1]

    monkeypatch.setattr(subprocess, "Popen", watched)
    steps = counted(graph)
    for _ in range(3):
        next(steps)
    assert children[0].poll() is None
    steps.close()
    assert children[0].poll() is not None
    broken = lambda *args, **more: started([sys.executable, "-c", "raise SystemExit(3)"], **more)  # noqa: E731
    monkeypatch.setattr(subprocess, "Popen", broken)
    with pytest.raises(MethodError, match="could not be counted"):
        last(counted(graph))


def test_distances_are_shortest_paths() -> None:
    graph = random_topology(15, 2, 0.15)
    lengths = nx.single_source_shortest_path_length(nx.from_scipy_sparse_array(graph.adjacency), 0)
    assert distances(graph, 0).tolist() == [lengths.get(node, -1) for node in range(15)]


def test_mi_graal_confidence_by_hand() -> None:
    assert shares_farther(np.array([[0.1, 0.5, 0.5, 0.9]])).tolist() == [[0.75, 0.25, 0.25, 0]]
    assert relative_difference(np.array([2.0, 0]), np.array([4.0, 0])).tolist() == [[0.5, 1], [1, 0]]


def swaps(first: np.ndarray, second: np.ndarray) -> int:
    """Fewest transpositions from one permutation to another: n less the cycles of second∘first⁻¹."""
    n = len(first)
    moved = second[np.argsort(first)]
    return n - nx.number_weakly_connected_components(nx.DiGraph([(i, int(moved[i])) for i in range(n)]))


@given(st.integers(0, 2**32 - 1), st.integers(2, 12))
def test_a_magna_child_lies_halfway_on_a_shortest_way(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.permutation(n), rng.permutation(n)
    child = halfway(one, other, rng)
    assert sorted(child.tolist()) == list(range(n))
    whole, there, back = swaps(one, other), swaps(one, child), swaps(child, other)
    assert there + back == whole
    assert abs(there - back) <= 1


def test_magna_never_loses_its_best() -> None:
    graph = Graph.from_matrix(random_topology(12, 4).adjacency.toarray())
    seen = []
    found = align(
        BASELINES["magna++"], MatchingProblem(graph, graph), {"population": 40, "generations": 40, "measure": "EC"},
        on_progress=lambda progress: seen.append(progress.text),
    )  # fmt: skip
    start = align(BASELINES["magna++"], MatchingProblem(graph, graph), {"population": 40, "generations": 1})
    after, before = (edge_correctness(run.matching, graph, graph) or 0 for run in (found, start))
    assert after > before


@pytest.mark.parametrize("key", ["netal", "lrsa", "tame", "gaa", "graal", "h-graal", "mi-graal"])
def test_a_graph_without_symmetry_is_matched_to_itself(key: str) -> None:
    graph = Graph.from_matrix(random_topology(24, 11, 0.3).adjacency.toarray())
    order = np.random.default_rng(5).permutation(24)
    other = Graph(tuple(f"t{i}" for i in order), graph.weights[order][:, order])
    matching = align(BASELINES[key], MatchingProblem(graph, other)).matching
    assert edge_correctness(matching, graph, other) == 1.0
    assert np.array_equal(order[matching], np.arange(24))


@pytest.mark.parametrize("key", ["netal", "hubalign", "graal", "mi-graal"])
def test_orders_are_kept_and_the_best_is_given(key: str) -> None:
    one, other = (Graph.from_matrix(random_topology(15, seed).adjacency.toarray()) for seed in (1, 2))
    found = align(BASELINES[key], MatchingProblem(one, other), {"orders": 4})
    shares = [edge_correctness(matching, one, other) or 0 for matching in found.outcome.orders]
    assert len(shares) == 4
    assert edge_correctness(found.matching, one, other) == max(shares)
    assert f"over 4 orders of the nodes: {min(shares):.3f} to {max(shares):.3f}" in found.notices[-1]
    single = align(BASELINES[key], MatchingProblem(one, other), {"orders": 1})
    assert single.outcome.orders == ()
    if key in ("netal", "hubalign"):  # the first order is the one given, and nothing is drawn for it
        assert np.array_equal(single.matching, found.outcome.orders[0])


@pytest.mark.parametrize("key", list(BASELINES))
def test_graphs_without_edges_or_of_two_nodes_break_nothing(key: str) -> None:
    bare = Graph.from_edges([("a", "b", 0), ("c", "d", 0)])
    edge = Graph.from_edges([("x", "y", 1), ("y", "z", 1)])
    small = {"population": 4, "generations": 2} if key == "magna++" else {}
    for source, target in ((bare, edge), (edge, bare), (bare, bare), (edge, edge)):
        matching = align(BASELINES[key], MatchingProblem(source, target), small).matching
        assert matching.shape == (source.n_nodes,)
        assert len(np.unique(matching[matching >= 0])) == (matching >= 0).sum()
