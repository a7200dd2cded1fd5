"""The history slider. Unlike st.slider it keeps its place while the history grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from dashboard import text
from dashboard.text import charts as words

NEWEST = -1
"""In place of a step: the newest, which may be a later one by now than the browser knows of."""

_mount = st.components.v2.component(
    "gwl_timeline", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def timeline(shown: int, last: int, tick_ms: int, on_move: Callable[[], None]) -> None:
    """A slider over the steps 0 to `last`; the arrow keys, Home and End move it from anywhere on the page, and it
    replays the history at a chosen speed.

    Args:
        tick_ms: script time of the last tick, which the page carries for measuring.

    `moved_to` tells the step in `on_move`, which is called before the script runs again.
    """
    labels = {
        "history": text.HISTORY, "step": text.HISTORY_STEP, "newest": text.NEWEST, "replay": words.REPLAY,
        "halt": words.REPLAY_HALT, "speed": words.REPLAY_SPEED,
    }  # fmt: skip
    _mount(key="timeline", data={"shown": shown, "last": last, "ms": tick_ms, "labels": labels}, on_step_change=on_move)


def moved_to() -> int | None:
    """The step the slider was moved to, NEWEST where that is its right end; None if it was not moved."""
    step = st.session_state["timeline"].get("step")
    return step if isinstance(step, int) and step >= NEWEST else None
