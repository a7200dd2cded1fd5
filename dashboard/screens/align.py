"""Align: two graphs are matched while you watch."""

from __future__ import annotations

import time

import streamlit as st

from dashboard import controls, data_panel, frame, panels, player, state, table
from dashboard.guard import guarded
from dashboard.registry import RUNS
from dashboard.snapshot import Snapshot
from dashboard.widgets.timed import timed

TICK_SECONDS = 0.3
WAIT_SECONDS = 2.0
"""Between two looks at the queue: many wait while few run."""


@guarded
def page() -> None:
    """Sidebar, charts, table."""
    session = frame.opened()
    with st.sidebar:
        controls.sidebar(session)
    frame.notices(session)
    if session.uploading:
        data_panel.form()
    # The only timed part: on while a run works, off at rest.
    run = state.run()
    tick = TICK_SECONDS if run is None or run.launched else WAIT_SECONDS
    timed(live, tick if state.drawing_begins() else None)
    table.section(state.problem(session), session, run, run.snapshot if run else Snapshot())
    state.write_url(session)
    if run is None:
        RUNS.warm()


@guarded
def live() -> None:
    """What a run under way redraws: the player, the figures, the charts."""
    start = time.thread_time()
    run, session = state.run(), state.current()
    problem, snapshot = state.problem(session), run.snapshot if run else Snapshot()
    player.bar(problem, session, run, snapshot)
    panels.strip(problem, snapshot)
    panels.grid(problem, session, snapshot)
    st.session_state["tick_ms"] = round(1000 * (time.thread_time() - start))
    if state.outdated(snapshot):
        st.rerun()
