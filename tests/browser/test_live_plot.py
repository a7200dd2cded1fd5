"""The chart component in a real browser, on the page of demo_app.py."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, Page

from dashboard.live_plot import setup

ROOT = Path(__file__).parents[2]
CHARTS = 4


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the demo page; its static folder lies beside the script, as Streamlit wants it."""
    folder = tmp_path_factory.mktemp("demo")
    script = shutil.copy(Path(__file__).parent / "demo_app.py", folder)
    setup.install(folder / "static")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}", "--server.address=127.0.0.1",
        "--server.headless=true", "--server.enableStaticServing=true", "--server.fileWatcherType=none",
        "--browser.gatherUsageStats=false",
    ]  # fmt: skip
    log = folder / "log.txt"
    with log.open("w") as output:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
                break
            except (URLError, OSError):
                assert process.poll() is None, log.read_text()
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def _open(page: Page, demo: str, nodes: int, step: int = 5) -> None:
    page.goto(f"{demo}/?nodes={nodes}&step={step}")
    page.wait_for_function(f"document.querySelectorAll('.live-plot[data-updates]').length === {CHARTS}", timeout=40_000)
    page.evaluate("document.fonts.ready.then(() => 0)")
    page.wait_for_timeout(200)


def _figure(page: Page, alt: str):
    return page.locator(f'.live-plot-figure[aria-label^="{alt}"]')


def _updates(page: Page, alt: str) -> int:
    return int(_figure(page, alt).evaluate("node => node.parentElement.dataset.updates"))


def _run(page: Page) -> None:
    page.locator('[data-testid="stCheckbox"] label').click()


def _wait_for_ticks(page: Page, alt: str, ticks: int) -> None:
    page.wait_for_function(
        "([alt, n]) => document.querySelector(`.live-plot-figure[aria-label^='${alt}']`)"
        ".parentElement.dataset.updates >= n",
        arg=[alt, _updates(page, alt) + ticks],
        timeout=60_000,
    )


def _shown(page: Page, until: Callable[[dict], object]) -> dict:
    """What the page's last line says, once it says what is waited for."""
    for _ in range(150):
        shown = json.loads(page.locator('[data-testid="stText"]').inner_text())
        if until(shown):
            return shown
        page.wait_for_timeout(100)
    raise AssertionError(f"the page still shows {shown}")


def _click_at(page: Page, alt: str, x: float, y: float) -> None:
    """Click at a point given in the chart's own coordinates."""
    at = _figure(page, alt).evaluate(
        """(node, [x, y]) => {
            const { xaxis, yaxis } = node._fullLayout._plots.xy, box = node.getBoundingClientRect();
            return [box.x + xaxis._offset + xaxis.c2p(x), box.y + yaxis._offset + yaxis.c2p(y)];
        }""",
        [x, y],
    )
    page.mouse.move(at[0] - 2, at[1] - 2)
    page.mouse.move(*at, steps=3)
    page.wait_for_timeout(150)  # a click takes what the pointer hovers over, which plotly looks up every 50 ms
    page.mouse.click(*at)


