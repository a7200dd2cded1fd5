"""One proximal step taken apart: the step cost, the kernel, and the two halves of a Sinkhorn pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from dashboard.lessons.transport import Small
from gwl_core.coupling import update
from gwl_core.sinkhorn import marginal_error


@dataclass(frozen=True, eq=False)
class Stages:
    """What happens between T^(n) and T^(n+1) with J = 1, all (n, m).

    Attributes:
        before: T^(n).
        cost: ½∇f at T^(n).
        kernel: exp(−cost/γ) ⊙ T^(n).
        columns: the kernel with every column scaled to its mass.
        rows: that with every row scaled to its mass: T^(n+1).
    """

    before: np.ndarray
    cost: np.ndarray
    kernel: np.ndarray
    columns: np.ndarray
    rows: np.ndarray


def stages(case: Small, coupling: np.ndarray, gamma: float) -> Stages:
    """A step from a coupling, its last stage taken by the core."""
    seen = case.transport.linearize(torch.as_tensor(coupling))
    cost = seen.cost.numpy()
    kernel = np.exp(-cost / gamma) * coupling
    columns = kernel * (case.target.numpy() / kernel.sum(0))
    return Stages(coupling, cost, kernel, columns, stepped(case, coupling, gamma, 1))


def stepped(case: Small, coupling: np.ndarray, gamma: float, passes: int) -> np.ndarray:
    """T^(n+1) after J passes."""
    held = torch.as_tensor(coupling)
    seen = case.transport.linearize(held)
    unscaled = torch.zeros_like(case.source)
    moved = update("proximal", seen.step, held, gamma, case.source, case.target, unscaled, passes)
    return moved.coupling.numpy()


def error_by_passes(case: Small, coupling: np.ndarray, gamma: float, most: int) -> np.ndarray:
    """(most,) ‖T1 − μ_s‖₁ + ‖Tᵀ1 − μ_t‖₁ of one step with J = 1, 2, …, most passes."""
    held = torch.as_tensor(coupling)
    seen = case.transport.linearize(held)
    unscaled = torch.zeros_like(case.source)
    errors = []
    for passes in range(1, most + 1):
        moved = update("proximal", seen.step, held, gamma, case.source, case.target, unscaled, passes)
        errors.append(marginal_error(moved.coupling, case.source, case.target))
    return np.array(errors)
