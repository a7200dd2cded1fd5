"""The runs of these graphs: which is shown, what they are called, in what their settings differ."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import playing, text
from dashboard.runs import Summary, differing
from dashboard.snapshot import Snapshot
from dashboard.text import runs as words
from dashboard.widgets.synced import by_user, synced


def section(snapshot: Snapshot) -> None:
    """Nothing while there is one run only."""
    if len(snapshot.branches) < 2:
        return
    st.subheader(words.RUNS, help=words.RUNS_HELP)
    for branch in snapshot.branches:
        number, name = int(branch["number"]), str(branch["name"])
        key = f"run_name_{number}"
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"run_row_{number}"):
            st.text_input(
                words.NAME.format(name=name), synced(key, name), key=key, label_visibility="collapsed", max_chars=40,
                on_change=by_user(key, playing.rename), args=(number, key),
            )  # fmt: skip
            st.caption(_facts(branch))
            for label, icon, act in (
                (words.SHOW, "visibility", playing.switch),
                (words.DELETE, "delete", playing.remove),
            ):
                st.button(
                    label.format(name=text.plain(name)), key=f"{icon}_{number}", icon=f":material/{icon}:",
                    type="tertiary", disabled=bool(branch["active"]), on_click=act, args=(number,),
                )  # fmt: skip
    with st.expander(words.DIFFERENCES):
        table = differing(snapshot.branches)
        if not table:
            st.caption(words.SAME)
        else:
            names = [str(branch["name"]) for branch in snapshot.branches]
            rows = [{words.SETTING: _label(key), **dict(zip(names, map(_said, values), strict=True))}
                    for key, values in table.items()]  # fmt: skip
            st.table(pd.DataFrame(rows), border="horizontal", hide_index=True)


def _facts(branch: Summary) -> str:
    measures = branch["measures"] or {}
    parts = [words.FACTS.format(steps=branch["steps"])]
    if measures.get("edge_correctness") is not None:
        parts.append(f"EC {100 * measures['edge_correctness']:.1f} %")
    return " · ".join(parts)


def _label(name: str) -> str:
    return text.PARAMETERS[name].label if name in text.PARAMETERS else name


def _said(value: object) -> str:
    return "auto" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
