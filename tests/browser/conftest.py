"""A running dashboard and a Chromium to look at it with."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
# Streamlit's own: a page opened by its address asks below that address first whether the server is there.
_PROBE = re.compile(r"/(inspect|compare|experiments|learn)/_stcore/(health|host-config)$")
WIDE = (1440, 900)
NARROW = (390, 844)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@dataclass(frozen=True)
class Server:
    """A dashboard under test: its address, the id of its process (and process group), and its log."""

    url: str
    pid: int
    log: Path


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, started as `make run` starts it, on a free port; ended with every process it started."""
    if not (ROOT / "dashboard/static/plotly.min.js").is_file():
        pytest.fail("dashboard/static/plotly.min.js is missing: run `make setup` first.")
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "dashboard/app.py",
        f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true",
    ]  # fmt: skip
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output, start_new_session=True)
    try:
        _wait_until_healthy(f"http://127.0.0.1:{port}/_stcore/health", process, log)
        yield Server(f"http://127.0.0.1:{port}", process.pid, log)
    finally:
        _end_group(process)


def _wait_until_healthy(url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    pytest.fail(f"The dashboard did not start; its log ends with:\n{log.read_text()[-2000:]}")


def _end_group(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, number)
            process.wait(timeout=10)


# Not for the whole session: playwright keeps an event loop running, which tests elsewhere may want to start.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Headless Chromium: $CHROMIUM, or the one on PATH."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    chromium = next((path for name in names if name and (path := shutil.which(name))), None)
    if chromium is None:
        pytest.fail("The browser tests need Chromium: install it, or set CHROMIUM to the path of a Chromium or Chrome.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open pages: new_page(size=WIDE, scheme="light"); fails at the end if any logged an error or a warning."""
    pages: list[Page] = []
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        place = str(message.location.get("url", ""))
        if message.type in ("error", "warning") and not _PROBE.search(place):
            errors.append(f"console: {message.text} ({place})")

    def open_page(size: tuple[int, int] = WIDE, scheme: str = "light") -> Page:
        width, height = size
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(f"page: {error}"))
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert not errors, "the page logged errors:\n" + "\n".join(errors)


def settled(page: Page) -> None:
    """Until the page's script is at rest."""
    page.wait_for_function(
        "document.querySelector('[data-test-script-state]')?.dataset.testScriptState === 'notRunning'"
    )


def open_own_files(page: Page, url: str) -> None:
    """Align at an address, with its form for the user's own files open."""
    page.goto(url)
    expect(page.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=120_000)
    settled(page)
    page.locator(".st-key-pair").get_by_role("combobox").click()
    page.get_by_role("option", name="Your own files").click()


def give(page: Page, kind: str, name: str, content: bytes) -> None:
    """Choose a file in that form: as source, target or truth."""
    chooser = page.locator(f".st-key-file_{kind} input[type=file]")
    chooser.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def recolour(page: Page, scheme: str) -> None:
    """Switch between light and dark, as the system does, and wait until page and charts have followed."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        """scheme => {
          const app = getComputedStyle(document.querySelector('[data-testid=stApp]'));
          const charts = [...document.querySelectorAll('.live-plot-heading')].filter(chart => chart.style.color);
          return app.colorScheme === scheme && charts.every(chart => getComputedStyle(chart).color === app.color);
        }""",
        arg=scheme,
    )


def figure(page: Page, panel: str, path: str) -> Any:
    """A value out of a panel's Plotly figure, once it is drawn: a page that changes may put a new, empty one there."""
    plain = "(key, value) => ArrayBuffer.isView(value) ? Array.from(value) : value"
    drawn = page.wait_for_function(
        f"""selector => {{
          const node = document.querySelector(selector);
          return node?._fullLayout && JSON.stringify(node.{path} ?? null, {plain});
        }}""",
        arg=f".st-key-panel_{panel} .live-plot-figure",
    )
    return json.loads(drawn.json_value())


def wait_for_change(page: Page, name: str, path: str, before: Any, seconds: float = 15) -> None:
    """Until a chart shows something else: its words change before it is drawn."""
    deadline = time.monotonic() + seconds
    while figure(page, name, path) == before:
        assert time.monotonic() < deadline, f"{name} stayed as it was"
        page.wait_for_timeout(100)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """One wide, light page."""
    return new_page()


_YARDSTICK = """() => {
  let best = Infinity;
  for (let round = 0; round < 8; round++) {
    const start = performance.now();
    const words = [];
    for (let i = 0; i < 60000; i++) words.push(((i * 7919) % 60013).toString(36));
    words.sort();
    JSON.parse(JSON.stringify(words));
    best = Math.min(best, performance.now() - start);
  }
  return best;
}"""
"""Strings made, sorted and copied: script of the kind that drawing a chart takes."""

_USUAL = 45.0
"""Milliseconds of the yardstick on the machine that the bounds were set on."""


@pytest.fixture
def slowness() -> Callable[[Page], float]:
    """How many times longer than there script takes in a page just now, at least 1: bounds on time are scaled by it."""
    return lambda page: max(1.0, page.evaluate(_YARDSTICK) / _USUAL)
