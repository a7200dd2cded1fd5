"""Labels, file names and files made to run code do not: on any page, in hovers, errors, restored sessions, reports."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import give, open_own_files, settled
from tests.browser.hostile import FILE, LABELS, Watch, graph, table

os.environ.setdefault("GWL_MAX_RUNS", "32")

PATIENCE = 120_000
QUICK = "/?pair=knn&nodes=24&noise=0.3&graph_seed=1&outer=1&inner=20&epochs=10&rounds=2&projection=pca"


def to(page: Page, name: str) -> None:
    page.get_by_test_id("stTopNavLink").get_by_text(name, exact=True).click()


def upload(page: Page, url: str) -> None:
    """The two hostile graphs and their known pairs, taken into use."""
    open_own_files(page, url)
    give(page, "source", "s" + FILE, graph("s"))
    give(page, "target", "t" + FILE, graph("t"))
    form = page.locator(".st-key-upload")
    expect(form).to_contain_text("s" + FILE, timeout=PATIENCE)
    expect(form).to_contain_text("t" + FILE, timeout=PATIENCE)

    give(page, "truth", "wrong" + FILE, table([("source", "target"), *((label, label) for label in LABELS[:3])]))
    alert = form.get_by_test_id("stAlert").first
    expect(alert).to_contain_text("wrong" + FILE, timeout=PATIENCE)
    expect(alert).to_contain_text(LABELS[0])
    give(page, "truth", FILE, table([("source", "target"), *(("s" + label, "t" + label) for label in LABELS)]))
    expect(form).to_contain_text(f"{FILE}: {len(LABELS)} of {len(LABELS)} rows used", timeout=PATIENCE)
    settled(page)
    page.get_by_role("button", name="Use these graphs").click()
    expect(form).to_have_count(0, timeout=PATIENCE)
    settled(page)


def play(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=90_000)
    expect(page.get_by_role("button", name=re.compile("^Play"))).to_be_visible()
    settled(page)


def hover(page: Page, chart: Locator, node: int) -> str:
    """What a chart says of a source node when the pointer rests on it."""
    drawn = "chart => chart._fullData?.some(t => t.customdata && t.customdata.length)"
    page.wait_for_function(drawn, arg=chart.element_handle(), timeout=PATIENCE)
    place = chart.evaluate(
        """(chart, node) => {
          const box = chart.querySelector('.nsewdrag').getBoundingClientRect(), layout = chart._fullLayout;
          const trace = chart._fullData.find(t => t.customdata && t.customdata.length);
          const at = Array.from(trace.customdata).indexOf(node);
          return [box.left + layout.xaxis.c2p(trace.x[at]), box.top + layout.yaxis.c2p(trace.y[at])];
        }""",
        node,
    )
    page.mouse.move(2, 2)
    page.mouse.move(*place)
    words = chart.locator(".hoverlayer .hovertext")
    expect(words.first).to_be_visible(timeout=PATIENCE)
    said = " ".join(words.all_text_contents())
    page.mouse.move(2, 2)
    return said


def shows(words: str, labels: tuple[str, ...]) -> bool:
    """Whether some label stands in the words, as text and from its beginning; charts shorten them."""
    return any(label[:10] in words for label in labels)


def saved(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name=name).click()
    kept = folder / name
    download.value.save_as(kept)
    return kept


def test_labels_are_text_everywhere(new_page: Callable[..., Page], server: Any, tmp_path: Path) -> None:
    page = new_page()
    watch = Watch(page)
    upload(page, server.url + QUICK)
    play(page)

    for name in ("embedding", "graphs"):
        chart = page.locator(f".st-key-panel_{name} .live-plot-figure")
        chart.scroll_into_view_if_needed()
        for node in (0, 1, 6, 9, 17):
            assert shows(hover(page, chart, node), LABELS), (name, node)
    transport = page.locator(".st-key-panel_transport .live-plot-figure")
    box = transport.locator("rect.nsewdrag").bounding_box()
    assert box is not None
    for k in range(0, len(LABELS), 3):
        page.mouse.move(box["x"] + 3, box["y"] + (k + 0.5) / len(LABELS) * box["height"])
        expect(transport.locator(".hoverlayer .hovertext").first).to_be_visible()
        assert shows(transport.locator(".hoverlayer").text_content() or "", LABELS), k
    cells = page.get_by_test_id("stDataFrame").first.locator("table tbody td")
    expect(cells.filter(has_text="s" + LABELS[0]).first).to_be_attached(timeout=PATIENCE)

    # Choosing the first label marks its pair in every panel and names it in the page.
    page.locator(".st-key-find_source input").click()
    page.keyboard.type("s" + LABELS[0][:8])
    page.get_by_role("listbox").get_by_role("option").first.click()
    expect(page.locator(".st-key-find_source input")).to_have_value("s" + LABELS[0], timeout=PATIENCE)
    page.wait_for_function(
        "document.querySelector('.st-key-panel_transport .live-plot-figure').layout.shapes.length > 0"
    )
    assert "selected=" not in page.url  # labels of uploads, and places among them, stay out of the address
    settled(page)
    watch.check()
    session, report = saved(page, "session.zip", tmp_path), saved(page, "report.html", tmp_path)
    figures = saved(page, "figures.html", tmp_path)

    to(page, "Inspect")
    expect(page.locator("[data-testid=stMain]")).to_contain_text(LABELS[0], timeout=PATIENCE)
    settled(page)
    watch.check()

    to(page, "Compare")
    expect(page.locator(".st-key-compare_run button")).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.locator(".st-key-compare_sets").get_by_text("None", exact=True).click()
    expect(page.locator(".st-key-compare_run button")).to_be_disabled()
    settled(page)
    for key in ("netal", "isorank"):
        page.locator(f".st-key-method_{key} label").first.click()
        expect(page.locator(f".st-key-method_{key} input")).to_be_checked()
        settled(page)
    page.locator(".st-key-compare_run button").click()
    expect(page.get_by_text("methods have a matching.").first).to_be_visible(timeout=2 * PATIENCE)
    settled(page)
    watch.check()

    other = new_page()
    second = Watch(other)
    other.goto(server.url + QUICK)
    expect(other.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=PATIENCE)
    other.get_by_role("button", name="Open a session file").click()
    other.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(session)
    expect(other.get_by_test_id("stAlert").first).to_contain_text("restored", timeout=PATIENCE)
    settled(other)
    second.check()

    for path in (report, figures):
        reader = new_page()
        third = Watch(reader)
        reader.context.set_offline(True)
        reader.goto(path.as_uri())
        expect(reader.locator(".plotly-graph-div .main-svg").first).to_be_visible(timeout=PATIENCE)
        if path is report:
            expect(reader.get_by_role("cell", name="s" + LABELS[0], exact=True).first).to_be_visible()
        third.check()


def test_files_that_are_no_graphs_are_refused_in_the_form(page: Page, server: Any) -> None:
    watch = Watch(page)
    page.goto(server.url + QUICK)
    expect(page.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.locator(".st-key-pair").get_by_role("combobox").click()
    page.get_by_role("option", name="Your own files").click()
    form = page.locator(".st-key-upload")
    page_of_html = b"<!doctype html><script>window.__pwned=1</script>"
    bad_weight = table([("source", "target", "weight"), ("a", "b", LABELS[0]), ("b", LABELS[1], LABELS[1])])
    for name, content, said in (
        ("a.html", page_of_html, "a.html is XML (HTML)"),
        (FILE, bad_weight, "are no numbers"),
        ("b.csv", b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x06CANARY\x94.", "is a Python pickle"),
    ):
        give(page, "source", name, content)
        alert = form.get_by_test_id("stAlert").first
        expect(alert).to_contain_text(said, timeout=PATIENCE)
        expect(alert).to_contain_text(name)
        expect(page.get_by_role("button", name="Use these graphs")).to_be_disabled()
        watch.check()
