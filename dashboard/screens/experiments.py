"""Experiments: the paper's figures and tables, measured again."""

from __future__ import annotations

import streamlit as st

from dashboard import experiment_panels as panels
from dashboard import experiment_state as state
from dashboard import frame
from dashboard.guard import guarded
from dashboard.text import experiments as text
from dashboard.widgets.timed import timed

_TICK_SECONDS = 1.0


@guarded
def page() -> None:
    """Sidebar; the bar, findings, figures and tables; files."""
    frame.opened()
    choice = state.current()
    with st.sidebar:
        panels.sidebar(choice)
    panels.title(choice)
    run = state.run()
    st.session_state["experiment_busy"] = run is not None and run.busy
    # The only timed part: on while a run works, off at rest.
    timed(live, _TICK_SECONDS if st.session_state["experiment_busy"] else None)
    stored = state.results(choice)
    if stored is not None and not st.session_state["experiment_busy"]:
        panels.files(choice, stored.report)
    state.write_url(choice)


@guarded
def live() -> None:
    """What a run under way redraws: the bar, and the results as they come in."""
    choice, run = state.current(), state.run()
    stored = state.results(choice)
    panels.bar(choice, run, stored)
    if stored is None:
        st.info(text.NOTHING, icon=":material/info:")
    else:
        panels.findings(stored.report)
        panels.figures(choice, stored.report)
        panels.tables(stored.report)
    if st.session_state["experiment_busy"] != (run is not None and run.busy):
        st.rerun()
