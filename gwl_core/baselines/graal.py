"""GRAAL and H-GRAAL: alignment by how alike the small subgraphs around two nodes are.

The cost of a pair is 2 − [(1−α)(d_u + d_v)/(max d_G + max d_H) + α S(u, v)], S being the similarity of their orbit
counts. GRAAL (Kuchaiev et al. 2010) takes the cheapest pair as a seed and aligns the spheres around it greedily, then
the same in the second and third powers of the graphs, until every node is aligned. H-GRAAL (Milenković et al. 2010)
is one optimal assignment.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import breadth_first_order

from gwl_core.baselines.greedy import cheapest, greedy_matching
from gwl_core.baselines.orbits import SIZES, counted, signature_similarity
from gwl_core.baselines.orders import ORDERS, over_orders
from gwl_core.baselines.pacing import Pace, waiting
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Sides, Topology, direction_notice
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

POWERS = 3


def _graal(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    sides = Sides.of(problem)
    cost = yield from costs(sides, settings)
    image = np.full(sides.smaller.n, -1, dtype=np.int64)
    free = np.ones(sides.larger.n, dtype=bool)
    pace, power = Pace(), 0
    while (rows := np.flatnonzero(image < 0)).size:
        columns = np.flatnonzero(free)
        u, v = cheapest(cost, rows, columns, generator)
        image[u], free[v] = v, False
        power = power % POWERS + 1
        near, far = (-(-distances(side, seed) // power) for side, seed in ((sides.smaller, u), (sides.larger, v)))
        for radius in range(1, 1 + int(min(near.max(), far.max()))):
            rows = np.flatnonzero((near == radius) & (image < 0))
            columns = np.flatnonzero((far == radius) & free)
            for row, column in greedy_matching(cost, rows, columns, generator):
                image[row], free[column] = column, False
            if pace.due:
                told = Outcome(matching=sides.matching(image))
                yield Progress(0.5 + 0.5 * float((image >= 0).mean()), "spheres around seeds", told)
    return Outcome(matching=sides.matching(image), notices=direction_notice(problem))


def _h_graal(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    sides = Sides.of(problem)
    cost = yield from costs(sides, settings)
    image = yield from waiting(lambda: linear_sum_assignment(cost)[1], 0.5, "optimal assignment")
    return Outcome(sides.scores(2 - cost), matching=sides.matching(image), notices=direction_notice(problem))


def costs(sides: Sides, settings: Mapping[str, Any]) -> Generator[Progress, None, np.ndarray]:
    """(n_smaller, n_larger) costs of pairs, from 0 to 2."""
    alpha = settings["alpha"]
    first = yield from counted(sides.smaller, settings["orbits"])
    second = yield from counted(sides.larger, settings["orbits"])
    similar = yield from signature_similarity(first, second)
    most = max(1, int(sides.smaller.degrees.max() + sides.larger.degrees.max()))
    degrees = np.add.outer(sides.smaller.degrees, sides.larger.degrees) / most
    return 2 - ((1 - alpha) * degrees + alpha * similar)


def distances(graph: Topology, node: int) -> np.ndarray:
    """(n,) edges of a shortest path from the node; −1 where there is none."""
    order, before = breadth_first_order(graph.adjacency, node, directed=False)
    found = np.full(graph.n, -1, dtype=np.int64)
    found[node] = 0
    for reached in order[1:].tolist():
        found[reached] = found[before[reached]] + 1
    return found


ALPHA = Parameter("alpha", "float", live=False, low=0, high=1)
ORBITS = Parameter("orbits", "choice", live=False, choices=tuple(SIZES))

GRAAL = Baseline(
    key="graal",
    title="GRAAL",
    citation="Kuchaiev et al., Topological network alignment uncovers biological function and phylogeny, "
    "J. R. Soc. Interface 7(50), 2010.",
    year=2010,
    uses=("topology",),
    cost="O(n² log n)",
    largest=4000,
    settings=(ALPHA, ORBITS, ORDERS),
    defaults={"alpha": 0.8, "orbits": "15", "orders": 3},
    steps=over_orders(_graal),
)

H_GRAAL = Baseline(
    key="h-graal",
    title="H-GRAAL",
    citation="Milenković et al., Optimal network alignment with graphlet degree vectors, Cancer Informatics 9, 2010.",
    year=2010,
    uses=("topology",),
    cost="O(n³) at worst, for the assignment",
    largest=3000,
    settings=(ALPHA, ORBITS),
    defaults={"alpha": 0.8, "orbits": "15"},
    steps=_h_graal,
)
