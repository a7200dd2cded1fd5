"""Where a run begins: the first coupling and the first embeddings."""

from __future__ import annotations

import torch
from torch import Tensor

from gwl_core.embedding import Embeddings, random_start
from gwl_core.prior import structural_cost
from gwl_core.sinkhorn import FLOOR, scale
from gwl_core.workspace import Workspace

PRIOR_WEIGHT = 6.0
"""Nats that one average feature difference is worth in the starting coupling."""

_ANCHOR_WEIGHT = 24.0
"""Nats that a whole unit of C_st is worth there."""


def first_coupling(space: Workspace, generator: torch.Generator) -> Tensor:
    """The product coupling, tilted by the structural prior and anchors, or by chance (config.start)."""
    if space.config.start == "product":
        return space.product
    if space.config.start == "perturbed":
        tilt = tilt_cost(space, 0.0, _ANCHOR_WEIGHT)
        block = _real(space, tilt)
        block += torch.rand(block.shape, generator=generator, dtype=torch.float64).to(tilt)
        return _tilted(space, tilt)
    return prior_coupling(space, PRIOR_WEIGHT)


def prior_coupling(space: Workspace, weight: float) -> Tensor:
    """The product coupling, tilted by `weight` nats per average feature difference, and by anchors."""
    return _tilted(space, tilt_cost(space, weight, _ANCHOR_WEIGHT))


def tilt_cost(space: Workspace, prior: float, anchors: float) -> Tensor:
    """(n, m) weighted sum of the structural prior and C_st (0 for dummies), and pins as anchors."""
    tilt = torch.zeros_like(space.product)
    if prior:
        _real(space, tilt).add_(_structural_cost(space), alpha=prior)
    if anchors and space.anchor_cost is not None:
        _real(space, tilt).add_(space.anchor_cost.to(tilt), alpha=anchors)
    if anchors and space.pin_cost is not None:
        tilt.add_(space.pin_cost.to(tilt), alpha=anchors)
    return tilt


def _structural_cost(space: Workspace) -> Tensor:
    problem = space.problem
    return space.remember(
        "prior", (), lambda: torch.as_tensor(structural_cost(problem.source, problem.target)).to(space.product)
    )


def _real(space: Workspace, matrix: Tensor) -> Tensor:
    """The block of the real nodes, a view."""
    return matrix[: space.problem.source.n_nodes, : space.problem.target.n_nodes]


def _tilted(space: Workspace, tilt: Tensor) -> Tensor:
    if float(tilt.min()) == float(tilt.max()):
        return space.product
    unscaled = torch.zeros_like(space.source)
    return scale(tilt, 1.0, space.product.clamp_min(FLOOR), space.source, space.target, unscaled, 20)[0]


def first_scaling(space: Workspace) -> Tensor:
    """log a = log μ_s, as in Algorithm 1."""
    return torch.where(space.source > 0, space.source, torch.ones_like(space.source)).log()


def first_embeddings(space: Workspace, generator: torch.Generator) -> Embeddings:
    """Random X_s and X_t."""
    problem, config = space.problem, space.config
    spread = config.embedding_start * coordinate_unit(space)
    sizes = problem.source.n_nodes, problem.target.n_nodes
    drawn = random_start(*sizes, config.dim, config.embedding_law, spread, generator)
    return Embeddings(drawn.source.to(space.device), drawn.target.to(space.device))


def carried_over(space: Workspace, coupling: Tensor, embeddings: Embeddings) -> Embeddings:
    """Random embeddings made joint: each target starts at the mean of its sources under T (config.joint_start).

    Both graphs then begin on one manifold and need not be turned towards each other. Unmatched mass keeps its own.
    """
    mass = coupling[: len(embeddings.source), : len(embeddings.target)].to(embeddings.source)
    total = mass.sum(0)
    share = (total / space.target[: mass.shape[1]].clamp_min(FLOOR)).clamp_max(1)[:, None]
    carried = mass.T @ embeddings.source / total.clamp_min(FLOOR)[:, None]
    return Embeddings(embeddings.source, share * carried + (1 - share) * embeddings.target)


def coordinate_unit(space: Workspace) -> float:
    """The length that embedding coordinates are counted in: σ for RBF (unless the paper's own units), else 1."""
    return space.kernel.sigma if space.config.kernel == "rbf" and space.config.embedding_unit == "sigma" else 1.0
