"""Work with a cap on its CPU time, so that a busy machine cuts nobody short: in a process of its own, ended by it."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from time import monotonic
from types import TracebackType
from typing import Any

Work = Callable[..., Any]
"""A module-level function (…, tell); what it tells on the way counts if the cap cuts it short. It tells a function that
makes the value, whose time is not the work's."""


class Capped:
    """One worker process, started when needed and used again until a cap ends it; a context manager."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Capped:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(self, seconds: float, work: Work, *arguments: Any) -> tuple[Any, bool]:
        """(what the work returned, False), or (what it told last or None, True) if the cap cut it short.

        The cap counts CPU seconds of the work, not the start of the process; a wait of a hundred times as long, which
        even a busy machine does not explain, ends it too.

        Raises:
            RuntimeError: the work failed, with its own words.
        """
        pipe = self._started()
        pipe.send((seconds, work, arguments))
        last, until = None, monotonic() + 100 * seconds
        while pipe.poll(max(0.0, until - monotonic())):
            try:
                kind, value = pipe.recv()
            except (EOFError, OSError):  # at once, or in the middle of a message
                self._process.join()
                if self._process.exitcode != -signal.SIGPROF:
                    self._end()
                    raise RuntimeError(f"the process of {work.__name__} ended by itself") from None
                break
            if kind == "done":
                return value, False
            if kind == "failed":
                raise RuntimeError(value)
            last = value
        self._end()
        return last, True

    def _started(self) -> Connection:
        if self._pipe is None:
            self._pipe, theirs = self._context.Pipe()
            self._process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            self._pipe.recv()  # ready
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _serve(pipe: Connection) -> None:
    import torch  # noqa: F401  the slow part of a start

    pipe.send("ready")
    while True:
        try:
            seconds, work, arguments = pipe.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)  # SIGPROF ends the process, whatever library it is in
        try:
            pipe.send(("done", work(*arguments, partial(_tell, pipe))))
        except Exception as error:  # noqa: BLE001  told to the parent, which raises it
            with suppress(BrokenPipeError):  # the parent was ended meanwhile
                pipe.send(("failed", f"{type(error).__name__}: {error}"))
        signal.setitimer(signal.ITIMER_PROF, 0)


def _tell(pipe: Connection, make: Callable[[], Any]) -> None:
    """Make a value and send it, with the cap's clock at rest."""
    left, _ = signal.setitimer(signal.ITIMER_PROF, 0)
    pipe.send(("told", make()))
    signal.setitimer(signal.ITIMER_PROF, max(left, 0.001))
