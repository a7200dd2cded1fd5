"""A browser that is gone and back, and two tabs of one person, in Chromium."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from dashboard import text
from dashboard.text.runs import RESTORING

os.environ.setdefault("GWL_MAX_RUNS", "32")

LONG = "/?pair=knn&nodes=24&preset=gwd&inner=5000&outer=30&tolerance=0&projection=pca"
PATIENCE = 120_000


def token(page: Page) -> str:
    return str(page.evaluate("sessionStorage.getItem('gwl-run')"))


def at_work(page: Page) -> None:
    expect(page.get_by_role("button", name=re.compile("^Pause"))).to_be_visible(timeout=PATIENCE)
    page.wait_for_function("Number(document.querySelector('.timeline input')?.max ?? 0) > 20", timeout=PATIENCE)


def test_a_browser_that_comes_back_finds_its_run_and_a_copied_tab_gets_its_own(
    new_page: Callable[..., Page], server: Any
) -> None:
    page = new_page()
    page.goto(server.url + LONG)
    page.get_by_role("button", name=re.compile("^Play")).click(timeout=PATIENCE)
    at_work(page)
    secret = token(page)
    assert secret not in page.url
    page.goto("about:blank")  # gone, and back in the same tab
    page.goto(server.url + LONG)
    at_work(page)
    assert token(page) == secret

    with page.expect_popup() as opened:  # a duplicated tab: the browser copies what the tab kept
        page.evaluate("() => { window.open(location.href); }")
    copy = opened.value
    expect(copy.get_by_text(text.OTHER_TAB)).to_be_visible(timeout=PATIENCE)
    assert token(copy) != secret
    expect(copy.get_by_role("button", name=re.compile("^Play"))).to_be_visible(timeout=PATIENCE)
    at_work(page)  # the first one is none the worse
    assert token(page) == secret
    page.get_by_role("button", name=re.compile("^Stop")).click()
    expect(page.get_by_role("button", name=re.compile("^Play"))).to_be_visible(timeout=PATIENCE)


NOTED = """words => {
  window.noted = [];
  const look = () => words.forEach((said) => {
    if (document.body?.innerText.includes(said) && !window.noted.includes(said)) window.noted.push(said);
  });
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}"""


def test_a_reload_says_nothing_of_a_run_before_it_is_found(new_page: Callable[..., Page], server: Any) -> None:
    page = new_page()
    words = [RESTORING, "Ready: press Play", "Paused at step 1"]
    page.add_init_script(f"({NOTED})({json.dumps(words)})")
    page.goto(server.url + "/?pair=knn&nodes=20&projection=pca")
    page.get_by_role("button", name="Inner step").click(timeout=PATIENCE)
    expect(page.get_by_text("Paused at step 1")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("noted") == words[1:]  # a new tab waits for nothing
    page.reload()
    expect(page.get_by_text("Paused at step 1")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("noted") == [RESTORING, "Paused at step 1"]
