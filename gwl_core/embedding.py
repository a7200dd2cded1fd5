"""Learning the embeddings at a fixed coupling: objective (emb), its minibatch gradient, and Adam."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from gwl_core.kernels import Kernel
from gwl_core.losses import Loss
from gwl_core.sweep import together


@dataclass(frozen=True, eq=False)
class Embeddings:
    """X_s (n_s, D) and X_t (n_t, D): one row per node."""

    source: Tensor
    target: Tensor


@dataclass(frozen=True, eq=False)
class AdamState:
    """First and second moments of both embeddings, and the number of updates so far (Kingma and Ba, 2014)."""

    first: Embeddings
    second: Embeddings
    count: int = 0


@dataclass(frozen=True, eq=False)
class EmbeddingProblem:
    """min over X of α⟨K(X_s, X_t), T⟩ + β R(X_s, X_t) (eq. emb).

    Attributes:
        source_cost, target_cost: (n_s, n_s), (n_t, n_t) observed costs of the real nodes; dummies are outside R.
        anchor_cost: (n_s, n_t) C_st, or None.
        coupling: (n_s, n_t) real block of T.
        kernel, loss: κ and L.
        alpha, beta: weights.
        mean: R as a mean over the entries of each matrix; otherwise the printed sum.
    """

    source_cost: Tensor
    target_cost: Tensor
    anchor_cost: Tensor | None
    coupling: Tensor
    kernel: Kernel
    loss: Loss
    alpha: float
    beta: float
    mean: bool

    def value(self, x: Embeddings) -> Tensor:
        """The full objective (emb)."""
        cross = self.kernel.cross(x.source, x.target)
        return self.alpha * (cross * self.coupling).sum() + self.beta * self.regularizer(x)

    def regularizer(self, x: Embeddings) -> Tensor:
        """R of eq. (reg): Σ_k L(K(X_k, X_k), C_k), plus L(K(X_s, X_t), C_st) with anchors."""
        total = self._entries(self.kernel.within(x.source), self.source_cost)
        total = total + self._entries(self.kernel.within(x.target), self.target_cost)
        if self.anchor_cost is not None:
            total = total + self._entries(self.kernel.cross(x.source, x.target), self.anchor_cost)
        return total

    def _entries(self, kernel: Tensor, cost: Tensor) -> Tensor:
        losses = self.loss.elementwise(self.loss.admit(kernel), cost)
        return losses.mean() if self.mean else losses.sum()

    def batch(self, x: Embeddings, rows: Tensor, columns: Tensor) -> tuple[Tensor, Embeddings]:
        """An unbiased estimate of `value`, up to a constant, from B_s source and B_t target nodes, and its gradient.

        Off-diagonal entries of a within-graph matrix are hit with probability B(B−1)/(n(n−1)), cross entries with
        B_s B_t/(n_s n_t); each sum is scaled by the inverse. The diagonal does not depend on X and is left out.
        """
        n_s, n_t = len(x.source), len(x.target)
        (value, source, target), *within = together(
            (
                lambda: self._cross(x, rows, columns),
                lambda: self._within(x.source, self.source_cost, rows),
                lambda: self._within(x.target, self.target_cost, columns),
            ),
            self.coupling.device,
            len(rows) * len(columns),
        )
        (source_value, source_slope), (target_value, target_slope) = within
        gradient = Embeddings(
            _spread(source + source_slope, rows, n_s),
            _spread(target + target_slope, columns, n_t),
        )
        return value + source_value + target_value, gradient

    def _cross(self, x: Embeddings, rows: Tensor, columns: Tensor) -> tuple[Tensor, ...]:
        """α⟨K(X_s, X_t), T⟩, and β L(K(X_s, X_t), C_st) with anchors, of a batch; its gradients in X_s and X_t."""
        xs, xt, n_s, n_t = x.source[rows], x.target[columns], len(x.source), len(x.target)
        cross = self.kernel.cross(xs, xt)
        hits = n_s * n_t / (len(rows) * len(columns))
        slope = _block(self.coupling, rows, columns) * (self.alpha * hits)
        value = (cross * slope).sum()
        if self.anchor_cost is not None:
            weight = self.beta * (hits / (n_s * n_t) if self.mean else hits)
            losses, fit = self._fit(cross, _block(self.anchor_cost, rows, columns), weight)
            value, slope = value + losses.sum(), slope + fit
        return value, *self.kernel.slope(xs, xt, self.kernel.sigma, cross, slope)

    def _within(self, x: Tensor, cost: Tensor, index: Tensor) -> tuple[Tensor, ...]:
        """β L(K(X, X), C) over the off-diagonal entries of a batch, and its gradient."""
        n, size = len(x), len(index)
        x = x[index]
        if size < 2:
            return x.new_zeros(()), torch.zeros_like(x)
        weight = self.beta * n * (n - 1) / (size * (size - 1)) / (n**2 if self.mean else 1)
        kernel = self.kernel.within(x)
        losses, slope = self._fit(kernel, _block(cost, index, index), weight)
        slope = slope.fill_diagonal_(0.0)
        left, right = self.kernel.slope(x, x, self.kernel.sigma, kernel, slope)
        return losses.sum() - losses.diagonal().sum(), left + right

    def _fit(self, kernel: Tensor, cost: Tensor, weight: float) -> tuple[Tensor, Tensor]:
        """weight · L(κ, c) entry by entry, and its slope in κ (none below the loss's floor)."""
        admitted = self.loss.admit(kernel)
        slope = weight * self.loss.slope(admitted, cost)
        return weight * self.loss.elementwise(admitted, cost), slope * (admitted == kernel)


def _block(matrix: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """matrix[rows, columns] as a block; the matrix itself where that is all of it, in order."""
    if _is_all(rows, matrix.shape[0]) and _is_all(columns, matrix.shape[1]):
        return matrix
    return matrix.index_select(0, rows).gather(1, columns.expand(len(rows), -1))  # a third of the time of both at once


def _spread(gradient: Tensor, index: Tensor, n: int) -> Tensor:
    """Rows of a batch put back among the n nodes."""
    if _is_all(index, n):
        return gradient
    return gradient.new_zeros(n, gradient.shape[1]).index_copy(0, index, gradient)


def _is_all(index: Tensor, n: int) -> bool:
    return len(index) == n and bool(torch.equal(index, torch.arange(n, device=index.device)))


def random_start(
    n_source: int, n_target: int, dim: int, law: str, spread: float, generator: torch.Generator
) -> Embeddings:
    """Independent coordinates, drawn on the CPU whatever the device.

    Args:
        law: "normal" with standard deviation `spread`, or "uniform" on [0, spread).
    """
    draw = torch.randn if law == "normal" else torch.rand
    draws = draw(n_source + n_target, dim, generator=generator, dtype=torch.float64) * spread
    return Embeddings(draws[:n_source].clone(), draws[n_source:].clone())


def adam_start(x: Embeddings) -> AdamState:
    """Zero moments."""
    zeros = Embeddings(torch.zeros_like(x.source), torch.zeros_like(x.target))
    return AdamState(zeros, zeros)


def epochs_of(epochs: int | None, nodes: int, batch_size: int) -> int:
    """Epochs of an outer iteration; "auto" (None) takes 100 updates, in at least 20 passes over the nodes.

    Args:
        nodes: of the larger graph.
    """
    return epochs or max(20, math.ceil(100 / math.ceil(nodes / batch_size)))


def epoch(
    problem: EmbeddingProblem,
    x: Embeddings,
    adam: AdamState,
    learning_rate: float,
    batch_size: int,
    generator: torch.Generator,
) -> tuple[Embeddings, AdamState, float]:
    """One pass over all nodes of both graphs in minibatches, an Adam update after each; inputs stay untouched.

    Returns:
        The new embeddings and optimiser state, and the mean of the minibatch values before each update.
    """
    n_s, n_t = len(x.source), len(x.target)
    batches = math.ceil(max(n_s, n_t) / batch_size)
    rows, columns = (_split(n, batches, batch_size, generator) for n in (n_s, n_t))
    total = 0.0
    for source_index, target_index in zip(rows, columns, strict=True):
        value, gradient = problem.batch(x, source_index, target_index)
        x, adam = _adam(x, gradient, adam, learning_rate)
        total += float(value.detach())
    return x, adam, total / batches


def _split(n: int, batches: int, batch_size: int, generator: torch.Generator) -> list[Tensor]:
    """Random partitions of n nodes into batches of nearly equal size; all of them each time if they fit in a batch.

    A batch has two nodes or more, for one alone says nothing of pairs: where more batches are asked for, another
    partition follows the first.
    """
    if n <= batch_size:
        return [torch.arange(n)] * batches
    found: list[Tensor] = []
    while len(found) < batches:
        found += torch.tensor_split(torch.randperm(n, generator=generator), min(batches, n // 2))
    return found[:batches]


def _adam(x: Embeddings, gradient: Embeddings, state: AdamState, rate: float) -> tuple[Embeddings, AdamState]:
    """One Adam update with the usual constants (0.9, 0.999, 1e-8)."""
    count = state.count + 1
    length, bias = rate / (1 - 0.9**count), 1 - 0.999**count
    moved, first, second = [], [], []
    for value, slope, m, v in zip(*(_pair(e) for e in (x, gradient, state.first, state.second)), strict=True):
        m = torch.lerp(m, slope, 0.1)
        v = (0.999 * v).addcmul_(slope, slope, value=0.001)
        moved.append(torch.addcdiv(value, m, (v / bias).sqrt_().add_(1e-8), value=-length))
        first.append(m)
        second.append(v)
    return Embeddings(*moved), AdamState(Embeddings(*first), Embeddings(*second), count)


def _pair(x: Embeddings) -> tuple[Tensor, Tensor]:
    return x.source, x.target
