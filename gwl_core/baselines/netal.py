"""NETAL: similarity of neighbourhoods, then greedy alignment by how many edges a pair may still conserve.

Neyshabur et al. 2013. Similarity S of a pair is the value of a greedy matching of its neighbourhoods over the larger
degree, iterated twice from 1. The interaction score of a pair is (min(R_u, R_v) + P)/D: R_u expects the edges that u
may conserve with neighbours not yet aligned, each neighbour x sharing itself among its d_x, and P counts those already
conserved. The alignment score is (1−a)·interaction + a·S.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
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
    similar = yield from similarity(one, other)
    matching = yield from _align(one, other, similar, settings["a"])
    return Outcome(matching=matching, notices=direction_notice(problem))


def similarity(one: Topology, other: Topology) -> Generator[Progress, None, np.ndarray]:
    """(n_s, n_t) S after two iterations. The first is min(d_u, d_v)/max(d_u, d_v) in closed form."""
    values = np.zeros((one.n, other.n))
    yield from _walked(one, other, values, 0.0, strict=False)
    yield from _walked(other, one, values.T, 0.25, strict=True)
    larger = np.maximum.outer(one.degrees, other.degrees)
    return values / np.maximum(larger, 1)


def _walked(
    one: Topology, other: Topology, values: np.ndarray, share: float, strict: bool
) -> Generator[Progress, None, None]:
    """Fill in the pairs whose second node has the greater (or, unless strict, an equal) degree.

    The neighbours of the first are walked in order; each takes the most similar unused neighbour of the second, the
    first of equals. That is done for all second nodes at once, whose neighbours lie end to end.
    """
    pace = Pace()
    order = np.argsort(-other.degrees, kind="stable")
    order = order[other.degrees[order] > 0]
    degrees = other.degrees[order]
    ends = np.cumsum(degrees)
    starts = ends - degrees
    ends_at = np.concatenate([other.neighbours(v) for v in order]) if len(order) else np.zeros(0, dtype=np.int64)
    spots = np.arange(len(ends_at))
    keys: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    known: dict[bytes, np.ndarray] = {}
    for u in range(one.n):
        count = int((degrees > one.degrees[u]).sum() if strict else (degrees >= one.degrees[u]).sum())
        walk = one.degrees[one.neighbours(u)]
        if not len(walk) or not count:
            continue
        found = known.get(walk.tobytes())
        if found is None:
            extent, firsts = ends[count - 1], starts[:count]
            free = np.ones(extent, dtype=bool)
            found = np.zeros(count)
            for degree in walk.tolist():
                if degree not in keys:
                    keys[degree] = _keys(degree, other.degrees[ends_at], spots)
                key, ratios = keys[degree]
                best = np.maximum.reduceat(np.where(free, key[:extent], -1), firsts)
                found += ratios[best // len(spots)]
                free[len(spots) - 1 - best % len(spots)] = False
            known[walk.tobytes()] = found
        values[u, order[:count]] = found
        if pace.due:
            yield Progress(share + 0.25 * u / one.n, "similarity of neighbourhoods")


def _keys(degree: int, degrees: np.ndarray, spots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One integer per spot that is greater for a greater ratio of degrees, then for an earlier spot; and the ratios."""
    ratios, rank = np.unique(np.minimum(degree, degrees) / np.maximum(degree, degrees), return_inverse=True)
    return rank * len(spots) + (len(spots) - 1 - spots), ratios


def _align(one: Topology, other: Topology, similar: np.ndarray, a: float) -> Generator[Progress, None, np.ndarray]:
    """Take the best pair, and its neighbours of degree 1; then refresh the rows and columns of its neighbours."""
    most = max(1, int(max(one.degrees.max(), other.degrees.max())))
    hopes = [np.asarray(side.adjacency @ (1 / np.maximum(side.degrees, 1))) for side in (one, other)]
    conserved = np.zeros(similar.shape)

    def scores(rows: Any, columns: Any) -> np.ndarray:
        hope = np.minimum(hopes[0][rows], hopes[1][columns])
        return (1 - a) * (hope + conserved[rows, columns]) / most + a * similar[rows, columns]

    every = np.ix_(np.arange(one.n), np.arange(other.n))
    best = BestPairs(scores(*every))
    pace = Pace()
    while (pair := best.pop()) is not None:
        u, v = pair
        near, far = one.neighbours(u), other.neighbours(v)
        leaves = best.free_rows(near[one.degrees[near] == 1]), best.free_columns(far[other.degrees[far] == 1])
        pairs = [pair, *zip(*(side.tolist() for side in leaves), strict=False)]
        for leaf, twin in pairs[1:]:
            best.take(leaf, twin)
        conserved[np.ix_(near, far)] += 1
        hopes[0][near] -= 1 / max(1, one.degrees[u])
        hopes[1][far] -= 1 / max(1, other.degrees[v])
        for leaf, twin in pairs[1:]:
            hopes[0][one.neighbours(leaf)] -= 1
            hopes[1][other.neighbours(twin)] -= 1
            conserved[np.ix_(one.neighbours(leaf), other.neighbours(twin))] += 1
        best.refresh(best.free_rows(near), best.free_columns(far), scores)
        if pace.due:
            yield Progress(0.5 + 0.5 * best.share_taken, "greedy alignment", Outcome(matching=best.matching.copy()))
    return best.matching


NETAL = Baseline(
    key="netal",
    title="NETAL",
    citation="Neyshabur et al., NETAL: a new graph-based method for global alignment of protein-protein interaction "
    "networks, Bioinformatics 29(13), 2013.",
    year=2013,
    uses=("topology",),
    cost="O(|E_s| |E_t|)",
    largest=6000,
    settings=(Parameter("a", "float", live=False, low=0, high=1), ORDERS),
    defaults={"a": 1e-4, "orders": 3},
    steps=over_orders(_steps),
)
