"""The runs of this server: found again by their token, capped in number, queued beyond the cap, closed when unused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, cast

from dashboard import faults, journal
from dashboard.client import Run
from dashboard.limits import Limits, limits
from dashboard.presence import PRESENCE, VISITORS
from gwl_core.errors import InputError

_SPARE_AFTER = 1.5
"""Seconds after a page is drawn: the browser comes first."""
_ROUND_SECONDS = 2.0


class Process(Protocol):
    """What the registry must know of a run."""

    used: float

    @property
    def launched(self) -> bool: ...

    @property
    def alive(self) -> bool: ...

    @property
    def busy(self) -> bool: ...

    def launch(self) -> None:
        """Start the process, once."""

    def close(self, reason: str = ...) -> None:
        """End it for a reason of `faults`; what it kept stays."""

    def forget(self) -> None:
        """End it, and remove what it kept."""


Kind = TypeVar("Kind", bound=Process)


class Registry(Generic[Kind]):
    """Runs by token. Processes count against the cap; other runs wait in the order they came.

    A run without a process may still hold what its process kept: it stays until it is unused for long.

    Args:
        kind: the limit that caps the processes at a time: "runs" or "experiments".
        make: makes a run.
        here: whether a token's tab is open.
        given: None for the server's limits.
    """

    def __init__(
        self,
        kind: str = "runs",
        make: Callable[[], Kind] | None = None,
        here: Callable[[str], bool] = PRESENCE.here,
        given: Limits | None = None,
    ) -> None:
        self._make = make or cast(Callable[[], Kind], lambda: Run())
        self._here, self._kind, self._given = here, kind, given
        self._lock = threading.Lock()
        self._runs: dict[str, Kind] = {}
        self._seen: dict[str, float] = {}
        self._janitor: threading.Thread | None = None
        self._spare: Kind | None = None
        VISITORS.book(self.at_work)

    @property
    def cap(self) -> int:
        """Processes at a time."""
        return int(getattr(self._limits, self._kind))

    @property
    def _limits(self) -> Limits:
        return self._given or limits()

    def warm(self) -> None:
        """Keep one process ready for whoever presses Play next: loading its libraries takes seconds."""
        with self._lock:
            full = sum(run.launched and run.alive for run in self._runs.values()) >= self.cap
            if full or (self._spare is not None and self._spare.alive):
                return
            self._spare = spare = self._make()
            timer = threading.Timer(_SPARE_AFTER, lambda: self._launch_spare(spare))
        timer.daemon = True
        timer.start()

    def find(self, token: str) -> Kind | None:
        """The session's run, if it has one; its process may be gone."""
        with self._lock:
            run = self._runs.get(token)
            if run:
                run.used = time.monotonic()
            return run

    def open(self, token: str, resuming: bool = False) -> Kind:
        """The session's run; a new one if there is none or its process is gone. Launched at once if there is room.

        Args:
            resuming: the new one takes over what the old one kept.

        Raises:
            InputError: too many are waiting already, or the visitor has too many at work.
        """
        VISITORS.admit(token)
        old: Kind | None = None
        with self._lock:
            run = self._runs.get(token)
            if run is None or not run.alive:
                self._admit()
                old = self._runs.pop(token, None)
                spare, self._spare = self._spare, None
                run = self._runs[token] = spare if spare is not None and spare.alive else self._make()
            run.used = self._seen[token] = time.monotonic()
            if self._janitor is None:
                self._janitor = threading.Thread(target=self._tidy, daemon=True)
                self._janitor.start()
        if old is not None and not resuming:
            old.forget()
        self.pump()
        return run

    def close(self, token: str) -> None:
        """End a session's run."""
        with self._lock:
            run = self._runs.pop(token, None)
        if run:
            run.forget()
            self.pump()

    def at_work(self) -> list[str]:
        """Tokens of runs that work or wait."""
        with self._lock:
            return [token for token, run in self._runs.items() if run.alive and (run.busy or not run.launched)]

    def place(self, token: str) -> int:
        """A run's place in the queue, 1 for the next; 0 once it is launched."""
        self.find(token)
        self.pump()
        with self._lock:
            waiting = [key for key, run in self._runs.items() if run.alive and not run.launched]
        return waiting.index(token) + 1 if token in waiting else 0

    def pump(self) -> None:
        """Launch waiting runs as far as the cap allows; end those whose tab is closed and those that nobody uses."""
        now = time.monotonic()
        with self._lock:
            for token, run in list(self._runs.items()):
                self._visit(token, run, now)
            waiting = [run for run in self._runs.values() if run.alive and not run.launched]
            launched = {t: r for t, r in self._runs.items() if r.launched and r.alive}
            resting = sorted((run.used, t) for t, run in launched.items() if not run.busy)
            for used, token in resting[: max(0, len(waiting) - max(0, self.cap - len(launched)))]:
                if now - used > self._limits.rest_seconds:
                    launched.pop(token).close(faults.ROOM)
                    journal.tell("run closed", reason=faults.ROOM)
            for run in waiting[: max(0, self.cap - len(launched))]:
                _launch(run)

    def _launch_spare(self, spare: Kind) -> None:
        """Launch it, unless it is somebody's run by now, which may have to wait its turn."""
        with self._lock:
            if spare is self._spare:
                _launch(spare)

    def _admit(self) -> None:
        """Refuse one more run if the queue is full; called with the lock held."""
        alive = [run for run in self._runs.values() if run.alive]
        launched = sum(run.launched for run in alive)
        if launched >= self.cap and len(alive) - launched >= self._limits.queue:
            raise InputError("The server is busy with other runs: try again in a few minutes.")

    def _visit(self, token: str, run: Kind, now: float) -> None:
        """End a run whose time is over; called with the lock held."""
        if self._here(token):
            self._seen[token] = now
        away = now - max(self._seen.get(token, 0.0), run.used)
        if run.alive and away > self._limits.grace_seconds:
            journal.tell("run closed", reason=faults.AWAY, waiting=not run.launched)
            run.close(faults.AWAY)
        elif run.alive and run.launched and not run.busy and now - run.used > self._limits.idle_seconds:
            journal.tell("run closed", reason=faults.IDLE)
            run.close(faults.IDLE)
        if not run.alive and away > self._limits.idle_seconds:
            del self._runs[token]
            self._seen.pop(token, None)
            run.forget()
            PRESENCE.forget(token)

    def shut_down(self) -> None:
        """Close every run."""
        with self._lock:
            runs = [*self._runs.values(), *([self._spare] if self._spare else [])]
            self._runs.clear()
            self._spare = None
        for run in runs:
            run.forget()

    def _tidy(self) -> None:
        while True:
            time.sleep(_ROUND_SECONDS)
            self.pump()


def _launch(run: Process) -> None:
    """Start a run's process; where the system has none to give, the run is closed and says so."""
    try:
        run.launch()
    except OSError as error:
        journal.tell("run not started", error=type(error).__name__, number=error.errno)
        run.close(faults.NOT_STARTED)


RUNS: Registry[Run] = Registry()
