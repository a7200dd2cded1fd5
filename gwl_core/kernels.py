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
    return 1 - (_unit(x) @ _unit(y).T).sub_(1).clamp_max_(0).mul_(sigma).exp_()


def rbf(x: Tensor, y: Tensor, sigma: float) -> Tensor:
    """κ = 1 − exp(−‖x_i − y_j‖² / σ²); (n, D), (m, D) → (n, m)."""
    squared = x.square().sum(1)[:, None] + y.square().sum(1)[None, :] - 2 * (x @ y.T)
    return 1 - torch.exp(-squared.clamp_min(0) / sigma**2)


def cosine_slope(x: Tensor, y: Tensor, sigma: float, kernel: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Gradient of Σ_ij weight_ij κ(x_i, y_j) with respect to x and y, given the kernel matrix."""
    inner = weight * (kernel - 1) * sigma
    u, v = _unit(x), _unit(y)
    return _through_unit(x, u, inner @ v), _through_unit(y, v, inner.T @ u)


def rbf_slope(x: Tensor, y: Tensor, sigma: float, kernel: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Gradient of Σ_ij weight_ij κ(x_i, y_j) with respect to x and y, given the kernel matrix."""
    inner = weight * (1 - kernel) * (2 / sigma**2)
    return inner.sum(1)[:, None] * x - inner @ y, inner.sum(0)[:, None] * y - inner.T @ x


def _unit(x: Tensor) -> Tensor:
    return x * _inverse_norm(x)


def _inverse_norm(x: Tensor) -> Tensor:
    return torch.rsqrt(x.square().sum(1, keepdim=True) + _TINY)


def _through_unit(x: Tensor, u: Tensor, slope: Tensor) -> Tensor:
    """A gradient with respect to u = x/‖x‖, taken back to x."""
    return _inverse_norm(x) * (slope - (u * slope).sum(1, keepdim=True) * u)


@dataclass(frozen=True)
class Kernel:
    """A kernel with its width σ."""

    name: str
    function: Callable[[Tensor, Tensor, float], Tensor]
    slope: Callable[[Tensor, Tensor, float, Tensor, Tensor], tuple[Tensor, Tensor]]
    sigma: float

    def cross(self, x: Tensor, y: Tensor) -> Tensor:
        """K(X_s, X_t), (n, m)."""
        return self.function(x, y, self.sigma)

    def within(self, x: Tensor) -> Tensor:
        """K(X, X), (n, n), with an exact zero diagonal."""
        matrix = self.function(x, x, self.sigma)
        return matrix.masked_fill(torch.eye(len(x), dtype=torch.bool, device=x.device), 0.0)


def make_kernel(name: str, sigma: float | None, dim: int) -> Kernel:
    """The paper's kernel of that name: σ = 10 for cosine, σ = D for RBF, unless given."""
    if name == "cosine":
        return Kernel(name, cosine, cosine_slope, 10.0 if sigma is None else sigma)
    return Kernel(name, rbf, rbf_slope, float(dim) if sigma is None else sigma)
