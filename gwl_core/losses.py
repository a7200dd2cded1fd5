"""Element-wise losses L(a, b) = f1(a) + f2(b) − h1(a) h2(b) (section 3.3 of the paper)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from gwl_core.costs import KL_FLOOR


@dataclass(frozen=True)
class Loss:
    """A loss with its decomposition. Every function is element-wise and maps zero-size input to zero-size output.

    Attributes:
        f1, f2, h1, h2: the parts of the decomposition; the first argument of L is the source's.
        slope: ∂L/∂a.
        floor: smallest admissible argument; costs are raised to it before use.
    """

    name: str
    f1: Callable[[Tensor], Tensor]
    f2: Callable[[Tensor], Tensor]
    h1: Callable[[Tensor], Tensor]
    h2: Callable[[Tensor], Tensor]
    elementwise: Callable[[Tensor, Tensor], Tensor]
    slope: Callable[[Tensor, Tensor], Tensor]
    floor: float | None = None

    def admit(self, cost: Tensor) -> Tensor:
        """Costs raised to the floor, where the loss has one."""
        return cost if self.floor is None else cost.clamp_min(self.floor)


def _identity(a: Tensor) -> Tensor:
    return a


SQUARE = Loss(
    "square",
    f1=torch.square,
    f2=torch.square,
    h1=_identity,
    h2=lambda b: 2 * b,
    elementwise=lambda a, b: torch.square(a - b),
    slope=lambda a, b: 2 * (a - b),
)

KL = Loss(
    "kl",
    f1=lambda a: torch.xlogy(a, a) - a,
    f2=_identity,
    h1=_identity,
    h2=torch.log,
    elementwise=lambda a, b: torch.xlogy(a, a / b) - a + b,
    slope=lambda a, b: torch.log(a / b),
    floor=KL_FLOOR,
)

LOSSES = {loss.name: loss for loss in (SQUARE, KL)}
