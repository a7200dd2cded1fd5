"""LRSA: low-rank spectral alignment. The dominant eigenvector of EigenAlign's matrix, never formed, by its factors.

Nassar et al. 2018. EigenAlign's M = c1·A⊗B + c2·(A⊗E + E⊗B) + c3·E⊗E, E all ones, rewards matched edges most, matched
gaps less and mismatches least. From the uniform matrix of rank one, each power step X ← U W Vᵀ raises the rank by one.
The columns of the factors are sorted against each other for candidate pairs; a sparse assignment picks among them.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from gwl_core.baselines.pacing import waiting
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Sides, Topology, direction_notice
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

EPSILON = 0.001


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    sides = Sides.of(problem)
    left, right = yield from factors(sides.smaller, sides.larger, settings["iterations"])
    if settings["rounding"] == "assignment":
        return Outcome(scores=sides.scores(left @ right.T), notices=direction_notice(problem))
    rows, columns, weights = yield from waiting(lambda: candidates(left, right, settings["width"]), 0.8, "candidates")
    image = yield from waiting(
        lambda: heaviest_matching(rows, columns, weights, (sides.smaller.n, sides.larger.n)), 0.9, "sparse assignment"
    )
    return Outcome(matching=sides.matching(image), notices=direction_notice(problem))


def weights_of(one: Topology, other: Topology) -> tuple[float, float, float]:
    """c1, c2, c3 from the scores of a match, a gap and a mismatch: γ balances overlaps against conflicts."""
    a, b = one.adjacency.nnz, other.adjacency.nnz
    conflicts = a * (other.n**2 - b) + b * (one.n**2 - a)
    gamma = a * b / conflicts if conflicts else 1.0
    s1, s2, s3 = 1 / max(gamma, 1e-12) + 1 + EPSILON, 1 + EPSILON, EPSILON
    return s1 + s2 - 2 * s3, s3 - s2, s2


def factors(
    one: Topology, other: Topology, iterations: int
) -> Generator[Progress, None, tuple[np.ndarray, np.ndarray]]:
    """(n_s, k) and (n_t, k) with X = left·rightᵀ after the power steps, k at most iterations + 1."""
    c1, c2, c3 = weights_of(one, other)
    left, right = np.ones((one.n, 1)), np.ones((other.n, 1))
    core = np.ones((1, 1))
    for done in range(iterations):
        yield Progress(0.8 * done / iterations, f"power step {done + 1}")
        sums, counts = left.sum(axis=0)[:, None], right.sum(axis=0)[:, None]
        down, across = c2 * core @ counts, c2 * sums.T @ core
        core = np.block([[c1 * core, down], [across, c3 * sums.T @ core @ counts]])
        left, right = (
            np.hstack([side.adjacency @ factor, np.ones((side.n, 1))]) for side, factor in ((one, left), (other, right))
        )
        left, scale = _scaled(left)
        right, other_scale = _scaled(right)
        core = core * np.outer(scale, other_scale)
        core = core / (np.abs(core).max() or 1.0)
    p, values, q = np.linalg.svd(core)
    return left @ (p * np.sqrt(values)), right @ (q.T * np.sqrt(values))


def _scaled(factor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns divided by their largest absolute value, and those values."""
    scale = np.abs(factor).max(axis=0)
    scale[scale == 0] = 1.0
    return factor / scale, scale


def candidates(left: np.ndarray, right: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(rows, columns, weights) of the pairs that some column of the factors ranks alike.

    Per column, the positive entries of both sides are paired from the top down and the negative ones from the bottom
    up, each also with the next `width` of the other side. A pair is worth X there; every one appears once.
    """
    pairs = [
        _ranked(sign * left[:, k], sign * right[:, k], width) for k in range(left.shape[1]) for sign in (1.0, -1.0)
    ]
    keys = np.unique(np.concatenate([rows * len(right) + columns for rows, columns in pairs]))
    rows, columns = keys // len(right), keys % len(right)
    return rows, columns, np.einsum("ij,ij->i", left[rows], right[columns])


def _ranked(first: np.ndarray, second: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    one, other = (np.argsort(-values, kind="stable")[: int((values > 0).sum())] for values in (first, second))
    rows, columns = [], []
    for offset in range(width + 1):
        count = max(0, min(len(one), len(other) - offset))
        rows.append(one[:count])
        columns.append(other[offset : offset + count])
    return np.concatenate(rows), np.concatenate(columns)


def heaviest_matching(rows: np.ndarray, columns: np.ndarray, weights: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """(rows,) column of each row in a matching of greatest total weight among the pairs, −1 for none.

    Rows may stay alone: each has a private column of almost no weight.
    """
    kept = weights > 0
    rows, columns, weights = rows[kept], columns[kept], weights[kept]
    scale = weights.max() if len(weights) else 1.0
    n, m = shape
    # Costs from 1 to 2, 2 + a little for staying alone: stored costs must not be 0.
    cost = np.concatenate([2 - weights / scale, np.full(n, 2 + 1e-9)])
    table = sparse.csr_array(
        (cost, (np.concatenate([rows, np.arange(n)]), np.concatenate([columns, m + np.arange(n)]))), shape=(n, m + n)
    )
    taken_rows, taken = min_weight_full_bipartite_matching(table)
    image = np.full(n, -1, dtype=np.int64)
    image[taken_rows] = np.where(taken < m, taken, -1)
    return image


LRSA = Baseline(
    key="lrsa",
    title="LRSA",
    citation="Nassar et al., Low rank spectral network alignment, The Web Conference (WWW), 2018.",
    year=2018,
    uses=("topology",),
    cost="O(k (|E_s| + |E_t|) + n k² log n) for k steps",
    largest=20_000,
    settings=(
        Parameter("iterations", "int", live=False, low=1, high=50),
        Parameter("width", "int", live=False, low=0, high=1000),
        Parameter("rounding", "choice", live=False, choices=("candidates", "assignment")),
    ),
    defaults={"iterations": 8, "width": 3, "rounding": "candidates"},
    steps=_steps,
)
