"""Sinkhorn-Knopp passes that stay finite at every γ (the inner loop of Algorithm 1)."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

FLOOR = 1e-150
"""Smallest coupling entry between two nodes with mass. Proximal steps multiply entries, so a zero would stay zero for
ever and could leave a row without support; above the square root of the smallest double, no denormals arise."""

_NOTHING = 1e-40
"""Entries up to this are left-overs of the floor, and exactly 0 in a result."""

_GRAIN = 2.0**12
"""Adding this multiple of the largest cost, and taking it off again, rounds costs to about 12 digits. Nodes that look
alike then cost exactly the same, whatever order their sums were taken in; a small γ would else raise that difference,
step by step, until the order of the nodes decides."""

_DIRECT_RANGE = 300.0
"""Largest spread of cost/γ for which exp(−cost/γ) times a floored entry is still a normal double."""


def scale(
    cost: Tensor,
    gamma: float,
    prior: Tensor | None,
    source: Tensor,
    target: Tensor,
    log_a: Tensor,
    passes: int,
) -> tuple[Tensor, Tensor]:
    """Solve eq. (sinkhorn) by J passes on G = exp(−cost/γ) ⊙ prior.

    Each pass updates b = μ_t / (Gᵀa), then a = μ_s / (G b), so rows are met exactly and columns in the limit.

    Args:
        cost: (n, m) linearised cost.
        gamma: proximal (or entropic) weight.
        prior: (n, m) previous coupling, or None for the entropic update.
        source, target: marginals (n,), (m,); nodes of zero mass get zero rows or columns.
        log_a: (n,) log of the scaling to start from.
        passes: J ≥ 1.

    Returns:
        The coupling diag(a) G diag(b), floored at FLOOR where both nodes have mass, and log a.
    """
    low, high = cost.aminmax()
    grain = _GRAIN * max(abs(float(low)), abs(float(high)))
    exponent = (low + grain - cost).sub_(grain).mul_(1 / gamma)
    found = None
    if float(high - low) < _DIRECT_RANGE * gamma and float(log_a.abs().max()) < _DIRECT_RANGE:
        found = _direct(exponent, prior, source, target, log_a.exp(), passes)
    coupling, scaling = found or _log_domain(exponent, prior, source, target, log_a, passes)
    coupling.clamp_min_(FLOOR)
    if _has_zero(source) or _has_zero(target):
        coupling *= (source > 0)[:, None] & (target > 0)[None, :]
        scaling = scaling.masked_fill(source == 0, 0.0)
    return coupling, scaling


@lru_cache(maxsize=4)
def _has_zero(mass: Tensor) -> bool:
    """Asked for the same marginals (by identity) at every step."""
    return float(mass.min()) == 0


def _direct(
    exponent: Tensor, prior: Tensor | None, source: Tensor, target: Tensor, a: Tensor, passes: int
) -> tuple[Tensor, Tensor] | None:
    """Plain scaling; None if a sum comes too close to the end of the number range, which shows in a scaling."""
    kernel = exponent.exp()
    if prior is not None:
        kernel *= prior
    if _has_zero(source):
        a = a * (source > 0)
    for _ in range(passes):
        b = target / (kernel.T @ a).clamp_min_(1e-290)
        a = source / (kernel @ b).clamp_min_(1e-290)
    if not float(torch.maximum(a.max(), b.max())) < 1e280:  # NaN is not either
        return None
    return kernel.mul_(torch.outer(a, b)), a.log()


def _log_domain(
    exponent: Tensor, prior: Tensor | None, source: Tensor, target: Tensor, log_a: Tensor, passes: int
) -> tuple[Tensor, Tensor]:
    log_kernel = exponent if prior is None else exponent + prior.clamp_min(FLOOR).log()
    log_source, log_target = source.log(), target.log()
    zero_source, zero_target = source == 0, target == 0
    log_a = log_a.masked_fill(zero_source, -torch.inf)
    for _ in range(passes):
        log_b = (log_target - torch.logsumexp(log_kernel + log_a[:, None], 0)).masked_fill(zero_target, -torch.inf)
        rows = log_kernel + log_b[None, :]
        log_a = (log_source - torch.logsumexp(rows, 1)).masked_fill(zero_source, -torch.inf)
    # Equal to exp(log a + log G + log b), but bounded where the three are so large that rounding spoils their sum.
    return source[:, None] * rows.softmax(1), log_a


def marginal_error(coupling: Tensor, source: Tensor, target: Tensor) -> float:
    """‖T1 − μ_s‖₁ + ‖Tᵀ1 − μ_t‖₁."""
    return sums_error(coupling.sum(1), coupling.sum(0), source, target)


def sums_error(rows: Tensor, columns: Tensor, source: Tensor, target: Tensor) -> float:
    """The marginal error of a coupling whose row and column sums are known already."""
    return float(torch.dist(rows, source, 1)) + float(torch.dist(columns, target, 1))


def project(coupling: Tensor, source: Tensor, target: Tensor, passes: int = 500) -> Tensor:
    """The coupling moved onto its marginals: Sinkhorn passes until they stop helping, then the rounding of
    Altschuler et al. (2017, algorithm 2), which meets both marginals to rounding error.
    """
    coupling = torch.where(coupling > _NOTHING, coupling, torch.zeros_like(coupling))
    for _ in range(passes):
        coupling = coupling * _ratio(target, coupling.sum(0))[None, :]
        coupling = coupling * _ratio(source, coupling.sum(1))[:, None]
        if marginal_error(coupling, source, target) < 1e-12:
            break
    coupling = coupling * _ratio(source, coupling.sum(1)).clamp_max(1)[:, None]
    coupling = coupling * _ratio(target, coupling.sum(0)).clamp_max(1)[None, :]
    rows = (source - coupling.sum(1)).clamp_min(0)
    columns = (target - coupling.sum(0)).clamp_min(0)
    missing = rows.sum()
    return coupling + torch.outer(rows, columns) / missing if float(missing) > 0 else coupling


def _ratio(mass: Tensor, sums: Tensor) -> Tensor:
    return torch.where(sums > 0, mass / sums.clamp_min(1e-300), torch.zeros_like(sums))
