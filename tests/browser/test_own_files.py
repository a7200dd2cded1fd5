"""The form for the user's own files in a browser: another page loses none of them, and the form opens again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from dashboard import text
from dashboard.text.runs import RESTORING
from tests.browser.conftest import give, open_own_files, settled

os.environ.setdefault("GWL_MAX_RUNS", "32")

PATIENCE = 60_000
FILES = {
    "source": ("net_a.csv", b"source,target\na,b\nb,c\n"), "target": ("net_b.csv", b"source,target\nx,y\ny,z\nz,x\n"),
}  # fmt: skip


def to(page: Page, name: str, sees: str) -> None:
    page.get_by_test_id("stTopNavLink").get_by_text(name, exact=True).click()
    expect(page.locator(sees).first).to_be_visible(timeout=PATIENCE)
    settled(page)


def saved(page: Page, name: str) -> str:
    """What the button of a file gives."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_enabled(timeout=PATIENCE)
    settled(page)
    with page.expect_download(timeout=PATIENCE) as download:
        button.click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def opened(page: Page, url: str) -> None:
    """Align with its form open and both files chosen."""
    open_own_files(page, url)
    form = page.locator(".st-key-upload")
    for kind, (name, content) in FILES.items():
        give(page, kind, name, content)
        expect(form.get_by_text(re.compile(rf"^{name[:-4]}.* · "))).to_be_visible(timeout=PATIENCE)
    settled(page)


def test_files_outlive_a_visit_to_another_page(page: Page, server: Any) -> None:
    opened(page, server.url)
    form = page.locator(".st-key-upload")
    page.get_by_role("button", name="Read it otherwise").first.click()
    page.get_by_role("radio", name="directed", exact=True).click()
    expect(page.get_by_role("button", name="Read otherwise")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Escape")
    settled(page)

    to(page, "Compare", ".st-key-compare_run")
    to(page, "Align", ".st-key-upload")
    for name, _ in FILES.values():
        expect(form).to_contain_text(f"{name} (1 kB) is kept", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Read otherwise")).to_have_count(1)
    page.get_by_role("button", name="Use these graphs").click()
    expect(form).to_have_count(0, timeout=PATIENCE)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_contain_text("3 ↔ 3 nodes, 2 ↔ 3 edges", timeout=PATIENCE)

    settled(page)
    page.get_by_role("button", name="Inner step").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=PATIENCE)
    origin = {"source": "net_a.csv", "target": "net_b.csv", "direction": {"source": "directed", "target": "file"}}
    assert json.loads(saved(page, "run.json"))["origin"] == origin
    assert "align net_a.csv net_b.csv --preset" in saved(page, "report.html")

    sidebar.get_by_role("button", name="Change files").click()
    expect(form).to_contain_text("net_a.csv (1 kB) is kept", timeout=PATIENCE)
    page.get_by_role("button", name="Read otherwise").click()
    expect(page.get_by_role("radio", name="directed", exact=True)).to_be_checked(timeout=PATIENCE)
    page.keyboard.press("Escape")
    page.locator(".st-key-remove_target").get_by_role("button").click()
    expect(form).not_to_contain_text("net_b.csv", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Use these graphs")).to_be_disabled(timeout=PATIENCE)


NOTED = """words => {
  window.noted = new Set();
  const look = () => words.forEach((said) => document.body?.innerText.includes(said) && window.noted.add(said));
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}"""


def test_a_reload_says_nothing_of_files_before_the_tab_is_known(new_page: Callable[..., Page], server: Any) -> None:
    page = new_page()
    opened(page, server.url)
    page.get_by_role("button", name="Use these graphs").click()
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_contain_text("3 ↔ 3 nodes", timeout=PATIENCE)
    settled(page)
    page.get_by_role("button", name="Inner step").click()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=PATIENCE)
    settled(page)
    assert "pair=upload" in page.url

    asks = text.LINK_WITHOUT_FILES[:40]
    page.add_init_script(f"({NOTED})({json.dumps([RESTORING, asks])})")
    page.reload()
    expect(sidebar).to_contain_text("3 ↔ 3 nodes", timeout=PATIENCE)
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("[...window.noted]") == [RESTORING]
    assert "pair=upload" in page.url

    other = new_page()  # without the tab's token, the link is one that asks for the files
    other.goto(page.url)
    expect(other.get_by_text(asks)).to_be_visible(timeout=PATIENCE)
    expect(other.get_by_text(RESTORING)).to_have_count(0)
