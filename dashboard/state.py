"""What one browser session holds: its choices, its run, and what of them is in the URL and on the page."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard import session as sessions
from dashboard import text
from dashboard.client import Run
from dashboard.presence import PRESENCE
from dashboard.problems import load
from dashboard.registry import RUNS
from dashboard.session import DataChoice, Session
from dashboard.snapshot import Snapshot
from gwl_core.datasets.builtin import list_pairs
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem

_QUICK = 0.25
"""Seconds that a press waits for its effect, so that the page shows it at once where it is quick."""


def current() -> Session:
    """The session, made from the URL when it is new."""
    if "session" not in st.session_state:
        query = {key: st.query_params[key] for key in st.query_params}
        st.session_state["session"] = sessions.from_query(query, [info.key for info in list_pairs()])
        st.session_state["token"] = secrets.token_urlsafe(16)
        st.session_state["visitor"] = secrets.token_urlsafe(16)
    return cast(Session, st.session_state["session"])


def put(session: Session) -> None:
    st.session_state["session"] = session


def problem(session: Session) -> MatchingProblem:
    return session.uploaded or load(session.data)


def write_url(session: Session) -> None:
    """Put the session where a reload finds it: the URL; the selected pair of files, which stays out of it, the run."""
    found = run()
    if found is not None:
        found.selected = session.selected
    query = sessions.to_query(session)
    if {key: st.query_params[key] for key in st.query_params} != query:
        st.query_params.from_dict(query)


def adopt(token: str) -> bool:
    """Take up the run that this browser tab left under a token; whether the page must be drawn again."""
    if token == st.session_state["token"]:
        return False
    st.session_state["token"] = token
    run = RUNS.find(token)
    if run is None or not isinstance(run.origin, DataChoice):
        return False
    session = current()
    if run.origin.pair == sessions.UPLOAD and text.LINK_WITHOUT_FILES in session.notices:
        session = replace(sessions.with_data(session, run.origin, run.problem), selected=run.selected)
        put(replace(session, notices=tuple(n for n in session.notices if n != text.LINK_WITHOUT_FILES)))
    st.session_state["run"] = run
    if run.origin != current().data:
        return False
    put(replace(current(), pins=run.pins))
    return True


def may_return(visitor: str) -> bool:
    """Whether this visitor has left a run that the tab of a new session may be coming back to."""
    return any(RUNS.find(token) is not None for token in PRESENCE.left(visitor))


def here(visitor: str) -> None:
    """Say that this session shows its tab; its run is in use."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        PRESENCE.note(st.session_state["token"], context.session_id, visitor)
    RUNS.find(st.session_state["token"])


def run() -> Run | None:
    """The run of the graphs on the page, if one was started."""
    found = cast("Run | None", st.session_state.get("run"))
    return found if found is not None and found.origin == current().data else None


def active() -> bool:
    """Whether the page must look for news by itself."""
    found = run()
    return found is not None and found.busy


def drawing_begins() -> bool:
    """Note what the untimed part of the page is drawn with; whether the timed part is to have its timer."""
    st.session_state["drawn_with"] = _untimed()
    return active()


def has_timer() -> bool:
    """Whether the page was drawn with its timer on."""
    return bool(st.session_state.get("drawn_with", (False,))[0])


def outdated(shown: Snapshot) -> bool:
    """Whether the page shows what is no longer so, and no timer will tell: the untimed part, or a run at rest again.

    Args:
        shown: what the timed part was drawn from.
    """
    found = run()
    overtaken = found is not None and not found.busy and found.snapshot is not shown
    return overtaken or st.session_state.get("drawn_with") != _untimed()


def _untimed() -> tuple[object, ...]:
    session, found = current(), run()
    pairs = found.snapshot.pairs if found else None
    runs = [(b["number"], b["name"], b["active"]) for b in found.snapshot.branches] if found else []
    runs = runs if len(runs) > 1 else []  # a single one is not listed
    life = (found.alive, found.launched) if found else ()
    return active(), pairs, session.selected, session.past, life, runs


def settle(found: Run, number: int) -> None:
    """Give a command a moment to take effect."""
    found.wait(number, _QUICK)


def noticed(action: Callable[..., None]) -> Callable[..., None]:
    """Input that cannot be used becomes a notice, in place of earlier ones; what was there stays."""

    @wraps(action)
    def act(*args: Any) -> None:
        put(replace(current(), notices=()))
        try:
            action(*args)
        except InputError as error:
            put(sessions.with_notice(current(), str(error)))

    return act
