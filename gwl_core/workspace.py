"""What the solver derives once from a problem and its Config: tensors, operators, scales. Nothing here is state."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gwl_core.costs import ObservedCost, anchor_cost, observed_costs
from gwl_core.coupling import Decomposed, Linearization, TransportProblem, is_symmetric
from gwl_core.embedding import Embeddings
from gwl_core.errors import InputError
from gwl_core.kernels import Kernel, make_kernel
from gwl_core.losses import LOSSES, Loss
from gwl_core.marginals import Marginals, marginals
from gwl_core.operators import Dense, Operator, as_operator
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config


@dataclass(frozen=True, eq=False)
class Workspace:
    """Constants of a run.

    Attributes:
        masses: marginals of the padded problem, numpy; `source`, `target` are the same as tensors, `product` their
            outer product.
        source_cost, target_cost: observed costs as operators, padded.
        source_dense, target_dense: dense observed costs of the real nodes, for R.
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
    source_dense: Tensor
    target_dense: Tensor
    anchor_cost: Tensor | None
    symmetric: bool
    observed: Decomposed
    threads: int
    gain: float
    notices: tuple[str, ...]
    _memo: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict)

    def transport(self, embeddings: Embeddings | None, alpha: float) -> Decomposed:
        """The sub-problem (ot) at these embeddings and α: C_k(X) = (1−α) C_k + α K(X_k, X_k) (eq. cost)."""
        if embeddings is None or alpha == 0:
            return self.observed
        return self.remember("transport", (embeddings, alpha), lambda: self._mixed(embeddings, alpha))

    def linearize(self, transport: Decomposed, coupling: Tensor) -> Linearization:
        """`transport.linearize(coupling)`, kept for the step that starts where the last one ended."""
        return self.remember("linearize", (transport, coupling), lambda: transport.linearize(coupling))

    def _mixed(self, embeddings: Embeddings, alpha: float) -> Decomposed:
        source = self._mix(self.source_cost, self.kernel.within(embeddings.source), alpha)
        target = self._mix(self.target_cost, self.kernel.within(embeddings.target), alpha)
        cross = pad(self.kernel.cross(embeddings.source, embeddings.target), len(self.source), len(self.target))
        return Decomposed.of(
            TransportProblem(source, target, cross, alpha, self.loss, self.symmetric, self.one_sided)
        )  # fmt: skip

    def _mix(self, observed: Operator, kernel: Tensor, alpha: float) -> Operator:
        padded = pad(kernel, len(observed.dense()), len(observed.dense()))
        extra = len(padded) - len(kernel)
        if extra:  # a dummy is at distance 1 from every node but itself
            padded[len(kernel) :, len(kernel) :].fill_diagonal_(0.0)
        return Dense(self.loss.admit((1 - alpha) * observed.dense() + alpha * padded))

    @property
    def one_sided(self) -> bool:
        return self.config.gradient == "one-sided"

    def remember(self, slot: str, key: tuple[Any, ...], compute: Any) -> Any:
        """The value for `key` (compared by identity, or equality for numbers); one value per slot is kept."""
        kept = self._memo.get(slot)
        if kept is None or any(
            a is not b and not (isinstance(a, float) and a == b) for a, b in zip(kept[0], key, strict=True)
        ):
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


@lru_cache(maxsize=2)
def workspace(problem: MatchingProblem, config: Config) -> Workspace:
    """The workspace of a problem (by identity) under a Config.

    Raises:
        InputError: marginals or costs that are not defined, or a CUDA device that is not there.
    """
    check_size(problem)
    device = pick_device(config.device)
    loss = LOSSES[config.loss]
    masses = marginals(problem, config)
    costs = observed_costs(problem, config)
    real = [torch.as_tensor(c.dense(), dtype=torch.float64, device=device) for c in costs]
    diagonal = 0.0 if config.loss == "square" else costs[0].background
    padded = (costs[0].padded(masses.source_dummies, diagonal), costs[1].padded(masses.target_dummies, diagonal))
    source_cost, target_cost = (as_operator(c, device) for c in padded)
    symmetric = is_symmetric(source_cost) and is_symmetric(target_cost)
    anchors = None
    if problem.anchors is not None:
        anchors = torch.as_tensor(anchor_cost(problem.anchors), dtype=torch.float64, device=device)
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
        product=torch.outer(source, target),
        source_cost=source_cost,
        target_cost=target_cost,
        source_dense=real[0],
        target_dense=real[1],
        anchor_cost=anchors,
        symmetric=symmetric,
        observed=Decomposed.of(observed),
        threads=config.threads or default_threads(padded[0].n),
        gain=gain(padded[0], padded[1]),
        notices=(*masses.notices, *costs[0].notices, *costs[1].notices),
    )


DENSE_COPIES = 14
"""Dense n × n arrays that a run holds at its peak (measured)."""

MEMORY_CAP = 12e9
"""Bytes a run may take."""


def check_size(problem: MatchingProblem) -> None:
    """Refuse a problem whose dense matrices would not fit, before anything is allocated.

    Raises:
        InputError: with the estimate and the cap.
    """
    n = max(problem.source.n_nodes, problem.target.n_nodes)
    need = DENSE_COPIES * 8 * n**2
    if need > MEMORY_CAP:
        most = int((MEMORY_CAP / 8 / DENSE_COPIES) ** 0.5)
        raise InputError(
            f"Aligning {n} nodes needs about {need / 1e9:.0f} GB, above the cap of {MEMORY_CAP / 1e9:.0f} GB; "
            f"take at most {most} nodes, for example the largest component."
        )


def pick_device(name: str) -> torch.device:
    """The torch device of a name; auto is CUDA where there is one."""
    if name == "cuda" and not torch.cuda.is_available():
        raise InputError("device is cuda, but no CUDA device was found; use device auto or cpu.")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def default_threads(n: int) -> int:
    """One thread for small problems, where handing out the work costs more than it saves; else every core at hand."""
    return 1 if n < 400 else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def gain(source: ObservedCost, target: ObservedCost) -> float:
    """s = (2/n)·mean_i Σ_j S_ij² with S the deviation from the most common cost; the smaller of the two graphs'."""
    return min((g for g in (_gain(source), _gain(target)) if g > 0), default=1.0)


def _gain(cost: ObservedCost) -> float:
    dense = cost.dense()
    n = len(dense)
    if n < 2:
        return 0.0
    off_diagonal = ~np.eye(n, dtype=bool)
    deviations = dense - np.median(dense[off_diagonal])
    found = float(2 / n**2 * np.square(deviations[off_diagonal]).sum())
    return found if found > 1e-12 * float(np.abs(dense).max()) ** 2 else 0.0  # less is rounding
