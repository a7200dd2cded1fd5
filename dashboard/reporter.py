"""Snapshots out of a run's process: seldom enough for any size, and only with what the page does not know yet."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from dashboard.branches import Branches
from dashboard.keeper import Keeper
from dashboard.projection import Projection
from dashboard.protocol import Message
from dashboard.views import View, history_rows, pair_arrays
from gwl_core.result import Status
from gwl_core.state import State

SNAPSHOT_SECONDS = 0.25
_SHARE = 0.2
"""Of the time of a running solver, at most this goes into snapshots."""


class Reporter:
    """What the page knows already, and the way to tell it more.

    Attributes:
        done: number of the last command acted on.
        error: the sentence it ended with, or None.

    Args:
        post: takes messages for the page.
        free: whether the page has taken all earlier messages.
        keeper: knows what the end of the process cannot take.
    """

    def __init__(self, post: Callable[[Message], None], free: Callable[[], bool], keeper: Keeper) -> None:
        self.post, self._free, self._keeper = post, free, keeper
        self.done = -1
        self.error: str | None = None
        self._generation, self._forked_at = 0, 0
        self._rows, self._ghost_known = 0, True
        self._view: View | None = None
        self._frame: Projection | None = None
        self._rate = Rate()
        self._next = -math.inf

    def start_over(self, kept: int) -> None:
        """Another branch begins, of which the page knows the first `kept` steps."""
        self._generation += 1
        self._forked_at = self._rows = kept
        self._ghost_known = False

    def ghost_changed(self) -> None:
        """Other runs than before are to be seen beside the active one."""
        self._ghost_known = False

    def play_begins(self, step: int) -> None:
        self._rate.restart(step)

    def due(self) -> bool:
        """Whether a running solver should tell how it stands."""
        return time.monotonic() >= self._next and self._free()

    def took(self, seconds: float) -> None:
        """Note what a snapshot cost to make, from which follows when the next is due."""
        self._next = time.monotonic() + max(SNAPSHOT_SECONDS, seconds / _SHARE)

    def plain(self, state: str) -> None:
        """Tell the state of a process that has no run to show."""
        self.post(Message("snapshot", self._always(state, busy=False)))

    def report(
        self, branches: Branches, state: str, status: Status, busy: bool, view: View, frame: Projection | None
    ) -> None:
        """Tell where the run stands, with every array that is new."""
        assert branches.active is not None
        run = branches.active.trajectory
        step = run.state.step
        values = self._always(state, busy) | {
            "last": step, "shown": view.step, "status": asdict(status),
            "notices": list(view.result.notices) if view.result else [],
            "rate": self._rate.now(step) if state == "running" else None,
            "estimate": run.total_steps_estimate, "measures": asdict(view.measures) if view.measures else None,
            "branches": branches.summary(), "spacing": run.spacing, **_search(run.state), **view.position,
        }  # fmt: skip
        arrays = {"history": history_rows(run.infos[self._rows :])}
        cleared: list[str] = []
        if not self._ghost_known:
            arrays["ghost"] = branches.ghost()
            self._ghost_known = True
        self._rows = step
        if view is not self._view:
            arrays |= {"coupling": view.coupling, "matching": view.matching, "confidence": view.confidence}
            if view.result:
                arrays |= pair_arrays(view.pairs)
            else:
                cleared.append("pairs")
            self._view = view
        if frame is not self._frame:
            if frame is None or frame.positions is None:
                cleared.append("points")
            else:
                arrays["points"] = frame.positions.astype(np.float32)
            if frame is not None:
                values |= {"points_kind": frame.kind, "points_step": frame.step, "points_note": frame.note}
            self._frame = frame
        self.post(Message("snapshot", values | {"cleared": cleared}, arrays))

    def _always(self, state: str, busy: bool) -> dict[str, Any]:
        return {
            "done": self.done, "state": state, "busy": busy, "error": self.error,
            "generation": self._generation, "forked_at": self._forked_at, "kept": self._keeper.step,
            "kept_fault": self._keeper.fault,
        }  # fmt: skip


def _search(state: State) -> dict[str, int | None]:
    """The round of a search that leads, and the one that goes on."""
    searching = state.best is not None and state.outer == 0 and state.phase in ("coupling", "polish")
    return {
        "leader": None if state.best is None else state.best_round, "running": state.round if searching else None,
    }  # fmt: skip


class Rate:
    """Steps per second over the last few snapshots."""

    def __init__(self) -> None:
        self._window: deque[tuple[float, int]] = deque(maxlen=24)

    def restart(self, step: int) -> None:
        self._window.clear()
        self._window.append((time.monotonic(), step))

    def now(self, step: int) -> float | None:
        self._window.append((time.monotonic(), step))
        (start, first), (end, last) = self._window[0], self._window[-1]
        return (last - first) / (end - start) if last > first and end > start else None
