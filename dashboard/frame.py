"""What all pages share: whose session this is, and what it must be told."""

from __future__ import annotations

import streamlit as st

from dashboard import serving, state, text
from dashboard.session import Session, with_notice, within
from dashboard.text.runs import RESTORING
from dashboard.widgets.tab_token import known_visitor, tab_token


def opened() -> Session:
    """The session, with the run that this browser tab left; call it first on every page.

    Whether this is a tab that was reloaded, and which run is its own, only the tab can tell. Nothing is said of graphs
    and runs before, where there may be some: a link of uploaded files is also what such a tab has.
    """
    session = state.current()
    serving.begin()
    awaited = not st.session_state.get("settled") and (
        text.LINK_WITHOUT_FILES in session.notices or state.may_return(known_visitor())
    )
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
