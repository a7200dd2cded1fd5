"""The projection of a coupling onto its marginals, for every coupling that is reported."""

from __future__ import annotations

import torch
from torch import Tensor

from gwl_core.sinkhorn import LIMITS
from gwl_core.sweep import row_blocks, sweep


def project(coupling: Tensor, source: Tensor, target: Tensor, passes: int | None = None) -> Tensor:
    """The coupling in float64, moved onto its marginals: Sinkhorn passes until they stop helping, then the rounding of
    Altschuler et al. (2017, algorithm 2), which meets both marginals to rounding error.

    Args:
        passes: most passes; 500, and fewer above 1000 × 1000 nodes, unless given.
    """
    nothing = LIMITS[coupling.dtype].nothing
    moved = torch.where(coupling > nothing, coupling, torch.zeros_like(coupling)).double()
    columns, blocks = moved.sum(0), row_blocks(moved)

    def one_pass(rows: slice) -> Tensor:
        block = moved[rows].mul_(share)
        return block.mul_(_ratio(source[rows], block.sum(1))[:, None]).sum(0)

    for _ in range(passes or max(20, min(500, 500_000_000 // moved.numel()))):
        share = _ratio(target, columns)
        columns = torch.stack(sweep(one_pass, blocks)).sum(0)
        if float(torch.dist(columns, target, 1)) < 1e-12:
            break
    moved.mul_(_ratio(source, moved.sum(1)).clamp_max(1)[:, None])
    moved.mul_(_ratio(target, moved.sum(0)).clamp_max(1)[None, :])
    rows = (source - moved.sum(1)).clamp_min(0)
    columns = (target - moved.sum(0)).clamp_min(0)
    missing = rows.sum()
    return moved.addr_(rows, columns / missing) if float(missing) > 0 else moved


def _ratio(mass: Tensor, sums: Tensor) -> Tensor:
    return torch.where(sums > 0, mass / sums.clamp_min(1e-300), torch.zeros_like(sums))
