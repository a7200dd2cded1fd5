"""The page's handle of a comparison's process: starts and stops it, keeps its rows, survives its death."""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

from dashboard import faults, journal, protocol
from dashboard.fence import OUT_OF_MEMORY
from dashboard.pipes import environment
from dashboard.protocol import Message, ProtocolError
from dashboard.text import compare as text
from gwl_core.problem import MatchingProblem

if TYPE_CHECKING:
    from gwl_core.comparison import MethodRun

_LOG = logging.getLogger(__name__)
COMMAND = (sys.executable, "-m", "dashboard.compare_worker")
GRACE = 2.0
"""Seconds that a method may take to hear Stop or its cap, before its process is ended."""
MEASURES_GRACE = 15.0
"""Seconds that the measures of a method that has heard may take."""
_LOG_BYTES = 4000


@dataclass(frozen=True)
class Asked:
    """What to compare: graphs by the page's choice of them, methods in their order, seed, seconds for each method."""

    origin: object
    methods: tuple[str, ...]
    seed: int
    cap: float


@dataclass(frozen=True)
class At:
    """The method at hand: how far it is, and when by time.monotonic() it began and was over but for its measures."""

    key: str
    share: float
    text: str
    began: float
    over: float | None = None


class CompareRun:
    """One comparison. Safe to use from several threads.

    Attributes:
        asked, problem: what it compares.
        rows: finished methods, in their order.
        at: the method at hand.
        used, seen: time.monotonic() of the page's last interest in it, and of when its tab was last open.
        stopped: whether somebody pressed Stop.
        log: the last words of its process.
    """

    def __init__(self, asked: Asked, problem: MatchingProblem, on_end: Callable[[], None] = lambda: None) -> None:
        self.asked, self.problem = asked, problem
        self.rows: tuple[MethodRun, ...] = ()
        self.at: At | None = None
        self.used = self.seen = time.monotonic()
        self.stopped = self.launched = False
        self.log = ""
        self._on_end = on_end
        self._ended = threading.Event()
        self._stop_at = 0.0
        self._reason = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._lock, self._sending = threading.Lock(), threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether it works, or waits to be launched."""
        return not self._ended.is_set()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def launch(self) -> None:
        """Start the process; called by the registry."""
        with self._lock:
            if self.launched or not self.busy:
                return
            self.launched = True
        threading.Thread(target=self._drive, name="comparison", daemon=True).start()

    def stop(self) -> None:
        """End the method at hand with the best it has, and leave out the rest."""
        with self._lock:
            if self.stopped or not self.busy:
                return
            self.stopped, self._stop_at = True, time.monotonic()
            process = self._process
            if not self.launched:
                self.launched = True
                self._ended.set()
        if process is not None:  # from a thread: a process that does not read yet must not hold up a script
            threading.Thread(target=self._send, args=(process, Message("stop")), daemon=True).start()

    def close(self) -> None:
        """End it at once."""
        self.stop()
        with self._lock:
            process = self._process
        if process is not None:
            process.kill()

    def wait(self, timeout: float) -> bool:
        """Wait for the end; False if it still works."""
        return self._ended.wait(timeout)

    def _left(self) -> list[str]:
        done = {row.key for row in self.rows}
        return [key for key in self.asked.methods if key not in done]

    def _drive(self) -> None:
        """One process for all methods; another for the rest where a method takes its process down."""
        try:
            while self._left() and not self.stopped:
                self._one_process(self._left())
        except Exception:  # noqa: BLE001  its thread has nobody else to tell
            _LOG.exception("a comparison failed")
        finally:
            self.at = None
            self._ended.set()
            self._on_end()

    def _one_process(self, keys: list[str]) -> None:
        self._reason = ""
        process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True, env=environment(),
        )  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        with self._lock:
            self._process = process
        made = protocol.problem_message(self.problem)
        about = {"methods": keys, "seed": self.asked.seed, "cap": self.asked.cap}
        for work, arguments in (
            (self._send, (process, Message("start", {**made.values, **about}, made.arrays))),
            (self._keep_log, (process.stderr,)),
            (self._watch, (process,)),
        ):
            threading.Thread(target=work, args=arguments, daemon=True).start()
        with process.stdout as stream:
            whole = self._listen(stream)
        if not whole:
            process.kill()
        code = process.wait()
        with self._sending, contextlib.suppress(OSError):
            process.stdin.close()
        if not whole:
            self._give_up(keys, code)

    def _listen(self, stream: IO[bytes]) -> bool:
        """Take messages to the end; False if they broke off."""
        try:
            while (message := protocol.read(cast("BinaryIO", stream))) is not None:
                if message.kind == "end":
                    return True
                self._take(message)
        except (ProtocolError, OSError, ValueError, TypeError, KeyError) as error:
            _LOG.warning("a comparison's process sent something unreadable: %s", type(error).__name__)
        return False

    def _take(self, message: Message) -> None:
        values = message.values
        if message.kind == "begin":
            self.at = At(values["key"], 0.0, "", time.monotonic())
        elif message.kind == "progress" and self.at is not None and values["key"] == self.at.key:
            self.at = replace(self.at, share=float(values["share"]), text=str(values["text"]))
        elif message.kind == "measuring" and self.at is not None and values["key"] == self.at.key:
            self.at = replace(self.at, over=time.monotonic())
        elif message.kind == "row":
            self.rows, self.at = (*self.rows, row_of(message)), None

    def _give_up(self, keys: list[str], code: int) -> None:
        """A row for the method that the process died of."""
        from gwl_core.comparison import MethodRun, method_title

        at = self.at
        key = at.key if at is not None else keys[0]
        reason = text.OUT_OF_MEMORY if code == OUT_OF_MEMORY else self._reason or text.DIED.format(why=faults.why(code))
        words = journal.without_contents(self.log.splitlines())
        journal.tell("comparison process died", status=code, method=key, last_words=words)
        seconds = time.monotonic() - at.began if at is not None else 0.0
        status = "stopped" if self.stopped else "cut short" if self._reason else "failed"
        if key in self._left():
            self.rows = (*self.rows, MethodRun(key, method_title(key), status, reason, seconds))
        self.at = None

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """End a process whose method hears neither Stop nor its cap."""
        while process.poll() is None:
            now, at = time.monotonic(), self.at
            if at is not None and at.over is not None:
                if now - at.over > MEASURES_GRACE:
                    self._reason = text.DEAF_MEASURES
            elif self.stopped and now - self._stop_at > GRACE:
                self._reason = text.DEAF_TO_STOP
            elif at is not None and now - at.began > self.asked.cap + GRACE:
                self._reason = text.DEAF_TO_CAP.format(cap=self.asked.cap)
            if self._reason:
                process.kill()
                return
            self._ended.wait(0.2)
            if self._ended.is_set():
                return

    def _keep_log(self, stream: IO[bytes]) -> None:
        with stream:
            for line in iter(lambda: stream.readline(2000), b""):
                self.log = (self.log + line.decode("utf-8", "replace"))[-_LOG_BYTES:]

    def _send(self, process: subprocess.Popen[bytes], message: Message) -> None:
        assert process.stdin
        try:
            with self._sending:
                process.stdin.write(protocol.encode(message))
                process.stdin.flush()
        except (OSError, ValueError):
            _LOG.debug("process %s takes no more commands", process.pid)


def row_of(message: Message) -> MethodRun:
    """The row a message carries."""
    from gwl_core.comparison import MethodRun

    values: Mapping[str, Any] = message.values
    return MethodRun(
        values["key"], values["title"], values["status"], values["message"], float(values["seconds"]), values["memory"],
        message.arrays.get("matching"), None if values["card"] is None else _card(values["card"]),
        tuple(_card(card) for card in values["orders"]), tuple(values["notices"]),
    )  # fmt: skip


def _card(values: Mapping[str, Any]) -> Any:
    from gwl_core.metrics import Correctness
    from gwl_core.scorecard import Scorecard

    correct, hits = values["correctness"], values["hits"]
    more = {
        "correctness": None if correct is None else Correctness(**correct),
        "hits": None if hits is None else tuple(hits),
    }
    return Scorecard(**{**values, **more})
