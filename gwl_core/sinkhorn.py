"""Sinkhorn-Knopp passes that stay finite at every γ, in float64 and float32 (the inner loop of Algorithm 1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from gwl_core.pages import empty_like
from gwl_core.sweep import alone, row_blocks, sweep

FLOOR = 1e-150
"""What every coupling entry between two nodes with mass holds at least. Proximal steps multiply entries, so a zero
would stay zero for ever and could leave a row without support; above the square root of the smallest double, no
denormals arise."""

_GRAIN = 2.0**12
"""Adding this multiple of the largest cost, and taking it off again, rounds costs to about 12 digits. Nodes that look
alike then cost exactly the same, whatever order their sums were taken in; a small γ would else raise that difference,
step by step, until the order of the nodes decides. Half the digits leave no room for this."""


@dataclass(frozen=True)
class Limits:
    """Where a precision ends.

    Attributes:
        floor: FLOOR of the precision.
        nothing: entries up to this are left-overs of the floor, and exactly 0 in a result.
        share: smallest sum over a column or row of the kernel, as a share of the largest scaling in it, for which the
            entries that underflow are no loss.
    """

    floor: float
    nothing: float
    share: float


LIMITS = {torch.float64: Limits(FLOOR, 1e-40, 1e-160), torch.float32: Limits(1e-30, 1e-25, 1e-31)}


@dataclass(frozen=True, eq=False)
class StepCost:
    """A cost to minimise against, with what scaling wants to know of it.

    Attributes:
        matrix: (n, m), float64 or float32. A constant added to a column changes no coupling.
        low: (m,) least entry of every column.
        size: largest absolute entry, float64 only.
    """

    matrix: Tensor
    low: Tensor
    size: float

    @classmethod
    def of(cls, matrix: Tensor) -> StepCost:
        """The cost, surveyed."""
        return cls.gathered(matrix, sweep(lambda rows: survey(matrix[rows]), row_blocks(matrix)))

    @classmethod
    def gathered(cls, matrix: Tensor, found: list[tuple[Tensor, float]]) -> StepCost:
        """The cost, from the surveys of its row blocks."""
        return cls(matrix, torch.stack([low for low, _ in found]).amin(0), max(size for _, size in found))


def survey(block: Tensor) -> tuple[Tensor, float]:
    """Column minima and largest absolute entry of some rows of a cost."""
    if block.dtype != torch.float64:
        return block.amin(0), 0.0
    low = block.amin(0)
    return low, max(abs(float(low.min())), abs(float(block.max())))


class Scaled(NamedTuple):
    """The coupling diag(a) G diag(b), no entry below the floor where both nodes have mass; log a; ‖T − prior‖₁ (0
    without a prior); and Tᵀ1, float64."""

    coupling: Tensor
    log_a: Tensor
    change: float
    columns: Tensor


@alone()
def scale(
    cost: Tensor | StepCost,
    gamma: float,
    prior: Tensor | None,
    source: Tensor,
    target: Tensor,
    log_a: Tensor,
    passes: int,
) -> Scaled:
    """Solve eq. (sinkhorn) by J passes on G = exp(−cost/γ) ⊙ prior.

    Each pass updates b = μ_t / (Gᵀa), then a = μ_s / (G b), so rows are met exactly and columns in the limit.

    Args:
        cost: (n, m) linearised cost, float64 or float32; the coupling has its precision.
        gamma: proximal (or entropic) weight.
        prior: (n, m) previous coupling, or None for the entropic update.
        source, target: marginals (n,), (m,), float64; nodes of zero mass get zero rows or columns.
        log_a: (n,) log of the scaling to start from, float64.
        passes: J ≥ 1.
    """
    problem = _Problem(cost if isinstance(cost, StepCost) else StepCost.of(cost), gamma, prior, source, target)
    if _has_zero(source):
        log_a = log_a.masked_fill(source == 0, -torch.inf)
    log_a = log_a - log_a.max()  # a factor of a is one of 1/b
    scaled = _direct(problem, log_a.exp(), passes) or _log_domain(problem, log_a, passes)
    if _has_zero(source):
        scaled = scaled._replace(log_a=scaled.log_a.masked_fill(source == 0, 0.0))
    return scaled


@dataclass(frozen=True, eq=False)
class _Problem:
    cost: StepCost
    gamma: float
    prior: Tensor | None
    source: Tensor
    target: Tensor

    @property
    def limits(self) -> Limits:
        return LIMITS[self.cost.matrix.dtype]

    @property
    def blocks(self) -> list[slice]:
        return row_blocks(self.cost.matrix)

    def exponent(self, rows: slice, out: Tensor | None = None) -> Tensor:
        """−cost/γ of some rows, shifted so that every column's largest is 0."""
        matrix, low = self.cost.matrix[rows], self.cost.low
        if matrix.dtype == torch.float64:
            grain = _GRAIN * self.cost.size
            matrix, low = matrix + grain, low + grain
        elif float(low.abs().max()) < 1e3 * self.gamma:  # rounding errors are small, so one pass in place of two
            return torch.sub(low / self.gamma, matrix, alpha=1 / self.gamma, out=out)
        return torch.sub(low, matrix, out=out).mul_(1 / self.gamma)

    def settled(self, kernel: Tensor, rows: slice) -> tuple[Tensor, float]:
        """Raise some rows of a new coupling to the floor, in place; their column sums and change."""
        if _has_zero(self.source):
            kernel.masked_fill_((self.source[rows] == 0)[:, None], 0.0)
        change = 0.0
        if self.prior is not None:
            change = change_of(kernel, self.prior[rows])
        return kernel.sum(0).double(), change

    @property
    def floors(self) -> Tensor:
        """(m,) floor of every column: none where there is no mass."""
        return (self.target > 0).to(self.cost.matrix.dtype).mul_(self.limits.floor)

    def scaled(self, coupling: Tensor, log_a: Tensor, found: list[tuple[Tensor, float]]) -> Scaled:
        columns = torch.stack([columns for columns, _ in found]).sum(0)
        return Scaled(coupling, log_a, sum(change for _, change in found), columns)


