"""Edges around a pair against the counts of the whole matching, and on graphs small enough to read."""

from __future__ import annotations

import numpy as np
import pytest

from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.graph import Graph
from gwl_core.metrics import edge_counts
from gwl_core.neighbourhood import ADDED, BROKEN, CONSERVED, links
from gwl_core.problem import MatchingProblem


@pytest.mark.parametrize("make", [knn, barabasi_albert])
def test_conserved_links_add_up_to_the_conserved_edges(make: object) -> None:
    problem = make(20, 0.2, np.random.default_rng(3))  # type: ignore[operator]
    rng = np.random.default_rng(4)
    matching = rng.permutation(problem.target.n_nodes)[: problem.source.n_nodes]
    matching[:4] = -1
    counts = edge_counts(matching, problem.source, problem.target)
    found = [
        (link, i) for i in np.flatnonzero(matching >= 0) for link in links(problem, matching, (i, int(matching[i])))
    ]
    conserved = sum(link.kind == CONSERVED for link, _ in found)
    # A directed edge is seen from both of its ends; so is an undirected one, which counts twice in the counts.
    assert conserved == counts.conserved * (2 if problem.source.directed else 1)
    added = sum(link.kind == ADDED and link.source >= 0 for link, _ in found)
    assert added == (counts.induced - counts.conserved) * (2 if problem.source.directed else 1)


def test_each_kind_is_told() -> None:
    source = Graph.from_edges([("a", "b", 2.0), ("a", "c", 1.0), ("b", "d", 1.0)])
    target = Graph.from_edges([("A", "B", 5.0), ("A", "D", 1.0), ("C", "D", 1.0)], nodes=("A", "B", "C", "D"))
    problem = MatchingProblem(source, target)
    found = links(problem, np.arange(4), (0, 0))
    assert [(link.kind, link.source, link.target, link.weight) for link in found] == [
        (CONSERVED, 1, 1, 2.0), (BROKEN, 2, 2, 1.0), (ADDED, 3, 3, 1.0),
    ]  # fmt: skip


def test_a_pair_outside_the_matching_is_taken_to_hold() -> None:
    line = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0)])
    problem = MatchingProblem(line, line)
    # b is asked about at a, whose owner a then has no match: a's edge to it is broken, and none is added.
    found = links(problem, np.arange(3), (1, 0))
    assert [(link.kind, link.source, link.target) for link in found] == [
        (BROKEN, 0, -1), (BROKEN, 2, 2), (ADDED, -1, 1),
    ]  # fmt: skip


def test_directions_are_kept_apart() -> None:
    source = Graph.from_edges([("a", "b", 1.0), ("b", "a", 1.0)], directed=True)
    target = Graph.from_edges([("A", "B", 1.0)], directed=True)
    found = links(MatchingProblem(source, target), np.arange(2), (0, 0))
    assert [(link.kind, link.outward) for link in found] == [(CONSERVED, True), (BROKEN, False)]
