"""What would be cut, covered or read out as code: only a browser shows where words end up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard import drawing
from dashboard.report import report_html
from dashboard.session import Session
from dashboard.text.learn import TOUR
from tests.browser.conftest import NARROW
from tests.dashboard.test_report import made

LARGE = "/?pair=knn&nodes=330&noise=0.1&graph_seed=1&selected=3-3"
SMALL = "/?pair=knn&nodes=12&noise=0.1&graph_seed=1"


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()
    assert found is not None, selector
    return {"left": found["x"], "right": found["x"] + found["width"], "top": found["y"], "height": found["height"]}


def drawn(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=60_000)


def test_the_settings_names_are_whole_and_say_when_they_apply(page: Page, server: Any) -> None:
    drawn(page, server.url + SMALL)
    page.get_by_text("All settings").click()
    expect(page.get_by_role("checkbox", name="Unmatched mass, on reset")).to_be_attached()
    expect(page.get_by_role("spinbutton", name="γ step, applies now", exact=True)).to_be_visible()
    names = page.get_by_test_id("stSidebar").locator("label, label p, label .stMarkdownEllipsis")
    cut = "all => all.filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.innerText)"
    assert names.evaluate_all(cut) == []
    code = "() => [...document.querySelectorAll('[aria-label*=\":material\"]')].map(node => node.ariaLabel)"
    assert page.evaluate(code) == []
    assert page.locator("[data-testid=stSidebar] [title$=' restart_alt']").count() == 0


@pytest.mark.parametrize("size", [(1440, 900), NARROW])
def test_the_charts_choices_lie_beside_each_other(
    size: tuple[int, int], new_page: Callable[..., Page], server: Any
) -> None:
    page = new_page(size)
    drawn(page, server.url + LARGE)
    expect(page.locator(".st-key-exact button")).to_be_visible(timeout=30_000)
    order, exact = box(page, ".st-key-order"), box(page, ".st-key-exact")
    beside = exact["right"] < order["left"]
    assert beside or exact["top"] >= order["top"] + order["height"]
    if size != NARROW:
        panels = [box(page, f".st-key-panel_{name}") for name in ("embedding", "graphs")]
        assert panels[0]["height"] == panels[1]["height"]
        heads = [box(page, f".st-key-panel_{name} .live-plot-heading") for name in ("embedding", "graphs")]
        assert heads[0]["top"] == heads[1]["top"]


def test_formulas_fit_on_a_phone(new_page: Callable[..., Page], server: Any) -> None:
    page = new_page(NARROW)
    for number in (3, 6):
        page.goto(f"{server.url}/learn?step={number}")
        expect(page.get_by_role("heading", name=TOUR[number - 1].title, level=2)).to_be_visible(timeout=60_000)
        formulas = page.locator(".st-key-formula .katex-display")
        expect(formulas).to_have_count(len(TOUR[number - 1].formulas), timeout=30_000)
        assert formulas.evaluate_all("all => all.every(node => node.scrollWidth <= node.clientWidth)"), number


def test_the_report_fits_on_a_phone(new_page: Callable[..., Page]) -> None:
    page = new_page(NARROW)
    problem, snapshot, record = made()
    for side in ("source", "target"):
        record[side]["name"] = "Connectome_of_an_adult_worm"
    page.set_content(report_html(problem, Session(), snapshot, record, [(drawing.curves(snapshot), "curves")]))
    expect(page.locator(".main-svg").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
