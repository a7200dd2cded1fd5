"""MI-GRAAL: several measures of likeness at once, and optimal assignments of neighbourhoods from the surest pair on.

Kuchaiev and Pržulj 2011. The confidence of a pair under one measure is the fraction of the other graph's nodes that
are farther from u than v is; the confidences of all measures add up to C. The pair of greatest C is a seed. Aligned
pairs wait in a queue by C; the free neighbours of the next are assigned for the greatest total C and join the queue.
When it is empty, the next seed is taken, in the graphs' second and third powers by turns.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import partial
from heapq import heappop, heappush
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.stats import rankdata

from gwl_core.baselines.graal import ORBITS, POWERS, distances
from gwl_core.baselines.greedy import cheapest
from gwl_core.baselines.orbits import counted, signature_similarity
from gwl_core.baselines.orders import ORDERS, over_orders
from gwl_core.baselines.pacing import Pace, waiting
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Sides, Topology, direction_notice
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

_ROWS = 200


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    sides = Sides.of(problem)
    likeness = yield from confidence(sides, settings)
    powers = [(sides.smaller, sides.larger)]
    image = np.full(sides.smaller.n, -1, dtype=np.int64)
    free = np.ones(sides.larger.n, dtype=bool)
    pace, turn = Pace(), 0
    while (rows := np.flatnonzero(image < 0)).size:
        if turn == len(powers) and len(powers) < POWERS:
            powers.append((_raised(powers[-1][0], sides.smaller), _raised(powers[-1][1], sides.larger)))
        one, other = powers[turn % POWERS]
        turn += 1
        u, v = cheapest(-likeness, rows, np.flatnonzero(free), generator)
        image[u], free[v] = v, False
        queue = [(-likeness[u, v], u, v)]
        while queue:
            _, u, v = heappop(queue)
            near, far = one.neighbours(u), other.neighbours(v)
            near, far = near[image[near] < 0], far[free[far]]
            for row, column in zip(*linear_sum_assignment(likeness[np.ix_(near, far)], maximize=True), strict=True):
                u, v = int(near[row]), int(far[column])
                image[u], free[v] = v, False
                heappush(queue, (-likeness[u, v], u, v))
            if pace.due:
                told = Outcome(matching=sides.matching(image))
                yield Progress(0.5 + 0.5 * float((image >= 0).mean()), "neighbourhoods from seeds", told)
    return Outcome(matching=sides.matching(image), notices=direction_notice(problem))


def confidence(sides: Sides, settings: Mapping[str, Any]) -> Generator[Progress, None, np.ndarray]:
    """(n_smaller, n_larger) C: the confidences of all chosen measures, added up."""
    first = yield from counted(sides.smaller, settings["orbits"])
    second = yield from counted(sides.larger, settings["orbits"])
    similar = yield from signature_similarity(first, second)
    degrees = (sides.smaller.degrees.astype(float), sides.larger.degrees.astype(float))
    tables = [1 - similar, relative_difference(*degrees)]
    for name, measure in MEASURES.items():
        if settings[name]:
            here = yield from waiting(partial(measure, sides.smaller), 0.3, name)
            there = yield from waiting(partial(measure, sides.larger), 0.3, name)
            tables.append(relative_difference(here, there))
    total = np.zeros_like(tables[0])
    for row in range(0, len(total), _ROWS):
        yield Progress(0.3 + 0.2 * row / len(total), "confidences")
        for table in tables:
            total[row : row + _ROWS] += shares_farther(table[row : row + _ROWS])
    return total


def shares_farther(distance: np.ndarray) -> np.ndarray:
    """Per row and entry, the share of the row's entries that are greater; rounding makes no difference of equals."""
    return 1 - rankdata(np.round(distance, 12), method="max", axis=1) / distance.shape[1]


def relative_difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(n_s, n_t) |a − b|/max(a, b), 0 where both are 0."""
    most = np.maximum.outer(first, second)
    return np.abs(np.subtract.outer(first, second)) / np.where(most > 0, most, 1)


def _clustering(graph: Topology) -> np.ndarray:
    pairs = graph.degrees * (graph.degrees - 1)
    closed = np.asarray((graph.adjacency @ graph.adjacency).multiply(graph.adjacency).sum(axis=1)).ravel()
    return closed / np.maximum(pairs, 1)


def _eccentricity(graph: Topology) -> np.ndarray:
    return np.array([distances(graph, node).max() for node in range(graph.n)], dtype=float)


def _betweenness(graph: Topology) -> np.ndarray:
    import networkx as nx

    values = nx.betweenness_centrality(nx.from_scipy_sparse_array(graph.adjacency))
    return np.array([values[node] for node in range(graph.n)])


MEASURES = {"clustering": _clustering, "eccentricity": _eccentricity, "betweenness": _betweenness}


def _raised(power: Topology, graph: Topology) -> Topology:
    """Nodes joined in a power of a graph, or by one edge more."""
    reached = sparse.csr_array(power.adjacency @ graph.adjacency + power.adjacency)
    reached = sparse.csr_array(reached - sparse.diags_array(reached.diagonal()))
    reached.eliminate_zeros()
    reached.data = np.ones_like(reached.data)
    reached.sort_indices()
    return Topology(reached)


MI_GRAAL = Baseline(
    key="mi-graal",
    title="MI-GRAAL",
    citation="Kuchaiev and Pržulj, Integrative network alignment reveals large regions of global network similarity in "
    "yeast and human, Bioinformatics 27(10), 2011.",
    year=2011,
    uses=("topology",),
    cost="O(n² log n)",
    largest=4000,
    settings=(ORBITS, *(Parameter(name, "bool", live=False) for name in MEASURES), ORDERS),
    defaults={"orbits": "15", **dict.fromkeys(MEASURES, False), "orders": 3},
    steps=over_orders(_steps),
)
