"""What all pages share: whose session this is, and what it must be told."""

from __future__ import annotations

import streamlit as st

from dashboard import state, text
from dashboard.session import Session, within
from dashboard.widgets.tab_token import tab_token


def opened() -> Session:
    """The session, with the run that this browser tab left; call it first on every page."""
    session = state.current()
    if state.adopt(tab_token(st.session_state["token"])):
        session = state.current()
    problem = state.problem(session)
    session = within(session, problem.source.n_nodes, problem.target.n_nodes)
    state.put(session)
    return session


def notices(session: Session) -> None:
    """Sentences that a press or a link has left."""
    for sentence in session.notices:
        st.warning(text.plain(sentence), icon=":material/info:")
