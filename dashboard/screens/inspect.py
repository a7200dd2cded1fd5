"""Inspect: one pair at a time."""

from __future__ import annotations

import streamlit as st

from dashboard import controls, frame, inspecting, lens_panels, pin_panel, player, state
from dashboard.guard import guarded
from dashboard.registry import RUNS
from dashboard.screens.align import TICK_SECONDS
from dashboard.snapshot import Snapshot
from dashboard.text import inspect as words
from dashboard.widgets.timed import timed


@guarded
def page() -> None:
    """Sidebar, player, chooser, the pair."""
    session = frame.opened()
    with st.sidebar:
        controls.sidebar(session)
    frame.notices(session)
    timed(live, TICK_SECONDS if state.drawing_begins() else None)
    state.write_url(state.current())
    if state.run() is None:
        RUNS.warm()


@guarded
def live() -> None:
    """All that follows the run."""
    run, session = state.run(), state.current()
    problem, snapshot = state.problem(session), run.snapshot if run else Snapshot()
    pairs, pair = inspecting.chosen(problem, session, snapshot)
    session, answer = state.current(), None
    if run is not None and snapshot.matching is not None and pair is not None:
        answer = inspecting.answer(run, snapshot, pair)
        snapshot = run.snapshot
    player.bar(problem, session, run, snapshot)
    lens_panels.chooser(problem, session, snapshot, pairs)
    if run is None or snapshot.matching is None or pair is None:
        st.info(words.NO_RUN, icon=":material/search:")
    else:
        left, right = st.columns([1.15, 1], gap="medium")
        with left:
            lens_panels.heading(problem, snapshot, pair)
            if answer is not None:
                lens_panels.around(problem, answer, pair, str(session.data))
                lens_panels.history(answer, snapshot, str(session.data))
        with right:
            if answer is None:
                st.caption(words.NOT_YET)
            else:
                lens_panels.sureness(answer)
                lens_panels.alternatives(problem, answer, pair)
                lens_panels.costs(answer)
            pin_panel.section(problem, session, snapshot)
    if state.outdated(snapshot):
        st.rerun()
