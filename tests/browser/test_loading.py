"""The page arrives whole, at every size and in both colour schemes, without a console error."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import settled


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["wide", "narrow"])
def test_page_loads(server, new_page: Callable[..., Page], size: tuple[int, int], scheme: str) -> None:
    page = new_page(size, scheme)
    page.goto(server.url)
    page.get_by_test_id("stAppViewContainer").wait_for()
    settled(page)
    assert page.get_by_test_id("stException").count() == 0


def test_plotly_is_served(server, page: Page) -> None:
    response = page.request.get(f"{server.url}/app/static/plotly.min.js")
    assert response.ok
    assert response.body()[:200].startswith(b"/**\n* plotly.js")
