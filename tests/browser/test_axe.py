"""axe finds no serious or critical fault of ours on any page, light or dark, and nothing overflows on a phone."""

from __future__ import annotations

import os
import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import recolour, settled

os.environ.setdefault("GWL_MAX_RUNS", "32")

SMALL = "/?pair=knn&nodes=24&noise=0.3&graph_seed=1&outer=1&inner=20&epochs=10&rounds=2&projection=pca"
PATIENCE = 90_000

# Faults of Streamlit 1.67's own widgets: rule → what its elements' HTML or path contains.
STREAMLIT: dict[str, tuple[str, ...]] = {}


def faults(page: Page) -> list[str]:
    """Serious and critical violations that are not Streamlit's own."""
    found = []
    for violation in Axe().run(page).response["violations"]:
        if violation["impact"] not in ("serious", "critical"):
            continue
        own = STREAMLIT.get(violation["id"], ())
        for node in violation["nodes"]:
            place = f"{node['target']} {node['html']}"
            if not any(part in place for part in own):
                found.append(f"{violation['id']} ({violation['impact']}): {place[:300]}")
    return found


def play(page: Page) -> None:
    expect(page.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=90_000)
    expect(page.get_by_role("button", name=re.compile("^Play"))).to_be_visible()


def names(page: Page) -> list[str]:
    """All pages of the navigation."""
    return [link.inner_text().strip() for link in page.get_by_test_id("stTopNavLink").all()]


def test_axe_finds_nothing_of_ours(page: Page, server: Any) -> None:
    page.goto(server.url + SMALL)
    play(page)
    found: dict[str, list[str]] = {}
    for name in names(page):
        page.get_by_test_id("stTopNavLink").get_by_text(name, exact=True).click()
        expect(page.get_by_test_id("stTopNavLink").filter(has_text=name)).to_have_attribute("aria-current", "page")
        settled(page)
        if name == "Learn":  # until its script for formulas has come, buttons named by them are empty
            expect(page.locator(".st-key-formula .katex").first).to_be_visible(timeout=PATIENCE)
        if name in ("Align", "Inspect"):
            expect(page.locator(".live-plot-figure .main-svg").first).to_be_visible(timeout=PATIENCE)
        for scheme in ("light", "dark"):
            recolour(page, scheme)
            if faulty := faults(page):
                found[f"{name}, {scheme}"] = faulty
        recolour(page, "light")
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_function("document.documentElement.clientWidth === 390")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > 390:
            found.setdefault(name, []).append(f"overflows a phone: {width} px wide")
        page.set_viewport_size({"width": 1440, "height": 900})
        expect(page.get_by_test_id("stTopNavLink").first).to_be_visible()
    assert not found, "\n".join(f"{name}: {fault}" for name, several in found.items() for fault in several)
