"""The transport sub-problem (eq. ot) at fixed embeddings, and one proximal or entropic iteration on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from gwl_core.losses import Loss
from gwl_core.operators import Dense, Operator, significant
from gwl_core.pages import empty_like
from gwl_core.sinkhorn import Scaled, StepCost, change_of, scale, sums, survey
from gwl_core.sweep import alone, row_blocks, sweep

_ROUNDING = {torch.float64: 1e-12, torch.float32: 1e-6}
"""Share of its terms below which a discrepancy is what rounding left over, and 0."""


_FLAT = 1e-9
"""Share of the largest terms up to which costs differ by rounding alone, in float64."""

_FEW = 0.015
"""Share of entries up to which a product with a coupling is faster from them alone (measured on 2 cores)."""

_IN_A_SUM = 1 / 16
"""All entries left out together, as a share of the rounding error of the whole coupling's mass."""


@dataclass(frozen=True, eq=False)
class Linearization:
    """The sub-problem seen from one coupling.

    Attributes:
        step: what a step minimises against: ½∇f, or the paper's L + αK, but for a constant in every column.
        constants: (m,) those constants, float64.
        discrepancy: ⟨L(C_s, C_t, T), T⟩.
        wasserstein: ⟨K(X_s, X_t), T⟩, without α; 0 without embeddings.
        objective: discrepancy + α wasserstein, the value f(T) of eq. (ot).
        rows, columns: T1 and Tᵀ1, float64.
    """

    step: StepCost
    constants: Tensor
    discrepancy: float
    wasserstein: float
    objective: float
    rows: Tensor
    columns: Tensor

    @property
    def cost(self) -> Tensor:
        """(n, m) the step cost with its constants."""
        return self.step.matrix + self.constants.to(self.step.matrix)


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


