"""Widgets that show what the session says, whoever changed it last."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, TypeVar

import streamlit as st

from dashboard.widgets.timed import timer_within

Value = TypeVar("Value")

_ON_ITS_WAY = 2.0
"""Seconds within which what the browser reports may have been sent before it was told a new value."""


def synced(key: str, value: Value) -> Value:
    """Let the widget of this key show a value, which is to be its default too.

    Streamlit sends a value that was set once only. Where a script is overtaken by the next before the browser has drawn
    the widget, as after a reload, that is lost, and the widget would show its default instead. And it is sent only
    where it is news: set at every tick, it would undo a choice that is on its way.
    """
    if key not in st.session_state:
        st.session_state[key] = value
    elif st.session_state[key] != value:
        _replaced(key)[st.session_state[key]] = (time.monotonic(), value)
        st.session_state[key] = value
    return value


def place(key: str, value: Any, options: Sequence[Any]) -> int | None:
    """The same for a list to choose from: the value's place in it, None if it is not there."""
    synced(key, value)
    return options.index(value) if value in options else None


def by_user(key: str, action: Callable[..., None]) -> Callable[..., None]:
    """The action for changes that the widget's user makes.

    Every request of the browser, a timer's too, tells what all widgets show. One that left before the browser had got a
    new value tells the old one, which Streamlit takes for a change: a pair that was just picked in a chart would be
    given up again. Such a report is put right, and the action not called. Where no timer runs, every change is a press.
    """

    def act(*args: Any) -> None:
        replaced = _replaced(key)
        at, _ = replaced.get(st.session_state[key], (-math.inf, None))
        if time.monotonic() - at < _ON_ITS_WAY and timer_within(_ON_ITS_WAY):
            st.session_state[key] = max(replaced.values(), key=itemgetter(0))[1]
            return
        replaced.clear()
        action(*args)

    return act


def _replaced(key: str) -> dict[Any, tuple[float, Any]]:
    """By each value that a widget was made to give up since its user last changed it: when, and for which one."""
    widgets: dict[str, dict[Any, tuple[float, Any]]] = st.session_state.setdefault("replaced", {})
    return widgets.setdefault(key, {})
