"""The Compare page as a script: methods chosen, run, measured; what it shows without truth and beyond limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.compare_registry import COMPARISONS

APP = str(Path(__file__).parents[2] / "dashboard" / "app.py")


@pytest.fixture
def visit() -> Iterator[Callable[..., AppTest]]:
    """Open the page with a query."""
    opened: list[AppTest] = []

    def open_page(**query: str) -> AppTest:
        app = AppTest.from_file(APP, default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        app.switch_page("compare")
        opened.append(app)
        return sound(app.run())

    yield open_page
    for app in opened:
        run = COMPARISONS.find(app.session_state["token"])
        if run is not None:
            run.close()


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    return app
