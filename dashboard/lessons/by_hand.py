"""The discrepancy term by term: the four-index sum Σ L(c^s_ij, c^t_i'j') T_ii' T_jj' of eq. (gwd)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from dashboard.lessons.transport import Small
from gwl_core.losses import Loss


@dataclass(frozen=True, eq=False)
class Terms:
    """Every term, by source pair (i, j) and target pair (i', j').

    Attributes:
        loss: (n, n, m, m) L(c^s_ij, c^t_i'j').
        weight: (n, n, m, m) T_ii' T_jj'.
        total: the sum of loss · weight.
    """

    loss: np.ndarray
    weight: np.ndarray

    @property
    def values(self) -> np.ndarray:
        return self.loss * self.weight

    @property
    def total(self) -> float:
        return float(self.values.sum())


def terms(case: Small, coupling: np.ndarray, loss: Loss) -> Terms:
    """The n²m² terms of the discrepancy of an (n, m) coupling."""
    source, target = (torch.as_tensor(cost) for cost in case.costs)
    compared = loss.elementwise(source[:, :, None, None], target[None, None, :, :])
    weight = np.einsum("ik,jl->ijkl", coupling, coupling)
    return Terms(compared.numpy(), weight)
