"""A small transport problem and the couplings that a method runs through. Pure, and shared between sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from gwl_core.costs import observed_costs
from gwl_core.coupling import Decomposed, TransportProblem, update
from gwl_core.losses import LOSSES
from gwl_core.marginals import marginals
from gwl_core.operators import as_operator
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config


@dataclass(frozen=True, eq=False)
class Small:
    """A problem at α = 0, ready to step.

    Attributes:
        costs: observed costs C_s (n, n) and C_t (m, m), dummies included.
        source, target: marginals (n,), (m,), float64 tensors.
        transport: the sub-problem of eq. (ot).
    """

    problem: MatchingProblem
    costs: tuple[np.ndarray, np.ndarray]
    source: torch.Tensor
    target: torch.Tensor
    transport: Decomposed

    @property
    def product(self) -> np.ndarray:
        """(n, m) the coupling that knows nothing, μ_s μ_tᵀ."""
        return np.outer(self.source.numpy(), self.target.numpy())

    def discrepancy(self, coupling: np.ndarray) -> float:
        """⟨L(C_s, C_t, T), T⟩ of an (n, m) coupling."""
        return self.transport.linearize(torch.as_tensor(coupling, dtype=torch.float64)).discrepancy


@dataclass(frozen=True, eq=False)
class Path:
    """What a method runs through.

    Attributes:
        couplings: (steps + 1, n, m), the start first.
        discrepancy: (steps + 1,).
    """

    couplings: np.ndarray
    discrepancy: np.ndarray


def small(problem: MatchingProblem, *, loss: str = "square", one_sided: bool = False) -> Small:
    """A problem with the observed cost of eq. (zipf) and uniform marginals."""
    config = Config(embeddings=False, loss=loss, device="cpu")
    masses = marginals(problem, config)
    diagonal = 0.0 if loss == "square" else 1.0
    counts = (masses.source_dummies, masses.target_dummies)
    costs = [cost.padded(k, diagonal) for cost, k in zip(observed_costs(problem, config), counts, strict=True)]
    source, target = (as_operator(cost, torch.device("cpu")) for cost in costs)
    symmetric = source.symmetric and target.symmetric
    transport = Decomposed.of(TransportProblem(source, target, None, 0.0, LOSSES[loss], symmetric, one_sided))
    return Small(
        problem, (costs[0].dense(), costs[1].dense()), torch.as_tensor(masses.source), torch.as_tensor(masses.target),
        transport,
    )  # fmt: skip


def run(
    case: Small,
    method: str,
    gamma: float | Callable[[int], float],
    passes: int,
    steps: int,
    start: np.ndarray | None = None,
) -> Path:
    """Some inner iterations of Algorithm 1, from the product coupling unless a start is given.

    Args:
        method: "proximal" or "entropic".
        gamma: its weight, or what it is at each step.
        passes: Sinkhorn passes J of each step.
    """
    coupling = torch.as_tensor(case.product if start is None else start, dtype=torch.float64)
    unscaled = torch.zeros_like(case.source)
    seen = case.transport.linearize(coupling)
    couplings, values = [coupling.numpy()], [seen.discrepancy]
    for step in range(steps):
        weight = gamma(step) if callable(gamma) else gamma
        coupling = update(method, seen.step, coupling, weight, case.source, case.target, unscaled, passes).coupling
        seen = case.transport.linearize(coupling)
        couplings.append(coupling.numpy())
        values.append(seen.discrepancy)
    return Path(np.array(couplings), np.array(values))
