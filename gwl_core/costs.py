"""Observed costs: eq. (zipf) and its alternatives, as a background constant plus a sparse deviation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from scipy.stats import rankdata

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config

RANGE = 1e-100, 1e100
"""Largest costs that are taken: squares and sums of others would leave the range of numbers."""

KL_FLOOR = 1e-6
"""Smallest cost under the KL loss: a log(a/b) is infinite at b = 0."""


@dataclass(frozen=True, eq=False)
class ObservedCost:
    """An (n, n) cost C = background + deviation, where most deviations are zero.

    Attributes:
        background: cost between two nodes without an interaction; also that of a dummy node to every other node.
        deviation: (n, n) CSR matrix, the diagonal included, or a dense array where most entries differ.
        notices: sentences for the user (values floored, pairs out of reach).
    """

    background: float
    deviation: sparse.csr_array | np.ndarray
    notices: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return self.deviation.shape[0]

    def dense(self) -> np.ndarray:
        """The (n, n) matrix itself, float64."""
        deviation = self.deviation
        return self.background + (deviation if isinstance(deviation, np.ndarray) else deviation.toarray())

    @property
    def size(self) -> float:
        """The largest absolute value of an entry."""
        deviation = self.deviation if isinstance(self.deviation, np.ndarray) else self.deviation.data
        return max(abs(self.background), float(np.abs(self.background + deviation).max(initial=0.0)))

    @property
    def own(self) -> np.ndarray:
        """(n,) what every node costs itself."""
        return self.background + self.deviation.diagonal()

    def off_diagonal(self) -> ObservedCost:
        """The cost with the background on the diagonal."""
        if isinstance(self.deviation, np.ndarray):
            deviation: sparse.csr_array | np.ndarray = self.deviation.copy()
            np.fill_diagonal(deviation, 0.0)
        else:
            deviation = self.deviation - sparse.diags_array(self.deviation.diagonal(), dtype=np.float64)
            deviation = sparse.csr_array(deviation)
            deviation.eliminate_zeros()
        return ObservedCost(self.background, deviation, self.notices)

    def padded(self, count: int, diagonal: float) -> ObservedCost:
        """The cost with `count` dummy nodes appended, at the background cost to every other node."""
        if count == 0:
            return self
        dummies = sparse.diags_array(np.full(count, diagonal - self.background), dtype=np.float64)
        if sparse.issparse(self.deviation):
            grown: sparse.csr_array | np.ndarray = sparse.csr_array(sparse.block_diag([self.deviation, dummies]))
        else:
            n = self.n
            grown = np.zeros((n + count, n + count))
            grown[:n, :n] = self.deviation
            grown[n:, n:] = dummies.toarray()
        return ObservedCost(self.background, grown, self.notices)


def observed_costs(problem: MatchingProblem, config: Config) -> tuple[ObservedCost, ObservedCost]:
    """Source and target cost of a problem under `config.cost` and `config.loss`, without dummies.

    The square loss has a zero diagonal; KL keeps the formula on the diagonal and floors values at KL_FLOOR.

    Raises:
        InputError: costs out of RANGE, or a negative given cost under the KL loss.
    """
    keep_diagonal = config.loss == "kl"
    if problem.source_cost is not None and problem.target_cost is not None:
        pair = _given(problem.source_cost, problem.target_cost)
    elif config.cost == "shortest-path":
        pair = _shortest_paths(problem.source, problem.target)
    elif config.cost == "adjacency":
        pair = (_adjacency(problem.source, keep_diagonal), _adjacency(problem.target, keep_diagonal))
    else:
        closeness = _CLOSENESS[config.cost]
        pair = (
            _from_counts(problem.source, closeness, keep_diagonal),
            _from_counts(problem.target, closeness, keep_diagonal),
        )
    for cost in pair:
        if cost.size and not RANGE[0] <= cost.size <= RANGE[1]:
            raise InputError(
                f"The largest cost is {cost.size:.3g}, and costs are squared: take cost zipf, log or rank, or rescale "
                f"weights and costs to between {RANGE[0]:g} and {RANGE[1]:g}."
            )
    return (_floored(pair[0]), _floored(pair[1])) if config.loss == "kl" else pair


def anchor_cost(anchors: sparse.csr_array) -> np.ndarray:
    """C_st by eq. (zipf): 1/(w+1) for a known pair, 1 elsewhere; (n_s, n_t)."""
    return 1.0 / (anchors.toarray() + 1.0)


def _ZIPF(counts: np.ndarray) -> np.ndarray:
    """Eq. (zipf): 1/(w+1)."""
    return 1.0 / (counts + 1.0)


def _LOG(counts: np.ndarray) -> np.ndarray:
    """1/(1+log2(1+w)): equals eq. (zipf) at w = 1, and tells heavy counts apart for longer."""
    return 1.0 / (1.0 + np.log2(1.0 + counts))


def _RANK(counts: np.ndarray) -> np.ndarray:
    """One minus the average rank of a count among all, as a share: the scale of counts is no matter."""
    return 1.0 - rankdata(counts) / max(1, len(counts))


_CLOSENESS = {"zipf": _ZIPF, "log": _LOG, "rank": _RANK}


def _from_counts(graph: Graph, closeness, keep_diagonal: bool) -> ObservedCost:  # type: ignore[no-untyped-def]
    deviation = (graph.weights if keep_diagonal else graph.without_loops).copy()
    deviation.data = closeness(deviation.data) - 1.0
    return ObservedCost(1.0, deviation if keep_diagonal else _with_diagonal(deviation, -1.0))


def _adjacency(graph: Graph, keep_diagonal: bool) -> ObservedCost:
    """The weighted adjacency matrix itself; 0 between nodes without an interaction."""
    return ObservedCost(0.0, (graph.weights if keep_diagonal else graph.without_loops).copy())


def _shortest_paths(source: Graph, target: Graph) -> tuple[ObservedCost, ObservedCost]:
    """Hops between nodes; pairs out of reach (in either graph) cost one more than the longest path of the two."""
    hops = [csgraph.shortest_path(g.adjacency, directed=g.directed, unweighted=True) for g in (source, target)]
    longest = max(float(h[np.isfinite(h)].max(initial=0.0)) for h in hops)
    apart = longest + 1.0
    costs = []
    for graph, h in zip((source, target), hops, strict=True):
        missing = int(np.isinf(h).sum())
        notice = (f"{graph.name}: {missing} ordered pairs are out of reach; their path length is set to {apart:g}.",)
        costs.append(ObservedCost(apart, np.where(np.isinf(h), apart, h) - apart, notice if missing else ()))
    return costs[0], costs[1]


def _given(source: np.ndarray, target: np.ndarray) -> tuple[ObservedCost, ObservedCost]:
    """Given matrices, whatever their number type; a dummy costs the largest value of the two."""
    matrices = [np.asarray(m).astype(np.float64) for m in (source, target)]
    background = max(float(m.max()) for m in matrices)
    return ObservedCost(background, matrices[0] - background), ObservedCost(background, matrices[1] - background)


def _with_diagonal(matrix: sparse.csr_array, value: float) -> sparse.csr_array:
    return sparse.csr_array(matrix + sparse.diags_array(np.full(matrix.shape[0], value), dtype=np.float64))


def _floored(cost: ObservedCost) -> ObservedCost:
    dense = cost.dense()
    if (dense < 0).any():
        raise InputError("The KL loss needs costs of 0 or more; a given cost is negative. Use the square loss.")
    low = int((dense < KL_FLOOR).sum())
    if not low and cost.background >= KL_FLOOR:
        return cost
    notice = f"KL loss: {low} costs below {KL_FLOOR:g} were raised to it, since the loss is infinite at 0."
    background = max(cost.background, KL_FLOOR)
    notices = (*cost.notices, notice) if low else cost.notices
    return ObservedCost(background, np.maximum(dense, KL_FLOOR) - background, notices)
