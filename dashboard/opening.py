"""From one page to another, where the dashboard has the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import session as sessions
from dashboard import state

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage


def offer(pages: Sequence[StreamlitPage]) -> None:
    """Say which pages there are; called by the list of pages itself."""
    st.session_state["pages"] = {page.url_path: page for page in pages}


def has(path: str) -> bool:
    """Whether there is a page of this path; "" is the first."""
    return path in _pages()


def to_page(path: str) -> None:
    """Go there; nothing happens if there is no such page."""
    if has(path):
        st.switch_page(_pages()[path])


def inspect(pair: tuple[int, int], where: str) -> None:
    """Select a pair everywhere, and go to where it is looked at closely."""
    state.put(sessions.select(state.current(), pair, where))
    to_page("inspect")


def _pages() -> Mapping[str, StreamlitPage]:
    return st.session_state.get("pages", {})
