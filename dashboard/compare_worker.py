"""The process of one comparison: `python -m dashboard.compare_worker`.

It reads one "start" (the problem, the methods, seed and cap) from stdin and runs the methods one after another. To
stdout go "begin" and "progress" of the method at hand, "measuring" when it is over, and a "row" with its measures.
"stop" on stdin ends the method at hand with the best it has; the end of stdin ends the process, so that it cannot
outlive the server.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from dashboard import protocol
from dashboard.fence import OUT_OF_MEMORY
from dashboard.protocol import Message, ProtocolError
from dashboard.worker import Outbox, whole_process

if TYPE_CHECKING:
    from gwl_core.comparison import MethodRun

_CHECK_SECONDS = 0.5
_FLUSH_SECONDS = 5.0


def row_message(row: MethodRun) -> Message:
    """A finished row, ready to travel."""
    values: dict[str, Any] = {
        "key": row.key, "title": row.title, "status": row.status, "message": row.message, "seconds": row.seconds,
        "memory": row.memory, "notices": row.notices, "card": None if row.card is None else asdict(row.card),
        "orders": [asdict(card) for card in row.orders],
    }  # fmt: skip
    return Message("row", values, {} if row.matching is None else {"matching": row.matching.astype("<i8")})


def _run(start: Message, stop: threading.Event, outbox: Outbox) -> None:
    from gwl_core.comparison import OWN, run_method
    from gwl_core.limits import memory_cap

    threading.Thread(target=_watch_memory, args=(memory_cap(),), daemon=True).start()
    problem = protocol.problem_of(start)
    for key in start.values["methods"]:
        if stop.is_set():
            break
        if key in OWN:
            import gwl_core.trajectory  # noqa: F401  its libraries are not the method's time
        outbox.post(Message("begin", {"key": key}))
        outbox.flush(_FLUSH_SECONDS)  # what the method may do to the process must not take this with it

        def tell(key: str, progress: Any) -> None:
            if outbox.idle:  # a slow page gets the newest instead of a queue
                outbox.post(Message("progress", {"key": key, "share": progress.share, "text": progress.text}))

        measuring = partial(outbox.post, Message("measuring", {"key": key}))
        row = run_method(
            problem, key, start.values["seed"], start.values["cap"], tell, stop.is_set, on_measuring=measuring
        )
        outbox.post(row_message(row))
        outbox.flush(_FLUSH_SECONDS)


def _watch_memory(most: float) -> None:
    """End the process before the system has to: what it would end then need not be this one."""
    page, pause = os.sysconf("SC_PAGE_SIZE"), threading.Event()
    while not pause.wait(_CHECK_SECONDS):
        try:
            taken = page * int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        except (OSError, ValueError):
            return
        if taken > most:
            os._exit(OUT_OF_MEMORY)


def _read(stream: BinaryIO, stop: threading.Event) -> None:
    try:
        while (message := protocol.read(stream)) is not None:
            if message.kind == "stop":
                stop.set()
    except ProtocolError as error:
        sys.stderr.write(f"stdin: {error}\n")
    os._exit(0)


def _work(outbox: Outbox) -> None:
    start = protocol.read(sys.stdin.buffer)
    if start is None:
        return
    stop = threading.Event()
    threading.Thread(target=_read, args=(sys.stdin.buffer, stop), daemon=True).start()
    _run(start, stop, outbox)
    outbox.post(Message("end"))
    outbox.flush(_FLUSH_SECONDS)


def main() -> None:
    whole_process(_work)


if __name__ == "__main__":
    main()