@lru_cache(maxsize=4)
def _has_zero(mass: Tensor) -> bool:
    """Asked for the same marginals (by identity) at every step."""
    return float(mass.min()) == 0


def _direct(problem: _Problem, a: Tensor, passes: int) -> Scaled | None:
    """Plain scaling; None if a sum comes too close to the end of the number range."""
    source, target, prior, blocks = problem.source, problem.target, problem.prior, problem.blocks
    kernel = empty_like(problem.cost.matrix)
    plain = bool((a == 1).all()) and not _has_zero(source)
    a = (a * (source > 0)).to(kernel)
    share = problem.limits.share

    def build(rows: slice) -> Tensor:
        block = problem.exponent(rows, out=kernel[rows]).exp_()
        if prior is not None:
            block *= prior[rows]
        return (block.sum(0) if plain else a[rows] @ block).double()

    def again(rows: slice) -> tuple[Tensor, Tensor]:
        sums = (kernel[rows] @ b).double()
        return sums, _over(source[rows], sums).to(kernel) @ kernel[rows]

    def finish(rows: slice) -> tuple[Tensor, tuple[Tensor, float]]:
        block = kernel[rows].mul_(b)
        sums = block.sum(1).double()
        torch.addcmul(floors, block, _over(source[rows], sums).to(kernel)[:, None], out=block)
        return sums, problem.settled(block, rows)

    columns = torch.stack(sweep(build, blocks)).sum(0)
    floors = problem.floors
    for left in reversed(range(passes)):
        if not _least(columns, target) > share * float(a.max()):  # NaN is not either
            return None
        b = _over(target, columns).to(kernel)
        sums, found = zip(*sweep(finish if left == 0 else again, blocks), strict=True)
        rows = torch.cat(sums)
        if not _least(rows, source) > share * float(b.max()):
            return None
        if left:
            a, columns = _over(source, rows), torch.stack(found).double().sum(0)
    return problem.scaled(kernel, _over(source, rows).log(), list(found))


def _over(mass: Tensor, sums: Tensor) -> Tensor:
    """A scaling; 0 where there is no mass."""
    return mass / sums.clamp_min(1e-300)


def _least(sums: Tensor, mass: Tensor) -> float:
    """The smallest sum over a node with mass."""
    return float(torch.where(mass > 0, sums, torch.ones_like(sums)).min())


def _log_domain(problem: _Problem, log_a: Tensor, passes: int) -> Scaled:
    """The same with logarithms, in float64 whatever the precision."""
    source, target, prior, blocks = problem.source, problem.target, problem.prior, problem.blocks
    floor, coupling = problem.limits.floor, empty_like(problem.cost.matrix)
    log_source, log_target, zero_source, zero_target = source.log(), target.log(), source == 0, target == 0
    log_a = log_a.masked_fill(zero_source, -torch.inf)

    def log_kernel(rows: slice) -> Tensor:
        exponent = problem.exponent(rows).double()
        return exponent if prior is None else exponent.add_(prior[rows].double().clamp_min(floor).log_())

    def by_column(rows: slice) -> Tensor:
        return torch.logsumexp(log_kernel(rows).add_(log_a[rows, None]), 0)

    def by_row(rows: slice) -> Tensor:
        return torch.logsumexp(log_kernel(rows).add_(log_b), 1)

    def finish(rows: slice) -> tuple[Tensor, float]:
        # Equal to exp(log a + log G + log b), but bounded where the three are so large that rounding spoils their sum.
        share = log_kernel(rows).add_(log_b).softmax(1)
        coupling[rows] = share.mul_(source[rows, None]).clamp_min_(floor)
        coupling[rows] *= problem.floors > 0
        return problem.settled(coupling[rows], rows)

    for _ in range(passes):
        columns = torch.logsumexp(torch.stack(sweep(by_column, blocks)), 0)
        log_b = (log_target - columns).masked_fill_(zero_target, -torch.inf)
        log_a = (log_source - torch.cat(sweep(by_row, blocks))).masked_fill_(zero_source, -torch.inf)
    return problem.scaled(coupling, log_a, sweep(finish, blocks))


def change_of(one: Tensor, other: Tensor) -> float:
    """‖one − other‖₁ of some rows of two couplings."""
    return float((one - other).abs_().sum(1).sum(dtype=torch.float64))


def marginal_error(coupling: Tensor, source: Tensor, target: Tensor) -> float:
    """‖T1 − μ_s‖₁ + ‖Tᵀ1 − μ_t‖₁."""
    return sums_error(*sums(coupling), source, target)


def sums(coupling: Tensor) -> tuple[Tensor, Tensor]:
    """T1 and Tᵀ1, float64: sums within a block of rows in its own precision, across blocks in float64."""
    found = sweep(lambda rows: (coupling[rows].sum(1).double(), coupling[rows].sum(0).double()), row_blocks(coupling))
    rows, columns = zip(*found, strict=True)
    return torch.cat(rows), torch.stack(columns).sum(0)


def sums_error(rows: Tensor, columns: Tensor, source: Tensor, target: Tensor) -> float:
    """The marginal error of a coupling whose row and column sums are known already."""
    return float(torch.dist(rows, source, 1)) + float(torch.dist(columns, target, 1))
