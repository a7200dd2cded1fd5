"""A start from the convex relaxation of graph matching: the doubly stochastic P that best lets A and B commute.

With A and B the (n, n) matrices of source and target, a perfect matching is a permutation P with A P = P B. The
relaxation min ‖A P − P B‖² over doubly stochastic P (Aflalo, Bronstein, Kimmel 2015; Lyzinski et al. 2016) is convex:
where the graphs have no symmetry and little noise it comes near the right P, whatever it starts from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

Matrix: TypeAlias = "np.ndarray | sparse.csr_array"


def convex_start(A: Matrix, B: Matrix, iterations: int, least_gain: float = 1e-6) -> np.ndarray:
    """The last of `convex_steps`."""
    P = np.zeros(0)
    for P in convex_steps(A, B, iterations, least_gain):  # noqa: B007  only the last one counts
        pass
    return P


def convex_steps(A: Matrix, B: Matrix, iterations: int, least_gain: float = 1e-6) -> Iterator[np.ndarray]:
    """Minimise ‖A P − P B‖² over doubly stochastic P by Frank-Wolfe from the uniform P; (n, n) float64.

    Every iteration takes one linear assignment and the exact step along it, so the objective never rises. Ends early
    once the Frank-Wolfe gap, which bounds what is left to gain, is below `least_gain` of the objective at the start.

    Yields:
        P before the first and after every iteration; the same array, changed in place.

    Args:
        A, B: (n, n), dense or sparse, of equal size (pad the smaller graph with empty rows and columns).
        iterations: how many steps at most; 0 gives the uniform P.

    Raises:
        ValueError: matrices that are not square and of one size.
    """
    n = A.shape[0]
    if A.shape != (n, n) or B.shape != (n, n):
        raise ValueError(f"convex_start needs two square matrices of one size, got {A.shape} and {B.shape}")
    A_t, B_t = _csr_or_dense(A.T), _csr_or_dense(B.T)
    P = np.full((n, n), 1 / n)
    residual = A @ P - (B_t @ P.T).T
    enough = least_gain * float(np.square(residual).sum())
    yield P
    for _ in range(iterations):
        gradient = A_t @ residual - (B @ residual.T).T
        rows, columns = linear_sum_assignment(gradient)
        gap = 2 * float((gradient * P).sum() - gradient[rows, columns].sum())
        if gap <= enough:
            break
        # The residual of the permutation Q: A Q permutes columns of A, Q B permutes rows of B.
        inverse = np.argsort(columns)
        change = _dense(A[:, inverse]) - _dense(B[columns]) - residual
        step = min(1.0, gap / 2 / float(np.square(change).sum()))
        P *= 1 - step
        P[rows, columns] += step
        residual += step * change
        yield P


def convex_objective(A: Matrix, B: Matrix, P: np.ndarray) -> float:
    """‖A P − P B‖², the square of the Frobenius norm."""
    return float(np.square(A @ P - (B.T @ P.T).T).sum())


def _csr_or_dense(matrix: Matrix) -> Matrix:
    return sparse.csr_array(matrix) if sparse.issparse(matrix) else np.ascontiguousarray(matrix)


def _dense(matrix: Matrix) -> np.ndarray:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
