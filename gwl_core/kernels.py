"""Embedding distances κ (section 3.3): cosine and RBF, both of the form 1 − exp(−d/scale)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

_TINY = 1e-12
"""Added to squared norms: keeps the direction of a zero vector, and its gradient, finite."""


def cosine(x: Tensor, y: Tensor, sigma: float) -> Tensor:
    """κ = 1 − exp(−σ (1 − cos(x_i, y_j))); (n, D), (m, D) → (n, m). A zero vector is at right angles to all."""
    return -torch.expm1(sigma * (_unit(x) @ _unit(y).T - 1).clamp_max(0))


def rbf(x: Tensor, y: Tensor, sigma: float) -> Tensor:
    """κ = 1 − exp(−‖x_i − y_j‖² / σ²); (n, D), (m, D) → (n, m)."""
    squared = x.square().sum(1)[:, None] + y.square().sum(1)[None, :] - 2 * (x @ y.T)
    return -torch.expm1(-squared.clamp_min(0) / sigma**2)


def _unit(x: Tensor) -> Tensor:
    return x * torch.rsqrt(x.square().sum(1, keepdim=True) + _TINY)


@dataclass(frozen=True)
class Kernel:
    """A kernel with its width σ."""

    name: str
    function: Callable[[Tensor, Tensor, float], Tensor]
    sigma: float

    def cross(self, x: Tensor, y: Tensor) -> Tensor:
        """K(X_s, X_t), (n, m)."""
        return self.function(x, y, self.sigma)

    def within(self, x: Tensor) -> Tensor:
        """K(X, X), (n, n), with an exact zero diagonal."""
        matrix = self.function(x, x, self.sigma)
        return matrix * (1 - torch.eye(len(x), dtype=x.dtype, device=x.device))


def make_kernel(name: str, sigma: float | None, dim: int) -> Kernel:
    """The paper's kernel of that name: σ = 10 for cosine, σ = D for RBF, unless given."""
    if name == "cosine":
        return Kernel(name, cosine, 10.0 if sigma is None else sigma)
    return Kernel(name, rbf, float(dim) if sigma is None else sigma)
