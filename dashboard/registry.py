"""The runs of this server: found again by their token, capped in number, queued beyond the cap, closed when unused."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, cast

from dashboard.client import Run
from gwl_core.errors import InputError

CAP = int(os.environ.get("GWL_MAX_RUNS") or max(4, os.cpu_count() or 1))
"""Processes at a time; each takes a core while it works, and about 400 MB."""
_IDLE_SECONDS = 1800.0
"""After this long without interest from its page, a run that takes no steps is closed."""
_YIELD_SECONDS = 60.0
"""After this long, one that takes no steps gives its place to a waiting one."""
_QUEUE_LENGTH = 100
_SPARE_AFTER = 1.5
"""Seconds after a page is drawn: the browser comes first."""


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

    def close(self) -> None:
        """End it."""


Kind = TypeVar("Kind", bound=Process)


class Registry(Generic[Kind]):
    """Runs by token. Only launched runs count against the cap; the others wait in the order they came."""

    def __init__(
        self,
        cap: int = CAP,
        idle_seconds: float = _IDLE_SECONDS,
        yield_seconds: float = _YIELD_SECONDS,
        make: Callable[[], Kind] | None = None,
    ) -> None:
        self._make = make or cast(Callable[[], Kind], lambda: Run())
        self._cap, self._idle, self._yield = cap, idle_seconds, yield_seconds
        self._lock = threading.Lock()
        self._runs: dict[str, Kind] = {}
        self._janitor: threading.Thread | None = None
        self._spare: Kind | None = None

    def warm(self) -> None:
        """Keep one process ready for whoever presses Play next: loading its libraries takes seconds."""
        with self._lock:
            full = sum(run.launched for run in self._runs.values()) >= self._cap
            if full or (self._spare is not None and self._spare.alive):
                return
            self._spare = self._make()
            timer = threading.Timer(_SPARE_AFTER, self._spare.launch)
        timer.daemon = True
        timer.start()

    def find(self, token: str) -> Kind | None:
        """The session's run, if it has one that was not closed."""
        with self._lock:
            run = self._runs.get(token)
            if run:
                run.used = time.monotonic()
            return run

    def open(self, token: str) -> Kind:
        """The session's run; a new one if there is none or its process is gone. Launched at once if there is room.

        Raises:
            InputError: too many are waiting already.
        """
        with self._lock:
            run = self._runs.get(token)
            if run is None or not run.alive:
                if sum(not r.launched for r in self._runs.values()) >= _QUEUE_LENGTH:
                    raise InputError("The server is busy with other runs: try again in a few minutes.")
                self._runs.pop(token, None)
                spare, self._spare = self._spare, None
                run = self._runs[token] = spare if spare is not None and spare.alive else self._make()
            run.used = time.monotonic()
            if self._janitor is None:
                self._janitor = threading.Thread(target=self._tidy, daemon=True)
                self._janitor.start()
        self.pump()
        return run

    def close(self, token: str) -> None:
        """End a session's run."""
        with self._lock:
            run = self._runs.pop(token, None)
        if run:
            run.close()
            self.pump()

    def place(self, token: str) -> int:
        """A run's place in the queue, 1 for the next; 0 once it is launched. Asking keeps the place."""
        self.find(token)
        self.pump()
        with self._lock:
            waiting = [key for key, run in self._runs.items() if not run.launched]
        return waiting.index(token) + 1 if token in waiting else 0

    def pump(self) -> None:
        """Launch waiting runs as far as the cap allows, closing runs that nobody has used for a while."""
        now = time.monotonic()
        with self._lock:
            for token, run in list(self._runs.items()):
                if not run.launched and now - run.used > self._yield:
                    del self._runs[token]  # its page is gone
            waiting = [run for run in self._runs.values() if not run.launched]
            launched = {t: r for t, r in self._runs.items() if r.launched and r.alive}
            idle = sorted((r.used, t) for t, r in launched.items() if not r.busy)
            for used, token in idle:
                wanted = len(launched) >= self._cap and len(waiting) > 0
                if now - used > self._idle or (wanted and now - used > self._yield):
                    launched.pop(token)
                    self._runs.pop(token).close()
            for run in waiting[: max(0, self._cap - len(launched))]:
                run.launch()

    def shut_down(self) -> None:
        """Close every run."""
        with self._lock:
            runs = [*self._runs.values(), *([self._spare] if self._spare else [])]
            self._runs.clear()
            self._spare = None
        for run in runs:
            run.close()

    def _tidy(self) -> None:
        while True:
            time.sleep(min(15.0, self._yield))
            self.pump()


RUNS: Registry[Run] = Registry()
