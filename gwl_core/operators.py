"""Cost matrices as operators: a constant plus a deviation, C = c 11ᵀ + S, with S sparse or dense.

For sparse graphs h1(C_s) T h2(C_t)ᵀ then is two sparse products, and rank-one terms that are known without them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from gwl_core.costs import ObservedCost
from gwl_core.sweep import row_blocks, sweep

SPARSE_BELOW = 0.03
"""Share of non-zero deviations below which two sparse products beat two dense ones (measured on 2 cores)."""

IMAGE_UP_TO = 2**22
"""Entries up to which a dense matrix's image is stored, 32 MB: to make it again takes longer than the products."""

_ALL = slice(None)


class Operator(Protocol):
    """An (n, n) matrix c 11ᵀ + S known by what it does."""

    @property
    def constant(self) -> float:
        """c."""

    def left(self, t: Tensor, rows: slice = _ALL) -> Tensor:
        """S[rows] @ t for (n, m) t of the operator's own precision."""

    def right(self, t: Tensor) -> Tensor:
        """t @ Sᵀ for (m, n) t."""

    def vector(self, v: Tensor) -> Tensor:
        """C @ v for (n,) v, float64."""

    def map(self, function: Callable[[Tensor], Tensor]) -> Operator:
        """The element-wise image of the matrix, as an operator."""

    def weights(self, function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
        """v ↦ function(C) @ v, float64, without a stored image where that would be large."""

    def transposed(self) -> Operator:
        """Cᵀ."""

    def cast(self, dtype: torch.dtype) -> Operator:
        """The operator in another precision, made once."""

    def dense(self) -> Tensor:
        """C itself."""

    def added_to(self, matrix: Tensor, weight: float) -> Tensor:
        """matrix + weight · C, in place."""

    @property
    def symmetric(self) -> bool:
        """Whether C = Cᵀ exactly."""

    @property
    def deviations(self) -> Tensor:
        """(k,) the entries of S that are stored, in any order; the others are 0."""


@dataclass(frozen=True, eq=False)
class Dense:
    """A stored deviation from a constant (0 unless given)."""

    matrix: Tensor
    constant: float = 0.0
    _made: dict[object, Dense] = field(default_factory=dict)

    def left(self, t: Tensor, rows: slice = _ALL) -> Tensor:
        return self.matrix[rows] @ t

    def right(self, t: Tensor) -> Tensor:
        return t @ self.matrix.T

    def right_of_few(self, t: Few) -> Tensor:
        """t @ Sᵀ for few entries t."""
        if "turned" not in self._made:
            turned = self.matrix if self.symmetric else self.matrix.T
            self._made["turned"] = Dense(turned.contiguous())  # no copy of a symmetric one: it may be large
        return _summed(self._made["turned"].matrix, t.columns, t.starts, t.values)

    def vector(self, v: Tensor) -> Tensor:
        return (self.matrix @ v.to(self.matrix)).to(v) + self.constant * v.sum()

    def map(self, function: Callable[[Tensor], Tensor]) -> Dense:
        constant = torch.tensor(self.constant, dtype=torch.float64)
        if (image := function(constant)) is constant:  # the identity
            return self
        other = float(image) if math.isfinite(float(image)) else 0.0
        mapped = torch.empty_like(self.matrix)
        for rows in row_blocks(mapped):
            mapped[rows] = function(self.matrix[rows].double() + self.constant) - other
        return Dense(mapped, other)

    def weights(self, function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
        def image(rows: slice) -> Tensor:
            return function(self.matrix[rows].double() + self.constant)

        blocks = row_blocks(self.matrix)
        if self.matrix.numel() > IMAGE_UP_TO:
            return lambda v: torch.cat(sweep(lambda rows: image(rows) @ v, blocks))
        stored = torch.cat(sweep(image, blocks))
        return lambda v: stored @ v

    def transposed(self) -> Dense:
        return Dense(self.matrix.T, self.constant)

    def cast(self, dtype: torch.dtype) -> Dense:
        if dtype == self.matrix.dtype:
            return self
        if dtype not in self._made:
            self._made[dtype] = Dense(self.matrix.to(dtype), self.constant)
        return self._made[dtype]

    def dense(self) -> Tensor:
        return self.matrix + self.constant if self.constant else self.matrix

    def added_to(self, matrix: Tensor, weight: float) -> Tensor:
        return matrix.add_(self.matrix, alpha=weight).add_(weight * self.constant)

    @property
    def symmetric(self) -> bool:
        return bool(torch.equal(self.matrix, self.matrix.T))

    @property
    def deviations(self) -> Tensor:
        return self.matrix.reshape(-1)


@dataclass(frozen=True, eq=False)
class ConstantPlusSparse:
    """S in CSR form, beside its transpose."""

    constant: float
    deviation: Tensor
    deviation_t: Tensor
    _made: dict[object, ConstantPlusSparse] = field(default_factory=dict)
    _parts: dict[tuple[int, int], Tensor] = field(default_factory=dict)

    def left(self, t: Tensor, rows: slice = _ALL) -> Tensor:
        return _product(self._rows(rows), t)

    def right(self, t: Tensor) -> Tensor:
        return _turned(_product(self.deviation, _turned(t)))

    def vector(self, v: Tensor) -> Tensor:
        return self.cast(torch.float64).deviation @ v + self.constant * v.sum()

    def map(self, function: Callable[[Tensor], Tensor]) -> ConstantPlusSparse:
        image = float(function(torch.tensor(self.constant, dtype=torch.float64)))
        return self._with(image, lambda values: function(values + self.constant) - image)

    def weights(self, function: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
        return self.map(function).vector

    def transposed(self) -> ConstantPlusSparse:
        return ConstantPlusSparse(self.constant, self.deviation_t, self.deviation)

    def cast(self, dtype: torch.dtype) -> ConstantPlusSparse:
        if dtype == self.deviation.dtype:
            return self
        if dtype not in self._made:
            self._made[dtype] = self._with(self.constant, lambda values: values.to(dtype))
        return self._made[dtype]

    def dense(self) -> Tensor:
        return self.deviation.to_dense() + self.constant

    def added_to(self, matrix: Tensor, weight: float) -> Tensor:
        counts = self.deviation.crow_indices().diff()
        rows = torch.arange(len(counts), device=counts.device).repeat_interleave(counts)
        matrix.add_(weight * self.constant)
        matrix[rows, self.deviation.col_indices()] += weight * self.deviation.values()
        return matrix

    @property
    def symmetric(self) -> bool:
        one, other = self.deviation, self.deviation_t
        parts = ((m.crow_indices(), m.col_indices(), m.values()) for m in (one, other))
        return all(torch.equal(a, b) for a, b in zip(*parts, strict=True))

    @property
    def deviations(self) -> Tensor:
        return self.deviation.values()

    def _with(self, constant: float, function: Callable[[Tensor], Tensor]) -> ConstantPlusSparse:
        one, other = (
            _csr(s.crow_indices(), s.col_indices(), function(s.values()), s.shape)
            for s in (self.deviation, self.deviation_t)
        )
        return ConstantPlusSparse(constant, one, other)

    def _rows(self, rows: slice) -> Tensor:
        """Some rows of S; a run asks for the same blocks at every step."""
        start, stop, _ = rows.indices(self.deviation.shape[0])
        if (start, stop) == (0, self.deviation.shape[0]):
            return self.deviation
        if (start, stop) not in self._parts:
            starts = self.deviation.crow_indices()[start : stop + 1]
            first, last = int(starts[0]), int(starts[-1])
            columns, values = self.deviation.col_indices()[first:last], self.deviation.values()[first:last]
            self._parts[start, stop] = _csr(starts - first, columns, values, (stop - start, self.deviation.shape[1]))
        return self._parts[start, stop]


def as_operator(cost: ObservedCost, device: torch.device) -> Operator:
    """The cheaper of the two forms for an observed cost, float64."""
    deviation = cost.deviation
    if isinstance(deviation, np.ndarray):
        return Dense(torch.as_tensor(deviation, dtype=torch.float64, device=device), cost.background)
    if deviation.nnz < SPARSE_BELOW * deviation.shape[0] ** 2:
        return ConstantPlusSparse(cost.background, _to_csr(deviation, device), _to_csr(deviation.T.tocsr(), device))
    return Dense(torch.as_tensor(deviation.toarray(), dtype=torch.float64, device=device), cost.background)


class Few(NamedTuple):
    """The entries of a matrix that count, row by row: where each row starts, their columns, their values."""

    starts: Tensor
    columns: Tensor
    values: Tensor


def significant(matrix: Tensor, least: float, most: float) -> Few | None:
    """The entries of a dense matrix above `least`; None if they are more than a share `most` of all."""
    above = matrix.numpy() > least
    if np.count_nonzero(above) > most * above.size:
        return None
    n, m = above.shape
    found = np.flatnonzero(above)
    starts, places = torch.from_numpy(np.searchsorted(found, m * np.arange(n))), torch.from_numpy(found)
    return Few(starts, places % m, matrix.reshape(-1)[places])


def _product(matrix: Tensor, t: Tensor) -> Tensor:
    """CSR times dense. Torch's sums of embedding rows are the same product, and for float32 the faster code."""
    if t.dtype != torch.float32 or t.device.type != "cpu":
        return matrix @ t
    return _summed(t, matrix.col_indices(), matrix.crow_indices()[:-1], matrix.values())


def _summed(t: Tensor, rows: Tensor, starts: Tensor, weights: Tensor) -> Tensor:
    """Weighted sums of rows of t, one from each start to the next."""
    return torch.embedding_bag(t, rows, starts, False, 0, False, weights)[0]


def _turned(t: Tensor) -> Tensor:
    """tᵀ, stored row by row; NumPy turns wide matrices in about half of torch's time."""
    if t.device.type != "cpu" or t.shape[0] >= t.shape[1]:
        return t.T.contiguous()
    turned = t.new_empty(t.shape[::-1])
    np.copyto(turned.numpy(), t.numpy().T)
    return turned


def _csr(starts: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, ...] | torch.Size) -> Tensor:
    """A CSR tensor; torch calls the format beta, once per process, which concerns no user of this library."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta", category=UserWarning)
        return torch.sparse_csr_tensor(starts, columns, values, tuple(shape), check_invariants=False)


def _to_csr(matrix: sparse.csr_array, device: torch.device) -> Tensor:
    matrix.sort_indices()
    return _csr(
        torch.as_tensor(matrix.indptr, dtype=torch.int64, device=device),
        torch.as_tensor(matrix.indices, dtype=torch.int64, device=device),
        torch.as_tensor(matrix.data, dtype=torch.float64, device=device),
        matrix.shape,
    )
