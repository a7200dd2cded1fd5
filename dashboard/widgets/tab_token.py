"""A secret that a browser tab keeps across reloads, so that its run is found again. It never enters the URL."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "gwl_tab_token", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)
_SHAPE = re.compile(r"[A-Za-z0-9_-]{22}")


def tab_token(fresh: str) -> str:
    """The token this tab already had, or else the fresh one, which it keeps from now on."""
    result = _mount(key="tab_token", data=fresh, on_token_change=lambda: None)
    token = result.token
    return token if isinstance(token, str) and _SHAPE.fullmatch(token) else fresh
