"""The Align page in Chromium: what only a browser can show."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from dashboard.palette import GREEN
from tests.browser.conftest import figure, wait_for_change

# None shall wait for the place of another test's run. Read when the server starts.
os.environ.setdefault("GWL_MAX_RUNS", "32")

ROOT = Path(__file__).parents[2]
CHARTS = ("curves", "transport", "embedding", "graphs")
SMALL = "/?pair=knn&nodes=40&noise=0.1&graph_seed=1"
LONG = SMALL + "&outer=60"
TICK_BYTES = 500_000
TICK_MILLISECONDS = 100


def chart(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-panel_{name} .live-plot-figure")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def visit(page: Page, url: str) -> None:
    page.goto(url)
    expect(chart(page, "graphs").locator(".main-svg").first).to_be_visible(timeout=30_000)


def history(page: Page) -> Locator:
    return page.get_by_role("slider", name="History")


def wait_until(page: Page, condition: str, seconds: float = 60) -> None:
    page.wait_for_function(condition, timeout=1000 * seconds)


def step_reached(step: int) -> str:
    return f"() => Number(document.querySelector('.timeline input').max) >= {step}"


def wait_for_rest(page: Page, seconds: float = 90) -> None:
    """Until the run rests and the table of its matches is there."""
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=1000 * seconds)
    expect(button(page, "Play")).to_be_visible()


def exactly(step: int) -> re.Pattern[str]:
    """The words of a step, and of no longer number that begins alike."""
    return re.compile(rf"step {step}\b")


def run_some(page: Page, step: int = 60) -> None:
    """Play up to a step, then stop."""
    button(page, "Play").click()
    wait_until(page, step_reached(step))
    button(page, "Stop").click()
    wait_for_rest(page)


def workers(server_pid: int) -> list[int]:
    """Processes of runs that a server has."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(parent) == server_pid and b"dashboard.worker" in command:
            found.append(int(folder.name))
    return found


@pytest.fixture(autouse=True)
def no_run_is_left_behind(server: Any) -> Iterator[None]:
    """Ends the runs of a test, which would go on after their page has gone and slow down those of the next."""
    yield
    for pid in workers(server.pid):
        os.kill(pid, signal.SIGKILL)


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def busiest(server_pid: int) -> int:
    """The process of the run under way."""
    before = {pid: cpu_ticks(pid) for pid in workers(server_pid)}
    time.sleep(0.5)
    return max(before, key=lambda pid: cpu_ticks(pid) - before[pid])


def drag_over(page: Page, name: str) -> None:
    """Zoom in on a part of a chart."""
    box = chart(page, name).locator("rect.nsewdrag").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.8 * box["height"], steps=5)
    page.mouse.up()


def test_zoom_survives_ten_ticks(page: Page, server: Any) -> None:
    visit(page, server.url + LONG)
    button(page, "Play").click()
    wait_until(page, step_reached(60))
    drag_over(page, "curves")
    assert figure(page, "curves", "_fullLayout.xaxis.autorange") is False
    zoomed = figure(page, "curves", "_fullLayout.xaxis.range")
    updates = "Number(document.querySelector('.st-key-panel_curves .live-plot').dataset.updates)"
    wait_until(page, f"() => {updates} >= {page.evaluate(updates) + 10}")
    assert figure(page, "curves", "_fullLayout.xaxis.range") == zoomed
    button(page, "Stop").click()
    wait_for_rest(page)
    assert figure(page, "curves", "_fullLayout.xaxis.range") == zoomed


