"""A widget that the page and its user both change."""

from __future__ import annotations

import time

import pytest
from streamlit.testing.v1 import AppTest


def _script() -> None:
    import streamlit as st

    from dashboard.widgets.synced import by_user, place
    from dashboard.widgets.timed import timed

    def choose() -> None:
        st.session_state["chosen"] = st.session_state["list"]

    for picked in ("a", "b"):
        if st.button(picked):
            st.session_state["chosen"] = picked
    options = ["a", "b", "c", "d"]
    timed(lambda: None, 0.3 if st.checkbox("timer", value=True) else None)
    at = place("list", st.session_state.get("chosen", "c"), options)
    st.selectbox("list", options, at, key="list", on_change=by_user("list", choose))


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    app = AppTest.from_function(_script).run()
    app.button[0].click().run()
    assert app.selectbox[0].value == "a"
    return app


def test_a_report_of_what_was_shown_before_a_press_is_undone(app: AppTest) -> None:
    app.selectbox[0].set_value("c").run()
    assert app.session_state["chosen"] == app.selectbox[0].value == "a"


def test_so_is_one_from_before_two_presses(app: AppTest) -> None:
    app.button[1].click().run()
    for late in ("c", "a"):
        app.selectbox[0].set_value(late).run()
        assert app.session_state["chosen"] == app.selectbox[0].value == "b"


def test_any_other_choice_counts_at_once(app: AppTest) -> None:
    for choice in ("d", "a", "c"):
        app.selectbox[0].set_value(choice).run()
        assert app.session_state["chosen"] == app.selectbox[0].value == choice


def test_the_former_choice_counts_once_the_browser_must_know_better(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 103.0)
    app.selectbox[0].set_value("c").run()
    assert app.session_state["chosen"] == app.selectbox[0].value == "c"


def test_at_rest_a_former_choice_counts_at_once_too(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    app.checkbox[0].uncheck().run()
    app.button[1].click().run()
    app.selectbox[0].set_value("a").run()
    assert app.selectbox[0].value == "b", "the last tick may be on its way"
    monkeypatch.setattr(time, "monotonic", lambda: 103.0)
    app.button[0].click().run()
    app.selectbox[0].set_value("b").run()
    assert app.session_state["chosen"] == app.selectbox[0].value == "b"
