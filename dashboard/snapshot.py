"""What a run's process tells the page: plain numbers and arrays, merged from frames that carry only what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from dashboard.protocol import Message
from gwl_core.result import Measures, Status

PHASES = ("coupling", "embedding", "polish", "averaging")
HISTORY = (
    "step", "outer", "inner", "phase", "alpha", "gamma", "objective", "gw_discrepancy", "change", "marginal_error",
    "node_correctness_coupling", "node_correctness_embedding", "node_correctness_one_to_one", "edge_correctness",
    "unmatched", "round",
)  # fmt: skip
"""Columns of a history: one row per step, `phase` an index into PHASES, NaN where a measure was not taken, or where a
step belongs to no round of a search."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """The one-to-one matching of a state at rest, a row per pair, surest first.

    Attributes:
        source, target: (p,) node indices.
        coupling, confidence: (p,) T_ij, and 0 to 1.
        tied: (p,) whether a symmetry makes another match as good.
        alternatives, shares: (p, k) next best targets, −1 for none, and their shares of the source's mass.
    """

    source: np.ndarray
    target: np.ndarray
    coupling: np.ndarray
    confidence: np.ndarray
    tied: np.ndarray
    alternatives: np.ndarray
    shares: np.ndarray


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A run as it was last heard of.

    Attributes:
        done: number of the last command acted on.
        state: empty, ready, running, paused, stopped, finished or failed.
        busy: whether more will come without a command.
        last: steps taken; `shown` is the step that the arrays and measures belong to.
        generation: grows when the run starts over or forks.
        rate: steps per second, or None; `estimate` the expected number of steps.
        coupling: (n_s, n_t) float32.
        matching, confidence: (n_s,) target of each source, −1 for none, and 0 to 1: one-to-one at rest, the largest
            coupling entry while running.
        points: (n_s + n_t, 2) float32 positions, source first; `points_*` say what they are.
        history, ghost: (steps, len(HISTORY)) float64; the ghost holds the other runs, one after another.
        branches: all runs, as `branches.Branches.summary` describes them.
        leader, running: rounds (from 0) of a search: that of the best candidate so far, and the one that goes on.
        spacing: steps between the states that are kept as they were; those between are computed again.
        kept: newest step that the end of the process cannot take, −1 for none; `kept_fault` why no newer one.
        version: grows with every frame.
    """

    done: int = -1
    state: str = "empty"
    busy: bool = False
    last: int = 0
    shown: int = 0
    generation: int = 0
    outer: int = 0
    inner: int = 0
    phase: str = "coupling"
    alpha: float = 0.0
    gamma: float | None = None
    rate: float | None = None
    estimate: int = 0
    status: Status = field(default_factory=lambda: Status("ready", ""))
    measures: Measures | None = None
    notices: tuple[str, ...] = ()
    error: str | None = None
    coupling: np.ndarray | None = None
    matching: np.ndarray | None = None
    confidence: np.ndarray | None = None
    points: np.ndarray | None = None
    points_kind: str = "tsne"
    points_step: int = 0
    points_note: str = ""
    pairs: Pairs | None = None
    history: np.ndarray = field(default_factory=lambda: np.empty((0, len(HISTORY))))
    ghost: np.ndarray | None = None
    branches: tuple[Mapping[str, Any], ...] = ()
    spacing: int = 1
    leader: int | None = None
    running: int | None = None
    kept: int = -1
    kept_fault: str = ""
    version: int = 0

    @property
    def live(self) -> bool:
        """Whether the newest step is shown."""
        return self.shown >= self.last

    @property
    def candidate(self) -> int | None:
        """The number, from 1, of the candidate that a search is at; None outside a search."""
        if self.outer or self.phase == "embedding" or not len(self.history):
            return None
        number = self.column("round")[-1]
        return None if np.isnan(number) else int(number) + 1

    def column(self, name: str) -> np.ndarray:
        """One column of the history."""
        return self.history[:, HISTORY.index(name)]


_SCALARS = frozenset(f.name for f in fields(Snapshot)) - {
    "status", "measures", "notices", "coupling", "matching", "confidence", "points", "pairs", "history", "ghost",
    "branches", "version",
}  # fmt: skip


class Merger:
    """Builds the newest snapshot from frames. One thread feeds it; the snapshots it returns never change."""

    def __init__(self) -> None:
        self.snapshot = Snapshot()
        self._rows = np.empty((1024, len(HISTORY)))
        self._count = 0

    def merge(self, message: Message) -> Snapshot:
        """The snapshot after one more "snapshot" message; what the message leaves out stays."""
        values, arrays = message.values, message.arrays
        changes: dict[str, Any] = {name: values[name] for name in _SCALARS if name in values}
        if "status" in values:
            changes["status"] = Status(**values["status"])
        if "measures" in values:
            changes["measures"] = Measures(**values["measures"]) if values["measures"] else None
        if "notices" in values:
            changes["notices"] = tuple(values["notices"])
        if "branches" in values:
            changes["branches"] = tuple(values["branches"])
        changes |= {name: arrays[name] for name in ("coupling", "matching", "confidence", "points") if name in arrays}
        changes |= {name: None for name in values.get("cleared", ()) if name in ("coupling", "points", "pairs")}
        if "pairs.source" in arrays:
            changes["pairs"] = Pairs(**{f.name: arrays[f"pairs.{f.name}"] for f in fields(Pairs)})
        changes |= self._history(values, arrays)
        if "ghost" in arrays:
            changes["ghost"] = arrays["ghost"] if len(arrays["ghost"]) else None
        self.snapshot = replace(self.snapshot, version=self.snapshot.version + 1, **changes)
        return self.snapshot

    def _history(self, values: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        if values.get("generation", self.snapshot.generation) != self.snapshot.generation:
            kept = int(values.get("forked_at", 0))
            changes["ghost"] = self.snapshot.history if kept else None
            self._rows = np.concatenate([self.snapshot.history[:kept], np.empty((1024, len(HISTORY)))])
            self._count = kept
            changes["history"] = self._rows[:kept]
        new = arrays.get("history")
        if new is not None and len(new):
            end = self._count + len(new)
            if end > len(self._rows):
                self._rows = np.concatenate([self._rows[: self._count], np.empty((end, len(HISTORY)))])
            # Rows beyond every snapshot handed out so far: writing here changes none of them.
            self._rows[self._count : end] = new
            self._count = end
            changes["history"] = self._rows[:end]
        return changes
