"""Compare: every method on the same two graphs, side by side."""

from __future__ import annotations

import streamlit as st

from dashboard import frame, state
from dashboard.guard import guarded
from dashboard.text import compare as text
from dashboard.widgets.timed import timed

TICK_SECONDS = 0.5

# The methods are imported when the page is opened: Align, the first page, does not wait for their libraries.


@guarded
def page() -> None:
    """Sidebar; the pair, the bar, measures; agreement; consensus."""
    from dashboard import agreement_panels, compare_panels, compare_state

    session, choice = frame.opened(), compare_state.current()
    problem = state.problem(session)
    with st.sidebar:
        compare_panels.sidebar(problem, session, choice)
    frame.notices(session)
    compare_panels.pair(problem)
    run = compare_state.run()
    busy = run is not None and run.busy
    st.session_state["compare_drawn"] = _untimed(run)
    # The only timed part: on while methods work, off at rest.
    timed(live, TICK_SECONDS if busy else None)
    rows = run.rows if run is not None else ()
    if not rows:
        st.info(text.EMPTY, icon=":material/table_chart:")
    else:
        found = agreement_panels.found(problem, rows)
        compare_panels.scores(problem, rows, found)
        if found is not None:
            agreement_panels.charts(found)
            if len(found.rows) > 1:
                st.subheader(text.AGREEMENT)
                agreement_panels.tables(found, choice)
                agreement_panels.votes(found, choice)
            else:
                st.caption(text.NEEDS_TWO)
    compare_state.write_url(session)


@guarded
def live() -> None:
    """What methods at work redraw: the bar. A finished method draws the page anew."""
    from dashboard import compare_panels, compare_state

    run = compare_state.run()
    compare_panels.bar(state.current(), compare_state.current(), run)
    if st.session_state["compare_drawn"] != _untimed(run):
        st.rerun()


def _untimed(run: object) -> tuple[object, ...]:
    """What the untimed part of the page is drawn with."""
    return (None,) if run is None else (id(run), len(getattr(run, "rows", ())), getattr(run, "busy", False))
