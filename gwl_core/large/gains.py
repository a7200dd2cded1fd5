"""What a pair of nodes would gain from the coupling of their neighbours: S_s T S_tᵀ, row block by row block.

The square loss over costs 1 − S leaves −2⟨S_s T S_tᵀ, T⟩ to minimise once the marginals are fixed; row and column
constants do not matter. Beside the closeness S itself, edges are compared within classes of weight, since heavy counts
all saturate near S = 1: of two edges of the same class the product counts in full, of different classes by half.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from gwl_core.graph import Graph

CLASSES = 6
"""Quantiles of the weights that classes are centred on; a weight between two belongs to both in part."""

PLAIN_SHARE = 0.5
"""Share of the gain that does not ask for the class."""

_BLOCK = 20_000_000
"""Multiplications in a row block: bounds the memory of an unmasked product."""

FLOOR = 0.1
"""Entries below this share of the best one in their row are no candidates."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Both graphs' closeness, split into weight classes and halves.

    Attributes:
        left: (n_s, parts·n_s) CSR, the source's parts side by side.
        right: per part, the (n_t, n_t) CSR that T is multiplied by.
        scale: s, the mean over nodes of what a right match gains; the smaller of the two graphs'.
    """

    left: sparse.csr_array
    right: tuple[sparse.csr_array, ...]
    scale: float

    @property
    def n_target(self) -> int:
        return self.right[0].shape[0]


def edges_of(source: Graph, target: Graph) -> Edges:
    """Closeness S = w/(w+1) of both graphs, eq. (zipf), by weight class; both halves if either graph is directed."""
    counts = source.without_loops, target.without_loops
    logs = [np.log1p(matrix.data) for matrix in counts]
    centres = np.unique(np.quantile(np.concatenate(logs), np.linspace(0, 1, CLASSES))) if len(logs[0]) else np.zeros(1)
    graded = len(centres) > 1 and all(np.ptp(part) > 0 for part in logs if len(part))
    plain = PLAIN_SHARE if graded else 1.0
    pairs = [tuple(_part(matrix, np.full(matrix.nnz, np.sqrt(plain))) for matrix in counts)]
    for number in range(len(centres) if graded else 0):
        shares = [np.clip(1 - np.abs(np.interp(x, centres, np.arange(len(centres))) - number), 0, 1) for x in logs]
        pairs.append(tuple(_part(m, np.sqrt(1 - plain) * share) for m, share in zip(counts, shares, strict=True)))
    left, right = [a for a, _ in pairs], [sparse.csr_array(b.T) for _, b in pairs]
    sizes = [sum(float(np.square(part.data).sum()) for part in side) / side[0].shape[0] for side in (left, right)]
    if source.directed or target.directed:
        left = [part * 0.5 for part in (*left, *(sparse.csr_array(a.T) for a in left))]
        right += [b for _, b in pairs]
    scale = min((size for size in sizes if size > 0), default=1.0)
    return Edges(sparse.csr_array(sparse.hstack(left, format="csr")), tuple(right), scale)


def _part(counts: sparse.csr_array, share: np.ndarray) -> sparse.csr_array:
    part = counts.copy()
    part.data = share * counts.data / (counts.data + 1)
    part.eliminate_zeros()
    return part


def best_gains(
    edges: Edges,
    coupling: sparse.csr_array,
    count: int,
    threads: int,
    sources: np.ndarray | None = None,
    targets: np.ndarray | None = None,
) -> sparse.csr_array:
    """The `count` best entries of every row of ½(S_s T S_tᵀ + S_sᵀ T S_t) as CSR, the product unmasked.

    Entries below FLOOR of their row's best are left out, and a row whose neighbours have no mass is empty. The result
    does not depend on `threads`. Equal entries: the lowest columns.

    Args:
        sources, targets: only these rows and columns, (n_s,) and (n_t,) otherwise.
    """
    right = _right(edges, coupling)
    left = edges.left if sources is None else edges.left[sources]
    if targets is not None:
        right = sparse.csr_array(right[:, targets])
    bounds = _row_bounds(_row_work(left, right))
    with ThreadPoolExecutor(max(1, threads)) as pool:
        blocks = [left[a:b] for a, b in pairwise(bounds)]
        found = list(pool.map(lambda rows: _best(sparse.csr_array(rows @ right), count), blocks))
    data, columns, sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return sparse.csr_array((data, columns, np.r_[0, np.cumsum(sizes)]), shape=(left.shape[0], right.shape[1]))


def inner(edges: Edges, coupling: sparse.csr_array, other: sparse.csr_array) -> float:
    """⟨½(S_s T S_tᵀ + S_sᵀ T S_t), P⟩ of two couplings T and P."""
    right = _right(edges, coupling)
    # ⟨L R, P⟩ = ⟨R, Lᵀ P⟩: the second product is no larger than the first factor's support.
    return float((right.multiply(sparse.csr_array(edges.left.T) @ other)).sum())


def _right(edges: Edges, coupling: sparse.csr_array) -> sparse.csr_array:
    return sparse.csr_array(sparse.vstack([coupling @ part for part in edges.right], format="csr"))


def _row_work(left: sparse.csr_array, right: sparse.csr_array) -> np.ndarray:
    """Multiplications of every row of the product."""
    pattern = left.copy()
    pattern.data = np.ones(pattern.nnz)
    return np.asarray(pattern @ np.diff(right.indptr).astype(np.float64))


def _row_bounds(row_work: np.ndarray) -> Sequence[int]:
    """Where blocks of at most _BLOCK multiplications (or one row) begin, and the end."""
    bounds, total = [0], np.r_[0, np.cumsum(row_work)]
    while bounds[-1] < len(row_work):
        end = int(np.searchsorted(total, total[bounds[-1]] + _BLOCK, side="right")) - 1
        bounds.append(min(len(row_work), max(end, bounds[-1] + 1)))
    return bounds


def _best(block: sparse.csr_array, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(values, columns, entries a row) of the best entries of every row of a block, columns in order."""
    sizes = np.diff(block.indptr)
    filled = sizes > 0
    least = np.zeros(len(sizes))
    if filled.any():
        least[filled] = FLOOR * np.maximum.reduceat(block.data, block.indptr[:-1][filled])
    kept = np.flatnonzero(block.data >= np.repeat(np.maximum(least, np.finfo(np.float64).tiny), sizes))
    rows = np.searchsorted(block.indptr, kept, side="right") - 1
    columns, data = block.indices[kept], block.data[kept]
    order = np.lexsort((columns, -data, rows))
    rows, columns, data = rows[order], columns[order], data[order]
    first = np.arange(len(rows)) - np.searchsorted(rows, rows) < count
    rows, columns, data = rows[first], columns[first], data[first]
    order = np.lexsort((columns, rows))
    return data[order], columns[order], np.bincount(rows, minlength=len(sizes))
