"""The transport sub-problem (eq. ot) at fixed embeddings, and one proximal or entropic iteration on it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gwl_core.losses import Loss
from gwl_core.operators import Operator
from gwl_core.sinkhorn import scale


@dataclass(frozen=True, eq=False)
class Linearization:
    """The sub-problem seen from one coupling.

    Attributes:
        cost: (n, m) matrix that a step minimises against: ½∇f, or the paper's L + αK.
        discrepancy: ⟨L(C_s, C_t, T), T⟩.
        wasserstein: ⟨K(X_s, X_t), T⟩, without α; 0 without embeddings.
        objective: discrepancy + α wasserstein, the value f(T) of eq. (ot).
        rows, columns: T1 and Tᵀ1.
    """

    cost: Tensor
    discrepancy: float
    wasserstein: float
    objective: float
    rows: Tensor
    columns: Tensor


@dataclass(frozen=True, eq=False)
class TransportProblem:
    """min over T of ⟨L(C_s, C_t, T), T⟩ + α⟨K, T⟩.

    Attributes:
        source, target: cost operators C_s and C_t, (n, n) and (m, m).
        cross: (n, m) cross cost K(X_s, X_t), or None.
        alpha: weight of the cross cost.
        loss: square or KL.
        symmetric: both costs are symmetric, so that the two halves of the gradient are equal.
        one_sided: use the paper's L + αK in place of half the exact gradient.
    """

    source: Operator
    target: Operator
    cross: Tensor | None
    alpha: float
    loss: Loss
    symmetric: bool
    one_sided: bool = False


@dataclass(frozen=True, eq=False)
class Decomposed:
    """A TransportProblem with f1, f2, h1, h2 of its costs computed once, for the inner loop."""

    problem: TransportProblem
    f1: Operator
    f2: Operator
    h1: Operator
    h2: Operator

    @classmethod
    def of(cls, problem: TransportProblem) -> Decomposed:
        loss = problem.loss
        return cls(
            problem,
            problem.source.map(loss.f1),
            problem.target.map(loss.f2),
            problem.source.map(loss.h1),
            problem.target.map(loss.h2),
        )

    def half(self, coupling: Tensor, transposed: bool = False, sums: tuple[Tensor, Tensor] | None = None) -> Tensor:
        """L(C_s, C_t, T), or L(C_sᵀ, C_tᵀ, T); entry (j, j') is Σ_{i,i'} L(c^s_{ji}, c^t_{j'i'}) T_{ii'}.

        sums are T1 and Tᵀ1, where they are known.
        """
        rows, columns = sums or (coupling.sum(1), coupling.sum(0))
        parts = (self.f1, self.f2, self.h1, self.h2)
        f1, f2, h1, h2 = (part.transposed() for part in parts) if transposed else parts
        product = h2.right(h1.left(coupling))
        constants = f1.vector(rows)[:, None] + f2.vector(columns)[None, :]
        return constants.sub_(product)

    def linearize(self, coupling: Tensor) -> Linearization:
        """Value and step cost at a coupling; both halves of the gradient unless the problem is one-sided."""
        problem = self.problem
        sums = coupling.sum(1), coupling.sum(0)
        cost = self.half(coupling, sums=sums)
        discrepancy = _inner(cost, coupling)
        wasserstein = 0.0 if problem.cross is None else _inner(problem.cross, coupling)
        if not (problem.symmetric or problem.one_sided):
            cost.add_(self.half(coupling, transposed=True, sums=sums)).div_(2)
        if problem.cross is not None and problem.alpha > 0:
            cost.add_(problem.cross, alpha=problem.alpha if problem.one_sided else problem.alpha / 2)
        return Linearization(cost, discrepancy, wasserstein, discrepancy + problem.alpha * wasserstein, *sums)


def _inner(a: Tensor, b: Tensor) -> float:
    """⟨a, b⟩."""
    return float(torch.dot(a.reshape(-1), b.reshape(-1)))


def update(
    method: str,
    cost: Tensor,
    coupling: Tensor,
    gamma: float,
    source: Tensor,
    target: Tensor,
    log_a: Tensor,
    passes: int,
) -> tuple[Tensor, Tensor]:
    """One inner iteration: proximal (eq. ipot, prior T^(n)) or entropic (no prior). Returns (T^(n+1), log a)."""
    prior = coupling if method == "proximal" else None
    return scale(cost, gamma, prior, source, target, log_a, passes)


def is_symmetric(operator: Operator) -> bool:
    """Whether C = Cᵀ exactly."""
    dense = operator.dense()
    return bool(torch.equal(dense, dense.T))
