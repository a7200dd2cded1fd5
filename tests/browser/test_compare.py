"""The Compare page in Chromium: methods chosen, watched, sorted, a disagreement opened, the consensus taken away."""

from __future__ import annotations

import csv
import os
import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import give, open_own_files, settled

os.environ.setdefault("GWL_MAX_RUNS", "32")

PATIENCE = 60_000
METHODS = ("NETAL", "IsoRank", "FAQ", "HubAlign")


def open_compare(page: Page, url: str) -> None:
    """By the navigation, as a user comes."""
    page.goto(url)
    expect(page.locator(".st-key-panel_graphs .main-svg").first).to_be_visible(timeout=PATIENCE)
    settled(page)
    page.get_by_test_id("stTopNavLink").get_by_text("Compare", exact=True).click()
    expect(page.locator(".st-key-compare_run button")).to_be_visible(timeout=PATIENCE)
    settled(page)


def choose(page: Page, keys: tuple[str, ...]) -> None:
    """These methods and no others."""
    page.locator(".st-key-compare_sets").get_by_text("None", exact=True).click()
    expect(page.locator(".st-key-compare_run button")).to_be_disabled()
    settled(page)
    for key in keys:
        page.locator(f".st-key-method_{key} label").first.click()
        expect(page.locator(f".st-key-method_{key} input")).to_be_checked()
        settled(page)


def run(page: Page) -> None:
    page.locator(".st-key-compare_run button").click()
    expect(page.locator(".st-key-compare_methods")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("methods have a matching.").first).to_be_visible(timeout=2 * PATIENCE)
    settled(page)


def column(table: Locator, at: int) -> list[str]:
    """A column of a table as it is read out, without the heading."""
    texts: list[str] = table.locator("table tbody tr").evaluate_all(
        "(rows, at) => rows.map(r => r.querySelectorAll('td')[at].textContent)", at
    )
    return texts


def numbers(cells: list[str]) -> list[float]:
    return [float(re.match(r"[\d.]+", cell)[0]) for cell in cells]  # type: ignore[index]


def test_four_methods_are_compared(page: Page, server: Any, tmp_path: Path) -> None:
    open_compare(page, server.url + "/?pair=geant")
    choose(page, ("netal", "isorank", "faq", "hubalign"))
    run(page)
    standing = page.locator(".st-key-compare_methods")
    for title in METHODS:
        expect(standing).to_contain_text(re.compile(rf"✓ {title}\s*\d"))

    scores = page.locator(".st-key-compare_scores_table").get_by_test_id("stDataFrame")
    expect(scores.locator("table tbody tr")).to_have_count(4, timeout=20_000)
    before = column(scores, 2)
    assert len(set(before)) > 1, before
    headings = scores.locator("table thead th").all_inner_texts()
    assert "Correct, 1:1" in headings[2], (headings, before)
    scores.locator(".dvn-scroller").click(position={"x": 280, "y": 16})  # the third heading
    deadline = time.monotonic() + 20
    while column(scores, 2) == before:
        assert time.monotonic() < deadline, f"a press on the heading left {before}"
        page.wait_for_timeout(100)
    after = numbers(column(scores, 2))
    assert after in (sorted(after), sorted(after, reverse=True))

    with page.expect_download() as taken:
        page.get_by_role("button", name="consensus.csv").click()
    taken.value.save_as(tmp_path / "consensus.csv")
    rows = list(csv.DictReader((tmp_path / "consensus.csv").read_text(encoding="utf-8").splitlines()))
    assert rows
    assert {int(row["votes"]) for row in rows} <= {3, 4}

    settled(page)
    scores.locator(".dvn-scroller").click(position={"x": 16, "y": 52})  # the first row's box
    name = re.compile(r"Open (NETAL|IsoRank|FAQ|HubAlign) in Inspect: .+ → ")
    expect(page.get_by_role("button", name=name).first).to_be_enabled(timeout=PATIENCE)
    settled(page)

    pairs = page.locator(".st-key-compare_pairs_differ").get_by_test_id("stDataFrame")
    pairs.scroll_into_view_if_needed()
    source, target = column(pairs, 0)[0], column(pairs, 1)[0]
    pairs.locator(".dvn-scroller").click(position={"x": 16, "y": 52})  # the first row's box
    opener = page.get_by_role("button", name=f"Open {source} → {target} in Inspect")
    expect(opener).to_be_enabled(timeout=PATIENCE)
    opener.click()
    expect(page.get_by_test_id("stTopNavLink").filter(has_text="Inspect")).to_have_attribute(
        "aria-current", "page", timeout=PATIENCE
    )
    page.wait_for_function("new URL(location).searchParams.has('selected')", timeout=PATIENCE)


def test_a_method_beyond_its_limit_says_so(page: Page, server: Any, tmp_path: Path) -> None:
    ring = "\n".join(f"n{k},n{(k + 1) % 2100}" for k in range(2100))
    path = tmp_path / "ring.csv"
    path.write_text("source,target\n" + ring, encoding="utf-8")
    open_own_files(page, server.url + "/?pair=geant")
    for kind in ("source", "target"):
        give(page, kind, path.name, path.read_bytes())
    page.get_by_role("button", name="Use these graphs").click(timeout=PATIENCE)
    settled(page)
    page.get_by_test_id("stTopNavLink").get_by_text("Compare", exact=True).click()
    expect(page.locator(".st-key-compare_run button")).to_be_visible(timeout=PATIENCE)
    choose(page, ("tame", "lrsa"))
    run(page)
    expect(page.get_by_text("too large for this method: its limit is 2000 nodes").first).to_be_visible()
    expect(page.locator(".st-key-compare_methods")).to_contain_text(re.compile(r"✓ LRSA\s*\d"))