def test_a_cell_selects_its_pair_everywhere(page: Page, server: Any) -> None:
    visit(page, server.url + SMALL)
    run_some(page)
    assert figure(page, "graphs", "data.some(t => t.mode === 'lines+markers')") is False
    box = chart(page, "transport").locator("rect.nsewdrag").bounding_box()
    assert box is not None
    rows, columns = len(figure(page, "transport", "data[0].y")), len(figure(page, "transport", "data[0].x"))
    row, column = 3, 7  # far from the diagonal, so no match
    page.mouse.click(box["x"] + (column + 0.5) / columns * box["width"], box["y"] + (row + 0.5) / rows * box["height"])
    source = figure(page, "transport", f"layout.yaxis.ticktext[{row}]")
    target = figure(page, "transport", f"layout.xaxis.ticktext[{column}]")
    marks = "document.querySelector('.st-key-panel_{} .live-plot-figure').{} > 0"
    wait_until(page, "() => " + marks.format("transport", "layout.shapes.length"))
    for name in ("graphs", "embedding"):
        ends = "data.find(t => t.mode === 'lines+markers')?.x.length"
        wait_until(page, "() => " + marks.format(name, ends))
    expect(page.locator(".st-key-find_source input")).to_have_value(source)
    expect(page.locator(".st-key-find_target input")).to_have_value(target)
    first = page.get_by_test_id("stDataFrame").first.locator("canvas + table tbody tr, table[role=grid] tbody tr").first
    expect(first).to_contain_text(source)
    expect(first).to_contain_text(target)


def test_the_embedding_is_shown_as_one_likes(page: Page, server: Any) -> None:
    visit(page, server.url + SMALL)
    run_some(page)
    dots = "data.filter(t => t.customdata).map(t => t.x)"
    words = page.locator(".st-key-panel_embedding .live-plot-alt")
    for choice, said in (("PCA", "by PCA"), ("x₁ x₂", "by x₁ x₂"), ("t-SNE", "by t-SNE")):
        before = figure(page, "embedding", dots)
        page.locator(".st-key-projection").get_by_text(choice, exact=True).click()
        expect(words).to_contain_text(said, timeout=30_000)
        wait_for_change(page, "embedding", dots, before)
    right = chart(page, "embedding").locator(f".live-plot-paint path[stroke='{GREEN}']")  # the lines of right matches
    expect(right).not_to_have_attribute("d", "")
    page.locator(".st-key-lines label").click()
    expect(right).to_have_attribute("d", "", timeout=15_000)


def test_stop_ends_the_work(page: Page, server: Any) -> None:
    visit(page, server.url + LONG)
    button(page, "Play").click()
    wait_until(page, step_reached(30))
    worker = busiest(server.pid)
    before = cpu_ticks(worker)
    button(page, "Stop").click()
    wait_for_rest(page)
    expect(page.locator(".st-key-status")).to_contain_text("Stopped")
    stopped_at = int(history(page).get_attribute("max") or 0)
    time.sleep(1)
    settled = cpu_ticks(worker)
    assert settled > before
    time.sleep(2)
    assert cpu_ticks(worker) == settled
    assert int(history(page).get_attribute("max") or 0) == stopped_at


def test_the_history_moves_every_panel(page: Page, server: Any) -> None:
    visit(page, server.url + SMALL + "&start=product&outer=2&inner=40&epochs=20")  # which is wrong for a while
    button(page, "Play").click()
    wait_for_rest(page)
    last = int(history(page).get_attribute("max") or 0)
    strip, alt = page.locator(".st-key-strip"), ".live-plot-alt"
    for name in CHARTS:
        expect(page.locator(f".st-key-panel_{name} {alt}")).to_contain_text(
            re.compile(rf"step {last}\b"), timeout=15_000
        )
    newest = {
        "transport": figure(page, "transport", "data[0].z"),
        "embedding": figure(page, "embedding", "data"),
        "graphs": figure(page, "graphs", "data"),
        "strip": strip.inner_text(),
    }
    history(page).fill("3")
    for name in CHARTS:
        expect(page.locator(f".st-key-panel_{name} {alt}")).to_contain_text(exactly(3), timeout=15_000)
    expect(page.locator(".st-key-status")).to_contain_text(f"step 3 of {last}")
    assert figure(page, "curves", "layout.shapes.filter(s => s.type === 'line' && s.x0 === 3).length") == 1
    wait_until(page, f"() => document.querySelector('.st-key-strip').innerText !== {newest['strip']!r}")
    for name, path in (("transport", "data[0].z"), ("embedding", "data"), ("graphs", "data")):
        wait_for_change(page, name, path, newest[name])
    page.get_by_role("button", name="Back to the newest step").click()
    expect(page.locator(f".st-key-panel_transport {alt}")).to_contain_text(
        re.compile(rf"step {last}\b"), timeout=15_000
    )
    page.keyboard.press("ArrowLeft")
    expect(page.locator(f".st-key-panel_transport {alt}")).to_contain_text(exactly(last - 1), timeout=15_000)