def test_zoom_legend_and_node_outlive_the_stream(page: Page, demo: str) -> None:
    _open(page, demo, 60)
    curves = _figure(page, "Discrepancy")
    curves.evaluate("node => { node.isTheSame = true; }")
    curves.locator(".legendtoggle").nth(1).click()
    page.wait_for_timeout(600)  # plotly waits for a double click
    area = curves.locator(".nsewdrag").first.bounding_box()
    page.mouse.move(area["x"] + area["width"] * 0.3, area["y"] + area["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] * 0.6, area["y"] + area["height"] * 0.7, steps=5)
    page.mouse.up()
    look = "node => [node._fullLayout.xaxis.range, node._fullLayout.yaxis.range, node._fullData.map(t => t.visible)]"
    page.wait_for_timeout(300)
    before = curves.evaluate(look)
    assert 0.5 < before[0][0] < before[0][1] < 4.5
    assert "legendonly" in before[2]
    _run(page)
    _wait_for_ticks(page, "Discrepancy", 12)
    assert curves.evaluate(look) == before
    assert curves.evaluate("node => node.isTheSame") is True
    assert curves.evaluate("node => node.data[0].x.length") > 12, "the figure itself must have moved on"


def test_a_click_on_a_cell_selects_its_pair(page: Page, demo: str) -> None:
    _open(page, demo, 60, step=60)
    _click_at(page, "Transport", 17, 17)
    shown = _shown(page, lambda shown: shown["pair"])
    assert shown["click"]["point"] == [17, 17]
    assert shown["pair"] == [17, shown["true"]]
    _click_at(page, "Transport", 40, 3)
    shown = _shown(page, lambda shown: shown["click"]["n"] == 2)
    assert shown["click"]["point"] == [3, 40]
    assert shown["pair"][0] == 3
    assert shown["pair"][1] != shown["true"]


def test_a_click_on_a_pooled_cell_selects_a_pair_in_it(page: Page, demo: str) -> None:
    _open(page, demo, 600, step=60)
    _click_at(page, "Transport", 301, 301)
    shown = _shown(page, lambda shown: shown["pair"])
    # A cell is little more than a pixel here, and mouse events come in whole pixels.
    assert all(abs(rank - 100) <= 1 for rank in shown["click"]["point"])
    assert [rank // 3 for rank in shown["ranks"]] == shown["click"]["point"]


@pytest.mark.parametrize("chart", ["Both", "Joint"])
def test_a_click_on_a_painted_node_selects_it(page: Page, demo: str, chart: str) -> None:
    _open(page, demo, 60, step=60)
    node = 23
    x, y = _figure(page, chart).evaluate(
        "(chart, node) => { const t = chart.data.find(t => t.customdata); return [t.x[node], t.y[node]]; }", node
    )
    _click_at(page, chart, x, y)
    shown = _shown(page, lambda shown: shown["pair"])
    assert shown["click"]["customdata"] == node
    assert shown["pair"] == [node, shown["true"]]


def test_nodes_hidden_by_the_legend_stay_so_when_a_pair_is_marked(page: Page, demo: str) -> None:
    _open(page, demo, 60, step=60)
    joint = _figure(page, "Joint")
    paths = "node => node.querySelectorAll('.live-plot-paint path').length"
    everything = joint.evaluate(paths)
    joint.locator(".legendtoggle").nth(1).click()
    page.wait_for_timeout(600)  # plotly waits for a double click
    nodes = "node => node._fullData.filter(t => t.legendgroup).map(t => [t.legendgroup, t.visible])"
    hidden = [["source", True], ["target", "legendonly"]] * 2  # the nodes, and their entries in the legend
    assert joint.evaluate(nodes) == hidden
    painted = joint.evaluate(paths)
    x, y = joint.evaluate("chart => { const t = chart.data.find(t => t.customdata); return [t.x[23], t.y[23]]; }")
    _click_at(page, "Joint", x, y)
    _shown(page, lambda shown: shown["pair"])
    page.wait_for_function("document.querySelector(`[aria-label^='Joint']`).data.some(t => t.mode === 'lines+markers')")
    assert joint.evaluate(nodes) == hidden
    assert joint.evaluate(paths) == painted < everything


def test_nodes_and_edges_are_few_paths_that_follow_the_zoom(page: Page, demo: str) -> None:
    _open(page, demo, 600)
    graphs = _figure(page, "Both")
    assert 3 < graphs.locator(".live-plot-paint path").count() < 40
    assert graphs.locator(".scatterlayer path").count() < 40
    place = "node => node.querySelector('.live-plot-paint path').getAttribute('d').slice(0, 30)"
    before = graphs.evaluate(place)
    graphs.evaluate("node => Plotly.relayout(node, { 'xaxis.range': [0, 1], 'yaxis.range': [0, 1] })")
    assert graphs.evaluate(place) != before


def test_the_theme_is_followed_while_the_page_stays(page: Page, demo: str) -> None:
    _open(page, demo, 7)
    curves = _figure(page, "Discrepancy")
    curves.evaluate("node => { node.isTheSame = true; }")
    ink = "node => [node._fullLayout.font.color, node.data[0].line.color, node._fullLayout.paper_bgcolor]"
    light = curves.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "before => document.querySelector(`.live-plot-figure[aria-label^='Discr']`).data[0].line.color !== before",
        arg=light[1],
    )
    dark = curves.evaluate(ink)
    assert dark[0] != light[0]
    assert dark[0] == dark[1], "the stand-in for ink must take the text colour"
    assert dark[2] == light[2] == "rgba(0,0,0,0)"
    assert curves.evaluate("node => node.isTheSame") is True


def test_charts_follow_the_width(page: Page, demo: str) -> None:
    _open(page, demo, 7)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(
        "() => [...document.querySelectorAll('.live-plot')].every(root =>"
        " root.clientWidth < 390 && root.querySelector('.main-svg').clientWidth === root.clientWidth)"
    )
    overflow = page.evaluate(
        "() => [...document.querySelectorAll('.live-plot')].some(root => root.scrollHeight > root.clientHeight + 1)"
    )
    assert not overflow


def test_every_chart_has_a_text_alternative(page: Page, demo: str) -> None:
    _open(page, demo, 7)
    figures = page.get_by_role("figure")
    names = [figures.nth(i).get_attribute("aria-label") for i in range(figures.count())]
    assert "Discrepancy and correctness up to step 5" in names
    assert page.locator("p.live-plot-alt").all_inner_texts() == page.locator(".live-plot-figure").evaluate_all(
        "nodes => nodes.map(node => node.getAttribute('aria-label'))"
    )


def test_an_equal_figure_is_not_drawn_again(page: Page, demo: str) -> None:
    _open(page, demo, 7, step=60)
    before = _updates(page, "Transport")
    _run(page)  # the demo stands still at its last step
    page.wait_for_timeout(2500)
    assert _updates(page, "Transport") == before


def test_a_missing_script_is_said_and_not_a_blank(browser: Browser, demo: str) -> None:
    # A page of its own: here the browser rightly logs an error.
    page = browser.new_page()
    page.route("**/plotly.min.js", lambda route: route.abort())
    page.goto(f"{demo}/?nodes=7")
    page.locator(".live-plot-error").first.wait_for()
    assert "dashboard.live_plot.setup" in page.locator(".live-plot-error").first.inner_text()
    page.close()


_DRAWING = """async () => {
  const node = document.createElement("div");
  node.style.cssText = "position:fixed;left:0;top:0;width:500px;height:290px;opacity:0";
  document.body.append(node);
  let best = Infinity;
  for (let turn = 0; turn < 20; turn++) {
    const line = (name, slope) => ({ name, y: Array.from({ length: 40 }, (_, i) => slope * Math.cos(0.1 * i + turn)) });
    const traces = [line("a", 1), line("b", 2), line("c", 3)];
    const start = performance.now();
    const drawn = window.Plotly.react(node, traces, { width: 500, height: 290, showlegend: true });
    if (turn) best = Math.min(best, performance.now() - start);
    await drawn;
    await new Promise((done) => setTimeout(done, 30));
  }
  window.Plotly.purge(node);
  node.remove();
  return best;
}"""
"""Three lines of 40 points drawn anew, milliseconds: a page's drawing slows down with other things than its script."""

_USUAL_DRAWING = 13.5
"""Milliseconds of it at the pace the bound below was set for: not measured there, but inferred from a machine where it
took 20 ms and the charts of that time, which just kept the bound, 140 to 150."""


def test_a_tick_of_600_nodes_is_small_and_quick(page: Page, demo: str) -> None:
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    _open(page, demo, 600, step=0)
    page.wait_for_timeout(500)
    page.evaluate("window.__livePlotMs.length = 0")
    received.clear()
    _run(page)
    # The quickest of many updates, up to 48, on a machine of usual pace: other processes must not decide this.
    for _ in range(4):
        _wait_for_ticks(page, "Both", 12)
        times = defaultdict(list)
        for entry in page.evaluate("window.__livePlotMs"):
            times[entry["chart"].split()[0]].append(entry["ms"])
        slowness = max(1.0, page.evaluate(_DRAWING) / _USUAL_DRAWING)
        quickest = sum(min(spent) for spent in times.values()) / slowness
        if quickest < 100:
            break
    assert len(times) == CHARTS
    assert quickest < 100, (slowness, times)
    assert sum(received) / _shown(page, lambda shown: shown["step"])["step"] < 350_000
