"""What a coupling is: everything between a matching and knowing nothing. Needs no torch."""

from __future__ import annotations

import numpy as np


def between(matching: np.ndarray, sureness: float) -> np.ndarray:
    """(n, n) coupling of uniform marginals, from the product coupling (0) to a one-to-one matching (1)."""
    n = len(matching)
    hard = np.zeros((n, n))
    hard[np.arange(n), matching] = 1 / n
    return (1 - sureness) / n**2 + sureness * hard


def swapped(matching: np.ndarray, source: int, target: int) -> np.ndarray:
    """The one-to-one matching that sends a source to a target, and whoever was there to the source's old place."""
    changed = np.array(matching)
    changed[matching == target] = matching[source]
    changed[source] = target
    return changed
