"""Orders of the heatmap: every node once, and what each order promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dashboard.orders import ORDERS, communities, order, true_matching
from gwl_core.datasets.synthetic import knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

PROBLEM = knn(20, 0.3, np.random.default_rng(1))
MATCHING = np.where(np.arange(20) % 4 == 0, -1, np.random.default_rng(2).permutation(PROBLEM.target.n_nodes)[:20])


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("matching", [None, MATCHING])
def test_every_node_comes_once(name: str, matching: np.ndarray | None) -> None:
    view = order(PROBLEM, name, matching)
    assert sorted(view.row_order) == list(range(PROBLEM.source.n_nodes))
    assert sorted(view.column_order) == list(range(PROBLEM.target.n_nodes))


def test_matches_lie_on_the_diagonal() -> None:
    view = order(PROBLEM, "match", MATCHING)
    matched = int((MATCHING >= 0).sum())
    np.testing.assert_array_equal(MATCHING[view.row_order[:matched]], view.column_order[:matched])
    truth = order(PROBLEM, "degree", MATCHING)
    known = len(PROBLEM.truth)
    np.testing.assert_array_equal(true_matching(PROBLEM)[truth.row_order[:known]], truth.column_order[:known])


def test_communities_stay_together_on_both_sides() -> None:
    parts = [[(f"{k}{a}", f"{k}{b}", 1.0) for a in range(5) for b in range(a)] for k in "xyz"]
    bridges = [("x0", "y0", 0.1), ("y1", "z1", 0.1)]
    graph = Graph.from_edges([*bridges, *(edge for part in parts for edge in part)])
    turned = Graph.from_edges([*bridges, *(edge for part in reversed(parts) for edge in part)])
    problem = MatchingProblem(graph, turned)
    matching = np.array([turned.index[label] for label in graph.labels])
    view = order(problem, "community", matching)
    assert len(set(communities(graph))) == 3
    rows = "".join(graph.labels[i][0] for i in view.row_order)
    columns = "".join(turned.labels[j][0] for j in view.column_order)
    assert rows == columns
    assert sum(a != b for a, b in itertools.pairwise(rows)) == 2
