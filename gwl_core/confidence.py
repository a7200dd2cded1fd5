"""How likely each match is right, from what can be seen without the truth.

A matching says which edges fit on each other, and so how many more edges every match holds than the exchanges that
would undo it: with another matched pair, with a free target, with an unmatched source. `evidence` puts that into five
numbers for a match, `confidence` turns them into a probability by a logistic model, and divides it among the nodes that
symmetry makes alike: one of k is right about once in k times.

The coefficients were fitted by `python -m benchmarks.calibration --fit` on the matchings that searches of 111 problems
end on: generated graphs (K-NN, Barabási-Albert, road-like) with noise, with edges removed from one or both sides, and
unrelated; and the built-in pairs geant, new-testament and celegans-adult, as they are and with edges removed. No match
of another file took part, but the families and the five numbers were chosen with an eye on the error on held-out
files, flights above all. For couplings of unfinished runs, which the fit did not see, confidence is rougher.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import sparse

from gwl_core.graph import Graph
from gwl_core.matching import tells_apart
from gwl_core.problem import MatchingProblem
from gwl_core.symmetry import alike_nodes

FEATURES = ("swap", "sure_swap", "surroundings", "fit", "weight")
INTERCEPT = -2.366
COEFFICIENTS = (0.128, 0.626, 1.137, 1.669, 0.034)

_SOFTNESS = 2.0
"""Divides the log-odds of an edge, which a matching chosen for its edges makes look better than it is."""

_CLIP = (-4.0, 6.0)
_ROUNDS = 50
_DENSE = 0.1
"""Share of node pairs with an edge above which dense products are faster."""

_HUB = 10**7
"""Pairs of neighbours of a match above which it counts for nothing in the evidence of others."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What speaks for the matches of `rows`.

    Attributes:
        rows: (k,) matched sources, ascending.
        features: (k, 5): log-odds against all single exchanges together; the same where neighbours count as far as
            they are sure; mean share of conserved edges around the node, two steps away included; that share in the
            whole matching; log-odds that the conserved edges of sure neighbours add up to, over log n.
        alike: (k,) nodes among which symmetry leaves the choice, itself included.
    """

    rows: np.ndarray
    features: np.ndarray
    alike: np.ndarray


def confidence(problem: MatchingProblem, matching: np.ndarray, coupling: np.ndarray | None = None) -> np.ndarray:
    """(n_s,) probability that each match is right, 0 to 1; 0 where unmatched.

    Args:
        matching: (n_s,) target indices, −1 for none. Sources that share a target share its probability, by their
            mass if there is a coupling.
        coupling: (n_s, n_t); one that tells no two nodes apart makes every confidence 0.
    """
    result = np.zeros(len(matching))
    if not (matching >= 0).any() or (coupling is not None and not tells_apart(coupling)):
        return result
    found = evidence(problem, matching)
    odds = INTERCEPT + found.features @ np.array(COEFFICIENTS)
    result[found.rows] = 1 / (1 + np.exp(-odds)) / found.alike
    return result * _share_of_target(matching, coupling, problem.target.n_nodes)


def evidence(problem: MatchingProblem, matching: np.ndarray) -> Evidence:
    """What speaks for each match; looks at edges (or given costs), never at the truth."""
    rows = np.flatnonzero(matching >= 0)
    targets = matching[rows]
    source, target = _closeness(problem)
    pair = _Pair(source, target, rows, targets, _alike(problem, 0), _alike(problem, 1))
    kept, either = _overlap(pair)
    shares = _ratio(kept.sum(axis=1), either)
    fit = float(_ratio(np.array([kept.sum()]), np.array([either.sum()]))[0])
    weight = _edge_weight(pair, kept)
    around = _surroundings(pair, shares)
    swap, _ = _against_exchanges(pair, np.ones(len(rows)), weight)
    sure = shares / (1 + np.exp(-swap))
    sure_swap, held = _against_exchanges(pair, sure, weight)
    n = max(problem.source.n_nodes, problem.target.n_nodes)
    whole = np.full(len(rows), fit)
    backing = weight * held / np.log(max(n, 2))
    features = np.column_stack([np.clip(swap, *_CLIP), np.clip(sure_swap, *_CLIP), around, whole, backing])
    counts = (np.bincount(pair.source_class)[pair.source_class], np.bincount(pair.target_class)[pair.target_class])
    return Evidence(rows, features, np.maximum(counts[0][rows], counts[1][targets]))


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two closeness matrices, the matches (rows[i], targets[i]), and the class of alike nodes each node is in."""

    source: sparse.csr_array
    target: sparse.csr_array
    rows: np.ndarray
    targets: np.ndarray
    source_class: np.ndarray
    target_class: np.ndarray

    @property
    def kept_rows(self) -> sparse.csr_array:
        """Closeness among the matched sources."""
        return sparse.csr_array(self.source[self.rows][:, self.rows])

    @property
    def image(self) -> sparse.csr_array:
        """Closeness among their targets."""
        return sparse.csr_array(self.target[self.targets][:, self.targets])


