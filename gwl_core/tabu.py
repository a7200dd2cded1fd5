"""Robust tabu search (Taillard 1991) over one-to-one matchings: for small graphs, where descents from afar lead astray.

Each iteration makes the exchange of two targets that lowers the objective most, or raises it least, among those that do
not bring two nodes back to where both were of late. So it leaves every minimum that it comes to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

_TENURE = 0.9, 1.1
"""Between which multiples of n a target is barred, for so many iterations, to a node that left it."""

_BETTER = 1e-9
"""Fall of the objective, in units of the largest product of entries, that is no rounding error."""


@dataclass(frozen=True, eq=False)
class Assignment:
    """min over permutations p of Σ_i tilt[i, p(i)] − Σ_ij left[i, j] right[p(i), p(j)].

    Attributes:
        left, right: (n, n).
        tilt: (n, n).
        real: how many of the nodes are real, in each graph; an exchange of two dummies changes nothing.
    """

    left: np.ndarray
    right: np.ndarray
    tilt: np.ndarray
    real: tuple[int, int]

    def value(self, matching: np.ndarray) -> float:
        """The objective at a matching."""
        placed = self.right[np.ix_(matching, matching)]
        return float(self.tilt[np.arange(len(matching)), matching].sum() - (self.left * placed).sum())


def tabu_search(problem: Assignment, start: np.ndarray, iterations: int, generator: torch.Generator) -> np.ndarray:
    """(n,) the best matching met on the way from `start`, which stays as it is."""
    matching, best = start.copy(), start.copy()
    n = len(matching)
    if n < 3:
        return best
    fall, lowest, settled = 0.0, 0.0, _BETTER * max(1e-300, float(np.abs(problem.left).max() ** 2))
    low, high = (max(1, round(share * n)) for share in _TENURE)
    tenures = torch.randint(low, high + 1, (iterations, 2), generator=generator).numpy()
    ties = torch.rand(iterations, generator=generator, dtype=torch.float64).numpy()
    moves = _Moves(problem, matching)
    until = np.zeros((n, n), dtype=np.int64)  # [i, j]: the iteration up to which i is barred from the target of j
    for now in range(iterations):
        falls = moves.falls(matching)
        if fall + falls.max() > lowest + settled:  # a new best is always allowed
            pick = int(falls.argmax())
        else:
            barred = until > now
            falls[barred & barred.T] = -np.inf
            most = falls.max()
            if not np.isfinite(most):
                continue
            equal = np.flatnonzero(falls >= most - settled)
            pick = int(equal[int(ties[now] * len(equal))])
        i, j = divmod(pick, n)
        fall += float(falls[i, j])
        until[i, i], until[j, j] = now + tenures[now]
        _exchange_columns(until, i, j)
        moves.exchange(i, j)
        matching[[i, j]] = matching[[j, i]]
        if fall > lowest + settled:
            lowest, best = fall, matching.copy()
    return best


class _Moves:
    """What every exchange would bring, kept up to date in O(n²) an exchange.

    With A = left and B = right placed by the matching, both without their diagonals, exchanging i and j lowers the
    objective by M_ij + M_ji − M_ii − M_jj + (A + Aᵀ)_ij (B + Bᵀ)_ij, M = A Bᵀ + Aᵀ B, and by what the tilt says.
    """

    def __init__(self, problem: Assignment, matching: np.ndarray) -> None:
        left, right = problem.left.copy(), problem.right[np.ix_(matching, matching)]
        own = np.outer(left.diagonal(), problem.right.diagonal())  # of a node with itself: linear in the matching
        self._tilt = (problem.tilt - own)[:, matching]
        np.fill_diagonal(left, 0.0)
        np.fill_diagonal(right, 0.0)
        self._left, self._right, self._both = left, right, left + left.T
        self._products = left @ right.T + left.T @ right
        n = len(matching)
        self._real = problem.real
        self._never = np.where(np.eye(n, dtype=bool), -np.inf, 0.0)
        self._never[problem.real[0] :, problem.real[0] :] = -np.inf

    def falls(self, matching: np.ndarray) -> np.ndarray:
        """(n, n) fall of the objective by each exchange, −∞ for those that are none."""
        one = self._products - self._tilt
        here = one.diagonal()
        falls = one + one.T
        falls -= here
        falls -= here[:, None]
        falls += self._both * (self._right + self._right.T)
        falls += self._never
        dummies = np.flatnonzero(matching >= self._real[1])
        if len(dummies) > 1:
            falls[np.ix_(dummies, dummies)] = -np.inf
        return falls

    def exchange(self, i: int, j: int) -> None:
        """Let nodes i and j exchange their targets."""
        left, right = self._left, self._right
        self._products += np.outer(left[:, i] - left[:, j], right[:, j] - right[:, i])
        self._products += np.outer(left[i] - left[j], right[j] - right[i])
        for matrix in (self._products, self._tilt, right):
            _exchange_columns(matrix, i, j)
        right[[i, j]] = right[[j, i]]


def _exchange_columns(matrix: np.ndarray, i: int, j: int) -> None:
    matrix[:, [i, j]] = matrix[:, [j, i]]
