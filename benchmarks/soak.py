"""Does the page stay small and quick for half an hour? Chromium watches two graphs of 1,000 nodes being aligned.

`python -m benchmarks soak --minutes 30`. A tick is one run of the page's timed part, from the frame that opens it to
the one that ends it, so that its bytes are exact. Memory is told once a minute: of the server and of the run's process
as /proc has it, of the browser, after a collection, as its JavaScript heap and as its renderer's resident memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.report import Row, Table, progress
from benchmarks.server import dashboard
from benchmarks.tick import chromium_path, missing

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

NODES = 1000
MINUTES = 30.0
SETTLED_MINUTE, LAST_MINUTES = 2, 3
"""Memory of the first is compared with the mean of the last ones: a single minute's is off by some percent."""
TICK_BYTES = 500_000
SCRIPT_MS = 150.0
LONG_TASK_MS = 200.0
GROWTH = 0.05
HISTORY_MB = 32
"""What the run may keep of its past: full before memory is compared, and little, for it fills and thins by turns."""
MEMORIES = ("server_mb", "worker_mb", "heap_mb", "renderer_mb")
_WATCH = """
window.__soak = {long: [], script: []};
new PerformanceObserver(list => list.getEntries().forEach(entry => window.__soak.long.push(entry.duration)))
  .observe({type: 'longtask'});
new MutationObserver(list => list.forEach(({target}) => window.__soak.script.push(Number(target.dataset.tickMs))))
  .observe(document, {subtree: true, attributes: true, attributeFilter: ['data-tick-ms']});
"""
_TAKE = "(() => { const found = window.__soak; window.__soak = {...found, long: [], script: []}; return found; })()"


@dataclass
class Ticks:
    """Sizes of ticks as they come over the wire; fed with websocket frames."""

    sizes: list[int] = field(default_factory=list)
    _open: int = 0

    def frame(self, data: bytes | str) -> None:
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        self._open += len(data)
        if isinstance(data, bytes) and ForwardMsg.FromString(data).WhichOneof("type") == "script_finished":
            self.sizes.append(self._open)
            self._open = 0

    def take(self) -> list[int]:
        """The sizes since the last call."""
        found, self.sizes = self.sizes, []
        return found


def tables(minutes: float = MINUTES, nodes: int = NODES) -> Iterator[Table]:
    """A table of the minutes and one of what is asked; none without Chromium or the page's script."""
    title = f"The Align page for {minutes:g} minutes, a {nodes}-node pair"
    reason = missing()
    if reason:
        yield Table(title, [], (reason,))
        return
    rows, ticks, script, long_tasks = watch(minutes, nodes)
    notes = (
        "ticks: runs of the page's timed part; largest_kb: the largest of them on the wire. script_ms: CPU time of the "
        "page's script, 95th percentile. long_ms: tasks that held the browser for 50 ms or more, 95th percentile.",
        "waiting: share of the time in which the browser's main thread had work and no core was free.",
        "Memory in MB: heap_mb and renderer_mb at the minute's end, after a collection; server_mb and worker_mb the "
        "median of the minute. worker_peak_mb and renderer_peak_mb: the most within it, with what is let go of again.",
        f"The run keeps {HISTORY_MB} MB of its past, which it has filled by the first minute.",
    )
    yield Table(title, rows, notes)
    yield Table("What is asked", verdicts(rows, ticks, script, long_tasks))


def verdicts(
    rows: Sequence[Row], ticks: Sequence[int], script: Sequence[float], long_tasks: Sequence[float]
) -> list[Row]:
    """A row for each bar: what was measured, the most it may be, and whether it is met.

    Args:
        rows: the minutes, with MEMORIES, `long_ms` and `waiting`.
        ticks, script, long_tasks: all values in bytes and milliseconds.
    """
    found = [
        _bar("largest tick, kB", max(ticks, default=0) / 1000, TICK_BYTES / 1000, measured=len(ticks) > 0),
        _bar("script p95, ms", _p95(script), SCRIPT_MS, measured=len(script) > 0),
        _bar("long tasks p95, ms", _p95(long_tasks), LONG_TASK_MS),
        _bar(
            "the same less the wait for a core, ms", max(row["long_ms"] * (1 - row["waiting"]) for row in rows),
            LONG_TASK_MS,
        ),
    ]  # fmt: skip
    late = [row for row in rows if row["minute"] > SETTLED_MINUTE][-LAST_MINUTES:]
    for name in MEMORIES:
        if not late:
            found.append({"bar": f"growth of {name}, %", "measured": None, "most": 100 * GROWTH, "met": None})
            continue
        settled = next(row for row in rows if row["minute"] == SETTLED_MINUTE)
        before, after = settled[name], float(np.mean([row[name] for row in late]))
        found.append(_bar(f"growth of {name}, %", 100 * (after / before - 1), 100 * GROWTH))
    return found


def _bar(name: str, value: float, most: float, measured: bool = True) -> Row:
    return {"bar": name, "measured": value if measured else None, "most": most, "met": measured and value < most}


def _p95(values: Sequence[float]) -> float:
    return float(np.percentile(values, 95)) if len(values) else 0.0