def _closeness(problem: MatchingProblem) -> tuple[sparse.csr_array, sparse.csr_array]:
    """How close nodes are, 0 without an interaction; the mean over edges is 1 on either side."""
    if problem.source_cost is None or problem.target_cost is None:
        return _of_graph(problem.source), _of_graph(problem.target)
    costs = [np.asarray(cost, dtype=np.float64) for cost in (problem.source_cost, problem.target_cost)]
    furthest = max(float(cost.max()) for cost in costs)
    near = [furthest - cost for cost in costs]
    for matrix in near:
        np.fill_diagonal(matrix, 0.0)
    return _scaled(sparse.csr_array(near[0])), _scaled(sparse.csr_array(near[1]))


@lru_cache(maxsize=4)
def _of_graph(graph: Graph) -> sparse.csr_array:
    matrix = graph.without_loops.copy()
    matrix.data = matrix.data / (matrix.data + 1)
    return _scaled(matrix)


def _scaled(matrix: sparse.csr_array) -> sparse.csr_array:
    return matrix / matrix.data.mean() if matrix.nnz else matrix


@lru_cache(maxsize=4)
def _classes(graph: Graph) -> np.ndarray:
    return alike_nodes(graph, _ROUNDS)


def _alike(problem: MatchingProblem, side: int) -> np.ndarray:
    graph = (problem.source, problem.target)[side]
    return _classes(graph) if problem.source_cost is None else np.arange(graph.n_nodes)


def _overlap(pair: _Pair) -> tuple[sparse.csr_array, np.ndarray]:
    """(conserved closeness between matches, (k,) closeness of each match in either graph), both directions."""
    inside, image = pair.kept_rows, pair.image
    kept = sparse.csr_array(inside.minimum(image))
    kept = sparse.csr_array(kept + kept.T)
    whole = (pair.source.sum(axis=1) + pair.source.sum(axis=0))[pair.rows] + image.sum(axis=1) + image.sum(axis=0)
    return kept, whole - kept.sum(axis=1)


def _edge_weight(pair: _Pair, kept: sparse.csr_array) -> float:
    """Log-odds that one conserved edge adds to a match, if edges are noisy at the rate the whole matching shows."""
    k = len(pair.rows)
    both = kept.sum() / 2
    only = [matrix.sum() - both for matrix in (pair.kept_rows, pair.image)]
    neither = k * (k - 1) - both - sum(only)
    ratio = (both + 1) * (max(neither, 0) + 1) / ((max(only[0], 0) + 1) * (max(only[1], 0) + 1))
    return max(0.1, float(np.log(ratio))) / _SOFTNESS


def _surroundings(pair: _Pair, shares: np.ndarray) -> np.ndarray:
    """(k,) mean over a match's neighbours of the mean over theirs."""
    linked = pair.kept_rows
    linked = sparse.csr_array(linked + linked.T)
    linked.data = np.ones_like(linked.data)
    degree = np.maximum(linked.sum(axis=1), 1)
    return linked @ ((linked @ shares) / degree) / degree


