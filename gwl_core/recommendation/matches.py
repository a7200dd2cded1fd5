"""Matched disease–procedure pairs, read from a transport as the paper does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

THRESHOLD = 0.15
"""Smallest entry of a transport, scaled to maximum 1, that is a pair beside each disease's largest."""


@dataclass(frozen=True)
class Match:
    """A disease (row), a procedure (column), its scaled transport, and whether it is the disease's largest."""

    disease: int
    procedure: int
    transport: float
    largest: bool


def scaled_to_one(coupling: np.ndarray) -> np.ndarray:
    """The coupling divided by its maximum; one without mass stays as it is."""
    top = float(coupling.max(initial=0.0))
    return coupling / top if top > 0 else coupling


def matched_pairs(coupling: np.ndarray) -> tuple[Match, ...]:
    """For each disease with mass the procedure of largest transport, then those above THRESHOLD, in falling order."""
    found = []
    for disease, row in enumerate(scaled_to_one(coupling)):
        order = np.argsort(-row, kind="stable")
        for place, procedure in enumerate(order):
            value = float(row[procedure])
            if value <= (0 if place == 0 else THRESHOLD):
                break
            found.append(Match(disease, int(procedure), value, place == 0))
    return tuple(found)
