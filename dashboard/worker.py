"""The process of one run: `python -m dashboard.worker` reads commands from stdin and writes snapshots to stdout.

The page never waits for it: commands are acted on between two steps, and snapshots are made at most four times a
second and only when the previous one has left, so that a slow page gets the newest instead of a queue. At rest the
process blocks on its command queue. It ends when its stdin does, so that it cannot outlive the server.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from typing import BinaryIO, NoReturn

from dashboard import protocol
from dashboard.fence import OUT_OF_MEMORY, fence
from dashboard.heap import Trimmer
from dashboard.protocol import Message, ProtocolError


class Outbox:
    """Writes messages from a thread of its own."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._waiting: deque[Message] = deque()
        self._changed = threading.Condition()
        self._unsent = 0
        threading.Thread(target=self._write, name="outbox", daemon=True).start()

    @property
    def idle(self) -> bool:
        """Whether everything posted has been taken by the page."""
        return self._unsent == 0

    def post(self, message: Message) -> None:
        with self._changed:
            self._waiting.append(message)
            self._unsent += 1
            self._changed.notify_all()

    def flush(self, timeout: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._unsent == 0, timeout)

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: len(self._waiting) > 0)
                message = self._waiting.popleft()
            try:
                self._stream.write(protocol.encode(message))
                self._stream.flush()
            except (OSError, ValueError):
                os._exit(0)  # the page is gone
            except MemoryError:
                os._exit(OUT_OF_MEMORY)  # without this thread the page would hear no more
            with self._changed:
                self._unsent -= 1
                self._changed.notify_all()


def _read_commands(stream: BinaryIO, commands: queue.SimpleQueue[Message]) -> None:
    try:
        while (message := protocol.read(stream)) is not None:
            commands.put(message)
    except ProtocolError as error:
        sys.stderr.write(f"stdin: {error}\n")
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    os._exit(0)


def serve(commands: queue.SimpleQueue[Message], outbox: Outbox) -> None:
    """Run until told to quit."""
    from dashboard.run_state import RunState  # torch, from here on

    run = RunState(outbox.post, lambda: outbox.idle, lambda: commands.put(Message("frame")))
    outbox.post(Message("hello", {"modules": _loaded()}))
    trim = Trimmer()
    while True:
        try:
            while not (run.playing and commands.empty()):
                message = commands.get()
                if message.kind == "quit":
                    return
                run.obey(message)
            run.advance()
            trim()
        except Exception as error:  # noqa: BLE001
            run.fail(error)


def _loaded() -> list[str]:
    """What of the dashboard and of the heavy packages this process imported: a test reads it."""
    heavy = {"streamlit", "plotly", "torch"}
    return sorted(name for name in sys.modules if name in heavy or name.startswith("dashboard"))


def whole_process(work: Callable[[Outbox], None]) -> NoReturn:
    """Do the work of this process within its limits, its messages on stdout; its exit status says whether it failed."""
    fence()
    frames = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints goes to the log, not between the frames
    status = 1
    try:
        work(Outbox(frames))
        status = 0
    except Exception:  # noqa: BLE001
        sys.stderr.write(traceback.format_exc())
        sys.stderr.flush()
    finally:
        os._exit(status)  # a thread waits on stdin, which a usual exit would wait for


def _work(outbox: Outbox) -> None:
    commands: queue.SimpleQueue[Message] = queue.SimpleQueue()
    threading.Thread(target=_read_commands, args=(sys.stdin.buffer, commands), daemon=True).start()
    serve(commands, outbox)
    outbox.flush(2.0)


def main() -> None:
    whole_process(_work)


if __name__ == "__main__":
    main()
