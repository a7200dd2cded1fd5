"""HubAlign: important nodes first. Importance flows from low degrees to hubs; then greedy alignment from seeds.

Hashemifar and Xu 2014 (the paper's table prints HugAlign). Nodes of degree 1, then 2, up to d−1 are removed, each
handing its weight on: to its only neighbour, or shared equally among the pairs of its remaining neighbours. A score is
(1−λ)·node weight + λ·sum of its edge weights, over the largest of both graphs; a pair is worth the smaller of its two.
Taking the best pair adds a bonus to every pair of its neighbours.

Two things the text leaves open, read as what comes nearest to the program's own figures: weight handed to a pair of
neighbours that no edge joins is lost, and the bonus is max(1, |E_t|/|E_s|)/max(d_u, d_v) of the pair just taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from gwl_core.baselines.best_pairs import BestPairs
from gwl_core.baselines.orders import ORDERS, over_orders
from gwl_core.baselines.pacing import Pace
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Topology, direction_notice, topology
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    one, other = topology(problem.source), topology(problem.target)
    yield Progress(0.0, "importance")
    first, second = (importance(side, settings["degree"], settings["mixing"]) for side in (one, other))
    most = max(first.max(), second.max()) or 1.0
    best = BestPairs(np.minimum.outer(first / most, second / most))
    ratio = max(1.0, len(other.edges[0]) / max(1, len(one.edges[0])))
    pace = Pace()
    while (pair := best.pop()) is not None:
        u, v = pair
        near, far = one.neighbours(u), other.neighbours(v)
        leaves = best.free_rows(near[one.degrees[near] == 1]), best.free_columns(far[other.degrees[far] == 1])
        for leaf, twin in zip(*(side.tolist() for side in leaves), strict=False):
            best.take(leaf, twin)
        bonus = ratio / max(1, one.degrees[u], other.degrees[v])
        best.add(best.free_rows(near), best.free_columns(far), bonus)
        if pace.due:
            yield Progress(best.share_taken, "greedy alignment", Outcome(matching=best.matching.copy()))
    return Outcome(matching=best.matching, notices=direction_notice(problem))


def importance(graph: Topology, degree: int, mixing: float) -> np.ndarray:
    """(n,) scores of the nodes of one graph, before the division by the largest of both.

    Args:
        degree: d; nodes with fewer remaining neighbours are removed, the fewest first.
        mixing: λ.
    """
    node = np.zeros(graph.n)
    edge = dict.fromkeys(zip(*(side.tolist() for side in graph.edges), strict=True), 1.0)
    live = [set(graph.neighbours(u).tolist()) for u in range(graph.n)]
    while True:
        counts = np.array([len(neighbours) for neighbours in live])
        removable = (counts > 0) & (counts < degree)
        if not removable.any():
            break
        least = int(counts[removable].min())
        for u in np.flatnonzero(counts == least).tolist():
            if len(live[u]) == least:  # a removal before it may have taken a neighbour
                _remove(u, live, node, edge)
    sums = np.zeros(graph.n)
    for (u, v), weight in edge.items():
        sums[u] += weight
        sums[v] += weight
    return (1 - mixing) * node + mixing * sums


def _remove(u: int, live: list[set[int]], node: np.ndarray, edge: dict[tuple[int, int], float]) -> None:
    """Hand the weight of a node and its live edges on, and take it out; its own weights stay for its score."""
    neighbours = sorted(live[u])
    total = node[u] + sum(edge[min(u, x), max(u, x)] for x in neighbours)
    if len(neighbours) == 1:
        node[neighbours[0]] += total
    else:
        share = total / (len(neighbours) * (len(neighbours) - 1) / 2)
        for pair in combinations(neighbours, 2):
            if pair in edge:
                edge[pair] += share
    for x in neighbours:
        live[x].discard(u)
    live[u] = set()


HUBALIGN = Baseline(
    key="hubalign",
    title="HubAlign",
    citation="Hashemifar and Xu, HubAlign: an accurate and efficient method for global alignment of protein-protein "
    "interaction networks, Bioinformatics 30(17), 2014.",
    year=2014,
    uses=("topology",),
    cost="O(n² log n)",
    largest=6000,
    settings=(
        Parameter("degree", "int", live=False, low=2, high=100),
        Parameter("mixing", "float", live=False, low=0, high=1),
        ORDERS,
    ),
    defaults={"degree": 10, "mixing": 0.1, "orders": 5},
    steps=over_orders(_steps),
)