@pytest.mark.parametrize("how", ["button", "key", "drag"])
def test_the_right_end_of_the_history_follows_a_run_at_work(how: str, page: Page, server: Any) -> None:
    visit(page, server.url + LONG + "&preset=paper")
    button(page, "Play").click()
    wait_until(page, step_reached(100))
    shown = "Number(document.querySelector('.timeline input').value)"
    for _ in range(2):
        history(page).focus()
        page.keyboard.press("Home")
        expect(page.locator(".st-key-status")).to_contain_text("Looking at step 0 of", timeout=15_000)
        page.wait_for_timeout(1500)  # until the slider shows what the server says
        if how == "button":
            page.get_by_role("button", name="Back to the newest step").click()
        elif how == "key":
            page.keyboard.press("End")
        else:
            box = history(page).bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.mouse.move(box["x"] + box["width"] + 20, box["y"] + box["height"] / 2, steps=4)
            page.mouse.up()
        expect(page.locator(".st-key-status")).to_contain_text("Outer iteration", timeout=15_000)
        page.wait_for_timeout(2000)
        expect(page.locator(".st-key-status")).to_contain_text("Outer iteration")
        at = page.evaluate(shown)
        wait_until(page, f"() => {shown} > {at} && document.querySelector('.timeline input').max - {shown} < 1")


def test_reload_brings_back_settings_and_run(page: Page, server: Any) -> None:
    visit(page, server.url + SMALL + "&preset=gwd&gamma=0.05&inner=30&seed=11&loss=kl&projection=pca")
    button(page, "Play").click()
    wait_for_rest(page)
    address, strip = page.url, page.locator(".st-key-strip").inner_text()
    for part in ("pair=knn", "nodes=40", "preset=gwd", "gamma=0.05", "inner=30", "seed=11", "loss=kl"):
        assert part in address
    page.reload()
    wait_for_rest(page)
    assert page.url == address
    for label, value in (("γ step", "0.05"), ("N inner", "30"), ("Seed", "11")):
        expect(page.get_by_role("spinbutton", name=re.compile(f"^{label}"))).to_have_value(value)
    expect(page.locator(".st-key-set_loss input")).to_have_value("KL")
    expect(page.locator(".st-key-strip")).to_have_text(strip, use_inner_text=True)


def test_a_copied_link_carries_no_run(new_page: Callable[..., Page], server: Any) -> None:
    first = new_page()
    visit(first, server.url + SMALL + "&preset=gwd&inner=10")
    button(first, "Play").click()
    wait_for_rest(first)
    second = new_page()
    visit(second, first.url)
    expect(second.locator(".st-key-status")).to_contain_text("Ready")
    assert "gwl-run" not in first.url
    assert int(history(second).get_attribute("max") or 0) == 0


def test_a_killed_worker_leaves_the_page_usable(page: Page, server: Any) -> None:
    visit(page, server.url + LONG)
    button(page, "Play").click()
    wait_until(page, step_reached(5))
    os.kill(busiest(server.pid), signal.SIGKILL)
    expect(page.locator(".st-key-status")).to_contain_text("was ended by the system", timeout=15_000)
    button(page, "Resume").click()
    wait_until(page, "() => Number(document.querySelector('.timeline input').max) > 5 && "
                     "!document.querySelector('.st-key-status').innerText.includes('was ended')")  # fmt: skip
    button(page, "Stop").click()
    wait_for_rest(page)


