"""Widgets that show what the session says, whoever changed it last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import streamlit as st

Value = TypeVar("Value")


def synced(key: str, value: Value) -> Value:
    """Let the widget of this key show a value, which is to be its default too.

    Streamlit sends a value that was set once only. Where a script is overtaken by the next before the browser has drawn
    the widget, as after a reload, that is lost, and the widget would show its default instead. And it is sent only
    where it is news: set at every tick, it would undo a choice that is on its way.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return value


def place(key: str, value: Any, options: Sequence[Any]) -> int | None:
    """The same for a list to choose from: the value's place in it, None if it is not there."""
    synced(key, value)
    return options.index(value) if value in options else None
