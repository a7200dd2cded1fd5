"""How likely a match is right: bounds, symmetry, evidence, and what makes it nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core.confidence import confidence, evidence
from gwl_core.datasets.noise import permute_and_relabel
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.symmetry import alike_nodes


def undirected(*edges: str) -> Graph:
    return Graph.from_edges([(a, b, 1.0) for a, b in edges])


def true_matching(problem: MatchingProblem) -> np.ndarray:
    assert problem.truth is not None
    matching = np.full(problem.source.n_nodes, -1)
    matching[problem.truth[:, 0]] = problem.truth[:, 1]
    return matching


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_it_is_a_probability_that_does_not_depend_on_the_order_of_nodes(seed: int, directed: bool) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 9, 2)
    graphs = []
    for n in sizes:
        weights = rng.integers(0, 3, (n, n)) * (rng.random((n, n)) < 0.5)
        graphs.append(Graph.from_matrix(weights if directed else weights + weights.T, directed=directed))
    matching = np.full(sizes[0], -1)
    k = rng.integers(0, sizes.min() + 1)
    matching[rng.permutation(sizes[0])[:k]] = rng.permutation(sizes[1])[:k]
    sure = confidence(MatchingProblem(*graphs), matching)
    assert ((sure >= 0) & (sure <= 1)).all()
    assert (sure[matching < 0] == 0).all()
    assert (sure[matching >= 0] > 0).all()
    target, place = permute_and_relabel(graphs[1], rng, "t")
    moved = np.where(matching >= 0, place[matching], -1)
    np.testing.assert_allclose(confidence(MatchingProblem(graphs[0], target), moved), sure, atol=1e-9)
    source, place = permute_and_relabel(graphs[0], rng, "s")
    moved = np.full(sizes[0], -1)
    moved[place] = matching
    np.testing.assert_allclose(confidence(MatchingProblem(source, graphs[1]), moved)[place], sure, atol=1e-9)


@pytest.mark.parametrize("directed", [True, False])
def test_an_isomorphic_pair_without_symmetry_is_almost_certain(directed: bool) -> None:
    rng = np.random.default_rng(3)
    problem = knn(60, 0.0, rng) if directed else barabasi_albert(60, 0.0, rng, 4)
    right = true_matching(problem)
    assert (confidence(problem, right) > 0.97).all()
    assert confidence(problem, rng.permutation(60)).max() < 0.5


def test_a_mistake_is_less_sure_than_the_rest() -> None:
    problem = barabasi_albert(60, 0.0, np.random.default_rng(3), 4)
    matching = true_matching(problem)
    matching[[10, 40]] = matching[[40, 10]]
    sure = confidence(problem, matching)
    others = np.delete(sure, [10, 40])
    assert sure[[10, 40]].max() < 0.3 < 0.9 < np.median(others)


def test_nodes_that_symmetry_makes_alike_share_the_chance() -> None:
    # A triangle with three leaves at a, one at b.
    graph = undirected("ab", "bc", "ca", "ax", "ay", "az", "bw")
    sure = dict(zip(graph.labels, confidence(MatchingProblem(graph, graph), np.arange(7)), strict=True))
    assert sure["x"] == sure["y"] == sure["z"] <= 1 / 3
    assert sure["w"] > 1 / 3
    found = evidence(MatchingProblem(graph, graph), np.arange(7))
    assert dict(zip(graph.labels, found.alike, strict=True)) == dict(zip("abcxyzw", [1, 1, 1, 3, 3, 3, 1], strict=True))


def test_a_conserved_edge_more_makes_every_end_surer() -> None:
    rng = np.random.default_rng(5)
    whole = barabasi_albert(40, 0.0, rng, 3).source
    rows, columns, _ = whole.edges
    weights = whole.weights.tolil()
    for i, j in list(zip(rows, columns, strict=True))[20:26]:
        weights[i, j] = weights[j, i] = 0
    fewer = replace(whole, weights=weights.tocsr())
    weights[rows[20], columns[20]] = weights[columns[20], rows[20]] = 1
    more = replace(whole, weights=weights.tocsr())
    before, after = (confidence(MatchingProblem(graph, whole), np.arange(40)) for graph in (fewer, more))
    ends = [rows[20], columns[20]]
    assert (after[ends] > before[ends]).all()


def test_a_free_target_that_fits_as_well_is_a_rival() -> None:
    source = undirected("ab", "bc", "cd", "da", "ac", "de", "ef")
    target = undirected("ab", "bc", "cd", "da", "ac", "de", "ef", "eg", "gh")
    plain = confidence(MatchingProblem(source, source), np.arange(6))
    rivalled = confidence(MatchingProblem(source, target), np.arange(6))
    assert rivalled[source.index["f"]] < plain[source.index["f"]] / 1.5


def test_a_coupling_that_tells_no_nodes_apart_supports_nothing() -> None:
    problem = barabasi_albert(20, 0.0, np.random.default_rng(0), 3)
    matching = true_matching(problem)
    assert not confidence(problem, matching, np.full((20, 20), 1 / 400)).any()
    assert not confidence(problem, np.full(20, -1)).any()
    np.testing.assert_array_equal(confidence(problem, matching, np.eye(20)[matching]), confidence(problem, matching))


def test_sources_that_share_a_target_share_its_chance() -> None:
    problem = barabasi_albert(20, 0.0, np.random.default_rng(0), 3)
    matching = true_matching(problem)
    matching[5] = matching[6]
    coupling = np.eye(20)[matching]
    coupling[5] *= 0.25
    alone, shared = confidence(problem, matching), confidence(problem, matching, coupling)
    assert alone[5] + alone[6] <= 1
    assert shared[5] + shared[6] <= 1
    assert shared[5] < alone[5]
    assert shared[6] > alone[6]


def test_given_costs_take_the_place_of_the_edges() -> None:
    problem = barabasi_albert(40, 0.0, np.random.default_rng(1), 3)
    empty = [Graph.from_edges([], nodes=graph.labels) for graph in (problem.source, problem.target)]
    costs = [1.0 - graph.adjacency.toarray() for graph in (problem.source, problem.target)]
    given = MatchingProblem(*empty, source_cost=costs[0], target_cost=costs[1])
    matching = true_matching(problem)
    assert np.median(confidence(given, matching)) > 0.9
    assert confidence(MatchingProblem(*empty), matching).max() <= 1 / 40


def test_dense_and_sparse_products_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = knn(40, 0.2, np.random.default_rng(2))
    matching = np.random.default_rng(2).permutation(problem.target.n_nodes)[:40]
    expected = evidence(problem, matching).features
    for share in (0.0, 2.0):
        monkeypatch.setattr("gwl_core.confidence._DENSE", share)
        np.testing.assert_allclose(evidence(problem, matching).features, expected, atol=1e-9)


def test_the_odds_against_exchanges_are_those_of_trying_each() -> None:
    problem = barabasi_albert(14, 0.2, np.random.default_rng(4), 3)
    matching = np.random.default_rng(4).permutation(problem.target.n_nodes)[:14]
    matching[3] = -1
    found = evidence(problem, matching)
    source, target = (g.adjacency.toarray() for g in (problem.source, problem.target))

    def conserved(f: np.ndarray) -> float:
        on = np.flatnonzero(f >= 0)
        return float((source[np.ix_(on, on)] * target[np.ix_(f[on], f[on])]).sum()) / 2

    # The weight of an edge, from the counts of ordered pairs, over the softness 2.
    on = found.rows
    both = 2 * conserved(matching)
    lost, new = source[np.ix_(on, on)].sum() - both, target[np.ix_(matching[on], matching[on])].sum() - both
    neither = 13 * 12 - both - lost - new
    weight = max(0.1, np.log((both + 1) * (neither + 1) / ((lost + 1) * (new + 1)))) / 2
    ours, theirs = alike_nodes(problem.source), alike_nodes(problem.target)
    free = sorted(set(range(problem.target.n_nodes)) - set(matching[matching >= 0]))
    for at, i in enumerate(found.rows):
        losses = []
        for k in found.rows:
            if k != i and ours[k] != ours[i] and theirs[matching[k]] != theirs[matching[i]]:
                moved = matching.copy()
                moved[[i, k]] = moved[[k, i]]
                losses.append(conserved(matching) - conserved(moved))
        for j in free:
            if theirs[j] != theirs[matching[i]]:
                moved = matching.copy()
                moved[i] = j
                losses.append(conserved(matching) - conserved(moved))
        if ours[3] != ours[i]:
            moved = matching.copy()
            moved[[i, 3]] = -1, matching[i]
            losses.append(conserved(matching) - conserved(moved))
        odds = -np.log(np.exp(-np.maximum(weight * np.array(losses), -3)).sum())
        assert found.features[at, 0] == pytest.approx(np.clip(odds, -4, 6), abs=1e-9)
