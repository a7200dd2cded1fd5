"""Sessions that are saved and restored, reports that open from disk, keys that move through time, in Chromium."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import figure, settled

os.environ.setdefault("GWL_MAX_RUNS", "32")

SMALL = "/?pair=knn&nodes=24&noise=0.3&graph_seed=1&outer=1&inner=20&epochs=10&rounds=2&projection=pca"
PATIENCE = 90_000


def start(page: Page, url: str) -> None:
    """Open the Align page and let its run come to its end."""
    page.goto(url)
    expect(page.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=90_000)
    expect(page.get_by_role("button", name=re.compile("^Play"))).to_be_visible()


def history(page: Page) -> Locator:
    return page.get_by_role("slider", name="History")


def shows(page: Page, step: int) -> None:
    """Wait until every panel shows a step."""
    for name in ("transport", "embedding", "graphs"):
        words = page.locator(f".st-key-panel_{name} .live-plot-alt").filter(has_text=re.compile(rf"step {step}\b"))
        expect(words).to_be_attached(timeout=PATIENCE)


def look(page: Page) -> dict[str, Any]:
    """What the page shows of the run."""
    return {
        "strip": page.locator(".st-key-strip").inner_text(),
        "transport": figure(page, "transport", "data[0].z"),
        "graphs": figure(page, "graphs", "data.map(t => [t.x, t.y])"),
        "slider": history(page).input_value(),
        "last": history(page).get_attribute("max"),
    }


def test_keys_move_through_the_history(page: Page, server: Any) -> None:
    start(page, server.url + SMALL)
    last = int(history(page).get_attribute("max") or 0)
    page.locator(".st-key-strip").click()
    for key, step in (("Home", 0), ("ArrowRight", 1), ("Shift+ArrowRight", 11), ("ArrowLeft", 10), ("End", last)):
        page.keyboard.press(key)
        expect(page.locator(".timeline output")).to_contain_text(f"step {step} of {last}")
        if step:
            shows(page, step)
    page.keyboard.press("Home")
    expect(page.locator(".timeline output")).to_contain_text("step 0 of")
    page.get_by_label("Replay speed").select_option("50")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.locator(".timeline output")).to_contain_text(f"step {last} of {last}", timeout=60_000)
    shows(page, last)
    a_change_in_the_past_forks_the_run(page)


def a_change_in_the_past_forks_the_run(page: Page) -> None:
    """The old curve stays as a ghost, and both runs are listed."""
    ghosts = "data.filter(t => t.opacity && t.opacity < 0.5 && t.x.length > 1).length"
    chart = "document.querySelector('.st-key-panel_curves .live-plot-figure')"
    before = page.evaluate(f"{chart}.{ghosts}")  # candidates of the search that lost
    history(page).fill("9")
    shows(page, 9)
    page.get_by_role("spinbutton", name=re.compile("^γ step")).fill("0.02")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-status")).to_contain_text("the old curve stays as a ghost", timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("^Play")).click()
    page.wait_for_function(f"{chart}?.{ghosts} > {before}", timeout=PATIENCE)
    expect(page.locator("[class*=st-key-run_row_]")).to_have_count(2, timeout=PATIENCE)
    expect(page.get_by_role("button", name=re.compile("^Play"))).to_be_visible(timeout=PATIENCE)


def test_a_session_comes_back_in_another_browser(new_page: Callable[..., Page], server: Any, tmp_path: Path) -> None:
    first = new_page()
    start(first, server.url + SMALL)
    history(first).fill("17")
    shows(first, 17)
    first.locator(".st-key-find_source input").click()
    first.keyboard.press("ArrowDown")
    first.get_by_role("listbox").get_by_role("option").nth(4).click()
    expect(first).to_have_url(re.compile("selected="))
    chosen = first.locator(".st-key-find_source input").input_value()
    shows(first, 17)
    before = look(first)
    with first.expect_download() as download:
        first.get_by_role("button", name="session.zip").click()
    kept = tmp_path / "session.zip"
    download.value.save_as(kept)

    second = new_page()
    second.goto(server.url)
    expect(second.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=PATIENCE)
    second.get_by_role("button", name="Open a session file").click()
    second.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(kept)
    expect(second.get_by_test_id("stAlert").first).to_contain_text("restored at step 17", timeout=PATIENCE)
    shows(second, 17)
    expect(second.locator(".st-key-find_source input")).to_have_value(chosen)
    assert look(second) == before
    assert "pair=knn" in second.url


def test_the_report_opens_from_disk_without_network(new_page: Callable[..., Page], server: Any, tmp_path: Path) -> None:
    page = new_page()
    start(page, server.url + SMALL)
    strip = [v.inner_text() for v in page.locator(".st-key-strip [data-testid=stMetricValue]").all()]
    with page.expect_download() as download:
        page.get_by_role("button", name="report.html").click()
    kept = tmp_path / "report.html"
    download.value.save_as(kept)
    reader = new_page()
    asked: list[str] = []
    reader.on("request", lambda request: asked.append(request.url))
    reader.context.set_offline(True)
    reader.goto(kept.as_uri())
    expect(reader.locator(".plotly-graph-div .main-svg").first).to_be_visible()
    assert reader.locator(".plotly-graph-div").count() == 4
    for value in strip:
        expect(reader.get_by_role("cell", name=value, exact=True).first).to_be_visible()
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked), asked
