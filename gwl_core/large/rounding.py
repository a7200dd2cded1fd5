"""From a sparse coupling to a one-to-one matching: assignment, Frank-Wolfe steps that only gain, and filling up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from gwl_core.large.gains import Edges, best_gains, inner
from gwl_core.large.scaling import as_csr

_SHORTEST_STEP = 1e-4


@dataclass(frozen=True, eq=False)
class Vertexward:
    """A Frank-Wolfe step from a coupling towards a matching.

    Attributes:
        coupling: where it ended.
        step: 0 to 1, how far it went; 0 where no step gains.
    """

    coupling: sparse.csr_array
    step: float


def assign(scores: sparse.csr_array) -> np.ndarray:
    """(n_s,) the matching on the stored pairs of greatest size-then-score; −1 for a source that is left over.

    Sparse linear assignment (Jonker and Volgenant); every source has a dummy target that is worse than any pair.
    """
    n_s, n_t = scores.shape
    matching = np.full(n_s, -1, dtype=np.int64)
    if not scores.nnz:
        return matching
    low, high = float(scores.data.min()), float(scores.data.max())
    unit = (high - low) or 1.0
    own = np.repeat(np.arange(n_s), np.diff(scores.indptr))
    costs = np.concatenate([1 + (high - scores.data) / unit, np.full(n_s, 3.0)])
    rows = np.concatenate([own, np.arange(n_s)])
    columns = np.concatenate([scores.indices, n_t + np.arange(n_s)])
    padded = sparse.csr_array((costs, (rows, columns)), shape=(n_s, n_t + n_s))
    found, place = min_weight_full_bipartite_matching(padded)
    real = place < n_t
    matching[found[real]] = place[real]
    return matching


def as_coupling(matching: np.ndarray, n_target: int) -> sparse.csr_array:
    """(n_s, n_t) CSR with a 1 for every matched pair."""
    rows = np.flatnonzero(matching >= 0)
    return as_csr(rows, matching[rows], np.ones(len(rows)), (len(matching), n_target))


def toward(
    edges: Edges, coupling: sparse.csr_array, vertex: sparse.csr_array, likeness: tuple[float, float]
) -> Vertexward:
    """The exact line search of ⟨S_s T S_tᵀ, T⟩ + 2⟨prior, T⟩ from a coupling to a matching; never ends below its start.

    Args:
        likeness: ⟨prior, T⟩ at the coupling and at the matching.
    """
    here, across, there = (inner(edges, *pair) for pair in ((coupling, coupling), (coupling, vertex), (vertex, vertex)))
    slope = 2 * (across - here) + 2 * (likeness[1] - likeness[0])
    bend = there - 2 * across + here
    step = min(1.0, -slope / (2 * bend)) if bend < 0 < slope else float(slope + bend > 0)
    if step < _SHORTEST_STEP:
        return Vertexward(coupling, 0.0)
    mixed = sparse.csr_array((1 - step) * coupling + step * vertex)
    mixed.data[mixed.data < _SHORTEST_STEP**2] = 0
    mixed.eliminate_zeros()
    mixed.sort_indices()
    return Vertexward(mixed, step)


def filled(edges: Edges, matching: np.ndarray, count: int, threads: int, rounds: int = 5) -> np.ndarray:
    """The matching, with left-over sources matched to left-over targets where that conserves an edge."""
    matching = matching.copy()
    for _ in range(rounds):
        sources = np.flatnonzero(matching < 0)
        free = np.ones(edges.n_target, dtype=bool)
        free[matching[matching >= 0]] = False
        if not len(sources) or not free.any():
            break
        targets = np.flatnonzero(free)
        gains = best_gains(edges, as_coupling(matching, edges.n_target), count, threads, sources, targets)
        found = assign(gains)
        if not (found >= 0).any():
            break
        matching[sources[found >= 0]] = targets[found[found >= 0]]
    return matching
