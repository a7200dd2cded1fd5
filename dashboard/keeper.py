"""When a run is put where the end of its process cannot take it: seldom enough to cost little, and at every rest."""

from __future__ import annotations

import os
import time
from pathlib import Path

from dashboard.branches import Branches
from dashboard.keeping import keep
from dashboard.safe import FOLDER, Safe

KEEP_SECONDS = 1.0
_SHARE = 0.1
"""Of the time of a running solver, at most this goes into keeping."""
_STANDARD_MB = 256


def history_bytes() -> int:
    """Bytes for the past states of a run, in memory and on disk each."""
    told = os.environ.get("GWL_HISTORY_MB", "")
    return 1_000_000 * (int(told) if told.isdecimal() else _STANDARD_MB)


class Keeper:
    """Keeps the runs of a process in the folder that GWL_KEEP names; without it, nothing.

    Attributes:
        step: newest step of the active run that is kept, −1 for none.
    """

    def __init__(self) -> None:
        folder = os.environ.get(FOLDER)
        self._safe = Safe(Path(folder) if folder else None, history_bytes())
        self._next = 0.0
        self.step = -1

    @property
    def fault(self) -> str:
        """Why the newest state is not kept, or ""."""
        return self._safe.fault

    def keep(self, branches: Branches, now: bool) -> None:
        """Keep what is new if it is time to, or now."""
        start = time.monotonic()
        if branches.active is None or not (now or start >= self._next):
            return
        if keep(self._safe, branches):
            self.step = branches.active.trajectory.state.step
        took = time.monotonic() - start
        self._next = start + took + max(KEEP_SECONDS, took / _SHARE)