def watch(minutes: float, nodes: int) -> tuple[list[Row], list[int], list[float], list[float]]:
    """Run the page; a row a minute, then the bytes of every tick, and milliseconds of every script and long task."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import FLAGS, WIDE

    sizes, script, long_tasks, rows = list[int](), list[float](), list[float](), list[Row]()
    with _little_history() as limits, dashboard(limits) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        page, ticks = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]}), Ticks()
        page.on("websocket", lambda socket: socket.on("framereceived", ticks.frame))
        page.add_init_script(_WATCH)
        seen = Watched(page, browser.new_browser_cdp_session(), server.pid)
        seen.begin(server.url, nodes)
        ticks.take(), page.evaluate(_TAKE), seen.browser()
        start = perf_counter()
        for minute in range(1, max(1, round(minutes)) + 1):
            processes = seen.follow(start + 60 * min(minute, minutes))
            came, told = ticks.take(), page.evaluate(_TAKE)
            sizes += came
            script += told["script"]
            long_tasks += told["long"]
            row = {
                "minute": minute, "ticks": len(came), "largest_kb": max(came, default=0) / 1000,
                "script_ms": _p95(told["script"]), "long_tasks": len(told["long"]), "long_ms": _p95(told["long"]),
                **seen.browser(), **processes, "steps": seen.steps, "runs": seen.runs,
            }  # fmt: skip
            rows.append(row)
            progress(" ".join(f"{k}={v:.4g}" for k, v in row.items()))
        browser.close()
    return rows, sizes, script, long_tasks


@contextmanager
def _little_history() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "limits.toml"
        path.write_text(f"history_mb = {HISTORY_MB}\n", encoding="utf-8")
        yield path


class Watched:
    """The page under watch and the processes behind it.

    Attributes:
        runs: how often the run came to its end and was begun again, and the first time.
    """

    def __init__(self, page: Page, devtools: CDPSession, server: int) -> None:
        self._page, self._devtools, self._server = page, devtools, server
        self._own = page.context.new_cdp_session(page)
        self._earlier, self._scheduled, self._renderer = 0, (0, 0), 0
        self.runs = 0

    def begin(self, url: str, nodes: int) -> None:
        """Open the page and play, until charts move."""
        from tests.browser.test_align import step_reached, wait_until

        self._page.goto(f"{url}/?pair=ba&nodes={nodes}&noise=0.05&rounds=2&outer=1000&inner=100&epochs=100")
        wait_until(self._page, "() => document.querySelector('.st-key-panel_graphs .main-svg')", 180)
        self._play()
        wait_until(self._page, step_reached(3), 180)

    @property
    def steps(self) -> int:
        """Steps of all runs so far."""
        return self._earlier + self._last()

    def follow(self, until: float) -> dict[str, float]:
        """Watch until a time of perf_counter, beginning again where a run ends; MB of the processes meanwhile."""
        worker, server, renderer = list[float](), list[float](), list[float]()
        while (left := until - perf_counter()) > 0:
            self._page.wait_for_timeout(1000 * min(2.0, left))
            worker.append(self._worker())
            server.append(resident(self._server))
            renderer.append(resident(self._renderer))
            if self._page.get_by_role("button", name=re.compile("^Play")).count():
                self._earlier += self._last()
                self._play()
        return {
            "server_mb": float(np.median(server)), "worker_mb": float(np.median(worker)), "worker_peak_mb": max(worker),
            "renderer_peak_mb": max(renderer),
        }  # fmt: skip

    def browser(self) -> dict[str, float]:
        """MB of the browser after a collection, and for which share of its time the page's thread waited for a core.

        Of the minute's time in which its main thread had work, it did not do it for that share because the machine was
        busy with other things: long tasks are as much longer.
        """
        self._own.send("HeapProfiler.collectGarbage")
        heap = self._own.send("Runtime.getHeapUsage")["usedSize"]
        found = self._devtools.send("SystemInfo.getProcessInfo")["processInfo"]
        renderers = [int(process["id"]) for process in found if process["type"] == "renderer"]
        self._renderer = max(renderers, key=resident)
        ran, waited = scheduled(self._renderer)
        new, self._scheduled = (ran - self._scheduled[0], waited - self._scheduled[1]), (ran, waited)
        return {
            "heap_mb": heap / 1e6, "renderer_mb": resident(self._renderer), "waiting": new[1] / max(1, sum(new)),
        }  # fmt: skip

    def _last(self) -> int:
        return int(self._page.evaluate("Number(document.querySelector('.timeline input').max)"))

    def _play(self) -> None:
        self.runs += 1
        self._page.get_by_role("button", name=re.compile("^Play")).click()

    def _worker(self) -> float:
        from tests.browser.test_align import workers

        return max((resident(pid) for pid in workers(self._server)), default=0.0)


def scheduled(pid: int) -> tuple[int, int]:
    """Nanoseconds in which a process's main thread ran, and in which it waited for a core."""
    ran, waited, _ = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
    return int(ran), int(waited)


def resident(pid: int) -> float:
    """MB of a process that are in memory; 0 when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) * 1024 / 1e6 if found else 0.0
