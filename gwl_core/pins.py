"""Pairs that a person has decided on: pinned or forbidden, softly (a cost) or firmly (the coupling is restricted)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError

SAME, APART = "same", "apart"
FIRM = 1000.0
"""Cost of a blocked entry, in units of a soft one: its kernel underflows at every sensible γ."""


@dataclass(frozen=True)
class Pin:
    """One decision about a pair of nodes.

    Attributes:
        source, target: node indices.
        kind: "same", the two are one; or "apart", they are not.
        hard: the coupling is restricted; otherwise a cost speaks for it, as an anchor's C_st does.
    """

    source: int
    target: int
    kind: str = SAME
    hard: bool = False


def check_pins(pins: Sequence[Pin], shape: tuple[int, int]) -> None:
    """Raise InputError where pins contradict each other or name no node."""
    seen: dict[tuple[int, int], Pin] = {}
    fixed: tuple[set[int], set[int]] = (set(), set())
    for pin in pins:
        if pin.kind not in (SAME, APART):
            raise InputError(f"A pin must say same or apart, got {pin.kind!r}.")
        if not (0 <= pin.source < shape[0] and 0 <= pin.target < shape[1]):
            raise InputError("A pin names a node that is in neither graph.")
        if (pin.source, pin.target) in seen:
            raise InputError("A pair is pinned twice: remove one of the two pins.")
        seen[pin.source, pin.target] = pin
        if pin.kind == SAME and pin.hard:
            if pin.source in fixed[0] or pin.target in fixed[1]:
                raise InputError("A node is fixed to two partners: remove one of the two pins.")
            fixed[0].add(pin.source)
            fixed[1].add(pin.target)


def with_pin(pins: Sequence[Pin], pin: Pin) -> tuple[Pin, ...]:
    """The pins with one more, in place of an earlier one on the same pair, and of fixed ones that it contradicts."""
    return (*(old for old in pins if not _gives_way(old, pin)), pin)


def _gives_way(old: Pin, new: Pin) -> bool:
    if (old.source, old.target) == (new.source, new.target):
        return True
    shared = old.source == new.source or old.target == new.target
    return shared and old.kind == new.kind == SAME and (old.hard or new.hard)


def pin_cost(pins: Sequence[Pin], source_mass: np.ndarray, target_mass: np.ndarray) -> sparse.csr_array:
    """(n, m) cost of the padded coupling's entries: 1 against a soft pin, FIRM where a hard one bars.

    A pair that is the same costs 1 in the rest of its source's row. A fixed pair bars the rest of the row of the node
    with less mass, or of both where masses are equal, so that the marginals can be met.
    """
    shape = (len(source_mass), len(target_mass))
    cost = sparse.lil_array(shape, dtype=np.float64)
    for pin in pins:
        i, j = pin.source, pin.target
        if pin.kind == APART:
            cost[i, j] = FIRM if pin.hard else max(1.0, cost[i, j])
            continue
        kept = cost[i, j]
        if not pin.hard or source_mass[i] <= target_mass[j] * (1 + 1e-12):
            row = np.maximum(cost[[i], :].toarray()[0], FIRM if pin.hard else 1.0)
            cost[i, :] = row
        if pin.hard and target_mass[j] <= source_mass[i] * (1 + 1e-12):
            cost[:, j] = np.maximum(cost[:, [j]].toarray()[:, 0], FIRM)
        cost[i, j] = kept
    return sparse.csr_array(cost)


def moved_onto(matching: np.ndarray, pins: Sequence[Pin]) -> np.ndarray:
    """A one-to-one matching of padded nodes in which every pair that is to be the same is matched, by exchanges."""
    matching = np.array(matching)
    for pin in pins:
        if pin.kind == SAME and matching[pin.source] != pin.target:
            owner = np.flatnonzero(matching == pin.target)
            matching[owner] = matching[pin.source]
            matching[pin.source] = pin.target
    return matching
