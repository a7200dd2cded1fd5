"""Lead the reader to the control of a setting: it is scrolled to, focused and outlined for a while."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "gwl_point_out", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)
_KEY = "point_out"


def ask(parameter: str) -> None:
    """Point out this setting's control the next time the controls are drawn."""
    st.session_state[_KEY] = (parameter, st.session_state.get(_KEY, ("", 0))[1] + 1)


def asked() -> str:
    """The setting last asked for, "" for none."""
    return str(st.session_state.get(_KEY, ("", 0))[0])


def point_out() -> None:
    """Call after the controls."""
    if asked():
        name, count = st.session_state[_KEY]
        _mount(key="point_out", data={"control": f"set_{name}", "n": count})
