"""What the solver derives once from a problem and its Config: tensors, operators, scales. Nothing here is state."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gwl_core.costs import ObservedCost, anchor_cost, observed_costs
from gwl_core.coupling import Decomposed, Linearization, TransportProblem
from gwl_core.embedding import Embeddings
from gwl_core.errors import InputError
from gwl_core.kernels import Kernel, make_kernel
from gwl_core.limits import check_size, default_threads, is_single
from gwl_core.losses import LOSSES, Loss
from gwl_core.marginals import Marginals, marginals
from gwl_core.operators import Dense, Operator, as_operator
from gwl_core.pins import pin_cost
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config

SINGLE_RANGE = 1e-12, 1e15
"""Largest costs between which couplings may be float32."""


@dataclass(frozen=True, eq=False)
class Workspace:
    """Constants of a run.

    Attributes:
        pin_cost: (n, m) what speaks against entries of the padded coupling by pins, or None without pins.
        masses: marginals of the padded problem, numpy; `source`, `target` are the same as tensors, `product` their
            outer product in the precision of couplings.
        source_cost, target_cost: observed costs as operators, padded, float64.
        real_costs: observed costs of the real nodes.
        dummy_cost: what a dummy node costs itself.
        observed: the sub-problem on observed costs alone (α = 0).
        threads: CPU threads to compute with.
        gain: s = (2/n)·mean_i Σ_j S_ij², what a right match gains (S: deviation from the background cost).
        notices: sentences for the user.
    """

    problem: MatchingProblem
    config: Config
    device: torch.device
    loss: Loss
    kernel: Kernel
    masses: Marginals
    source: Tensor
    target: Tensor
    product: Tensor
    source_cost: Operator
    target_cost: Operator
    real_costs: tuple[ObservedCost, ObservedCost]
    dummy_cost: float
    anchor_cost: Tensor | None
    pin_cost: Tensor | None
    symmetric: bool
    observed: Decomposed
    threads: int
    gain: float
    notices: tuple[str, ...]
    _memo: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict)

    @property
    def dtype(self) -> torch.dtype:
        """The precision of couplings and step costs; sums, losses, marginals and scalings are float64 anyway."""
        return self.product.dtype

    @cached_property
    def source_dense(self) -> Tensor:
        """(n_s, n_s) observed source cost, for R."""
        return torch.as_tensor(self.real_costs[0].dense(), dtype=torch.float64, device=self.device)

    @cached_property
    def target_dense(self) -> Tensor:
        """(n_t, n_t) observed target cost, for R."""
        return torch.as_tensor(self.real_costs[1].dense(), dtype=torch.float64, device=self.device)

    def transport(self, embeddings: Embeddings | None, alpha: float, dtype: torch.dtype | None = None) -> Decomposed:
        """The sub-problem (ot) at these embeddings and α: C_k(X) = (1−α) C_k + α K(X_k, X_k) (eq. cost).

        Its matrices have the precision of couplings unless another is asked for.
        """
        if embeddings is None or alpha == 0:
            return self.observed
        dtype = dtype or self.dtype
        kept = self._memo.get("transport")
        if kept is not None and kept[0] != (embeddings, alpha, dtype):
            del kept
            self.forget()
        return self.remember("transport", (embeddings, alpha, dtype), lambda: self._mixed(embeddings, alpha, dtype))

    def linearize(self, transport: Decomposed, coupling: Tensor) -> Linearization:
        """`transport.linearize(coupling)`, kept for the step that starts where the last one ended.

        The memory of its step cost is used again by the next call.
        """
        kept = self._memo.get("linearize")
        spare = None if kept is None else kept[1].step.matrix
        if spare is not None and (spare.shape != coupling.shape or spare.dtype != coupling.dtype):
            spare = None
        return self.remember(
            "linearize", (transport, coupling), lambda: transport.linearize(coupling, spare)
        )  # fmt: skip

    def forget(self) -> None:
        """Let go of the large matrices of the last step; the next one makes them again."""
        for slot in ("linearize", "transport"):
            self._memo.pop(slot, None)

    def _mixed(self, embeddings: Embeddings, alpha: float, dtype: torch.dtype) -> Decomposed:
        source = self._mix(self.source_cost, self.kernel.within(embeddings.source), alpha, dtype)
        target = self._mix(self.target_cost, self.kernel.within(embeddings.target), alpha, dtype)
        cross = pad(self.kernel.cross(embeddings.source, embeddings.target), len(self.source), len(self.target))
        return Decomposed.of(
            TransportProblem(source, target, cross.to(dtype), alpha, self.loss, self.symmetric, self.one_sided)
        )  # fmt: skip

    def _mix(self, observed: Operator, kernel: Tensor, alpha: float, dtype: torch.dtype) -> Operator:
        n = len(self.source if observed is self.source_cost else self.target)
        padded = pad(kernel, n, n)
        if len(padded) > len(kernel):  # a dummy is at distance 1 from every node but itself
            padded[len(kernel) :, len(kernel) :].fill_diagonal_(0.0)
        background = (1 - alpha) * observed.constant + alpha
        mixed = self.loss.admit(observed.added_to(padded.mul_(alpha), 1 - alpha))
        return Dense(mixed.sub_(background).to(dtype), background)

    @property
    def one_sided(self) -> bool:
        return self.config.gradient == "one-sided"

    def remember(self, slot: str, key: tuple[Any, ...], compute: Any) -> Any:
        """The value for `key` (compared by identity, or equality for numbers); one value per slot is kept."""
        kept = self._memo.get(slot)
        if kept is None or any(
            a is not b and not (isinstance(a, float) and a == b) for a, b in zip(kept[0], key, strict=True)
        ):
            del kept
            self._memo.pop(slot, None)  # large; two need not fit at once
            kept = (key, compute())
            self._memo[slot] = kept
        return kept[1]


def pad(matrix: Tensor, rows: int, columns: int) -> Tensor:
    """A kernel matrix with dummy rows and columns at distance 1."""
    if matrix.shape == (rows, columns):
        return matrix
    padded = matrix.new_ones((rows, columns))
    padded[: matrix.shape[0], : matrix.shape[1]] = matrix
    return padded


@lru_cache(maxsize=1)
def workspace(problem: MatchingProblem, config: Config) -> Workspace:
    """The workspace of a problem (by identity) under a Config; the last one is kept.

    Raises:
        InputError: marginals or costs that are not defined, or a CUDA device that is not there.
    """
    check_size(problem, config)
    device = pick_device(config.device)
    loss = LOSSES[config.loss]
    masses = marginals(problem, config)
    costs = observed_costs(problem, config)
    single = is_single(problem, config) and _fits_single(costs, config)
    diagonal = 0.0 if config.loss == "square" else costs[0].background
    padded = (costs[0].padded(masses.source_dummies, diagonal), costs[1].padded(masses.target_dummies, diagonal))
    source_cost, target_cost = (as_operator(c, device) for c in padded)
    symmetric = source_cost.symmetric and target_cost.symmetric
    anchors = None
    if problem.anchors is not None:
        anchors = torch.as_tensor(anchor_cost(problem.anchors), dtype=torch.float64, device=device)
    pins = None
    if problem.pins:
        pins = torch.as_tensor(pin_cost(problem.pins, masses.source, masses.target).toarray(), device=device)
    observed = TransportProblem(source_cost, target_cost, None, 0.0, loss, symmetric, config.gradient == "one-sided")
    source, target = (torch.as_tensor(mass, device=device) for mass in (masses.source, masses.target))
    return Workspace(
        problem=problem,
        config=config,
        device=device,
        loss=loss,
        kernel=make_kernel(config.kernel, config.sigma, config.dim),
        masses=masses,
        source=source,
        target=target,
        product=torch.outer(source, target).to(torch.float32 if single else torch.float64),
        source_cost=source_cost,
        target_cost=target_cost,
        real_costs=costs,
        dummy_cost=diagonal,
        anchor_cost=anchors,
        pin_cost=pins,
        symmetric=symmetric,
        observed=Decomposed.of(observed),
        threads=config.threads or default_threads(padded[0].n),
        gain=gain(padded[0], padded[1]),
        notices=(*masses.notices, *costs[0].notices, *costs[1].notices),
    )


def _fits_single(costs: tuple[ObservedCost, ObservedCost], config: Config) -> bool:
    """Whether products of costs stay in the range of float32.

    Raises:
        InputError: they do not, and float32 was asked for.
    """
    sizes = [cost.size for cost in costs if cost.size]
    if all(SINGLE_RANGE[0] <= size <= SINGLE_RANGE[1] for size in sizes):
        return True
    if config.precision == "float32":
        raise InputError(f"precision float32 holds no costs of {max(sizes):.3g}: take auto, float64, or rescale them.")
    return False


def pick_device(name: str) -> torch.device:
    """The torch device of a name; auto is CUDA where there is one."""
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("device is cuda, but no CUDA device was found; use device auto or cpu.")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def gain(source: ObservedCost, target: ObservedCost) -> float:
    """s = (2/n)·mean_i Σ_j S_ij² with S the deviation from the most common cost; the smaller of the two graphs'."""
    return min((g for g in (_gain(source), _gain(target)) if g > 0), default=1.0)


def _gain(cost: ObservedCost) -> float:
    n = cost.n
    if n < 2:
        return 0.0
    deviations = _off_diagonal(cost)
    found = float(2 / n**2 * np.square(deviations).sum())
    return found if found > 1e-12 * cost.size**2 else 0.0  # less is rounding


def _off_diagonal(cost: ObservedCost) -> np.ndarray:
    """Deviations of off-diagonal costs from their median; the zeros of a sparse cost are left out."""
    n, deviation = cost.n, cost.deviation
    if not isinstance(deviation, np.ndarray):
        entries = deviation.tocoo()
        values = entries.data[entries.row != entries.col]
        if 2 * len(values) < n * (n - 1):  # then the median is the background
            return values
        deviation = deviation.toarray()
    values = deviation[~np.eye(n, dtype=bool)]
    return values - np.median(values)
