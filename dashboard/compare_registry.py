"""The comparisons of this server: found again by their token, capped in number, queued beyond the cap."""

from __future__ import annotations

import os
import threading
import time

from dashboard.compare_run import Asked, CompareRun
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem

CAP = int(os.environ.get("GWL_MAX_COMPARISONS") or max(1, (os.cpu_count() or 1) // 2))
"""Comparisons at a time; each takes a core or two while it works."""
_QUEUE_LENGTH = 50
_KEPT = 100
_LEFT_SECONDS = 60.0
"""A waiting comparison that its page has not asked about for so long is dropped."""


class Comparisons:
    """Comparisons by token: one each, the newest."""

    def __init__(self, cap: int = CAP) -> None:
        self._cap = cap
        self._lock = threading.Lock()
        self._runs: dict[str, CompareRun] = {}

    def find(self, token: str) -> CompareRun | None:
        """The session's comparison, at work or finished. Asking keeps its place in the queue."""
        with self._lock:
            run = self._runs.get(token)
            if run:
                run.used = time.monotonic()
            return run

    def begin(self, token: str, asked: Asked, problem: MatchingProblem) -> CompareRun:
        """Start a comparison in place of the session's last one, or queue it.

        Raises:
            InputError: too many are waiting already.
        """
        with self._lock:
            old = self._runs.pop(token, None)
            if sum(run.busy and not run.launched for run in self._runs.values()) >= _QUEUE_LENGTH:
                raise InputError("The server is busy with other comparisons: try again in a few minutes.")
            run = self._runs[token] = CompareRun(asked, problem, self.pump)
            finished = [key for key, one in self._runs.items() if not one.busy]
            for key in sorted(finished, key=lambda key: self._runs[key].used)[: max(0, len(finished) - _KEPT)]:
                del self._runs[key]
        if old is not None:
            old.close()
        self.pump()
        return run

    def place(self, token: str) -> int:
        """A comparison's place in the queue, 1 for the next; 0 once it is launched."""
        self.find(token)
        self.pump()
        with self._lock:
            waiting = [key for key, run in self._runs.items() if run.busy and not run.launched]
        return waiting.index(token) + 1 if token in waiting else 0

    def pump(self) -> None:
        """Launch waiting comparisons as far as the cap allows."""
        now = time.monotonic()
        with self._lock:
            for token, run in list(self._runs.items()):
                if run.busy and not run.launched and now - run.used > _LEFT_SECONDS:
                    del self._runs[token]
            waiting = [run for run in self._runs.values() if run.busy and not run.launched]
            at_work = sum(run.busy and run.launched for run in self._runs.values())
            for run in waiting[: max(0, self._cap - at_work)]:
                run.launch()


COMPARISONS = Comparisons()
