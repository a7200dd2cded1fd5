"""Means with 95% confidence intervals, by the paper's assumption that results of trials are Gaussian."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL = 0.95
ENOUGH = 5
"""Values that an interval needs: that of two is 9 standard deviations to either side, and says nothing."""
NOISE = 1e-12
"""What is smaller was rounded on the way to 0."""


@dataclass(frozen=True)
class Interval:
    """A mean and its 95% interval, mean ± half within the possible values; half is None where too few are known.

    Attributes:
        least, most: what the values can be.
    """

    mean: float
    half: float | None
    count: int
    least: float = -math.inf
    most: float = math.inf

    @property
    def low(self) -> float:
        return min(self.mean, max(self.least, self.mean - (self.half or 0.0)))

    @property
    def high(self) -> float:
        return max(self.mean, min(self.most, self.mean + (self.half or 0.0)))

    def text(self, percent: bool = False, digits: int = 2) -> str:
        """As the paper prints it: 40.45 ± 0.53."""
        scale = 100 if percent else 1
        mean = f"{scale * self.mean:.{digits}f}"
        return mean if self.half is None else f"{mean} ± {scale * self.half:.{digits}f}"


def interval(values: Iterable[float | None], least: float = -math.inf, most: float = math.inf) -> Interval | None:
    """Mean and interval of the values that are not None; None if there are none.

    The half width is t · s / √n with Student's t of n − 1 degrees of freedom, exact for Gaussian values; it reaches no
    further than the farther of the bounds.

    Args:
        least, most: what the values can be.
    """
    known = np.array([v for v in values if v is not None], dtype=np.float64)
    if not len(known):
        return None
    mean, n = float(known.mean()), len(known)
    if n < ENOUGH:
        return Interval(mean, None, n, least, most)
    quantile = float(stats.t.ppf((1 + LEVEL) / 2, n - 1))
    half = quantile * float(known.std(ddof=1)) / math.sqrt(n)
    return Interval(mean, min(half, max(mean - least, most - mean)), n, least, most)


def quiet(value: float) -> float:
    """The value to show: 0 for what rounding has left of it."""
    return 0.0 if abs(value) < NOISE else value


def within(name: str) -> tuple[float, float]:
    """Least and greatest value that a measure of this name can have."""
    if name.startswith(("correct_", "edge_correctness", "precision_", "recall_", "f1_", "coupling_", "embedding_")):
        return 0.0, 1.0
    return (0.0, math.inf) if name.startswith("discrepancy") else (-math.inf, math.inf)
