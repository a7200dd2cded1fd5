"""The comparisons of this server: found again by their token, capped in number, queued beyond the cap."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from dashboard import journal
from dashboard.compare_run import Asked, CompareRun
from dashboard.limits import Limits, limits
from dashboard.presence import PRESENCE, VISITORS
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem

_KEPT = 100
_ROUND_SECONDS = 2.0


class Comparisons:
    """Comparisons by token: one each, the newest."""

    def __init__(self, here: Callable[[str], bool] = PRESENCE.here, given: Limits | None = None) -> None:
        self._here, self._given = here, given
        self._lock = threading.Lock()
        self._runs: dict[str, CompareRun] = {}
        self._janitor: threading.Thread | None = None
        VISITORS.book(self.at_work)

    @property
    def _limits(self) -> Limits:
        return self._given or limits()

    def at_work(self) -> list[str]:
        """Tokens of comparisons that work or wait."""
        with self._lock:
            return [token for token, run in self._runs.items() if run.busy]

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
            InputError: too many are waiting already, or the visitor has too many at work.
        """
        VISITORS.admit(token)
        with self._lock:
            busy = [run for key, run in self._runs.items() if run.busy and key != token]
            launched = sum(run.launched for run in busy)
            if launched >= self._limits.comparisons and len(busy) - launched >= self._limits.queue:
                raise InputError("The server is busy with other comparisons: try again in a few minutes.")
            old = self._runs.pop(token, None)
            if self._janitor is None:
                self._janitor = threading.Thread(target=self._tidy, daemon=True)
                self._janitor.start()
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
        """Launch waiting comparisons as far as the cap allows; end those whose tab is closed."""
        now = time.monotonic()
        with self._lock:
            for token, run in self._runs.items():
                if self._here(token):
                    run.seen = now
                elif run.busy and now - max(run.seen, run.used) > self._limits.grace_seconds:
                    journal.tell("comparison ended after its tab was closed", waiting=not run.launched)
                    run.close()
            waiting = [run for run in self._runs.values() if run.busy and not run.launched]
            at_work = sum(run.busy and run.launched for run in self._runs.values())
            for run in waiting[: max(0, self._limits.comparisons - at_work)]:
                run.launch()

    def shut_down(self) -> None:
        """End every comparison."""
        with self._lock:
            runs = list(self._runs.values())
            self._runs.clear()
        for run in runs:
            run.close()

    def _tidy(self) -> None:
        while True:
            time.sleep(_ROUND_SECONDS)
            self.pump()


COMPARISONS = Comparisons()
