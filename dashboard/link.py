"""The server's end of a run's process: starts it, sends commands, takes messages, notices its death."""

from __future__ import annotations

import logging
import queue
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import BinaryIO

from dashboard import faults, journal, protocol, safe, temporary
from dashboard.pipes import reap, start
from dashboard.protocol import Message, ProtocolError
from dashboard.safe import FOLDER

_LOG = logging.getLogger(__name__)


class Link(ABC):
    """A process that serves one browser session. Safe to use from several threads.

    Attributes:
        used: time.monotonic() of the page's last interest in it.
        log: its last words.
        folder: what it keeps there outlives it; None before it is launched.
        before: the same of a process that it takes over from, until it has kept that itself.
        ending: why it is no more, in a sentence for the page; "" while it lives.
        number: names it in the log of the server.
    """

    def __init__(self) -> None:
        self.used = time.monotonic()
        self.log: deque[str] = deque(maxlen=200)
        self.folder: Path | None = None
        self.before: Path | None = None
        self.ending = ""
        self.number = journal.next_number()
        self._process: subprocess.Popen[bytes] | None = None
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._outgoing: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self._closed = self._died = False
        self._launched_at = 0.0
        self._kept_at_end: int | None = None

    @abstractmethod
    def _take(self, message: Message) -> None:
        """Take up a message; called with `_changed` held."""

    @abstractmethod
    def _take_end(self) -> None:
        """The process is about to be closed, or is gone; called with `_changed` held."""

    @abstractmethod
    def _take_death(self) -> None:
        """The process is gone by itself, and `ending` says why; called with `_changed` held."""

    @property
    def launched(self) -> bool:
        return self._process is not None

    @property
    def alive(self) -> bool:
        """Whether commands still reach a process, or will once it is launched."""
        return not (self._closed or self._died)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def resumable(self) -> bool:
        """Whether another process can go on with what this one, which is gone, has kept."""
        return not self.alive and self._kept_at_end is not None

    @property
    def kept(self) -> int | None:
        """The newest step that outlives the process; None if there is none."""
        found = (safe.newest(folder) for folder in (self.folder, self.before) if folder is not None)
        return next((step for step in found if step is not None), None)

    def hand_over(self) -> Path | None:
        """The folder with what was kept, which is the caller's from now on; the other one is removed."""
        folders = [folder for folder in (self.folder, self.before) if folder is not None]
        chosen = next((folder for folder in folders if safe.newest(folder) is not None), None)
        for folder in folders:
            if folder != chosen:
                temporary.remove(folder)
        self.folder = self.before = self._kept_at_end = None
        return chosen

    def drop_before(self) -> None:
        """What was taken over is kept anew."""
        if self.before is not None:
            temporary.remove(self.before)
            self.before = None

    def launch(self) -> None:
        """Start the process, once; what was sent before is delivered first."""
        with self._sending:
            if self._process is not None or self._closed:
                return
            self.folder = temporary.new_folder()
            self._launched_at = time.monotonic()
            self._process = start(self._write, self._listen, self._keep_log, {FOLDER: str(self.folder)})
        journal.tell("run process started", run=self.number, pid=self._process.pid)

    def close(self, reason: str = faults.ENDED) -> None:
        """End the process; what it kept stays until `forget`."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            if not self._died:
                self._take_end()
                self._kept_at_end = self.kept
                self.ending = faults.closed(reason, self._kept_at_end)
            self._changed.notify_all()
        self._outgoing.put(None)
        if self._process is not None:
            threading.Thread(target=reap, args=(self._process,), daemon=True).start()

    def forget(self) -> None:
        """End the process and remove what it kept."""
        self.close()
        if self.folder is not None or self.before is not None:
            threading.Thread(target=self._remove, daemon=True).start()

    def _remove(self) -> None:
        if self._process is not None:
            self._process.wait()  # it may write until then
        for folder in (self.folder, self.before):
            if folder is not None:
                temporary.remove(folder)

    def _write(self, process: subprocess.Popen[bytes], stream: BinaryIO) -> None:
        try:
            with stream:  # closing it ends the process
                while (message := self._outgoing.get()) is not None:
                    stream.write(protocol.encode(message))
                    stream.flush()
        except OSError:
            _LOG.debug("process %s takes no more commands", process.pid)

    def _listen(self, process: subprocess.Popen[bytes], stream: BinaryIO) -> None:
        try:
            with stream:
                while (message := protocol.read(stream)) is not None:
                    with self._changed:
                        self._take(message)
                        self._changed.notify_all()
        except (ProtocolError, OSError, ValueError, TypeError, KeyError) as error:
            _LOG.warning("process %s sent something unreadable: %s", process.pid, type(error).__name__)
            process.kill()
        code = process.wait()
        with self._changed:
            if not self._closed:
                self._died = True
                self._take_end()
                self._kept_at_end = self.kept
                self.ending = faults.died(code, self._kept_at_end)
                self._take_death()
            self._changed.notify_all()
        journal.tell(
            "run process ended" if self._closed else "run process died", run=self.number, pid=process.pid, status=code,
            seconds=round(time.monotonic() - self._launched_at, 3),
            last_words=[] if self._closed else journal.without_contents(list(self.log)),
        )  # fmt: skip

    def _keep_log(self, process: subprocess.Popen[bytes], stream: BinaryIO) -> None:
        with stream:
            for line in iter(lambda: stream.readline(2000), b""):
                self.log.append(line.decode("utf-8", "replace").rstrip()[:500])
