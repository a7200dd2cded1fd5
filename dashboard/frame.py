"""What all pages share: whose session this is, and what it must be told."""

from __future__ import annotations

import streamlit as st

from dashboard import serving, state, text
from dashboard.session import Session, with_notice, within
from dashboard.text.runs import RESTORING
from dashboard.widgets.tab_token import tab_token


def opened() -> Session:
    """The session, with the run that this browser tab left; call it first on every page.

    A link of uploaded files is also what the tab that made it has after a reload: which of the two it is, only the tab
    can tell, and nothing is said of the files before.
    """
    session = state.current()
    serving.begin()
    awaited = text.LINK_WITHOUT_FILES in session.notices and not st.session_state.get("settled")
    tab = tab_token(st.session_state["token"], st.session_state["visitor"], awaited)
    if awaited and not tab.settled:
        st.sidebar.html(f"<h1 class='brand'>{text.TITLE}</h1><p class='brand'>{text.SUBTITLE}</p>")
        st.info(RESTORING, icon=":material/hourglass_top:")
        st.stop()
    st.session_state["settled"] = True
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
