"""Hard pairs read from a coupling or an embedding.

A matching is an (n_s,) int array: the target index of each source node, −1 where it has none. Inputs are the real
block of the coupling, (n_s, n_t) float64, and, where unmatched mass was used, its slack: the columns (n_s, k) of dummy
targets or the rows (k, n_t) of dummy sources. A dummy never appears in a matching. No input is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from gwl_core.errors import InputError
from gwl_core.pins import SAME, Pin

ONE_TO_ONE_RULE = "one-to-one: linear assignment"
LEAST_SHARE = 1e-3
_EQUAL = 1e-9
"""Share of an entry that rounding may part equal ones by."""


@dataclass(frozen=True)
class MatchedPair:
    """One pair of the one-to-one matching, for tables.

    Attributes:
        source, target: node indices.
        coupling: T_ij.
        confidence: probability that the pair is right, see `confidence.confidence`.
        tied: another match would be as good, by a symmetry of one of the graphs.
        alternatives: (target index, share of the source's mass) of the next best targets, best first.
    """

    source: int
    target: int
    coupling: float
    confidence: float
    tied: bool
    alternatives: tuple[tuple[int, float], ...]


def by_coupling(coupling: np.ndarray) -> np.ndarray:
    """argmax_j T_ij over the real targets; −1 for a node without mass, and for all if T tells no two nodes apart.

    Equal entries: the lowest index.
    """
    mass = _mass(coupling) if tells_apart(coupling) else np.zeros_like(coupling)
    return np.where(mass.any(axis=1), mass.argmax(axis=1), -1)


def by_embedding(cross_cost: np.ndarray) -> np.ndarray:
    """argmin_j K(x_i, x_j) of an (n_s, n_t) cross cost; −1 for a row without a finite cost."""
    cost = np.where(np.isfinite(cross_cost), cross_cost, np.inf)
    return np.where(np.isfinite(cost).any(axis=1), cost.argmin(axis=1), -1)


def one_to_one(
    coupling: np.ndarray, slack_rows: np.ndarray | None = None, slack_columns: np.ndarray | None = None
) -> np.ndarray:
    """The injective matching of greatest total mass (linear assignment, deterministic).

    Dummies take part with their slack mass, so with unmatched mass the nodes left over are those that the coupling
    leaves unmatched; without it they are those that cost the least. A pair without mass is no match, and a coupling
    that tells no two nodes apart matches nothing: the order of the nodes must not decide.
    """
    n_s, n_t = coupling.shape
    if not tells_apart(coupling):
        return np.full(n_s, -1, dtype=np.int64)
    blocks = [_mass(coupling)]
    if slack_columns is not None and slack_columns.size:
        blocks.append(_mass(slack_columns))
    padded = np.hstack(blocks)
    if slack_rows is not None and slack_rows.size:
        padded = np.vstack([padded, _mass(slack_rows)])
    rows, columns = linear_sum_assignment(padded, maximize=True)
    real = (rows < n_s) & (columns < n_t) & (padded[rows, columns] > 0)
    matching = np.full(n_s, -1, dtype=np.int64)
    matching[rows[real]] = columns[real]
    return matching


def restricted(
    coupling: np.ndarray, slack_rows: np.ndarray, slack_columns: np.ndarray, pins: Sequence[Pin]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three blocks with no mass beside fixed pairs, nor on forbidden ones: what a matching is read from.

    Where masses differ, the larger node of a fixed pair has mass left for others, which is no match.
    """
    firm = [pin for pin in pins if pin.hard]
    if not firm:
        return coupling, slack_rows, slack_columns
    coupling, slack_rows, slack_columns = coupling.copy(), slack_rows.copy(), slack_columns.copy()
    for pin in firm:
        kept = coupling[pin.source, pin.target] if pin.kind == SAME else 0.0
        if pin.kind == SAME:
            coupling[pin.source], coupling[:, pin.target] = 0.0, 0.0
            slack_rows[:, pin.target], slack_columns[pin.source] = 0.0, 0.0
        coupling[pin.source, pin.target] = kept
    return coupling, slack_rows, slack_columns


def alternatives(
    coupling: np.ndarray, k: int = 5, slack_columns: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The k best targets of every source and their shares of the source's mass, slack included.

    Returns:
        (indices, shares), both (n_s, min(k, n_t)), best first, equal entries by index; share 0 for a node without mass.
    """
    mass = _mass(coupling)
    k = min(k, mass.shape[1])
    indices = np.sort(np.argpartition(mass, mass.shape[1] - k, axis=1)[:, mass.shape[1] - k :], axis=1)
    values = np.take_along_axis(mass, indices, axis=1)
    order = np.argsort(-values, axis=1, kind="stable")
    totals = mass.sum(axis=1) + (0 if slack_columns is None else _mass(slack_columns).sum(axis=1))
    shares = _share(np.take_along_axis(values, order, axis=1), totals[:, None])
    return np.take_along_axis(indices, order, axis=1), shares


def matched_pairs(
    coupling: np.ndarray,
    matching: np.ndarray,
    sure: np.ndarray,
    slack_columns: np.ndarray | None = None,
    tied: np.ndarray | None = None,
    k: int = 5,
) -> list[MatchedPair]:
    """The matched pairs by source index, each with up to k alternatives of at least 0.1% of the mass.

    Args:
        sure: (n_s,) from `confidence.confidence`.
        tied: (n_s,) bool, from `symmetry.tied_matches`; None marks nothing.

    Raises:
        InputError: if two sources have the same target.
    """
    check_injective(matching)
    indices, shares = alternatives(coupling, k + 1, slack_columns)
    pairs = []
    for i in np.flatnonzero(matching >= 0):
        others = [
            (int(j), float(share))
            for j, share in zip(indices[i], shares[i], strict=True)
            if j != matching[i] and share >= LEAST_SHARE
        ]
        pairs.append(
            MatchedPair(
                source=int(i),
                target=int(matching[i]),
                coupling=float(coupling[i, matching[i]]),
                confidence=float(sure[i]),
                tied=bool(tied is not None and tied[i]),
                alternatives=tuple(others[:k]),
            )
        )
    return pairs


def chosen_among_equals(coupling: np.ndarray, matching: np.ndarray) -> int:
    """Sources whose match gets no more of their mass than another target: the coupling leaves open which it is."""
    matched = np.flatnonzero(matching >= 0)
    rows = _mass(coupling)[matched]
    own = rows[np.arange(len(matched)), matching[matched]]
    return int(((rows >= (1 - _EQUAL) * own[:, None]).sum(axis=1) > 1).sum())


def is_one_to_one(matching: np.ndarray) -> bool:
    """Whether no two sources share a target."""
    targets = matching[matching >= 0]
    return len(np.unique(targets)) == len(targets)


def check_injective(matching: np.ndarray) -> None:
    """Raise InputError if two sources share a target."""
    if not is_one_to_one(matching):
        raise InputError("Two source nodes have the same target; use a one-to-one matching here.")


def tells_apart(coupling: np.ndarray) -> bool:
    """Whether a coupling is more than the product of its marginals, and so says anything about who matches whom."""
    mass = _mass(coupling)
    mass = mass[mass.any(axis=1)][:, mass.any(axis=0)]
    if mass.size < 2:
        return mass.size == 1
    if 1 in mass.shape:
        return bool(np.ptp(mass) > 1e-9 * mass.max())
    product = np.outer(mass.sum(axis=1), mass.sum(axis=0)) / mass.sum()
    return bool(np.abs(mass - product).max() > 1e-9 * mass.max())


def _mass(values: np.ndarray) -> np.ndarray:
    """The entries that carry mass; anything non-finite or negative carries none."""
    return np.where(np.isfinite(values) & (values > 0), values, 0.0)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part/whole, 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros_like(part), where=np.broadcast_to(whole > 0, part.shape))
