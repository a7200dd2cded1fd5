"""What all pages share: whose session this is, and what it must be told."""

from __future__ import annotations

import streamlit as st

from dashboard import serving, state, text
from dashboard.session import Session, with_notice, within
from dashboard.widgets.tab_token import tab_token


def opened() -> Session:
    """The session, with the run that this browser tab left; call it first on every page."""
    session = state.current()
    serving.begin()
    tab = tab_token(st.session_state["token"], st.session_state["visitor"])
    if state.adopt(tab.token):
        session = state.current()
    if tab.copied and not st.session_state.get("copy_told"):
        st.session_state["copy_told"] = True
        session = with_notice(session, text.OTHER_TAB)
    state.here(tab.visitor)
    problem = state.problem(session)
    session = within(session, problem.source.n_nodes, problem.target.n_nodes)
    state.put(session)
    return session


def notices(session: Session) -> None:
    """Sentences that a press or a link has left."""
    for sentence in session.notices:
        st.warning(text.plain(sentence), icon=":material/info:")
