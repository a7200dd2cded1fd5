"""Means with 95% confidence intervals, by the paper's assumption that results of trials are Gaussian."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import stats

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean and its 95% interval, mean ± half; half is None where fewer than two values leave it unknown."""

    mean: float
    half: float | None
    count: int

    @property
    def low(self) -> float:
        return self.mean - (self.half or 0.0)

    @property
    def high(self) -> float:
        return self.mean + (self.half or 0.0)

    def text(self, percent: bool = False, digits: int = 2) -> str:
        """As the paper prints it: 40.45 ± 0.53."""
        scale = 100 if percent else 1
        mean = f"{scale * self.mean:.{digits}f}"
        return mean if self.half is None else f"{mean} ± {scale * self.half:.{digits}f}"


def interval(values: Iterable[float | None]) -> Interval | None:
    """Mean and interval of the values that are not None; None if there are none.

    The half width is t · s / √n with Student's t of n − 1 degrees of freedom, exact for Gaussian values.
    """
    known = np.array([v for v in values if v is not None], dtype=np.float64)
    if not len(known):
        return None
    mean, n = float(known.mean()), len(known)
    if n < 2:
        return Interval(mean, None, n)
    quantile = float(stats.t.ppf((1 + LEVEL) / 2, n - 1))
    return Interval(mean, quantile * float(known.std(ddof=1)) / math.sqrt(n), n)