def _against_exchanges(pair: _Pair, sure: np.ndarray, weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Log-odds of each match against all exchanges together, and the conserved closeness it holds.

    With G the gain of every source at every target, neighbours counted by `sure`, exchanging the targets of matches i
    and k loses G_ii + G_kk − G_ik − G_ki, up to an edge between them; moving i to a free target, or its target to an
    unmatched source, loses G_ii − G_ij. Exchanges with alike nodes do not count. Each speaks against with exp(−loss).
    """
    gains = _gains(pair, sure)
    inner = sparse.csr_array(gains[pair.rows][:, pair.targets])
    held = inner.diagonal()
    inside, image = pair.kept_rows, pair.image
    crossed = sparse.coo_array(inside.multiply(image.T))
    crossed.data = crossed.data * np.minimum(sure[crossed.row], sure[crossed.col])
    crossed = crossed.tocsr()
    twice = 2 if _directed(pair) else 1
    both = sparse.coo_array(inner + inner.T + twice * (crossed + crossed.T))
    ours, theirs = pair.source_class[pair.rows], pair.target_class[pair.targets]
    base = np.exp(-weight * held)
    # Exchanges without any gain, all but those of alike nodes; then the ones with a gain are put right.
    against = base * (base.sum() - _sums(ours, base) - _sums(theirs, base) + _sums(_joint(ours, theirs), base))
    i, k = both.row, both.col
    apart = (ours[i] != ours[k]) & (theirs[i] != theirs[k])
    i, k, gain = i[apart], k[apart], both.data[apart]
    np.add.at(against, i, _odds(weight * (held[i] + held[k] - gain)) - base[i] * base[k])
    free = np.setdiff1d(np.arange(pair.target.shape[0]), pair.targets)
    against += _moves(sparse.csr_array(gains[pair.rows][:, free]), held, weight, theirs, pair.target_class[free])
    idle = np.setdiff1d(np.arange(pair.source.shape[0]), pair.rows)
    against += _moves(
        sparse.csr_array(gains[idle][:, pair.targets].T), held, weight, ours, pair.source_class[idle]
    )  # fmt: skip
    return -np.log(np.maximum(against, 1e-12)), held


def _moves(
    gains: sparse.csr_array, held: np.ndarray, weight: float, ours: np.ndarray, theirs: np.ndarray
) -> np.ndarray:
    """(k,) what moving each match to one of the nodes left over speaks against it."""
    counts = np.bincount(theirs, minlength=int(ours.max(initial=0)) + 1)
    base = np.exp(-weight * held)
    against = base * (len(theirs) - counts[ours])
    entries = gains.tocoo()
    apart = ours[entries.row] != theirs[entries.col]
    i = entries.row[apart]
    np.add.at(against, i, _odds(weight * (held[i] - entries.data[apart])) - base[i])
    return against


def _gains(pair: _Pair, sure: np.ndarray) -> sparse.csr_array:
    """G = S_s P S_tᵀ with P the matches times `sure`, plus the other half S_sᵀ P S_t where directed."""
    busy = (np.diff(pair.source.indptr)[pair.rows]).astype(np.int64) * np.diff(pair.target.indptr)[pair.targets]
    counted = np.where(busy > _HUB, 0.0, sure)
    shape = (pair.source.shape[0], pair.target.shape[0])
    matched = sparse.csr_array((counted, (pair.rows, pair.targets)), shape=shape)
    density = max(m.nnz / max(m.shape[0], 1) ** 2 for m in (pair.source, pair.target))
    halves = [(pair.source, pair.target.T), (pair.source.T, pair.target)][: 2 if _directed(pair) else 1]
    if density < _DENSE:
        return sparse.csr_array(sum((left @ matched @ right for left, right in halves), sparse.csr_array(shape)))
    total = np.zeros(shape)
    for left, right in halves:
        total += left.toarray() @ (matched @ right).toarray()
    return sparse.csr_array(total)


def _directed(pair: _Pair) -> bool:
    return any(abs(matrix - matrix.T).nnz > 0 for matrix in (pair.source, pair.target))


def _odds(loss: np.ndarray) -> np.ndarray:
    """exp(−loss), bounded for an exchange that would gain."""
    return np.exp(-np.maximum(loss, -3.0))


def _sums(groups: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For every entry the sum over its group."""
    return np.bincount(groups, weights=values)[groups]


def _joint(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.unique(np.column_stack([a, b]), axis=0, return_inverse=True)[1].ravel()


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _share_of_target(matching: np.ndarray, coupling: np.ndarray | None, n_t: int) -> np.ndarray:
    """(n_s,) share of each source in its target: 1 where no other source has the same."""
    rows = np.flatnonzero(matching >= 0)
    mass = np.ones(len(rows)) if coupling is None else np.nan_to_num(coupling[rows, matching[rows]])
    share = np.ones(len(matching))
    alone = np.bincount(matching[rows], minlength=n_t)[matching[rows]] == 1
    total = np.bincount(matching[rows], weights=mass, minlength=n_t)[matching[rows]]
    share[rows] = np.where(alone, 1.0, _ratio(mass, total))
    return share
