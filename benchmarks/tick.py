"""What does a tick of the running page cost: bytes on the wire, script time on the server, drawing in the browser?"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from benchmarks.report import Row, Table
from benchmarks.server import ROOT, dashboard

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NODES = 600
UPDATES = "Number(document.querySelector('.st-key-panel_transport .live-plot').dataset.updates)"


def tables(quick: bool) -> Iterator[Table]:
    """A 600-node pair while it runs; nothing to measure without Chromium or the page's script."""
    title = f"A tick of the Align page, {NODES}-node pair"
    reason = missing()
    if reason:
        yield Table(title, [], (reason,))
        return
    notes = (
        "kilobytes: whole websocket frames between two redraws of the transport heatmap. script_ms: CPU time of the "
        "page's script. browser_ms: time the charts held the browser.",
        "first_paint_s: from the address to the charts. server_start_s: until the server answers.",
        "Target: every tick below 500 kB, and a median below 100 ms of script.",
    )
    yield Table(title, [row(10 if quick else 30)], notes)


def chromium_path() -> str | None:
    """$CHROMIUM, or the one on PATH."""
    names = (os.environ.get("CHROMIUM"), *CHROMIUM)
    return next((path for name in names if name and (path := shutil.which(name))), None)


def missing() -> str:
    """Why nothing can be measured, or an empty text."""
    if chromium_path() is None:
        return "Left out: no Chromium on PATH; install it or set CHROMIUM to its path."
    if not (ROOT / "dashboard/static/plotly.min.js").is_file():
        return "Left out: dashboard/static/plotly.min.js is missing; run `make setup`."
    return ""


def row(ticks: int, nodes: int = NODES) -> Row:
    """Medians and largest values over the ticks of a run."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import FLAGS, WIDE
    from tests.browser.test_align import button, step_reached, visit, wait_until

    frames: list[int] = []
    sizes: list[int] = []
    script: list[float] = []
    with dashboard() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
        page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(len(data))))
        start = perf_counter()
        visit(page, f"{server.url}/?pair=ba&nodes={nodes}&noise=0.05&outer=20&inner=100&epochs=30")
        painted = perf_counter() - start
        button(page, "Play").click()
        wait_until(page, step_reached(5), 120)
        page.evaluate("window.__livePlotMs.length = 0")
        for _ in range(ticks):
            frames.clear()
            wait_until(page, f"() => {UPDATES} > {page.evaluate(UPDATES)}")
            sizes.append(sum(frames))
            script.append(float(page.locator(".timeline").get_attribute("data-tick-ms") or 0))
        drawn = sum(entry["ms"] for entry in page.evaluate("window.__livePlotMs"))
        button(page, "Stop").click()
        browser.close()
    return {
        "nodes": nodes,
        "ticks": ticks,
        "kilobytes": float(np.median(sizes)) / 1000,
        "kilobytes_max": max(sizes) / 1000,
        "script_ms": float(np.median(script)),
        "script_ms_max": max(script),
        "browser_ms": drawn / ticks,
        "first_paint_s": painted,
        "server_start_s": server.started,
        "target_met": max(sizes) < 500_000 and float(np.median(script)) < 100,
    }
