"""What do many visitors at once make of a small server: do all runs finish, in turn, within memory, and apart?"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import random
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report import Row, Table
from benchmarks.server import dashboard
from benchmarks.visitors import Visitor

PLACE = re.compile(r"You are (\d+)(?:st|nd|rd|th) in the queue")
QUERY = "pair=geant&preset=gwd&inner={inner}&outer=1&tolerance=0&projection=pca"
SOURCE, TARGET, USE, DATA = "Source graph", "Target graph", "Use these graphs", "Graphs to align"
OWN = "Your own files…"
DRAWING = 2.0
"""Seconds from the beginning of an execution of the page to the place that it shows, at most, on a busy machine."""


@dataclass
class Watch:
    """What was seen of the server's processes: how many ran at once, and the memory of all together."""

    most: int = 0
    megabytes: float = 0.0
    idle_megabytes: float = 0.0
    largest_run: float = 0.0
    server_megabytes: float = 0.0
    pids: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Queue:
    """What a page that waited showed: its places, each with its time, and when it first showed none any more."""

    places: tuple[tuple[float, int], ...]
    left: float

    @property
    def last(self) -> float:
        """When it last showed one."""
        return self.places[-1][0]


def tables(quick: bool) -> Iterator[Table]:
    """30 sessions and 10 runs on 2 places; a third of that with --quick."""
    sessions, runs = (10, 4) if quick else (30, 10)
    notes = (
        "Each player has graphs of its own, whose labels carry its mark; a stray is a foreign mark in what was sent.",
        "places_right: every place that a waiting page showed was one more than the pages then waiting that left the "
        "queue before it, give or take those that had left and not yet heard of it.",
        "in_turn: the processes of runs started in the order in which the runs were asked for.",
        "Memory is the proportional set size of the server and its processes together, sampled four times a second.",
    )
    yield Table(f"{sessions} sessions, {runs} runs at once", [row(sessions, runs, cap=2, inner=400)], notes)


def row(sessions: int, runs: int, cap: int, inner: int, nodes: int = 60) -> Row:
    """Open the sessions, submit the runs at once, wait for all."""
    with tempfile.TemporaryDirectory() as folder:
        limits = Path(folder) / "limits.toml"
        limits.write_text(f"runs = {cap}\nrest_seconds = 1\n", encoding="utf-8")
        with dashboard(limits) as server, watching(server.pid) as watch:
            found = asyncio.run(_all(server.url, sessions, runs, cap, inner, nodes, watch))
        found["refusals"] = sum("traceback" in line.lower() for line in server.log)
        events = [json.loads(line) for line in server.log if line.startswith("{")]
        found["deaths"] = sum(event["event"] == "run process died" for event in events)
        started = [event["run"] for event in events if event["event"] == "run process started"]
        found["in_turn"] = len(started) >= runs and started == sorted(started)
    return {
        "sessions": sessions, "runs": runs, "cap": cap, **found, "most_at_once": watch.most,
        "megabytes": watch.megabytes, "megabytes_idle": watch.idle_megabytes, "server_mb": watch.server_megabytes,
        "largest_run_mb": watch.largest_run,
    }  # fmt: skip


