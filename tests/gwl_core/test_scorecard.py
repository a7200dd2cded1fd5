"""The row of all measures: a worked example, and what must hold for any pair of graphs."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.metrics import hits_at_k
from gwl_core.problem import MatchingProblem
from gwl_core.scorecard import scorecard


def random_problem(seed: int, directed: bool) -> tuple[MatchingProblem, np.ndarray, np.ndarray]:
    """Two small graphs with truth, a one-to-one matching, and scores with ties."""
    rng = np.random.default_rng(seed)
    n_s, n_t = (int(n) for n in rng.integers(2, 8, 2))
    matrices = ((rng.random((n, n)) < 0.4).astype(float) for n in (n_s, n_t))
    source, target = (Graph.from_matrix(w if directed else w + w.T, directed=directed) for w in matrices)
    matching = np.full(n_s, -1)
    k = int(rng.integers(0, min(n_s, n_t) + 1))
    matching[rng.permutation(n_s)[:k]] = rng.permutation(n_t)[:k]
    truth = np.column_stack([rng.permutation(n_s)[: min(n_s, n_t)], rng.permutation(n_t)[: min(n_s, n_t)]])
    return MatchingProblem(source, target, truth), matching, rng.integers(0, 3, (n_s, n_t)).astype(float)


def reordered(graph: Graph, order: np.ndarray) -> Graph:
    return Graph(tuple(graph.labels[i] for i in order), graph.weights[order][:, order], graph.directed)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_relabelling_changes_nothing(seed: int, directed: bool) -> None:
    problem, matching, scores = random_problem(seed, directed)
    rng = np.random.default_rng(seed + 1)
    rows, columns = rng.permutation(problem.source.n_nodes), rng.permutation(problem.target.n_nodes)
    new_row, new_column = np.argsort(rows), np.argsort(columns)
    assert problem.truth is not None
    other = MatchingProblem(
        reordered(problem.source, rows),
        reordered(problem.target, columns),
        np.column_stack([new_row[problem.truth[:, 0]], new_column[problem.truth[:, 1]]]),
    )
    moved = np.where(matching[rows] >= 0, new_column[matching[rows]], -1)
    before, after = (
        asdict(scorecard(*arguments))
        for arguments in ((problem, matching, scores), (other, moved, scores[rows][:, columns]))
    )
    assert {name: value for name, value in after.items() if name not in ("hits", "correctness")} == pytest.approx(
        {name: value for name, value in before.items() if name not in ("hits", "correctness")}
    )
    assert after["hits"] == pytest.approx(before["hits"])
    assert after["correctness"] == before["correctness"]


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_the_identity_on_a_graph_itself_is_perfect(seed: int, directed: bool) -> None:
    graph = random_problem(seed, directed)[0].source
    n = graph.n_nodes
    same = np.arange(n)
    card = scorecard(MatchingProblem(graph, graph, np.column_stack([same, same])), same, np.eye(n))
    perfect = 1.0 if graph.n_edges else None
    assert (card.edge_correctness, card.ics, card.s3, card.mnc) == (perfect,) * 4
    assert card.correctness is not None
    assert (card.correctness.share, card.symmetry_aware, card.hits, card.mrr) == (1, 1, (1, 1, 1), 1)
    assert card.unmatched == 0
    assert card.one_to_one


@given(st.integers(0, 2**32 - 1))
def test_every_rate_is_a_share(seed: int) -> None:
    problem, matching, scores = random_problem(seed, directed=False)
    card = scorecard(problem, matching, scores)
    assert card.hits is not None
    rates = (card.edge_correctness, card.ics, card.s3, card.mnc, card.mrr, card.symmetry_aware, *card.hits)
    assert all(rate is None or 0 <= rate <= 1 for rate in rates)


def test_every_measure_of_one_example_by_hand() -> None:
    """The path 0-1-2-3-4 on A-B-C-D-E with the chord A-C, its last two nodes exchanged, truth of the first four."""
    path = Graph.from_edges([(str(i), str(i + 1), 1.0) for i in range(4)])
    braced = Graph.from_edges([(e[0], e[1], 1.0) for e in ("AB", "BC", "CD", "DE", "AC")])
    truth = np.column_stack([np.arange(4), np.arange(4)])
    scores = np.full((5, 5), 0.1)
    scores[0] = [0.9, 0.3, 0.2, 0.1, 0.0]  # A first
    scores[1] = 0.5  # all alike: the average of ranks 1 to 5 is 3
    scores[2] = [0.9, 0.8, 0.8, 0.1, 0.0]  # C shares ranks 2 and 3
    scores[3] = [0.9, 0.8, 0.7, 0.6, 0.5]  # D fourth
    card = scorecard(MatchingProblem(path, braced, truth), np.array([0, 1, 2, 4, 3]), scores)
    assert card.correctness is not None
    assert (card.correctness.correct, card.correctness.known, card.correctness.sources) == (3, 4, 5)
    assert card.symmetry_aware == 0.75  # the chord leaves no twins, and a path's ends hang from different nodes
    # 01, 12 and 34 are conserved of four edges; all five target edges lie among the images.
    assert (card.edge_correctness, card.ics, card.s3) == (3 / 4, 3 / 5, 3 / 6)
    assert (card.lccs_nodes, card.lccs_edges) == (3, 2)
    assert card.mnc == pytest.approx((1 / 2 + 1 + 1 / 4 + 1 / 2 + 1 / 2) / 5)
    assert card.hits == (1 / 4, 1, 1)
    assert card.mrr == pytest.approx((1 + 1 / 3 + 1 / 2.5 + 1 / 4) / 4)
    assert (card.unmatched, card.one_to_one) == (0, True)


@given(st.integers(0, 2**32 - 1))
def test_components_and_neighbourhoods_are_their_definitions(seed: int) -> None:
    problem, matching, _ = random_problem(seed, directed=False)
    source, target = (nx.from_numpy_array(g.adjacency.toarray()) for g in (problem.source, problem.target))
    image = {i: j for i, j in enumerate(matching.tolist()) if j >= 0}
    kept = [(u, v) for u, v in source.edges if u != v and target.has_edge(image.get(u), image.get(v))]
    parts = [nx.Graph(kept).subgraph(nodes) for nodes in nx.connected_components(nx.Graph(kept))]
    largest = max(((len(part), part.number_of_edges()) for part in parts), default=(0, 0))
    card = scorecard(problem, matching)
    assert (card.lccs_nodes, card.lccs_edges) == largest
    shares = []
    for i in source:
        mine = {image.get(u, ("lost", u)) for u in source[i] if u != i}
        other = {v for v in target[image[i]] if v != image[i]} if i in image else set()
        if mine | other:
            shares.append(len(mine & other) / len(mine | other))
    assert card.mnc == (pytest.approx(np.mean(shares)) if shares else None)


def test_constant_scores_are_worth_what_guessing_is() -> None:
    graph = Graph.from_edges([("a", "b", 1), ("b", "c", 1)])
    same = np.column_stack([np.arange(3), np.arange(3)])
    card = scorecard(MatchingProblem(graph, graph, same), np.arange(3), np.ones((3, 3)))
    assert card.hits == (0, 1, 1)  # the average rank of three ties is 2
    assert card.mrr == pytest.approx(1 / 2)
    assert scorecard(MatchingProblem(graph, graph, same), np.arange(3)).hits is None
    without = scorecard(MatchingProblem(graph, graph), np.arange(3), np.ones((3, 3)))
    assert (without.correctness, without.symmetry_aware, without.hits, without.mrr) == (None,) * 4


def test_two_sources_of_one_target_are_refused() -> None:
    graph = Graph.from_edges([("a", "b", 1), ("b", "c", 1)])
    with pytest.raises(InputError, match="same target"):
        scorecard(MatchingProblem(graph, graph), np.array([0, 0, 1]))


def test_the_worked_example_beside_the_repository(shared_dir: Path) -> None:
    folder = shared_dir / "cases" / "AL08"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))

    def rows(name: str) -> list[list[str]]:
        return list(csv.reader((folder / name).read_text(encoding="utf-8").splitlines()))

    source, target = (Graph.from_edges([(*row, 1.0) for row in rows(f"{g}.csv")[1:]]) for g in ("g1", "g2"))
    problem = MatchingProblem(source, target).with_truth_labels(rows("truth.csv")[1:])
    matching = np.full(source.n_nodes, -1)
    for start, end in rows("mapping.csv")[1:]:
        matching[source.index[start]] = target.index[end]
    card = scorecard(problem, matching)
    assert card.correctness is not None
    assert card.correctness.share == expected["node_correctness"]
    assert card.correctness.of_all == expected["over_all_source_nodes"]
    assert card.edge_correctness == expected["edge_correctness"]
    assert (card.ics, card.s3) == (expected["ics"], expected["s3"])
    (_, *columns), *scored = rows("scores.csv")
    scores = np.array([[float(value) for value in row[1:]] for row in scored])
    index = {row[0]: i for i, row in enumerate(scored)}
    truth = np.array([(index[s], columns.index(t)) for s, t in rows("scores_truth.csv")[1:]])
    assert hits_at_k(scores, truth, 1, "strict").value == pytest.approx(1 / 3)
    assert hits_at_k(scores, truth, 1).value == pytest.approx(1 / 3)
    assert hits_at_k(scores, truth, 2).value == 1.0  # the average of ranks 1 to 3 is 2
    assert hits_at_k(scores, truth, 10).label.startswith("hits@3 ")