Weights = Callable[[Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Half:
    """L(C_s, C_t, T) in the form that is cheap: u 1ᵀ + 1 vᵀ + c − S_1 T S_2ᵀ.

    With h1(C_s) = c_1 11ᵀ + S_1 and h2(C_t) = c_2 11ᵀ + S_2, the rank-one terms of h1(C_s) T h2(C_t)ᵀ move to
    u = (f1 − c_2 h1)(C_s) T1, v = (f2 − c_1 h2)(C_t) Tᵀ1 and c = c_1 c_2 1ᵀT1. So the cost between nodes without an
    interaction, by far the most common, cancels before anything is summed.
    """

    rows: Weights
    columns: Weights
    constant: float
    left: Operator
    right: Operator

    @classmethod
    def of(cls, source: Operator, target: Operator, loss: Loss) -> Half:
        left, right = source.map(loss.h1), target.map(loss.h2)
        return cls(
            source.weights(lambda a: loss.f1(a) - right.constant * loss.h1(a)),
            target.weights(lambda b: loss.f2(b) - left.constant * loss.h2(b)),
            left.constant * right.constant,
            left,
            right,
        )

    def product(self, coupling: Tensor) -> Callable[[slice], Tensor]:
        """Rows of S_1 T S_2ᵀ for T ≥ 0. Where all but a few entries vanish, T S_2ᵀ comes first, from those alone."""
        turned = self._from_few(coupling)
        if turned is None:
            return lambda rows: self.right.right(self.left.left(coupling, rows))
        return lambda rows: self.left.left(turned, rows)

    def _from_few(self, coupling: Tensor) -> Tensor | None:
        """T S_2ᵀ, or None if it is no faster this way; what is left out weighs less than its rounding errors."""
        right = self.right
        if not (isinstance(self.left, Dense) and isinstance(right, Dense)) or coupling.device.type != "cpu":
            return None
        least = _IN_A_SUM * torch.finfo(coupling.dtype).eps / coupling.numel()
        few = significant(coupling, least, _FEW)
        return None if few is None else right.right_of_few(few)

    def cast(self, dtype: torch.dtype) -> Half:
        """With products in another precision; u and v stay in float64."""
        return replace(self, left=self.left.cast(dtype), right=self.right.cast(dtype))


@dataclass(frozen=True, eq=False)
class Decomposed:
    """A TransportProblem with f1, f2, h1, h2 of its costs computed once, for the inner loop."""

    problem: TransportProblem
    halves: tuple[Half, ...]
    _cast: dict[torch.dtype, tuple[Half, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, problem: TransportProblem) -> Decomposed:
        halves = [Half.of(problem.source, problem.target, problem.loss)]
        if not problem.symmetric:
            halves.append(Half.of(problem.source.transposed(), problem.target.transposed(), problem.loss))
        return cls(problem, tuple(halves))

    def is_flat(self, source: Tensor, target: Tensor) -> bool:
        """Whether the cost at the product of the marginals is the same for every pair, but for what a row or column
        has in common: then no step leaves it. In float64, where α = 0."""
        total, size = torch.zeros(int((source > 0).sum()), int((target > 0).sum()), dtype=torch.float64), 0.0
        for half in self.halves[: 1 if self.problem.one_sided else 2]:
            a, b = half.left.vector(source)[source > 0].cpu(), half.right.vector(target)[target > 0].cpu()
            size += float(a.abs().max()) * float(b.abs().max())
            total += torch.outer(a - a.mean(), b - b.mean())
        return float(total.abs().max()) <= _FLAT * size

    @alone()
    def half(self, coupling: Tensor, transposed: bool = False) -> Tensor:
        """L(C_s, C_t, T), or L(C_sᵀ, C_tᵀ, T); entry (j, j') is Σ_{i,i'} L(c^s_{ji}, c^t_{j'i'}) T_{ii'}."""
        half = self._halves(coupling.dtype)[-1 if transposed else 0]
        rows, columns = sums(coupling)
        u, v = half.rows(rows) + half.constant * rows.sum(), half.columns(columns)
        cost = empty_like(coupling)

        def work(block: slice) -> None:
            product = half.right.right(half.left.left(coupling, block))
            torch.sub(v.to(product), product, out=cost[block]).add_(u[block, None].to(product))

        sweep(work, row_blocks(coupling))
        return cost

    @alone()
    def linearize(self, coupling: Tensor, out: Tensor | None = None) -> Linearization:
        """Value and step cost at a coupling; both halves of the gradient unless the problem is one-sided.

        Args:
            out: (n, m) memory for the step cost, if there is any to spare.
        """
        problem = self.problem
        halves = self._halves(coupling.dtype)[: 1 if problem.one_sided else 2]
        rows, columns = sums(coupling)
        u = torch.stack([half.rows(rows) for half in halves])
        v = torch.stack([half.columns(columns) for half in halves])
        constant = halves[0].constant * float(rows.sum())
        share = problem.alpha if problem.one_sided else problem.alpha / 2
        column = u.mean(0).to(coupling)[:, None]
        cost = empty_like(coupling) if out is None else out
        products = [half.product(coupling) for half in halves]

        def work(block: slice) -> tuple[float, float, tuple[Tensor, float]]:
            here = coupling[block]
            product = products[0](block)
            fit, cross = _inner(product, here), 0.0
            if len(halves) == 2:
                product.add_(products[1](block)).mul_(0.5)
            step = torch.sub(column[block], product, out=cost[block])
            if problem.cross is not None:
                cross = _inner(problem.cross[block].to(here), here)
                step.add_(problem.cross[block], alpha=share)
            return fit, cross, survey(step)

        fits, crosses, surveys = zip(*sweep(work, row_blocks(coupling)), strict=True)
        terms = (
            float(torch.dot(u[0], rows)),
            float(torch.dot(v[0], columns)),
            constant * float(rows.sum()),
            -sum(fits),
        )
        discrepancy, wasserstein = _total(terms, coupling.dtype), sum(crosses)
        return Linearization(
            StepCost.gathered(cost, list(surveys)), v.mean(0) + constant, discrepancy, wasserstein,
            discrepancy + problem.alpha * wasserstein, rows, columns,
        )  # fmt: skip

    def _halves(self, dtype: torch.dtype) -> tuple[Half, ...]:
        if dtype not in self._cast:
            self._cast[dtype] = tuple(half.cast(dtype) for half in self.halves)
        return self._cast[dtype]


def _inner(a: Tensor, b: Tensor) -> float:
    """⟨a, b⟩: rows in their own precision, their sum in float64."""
    return float(torch.linalg.vecdot(a, b).sum(dtype=torch.float64))


def _total(terms: tuple[float, ...], dtype: torch.dtype) -> float:
    """The sum of terms, 0 where it is no more than their rounding errors; NaN stays NaN."""
    total = sum(terms)
    return 0.0 if abs(total) <= _ROUNDING[dtype] * sum(map(abs, terms)) else total


@alone()
def update(
    method: str,
    cost: Tensor | StepCost,
    coupling: Tensor,
    gamma: float,
    source: Tensor,
    target: Tensor,
    log_a: Tensor,
    passes: int,
) -> Scaled:
    """One inner iteration: proximal (eq. ipot, prior T^(n)) or entropic (no prior). T^(n+1), log a and more."""
    if method == "proximal":
        return scale(cost, gamma, coupling, source, target, log_a, passes)
    scaled = scale(cost, gamma, None, source, target, log_a, passes)
    change = sweep(lambda rows: change_of(scaled.coupling[rows], coupling[rows]), row_blocks(coupling))
    return scaled._replace(change=sum(change))