_WATCH = """() => {
  const stop = document.querySelector('.st-key-stop button'), seen = window.__places = new Set();
  const look = () => { seen.add(Math.round(stop.getBoundingClientRect().x)); requestAnimationFrame(look); };
  look();
}"""


def test_the_players_buttons_stay_where_they_are(page: Page, server: Any) -> None:
    """Also while Play becomes Pause: else a press can fall between two buttons."""
    visit(page, server.url + LONG)
    page.evaluate(_WATCH)
    button(page, "Play").click()
    wait_until(page, step_reached(5))
    button(page, "Pause").click()
    wait_for_rest(page)
    assert page.evaluate("document.querySelector('.st-key-stop button').isConnected")
    assert len(page.evaluate("[...window.__places]")) == 1


def test_space_plays_and_pauses(page: Page, server: Any) -> None:
    visit(page, server.url + LONG)
    page.keyboard.press("Space")
    wait_until(page, step_reached(5))
    page.keyboard.press("Space")
    wait_for_rest(page)
    expect(page.locator(".st-key-status")).to_contain_text("Paused")


def test_a_tick_is_small_and_quick(page: Page, server: Any, slowness: Callable[[Page], float]) -> None:
    frames: list[tuple[float, int]] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append((time.monotonic(), len(data))))

    page.on("websocket", listen)
    visit(page, server.url + "/?pair=ba&nodes=600&noise=0.05&outer=3&inner=40&epochs=30")
    button(page, "Play").click()
    wait_until(page, step_reached(5), 120)
    # Ticks are told apart by the count of the transport chart's updates.
    sizes, milliseconds = [], []
    for _ in range(12):
        frames.clear()
        updates = "Number(document.querySelector('.st-key-panel_transport .live-plot').dataset.updates)"
        wait_until(page, f"() => {updates} > {page.evaluate(updates)}")
        sizes.append(sum(size for _, size in frames))
        milliseconds.append(int(page.locator(".timeline").get_attribute("data-tick-ms") or 0))
    button(page, "Stop").click()
    assert max(sizes) < TICK_BYTES, sizes
    assert 0 < sorted(milliseconds)[6] < TICK_MILLISECONDS * slowness(page), milliseconds
    assert page.evaluate("performance.getEntriesByName('running').length") < 5, "marks of scripts are not cleared"


def test_the_page_shows_and_exports_what_the_command_line_does(page: Page, server: Any, tmp_path: Path) -> None:
    visit(page, server.url + "/?pair=geant&seed=3")
    button(page, "Play").click()
    wait_for_rest(page, 180)
    align = [sys.executable, "-m", "gwl_core", "align", "--pair", "geant", "--seed", "3", "--json"]
    told = subprocess.run([*align, "--out", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True)
    record = json.loads(told.stdout)
    strip = page.locator(".st-key-strip")
    for share in (
        *(record["node_correctness"][kind] for kind in ("coupling", "embedding")),
        record["edge_correctness"],
    ):
        expect(strip).to_contain_text(f"{100 * share:.1f} %")
    expect(strip).to_contain_text(f"{record['gw_discrepancy']:.4g}")
    expect(page.locator(".st-key-status")).to_contain_text(record["message"])
    with page.expect_download() as download:
        page.get_by_role("button", name="matches.csv").click()
    assert Path(download.value.path()).read_bytes() == (tmp_path / "matches.csv").read_bytes()
    with page.expect_download() as download:
        page.get_by_role("button", name="figures.html").click()
    assert b"Plotly.newPlot" in Path(download.value.path()).read_bytes()


def test_the_first_screen_needs_no_scrolling(page: Page, server: Any) -> None:
    visit(page, server.url)
    parts = [".st-key-player", ".timeline", ".st-key-strip", *(f".st-key-panel_{name}" for name in CHARTS)]
    for part in parts:
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 900, part
    sidebar = page.get_by_test_id("stSidebarContent")
    assert sidebar.evaluate("node => node.scrollHeight <= node.clientHeight")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
