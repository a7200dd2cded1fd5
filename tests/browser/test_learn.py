"""The Learn page in Chromium: the tour is walked, a cell clicked, a symbol leads to its control, all is accessible."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from dashboard.text.learn import TOUR
from tests.browser.conftest import figure, settled, wait_for_change

NARROW = (390, 844)
# Streamlit's own markup, in any page of it: not ours to change.
STREAMLIT = {"aria-allowed-attr", "nested-interactive", "scrollable-region-focusable"}


def ready(page: Page, number: int) -> None:
    """Until a step is drawn and nothing runs."""
    expect(page.get_by_role("heading", name=TOUR[number - 1].title, level=2)).to_be_visible(timeout=60_000)
    # Until the page is drawn the parts of the step before stand below.
    page.wait_for_function("document.querySelectorAll('.st-key-formula').length === 1", timeout=60_000)
    expect(page.locator(".st-key-formula")).to_be_visible()
    expect(page.locator(".live-plot-figure .main-svg").first).to_be_visible(timeout=30_000)
    settled(page)


def open_tour(page: Page, url: str) -> None:
    """By way of the first page, as a reader comes."""
    page.goto(url)
    expect(page.locator(".st-key-status")).to_be_visible(timeout=60_000)
    if page.viewport_size and page.viewport_size["width"] < 600:
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name="Learn").click()
    ready(page, 1)
    if page.viewport_size and page.viewport_size["width"] < 600:
        page.get_by_test_id("stSidebar").hover()
        page.get_by_test_id("stSidebarCollapseButton").get_by_role("button").click()
        expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()


def violations(page: Page) -> list[str]:
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]}"
        for rule in found
        for node in rule["nodes"]
        if rule["impact"] in ("serious", "critical") and rule["id"] not in STREAMLIT
    ]


def cells(page: Page, name: str) -> Any:
    return figure(page, f"tour_{name}", "data[0].z")


def test_the_tour_on_a_wide_screen(page: Page, server: Any) -> None:
    open_tour(page, server.url)
    box = page.locator(".st-key-panel_tour_coupling rect.nsewdrag").bounding_box()
    assert box is not None
    before = cells(page, "coupling")
    # The cell of a and 4: four rows and columns, and room for the sums.
    page.mouse.click(box["x"] + 3.5 / 4.9 * box["width"], box["y"] + 0.5 / 4.75 * box["height"])
    expect(page.locator(".st-key-found")).to_contain_text("a → 4", timeout=15_000)
    wait_for_change(page, "tour_coupling", "data[0].z", before)
    assert cells(page, "coupling")[0][3] > cells(page, "coupling")[0][0]
    for number in range(2, len(TOUR) + 1):
        page.locator(".st-key-next_top button").click()
        ready(page, number)
        expect(page).to_have_url(re.compile(rf"/learn\?step={number}$"))
    page.get_by_text("4 · Why γ matters").click()
    ready(page, 4)
    page.locator(".st-key-formula").get_by_role("button").first.click()
    control = page.locator(".st-key-set_gamma")
    expect(control).to_have_class(re.compile("pointed-out"), timeout=30_000)
    expect(control.locator("input")).to_be_focused()
    assert "/learn" not in page.url
    page.get_by_role("link", name="Learn").click()
    ready(page, 4)


def test_the_tour_on_a_phone_and_in_the_dark(new_page: Callable[..., Page], server: Any) -> None:
    for scheme, size in (("light", NARROW), ("dark", NARROW)):
        page = new_page(size, scheme)
        open_tour(page, server.url)
        for number in range(1, len(TOUR) + 1):
            ready(page, number)
            wide = page.get_by_test_id("stMain").evaluate("node => [node.scrollWidth, node.clientWidth]")
            assert wide[0] <= wide[1], f"step {number} overflows"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert not violations(page), f"step {number}, {scheme}"
            if number < len(TOUR):
                page.locator(".st-key-next_end button").click()


def test_a_setting_behind_all_settings_is_found_on_a_phone(new_page: Callable[..., Page], server: Any) -> None:
    page = new_page(NARROW, "light")
    open_tour(page, server.url)
    page.locator(".st-key-formula").get_by_role("button").click()  # node weights
    control = page.locator(".st-key-set_marginals")
    expect(control).to_have_class(re.compile("pointed-out"), timeout=30_000)
    expect(control).to_be_in_viewport()