async def _all(url: str, sessions: int, runs: int, cap: int, inner: int, nodes: int, watch: Watch) -> Row:
    marks = tuple(f"mark{number:02d}x" for number in range(sessions))
    async with contextlib.AsyncExitStack() as stack:
        start = time.monotonic()
        visitors = []
        for first in range(0, sessions, 5):  # as people come: not all in one second
            batch = [Visitor(url, QUERY.format(inner=inner), marks) for _ in range(first, min(first + 5, sessions))]
            visitors += await asyncio.gather(*(stack.enter_async_context(visitor) for visitor in batch))
        opened = time.monotonic() - start
        players = visitors[:runs]
        await asyncio.gather(*(_bring(v, marks[k], nodes, k) for k, v in enumerate(players)))
        watch.idle_megabytes = watch.megabytes
        start = time.monotonic()
        ended = await asyncio.gather(*(_play(visitor, start) for visitor in players))
        everything = time.monotonic() - start
    strays = sum(len(visitor.seen - {marks[k]}) for k, visitor in enumerate(visitors))
    own = sum(visitor.results[-1] == {marks[k]} for k, visitor in enumerate(players))
    queues = [queue for queue in map(_queue, players) if queue.places]
    errors = [error for visitor in visitors for error in visitor.errors]
    return {
        "finished": len(ended), "strays": strays, "own_results": own, "waited": len(queues),
        "places_right": len(queues) > 0 and places_right(queues),
        "errors": len(errors), "open_s": opened, "first_run_s": min(ended), "all_runs_s": everything,
        "megabytes_sent": sum(visitor.bytes for visitor in visitors) / 1e6,
    }  # fmt: skip


async def _bring(visitor: Visitor, mark: str, nodes: int, seed: int) -> None:
    """Upload two marked graphs and use them."""
    await visitor.choose(DATA, OWN)
    await visitor.until(lambda: visitor.has("file_uploader", SOURCE))
    for label, name in ((SOURCE, "source"), (TARGET, "target")):
        await visitor.upload(label, f"{name}.csv", edges(mark, nodes, seed))
    await visitor.until(lambda: visitor.has("button", USE))
    await visitor.press(USE)


async def _play(visitor: Visitor, start: float) -> float:
    """Play to the end; seconds after all have pressed. The end is the table, with the own mark in it."""
    visitor.results.clear()
    await visitor.press("Play")
    await visitor.until(lambda: len(visitor.results) > 0 and not visitor.ticking, 900)
    await visitor.rest()
    return time.monotonic() - start


def _queue(visitor: Visitor) -> Queue:
    shown = [(at, int(found[1])) for at, texts in visitor.drawn for text in texts if (found := PLACE.search(text))]
    after = [at for at, texts in visitor.drawn if texts and shown and at > shown[-1][0]]
    return Queue(tuple(shown), min(after, default=math.inf))


def places_right(queues: Sequence[Queue]) -> bool:
    """Whether the places that pages showed were theirs; a run left the queue between its page's last one and `left`."""

    def between(queue: Queue, at: float) -> tuple[int, int]:
        """How many were ahead at a moment: surely, and perhaps."""
        others = [other for other in queues if other is not queue]
        surely = sum(other.last > at + DRAWING and other.left <= queue.last for other in others)
        return surely, sum(other.left > at and other.last < queue.left for other in others)

    for queue in queues:
        for at, place in queue.places:
            surely, perhaps = between(queue, at)
            if not surely < place <= perhaps + 1:
                return False
    return True


def edges(mark: str, nodes: int, seed: int) -> bytes:
    """A ring with chords, every label with the mark."""
    rng = random.Random(seed)
    rows = [(i, (i + 1) % nodes) for i in range(nodes)] + [tuple(rng.sample(range(nodes), 2)) for _ in range(2 * nodes)]
    return "".join(f"{mark}{i},{mark}{j}\n" for i, j in rows).encode()


@contextlib.contextmanager
def watching(pid: int) -> Iterator[Watch]:
    """Sample a server's processes until the end."""
    watch, ended = Watch(), threading.Event()

    def sample() -> None:
        while not ended.wait(0.25):
            runs = workers(pid)
            sizes = [megabytes(run) for run in runs]
            own = megabytes(pid)
            watch.pids |= set(runs)
            watch.most = max(watch.most, len(runs))
            watch.largest_run = max([watch.largest_run, *sizes])
            watch.server_megabytes = max(watch.server_megabytes, own)
            watch.megabytes = max(watch.megabytes, own + sum(sizes))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        ended.set()
        thread.join()


def workers(pid: int) -> list[int]:
    """Processes of runs that a server has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == pid and b"dashboard.worker" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def megabytes(pid: int) -> float:
    """Proportional set size: shared pages count once over all processes."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1000
    return 0.0
