"""Cost matrices as operators: dense, or a constant plus a sparse deviation (C = c 11ᵀ + S).

For sparse graphs the second form turns h1(C_s) T h2(C_t)ᵀ into two sparse products and rank-one terms.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from gwl_core.costs import ObservedCost

SPARSE_BELOW = 0.03
"""Share of non-zero deviations below which two sparse products beat two dense ones (measured on 2 cores)."""


class Operator(Protocol):
    """An (n, n) float64 matrix known by what it does."""

    def left(self, t: Tensor) -> Tensor:
        """C @ t for (n, m) t."""

    def right(self, t: Tensor) -> Tensor:
        """t @ Cᵀ for (m, n) t."""

    def vector(self, v: Tensor) -> Tensor:
        """C @ v for (n,) v."""

    def map(self, function: Callable[[Tensor], Tensor]) -> Operator:
        """The element-wise image of the matrix, as an operator."""

    def transposed(self) -> Operator:
        """Cᵀ."""

    def dense(self) -> Tensor:
        """C itself."""


@dataclass(frozen=True, eq=False)
class Dense:
    """A stored matrix."""

    matrix: Tensor

    def left(self, t: Tensor) -> Tensor:
        return self.matrix @ t

    def right(self, t: Tensor) -> Tensor:
        return t @ self._flipped.matrix

    @cached_property
    def _flipped(self) -> Dense:
        """The transpose, stored once: a product with a transposed view is slower."""
        flipped = Dense(self.matrix.T.contiguous())
        flipped.__dict__["_flipped"] = self
        return flipped

    def vector(self, v: Tensor) -> Tensor:
        return self.matrix @ v

    def map(self, function: Callable[[Tensor], Tensor]) -> Dense:
        return Dense(function(self.matrix))

    def transposed(self) -> Dense:
        return self._flipped

    def dense(self) -> Tensor:
        return self.matrix


@dataclass(frozen=True, eq=False)
class ConstantPlusSparse:
    """c 11ᵀ + S with S in CSR form, beside its transpose."""

    constant: float
    deviation: Tensor
    deviation_t: Tensor

    def left(self, t: Tensor) -> Tensor:
        return self.deviation @ t + self.constant * t.sum(0)[None, :]

    def right(self, t: Tensor) -> Tensor:
        return (self.deviation @ t.T.contiguous()).T + self.constant * t.sum(1)[:, None]

    def vector(self, v: Tensor) -> Tensor:
        return self.deviation @ v + self.constant * v.sum()

    def map(self, function: Callable[[Tensor], Tensor]) -> ConstantPlusSparse:
        image = float(function(torch.tensor(self.constant, dtype=torch.float64)))

        def deviations(s: Tensor) -> Tensor:
            values = function(s.values() + self.constant) - image
            return _csr(s.crow_indices(), s.col_indices(), values, s.shape[0])

        return ConstantPlusSparse(image, deviations(self.deviation), deviations(self.deviation_t))

    def transposed(self) -> ConstantPlusSparse:
        return ConstantPlusSparse(self.constant, self.deviation_t, self.deviation)

    def dense(self) -> Tensor:
        return self.deviation.to_dense() + self.constant


def as_operator(cost: ObservedCost, device: torch.device) -> Operator:
    """The cheaper of the two forms for an observed cost."""
    deviation = cost.deviation
    if not isinstance(deviation, np.ndarray) and deviation.nnz < SPARSE_BELOW * deviation.shape[0] ** 2:
        return ConstantPlusSparse(cost.background, _to_csr(deviation, device), _to_csr(deviation.T.tocsr(), device))
    return Dense(torch.as_tensor(cost.dense(), dtype=torch.float64, device=device))


def _csr(starts: Tensor, columns: Tensor, values: Tensor, n: int) -> Tensor:
    """An (n, n) CSR tensor; torch calls the format beta, once per process, which concerns no user of this library."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta", category=UserWarning)
        return torch.sparse_csr_tensor(starts, columns, values, (n, n), check_invariants=False)


def _to_csr(matrix: sparse.csr_array, device: torch.device) -> Tensor:
    matrix.sort_indices()
    return _csr(
        torch.as_tensor(matrix.indptr, dtype=torch.int64, device=device),
        torch.as_tensor(matrix.indices, dtype=torch.int64, device=device),
        torch.as_tensor(matrix.data, dtype=torch.float64, device=device),
        matrix.shape[0],
    )
