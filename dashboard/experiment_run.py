"""The page's handle of an experiment's process: starts and stops it, knows how far it is. No Streamlit here."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from dashboard import faults, journal
from dashboard.pipes import environment
from dashboard.registry import Registry

_LOG = logging.getLogger(__name__)
_GRACE_SECONDS = 10.0
"""Time to end workers in, before the process is killed."""
COMMAND = (sys.executable, "-m", "dashboard.experiment_worker")


@dataclass(frozen=True)
class Far:
    """How far an experiment is: trials, and seconds left where known."""

    done: int = 0
    reused: int = 0
    total: int = 0
    failed: int = 0
    left: float | None = None


class ExperimentRun:
    """One process at a time. Safe to use from several threads.

    Attributes:
        asked: what it was started with, to be compared; None before.
        used: time.monotonic() of the page's last interest in it.
        sentence: the last thing the process said other than progress.
        stopped: whether somebody pressed Stop.
        died: exit status of a process that ended by itself before its end.
    """

    def __init__(self) -> None:
        self.asked: object = None
        self.used = time.monotonic()
        self.far = Far()
        self.sentence = ""
        self.stopped = False
        self.died = 0
        self._arguments: Sequence[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._launched = self._closed = self._ended = False
        self._lock = threading.Lock()

    @property
    def launched(self) -> bool:
        return self._launched

    @property
    def alive(self) -> bool:
        """Whether it works, or may yet be started."""
        return not (self._closed or self._ended)

    @property
    def busy(self) -> bool:
        return self.alive and self._arguments is not None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def begin(self, asked: object, arguments: Sequence[str]) -> None:
        """Say what to run; it starts as soon as the registry has a place for it."""
        with self._lock:
            self.asked, self._arguments = asked, arguments
            self._start()

    def launch(self) -> None:
        """Take a place; called by the registry."""
        with self._lock:
            self._launched = True
            self._start()

    def stop(self) -> None:
        """End the process; finished trials are kept."""
        self.stopped = True
        with self._lock:
            self._ended = self._ended or self._process is None
            process = self._process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
            threading.Thread(target=_kill_later, args=(process,), daemon=True).start()

    def close(self, reason: str = faults.ENDED) -> None:
        self._closed = True
        self.stop()

    def forget(self) -> None:
        """End it; finished trials are results, and stay."""
        self.close()

    def wait(self, timeout: float) -> bool:
        """Wait for the end of the process; False if it still runs."""
        deadline = time.monotonic() + timeout
        while self.busy and time.monotonic() < deadline:
            time.sleep(0.02)
        return not self.busy

    def _start(self) -> None:
        if not self._launched or self._arguments is None or self._process is not None or not self.alive:
            return
        self._process = subprocess.Popen(
            [*COMMAND, *self._arguments, "--progress-json"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, start_new_session=True, env=environment(),
        )  # fmt: skip
        threading.Thread(target=self._listen, args=(self._process, self._process.stderr), daemon=True).start()

    def _listen(self, process: subprocess.Popen[bytes], stream: BinaryIO) -> None:
        with stream:
            for line in iter(lambda: stream.readline(20_000), b""):
                self._take(line.decode("utf-8", "replace").strip())
        code = process.wait()
        if process.stdin:
            process.stdin.close()
        if code and not self.stopped:
            journal.tell("experiment process died", status=code)
            self.died = code
        self._ended = True

    def _take(self, line: str) -> None:
        if line.startswith("{"):
            try:
                told: dict[str, Any] = json.loads(line)
                self.far = Far(**{name: told[name] for name in Far.__dataclass_fields__})
            except (ValueError, KeyError):
                _LOG.debug("not progress: %s", line)
        elif line.startswith("gwl_core: "):
            self.sentence = line.removeprefix("gwl_core: ")
        elif line:
            _LOG.debug("experiment: %s", line)


def _kill_later(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


EXPERIMENTS: Registry[ExperimentRun] = Registry("experiments", ExperimentRun)
