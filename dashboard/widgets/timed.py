"""A part of the page that a timer draws again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import streamlit as st

_UNTIL = "timed_until"


def timed(part: Callable[[], None], seconds: float | None) -> None:
    """Draw a part now and again every so many seconds; just now for None, as at rest."""
    if seconds is not None:
        st.session_state[_UNTIL] = math.inf
    elif st.session_state.get(_UNTIL) == math.inf:
        st.session_state[_UNTIL] = time.monotonic()
    st.fragment(part, run_every=seconds)()


def timer_within(seconds: float) -> bool:
    """Whether a timer has drawn within the last so many seconds, or may have."""
    return time.monotonic() - float(st.session_state.get(_UNTIL, -math.inf)) < seconds
