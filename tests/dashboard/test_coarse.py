"""Communities in place of nodes: sums, partners, and what a click on one means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dashboard import coarse as module
from dashboard import drawing
from dashboard.coarse import carried, coarse
from dashboard.snapshot import Snapshot
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

CLIQUES = [(f"{k}{a}", f"{k}{b}", 1.0) for k in "xyz" for a in range(5) for b in range(a)]
GRAPH = Graph.from_edges([*CLIQUES, ("x0", "y0", 2.0), ("y1", "z1", 3.0)])


def test_weights_between_communities_are_sums() -> None:
    seen = coarse(GRAPH)
    assert len(seen.labels) == 3
    letters = {int(seen.member[i]): label[0] for i, label in enumerate(GRAPH.labels)}
    found = {
        frozenset((letters[int(a)], letters[int(b)])): w
        for a, b, w in zip(*(part.tolist() for part in seen.edges), strict=True)
    }
    assert found == {frozenset("xy"): 4.0, frozenset("yz"): 6.0}  # both directions of an undirected weight
    for number, hub in enumerate(seen.hub):
        assert seen.member[hub] == number
        assert GRAPH.degrees[hub] == GRAPH.degrees[seen.member == number].max()


def test_partners_are_where_most_nodes_go() -> None:
    seen = coarse(GRAPH)
    matching = np.arange(GRAPH.n_nodes)
    partners, share = carried(matching, seen, seen)
    np.testing.assert_array_equal(partners, [0, 1, 2])
    np.testing.assert_array_equal(share, [1, 1, 1])
    matching[seen.member == 1] = -1
    partners, share = carried(matching, seen, seen)
    assert (partners[1], share[1]) == (-1, 0)


def test_large_graphs_are_drawn_as_communities(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = MatchingProblem(GRAPH, GRAPH)
    snapshot = replace(Snapshot(), matching=np.arange(GRAPH.n_nodes), confidence=np.ones(GRAPH.n_nodes))
    assert drawing.drawn_nodes(problem) == GRAPH.n_nodes
    assert drawing.graph_node(problem, "source", 4) == 4
    monkeypatch.setattr(module, "MANY", 10)
    assert drawing.drawn_nodes(problem) == 3
    for layout in ("truth", "match", "own"):
        figure = drawing.graphs(problem, snapshot, (0, 0), layout)
        nodes = [t for t in figure["data"] if "customdata" in t]
        assert [len(t["x"]) for t in nodes] == [3, 3]
        assert "3 and 3 communities" in figure["layout"]["title"]["subtitle"]["text"]
    assert drawing.graph_node(problem, "target", 2) == coarse(GRAPH).hub[2]
    assert drawing.graph_node(problem, "target", 3) is None
