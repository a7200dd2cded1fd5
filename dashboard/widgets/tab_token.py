"""A secret that a browser tab keeps across reloads, so that its run is found again. It never enters the URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "gwl_tab_token", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)
_SHAPE = re.compile(r"[A-Za-z0-9_-]{22}")
_COOKIE = "gwl-visitor"


@dataclass(frozen=True)
class Tab:
    """What a browser tab says of itself.

    Attributes:
        token: its secret.
        visitor: a number that all tabs of its browser share; "" while unknown.
        copied: whether it is a duplicate of a tab that is still open, and has had a token of its own since.
        settled: whether it has said all this, where that was awaited.
    """

    token: str
    visitor: str = ""
    copied: bool = False
    settled: bool = False


def tab_token(fresh: str, visitor: str, awaited: bool = False) -> Tab:
    """The token this tab already had, or else the fresh one, which it keeps from now on; likewise the browser's number.

    Args:
        fresh, visitor: random, for a tab or a browser that has none.
        awaited: whether the page waits to know which token it is.
    """
    result = _mount(
        key="tab_token", data={"token": fresh, "visitor": visitor, "awaited": awaited},
        on_token_change=lambda: None, on_visitor_change=lambda: None, on_copied_change=lambda: None,
        on_settled_change=lambda: None,
    )  # fmt: skip
    told = known_visitor() or _shaped(result.visitor)
    token, copied = _shaped(result.token), result.copied is True
    return Tab(token or fresh, told, copied, bool(token) or copied or result.settled is True)


def known_visitor() -> str:
    """The number of a browser that has been here before; "" of a new one."""
    return _shaped(st.context.cookies.get(_COOKIE))


def _shaped(value: object) -> str:
    """What has the form of a token; the browser may say anything."""
    return value if isinstance(value, str) and _SHAPE.fullmatch(value) else ""
