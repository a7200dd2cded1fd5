"""Share and keep: the link, the report, the session file."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, replace
from functools import partial

import streamlit as st

from dashboard import drawing, session_file, state, text
from dashboard import session as sessions
from dashboard.client import Run
from dashboard.origin import read_back, with_origin
from dashboard.problems import load
from dashboard.registry import RUNS
from dashboard.report import report_html
from dashboard.session import DataChoice, Session
from dashboard.snapshot import Snapshot
from dashboard.text import report as words
from dashboard.widgets.copy_link import copy_link
from gwl_core.datasets.builtin import list_pairs
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.writers.record import fingerprint

_PATIENCE = 20.0


def section(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> None:
    """Buttons of a column."""
    st.subheader(words.SHARE)
    copy_link()
    ready = run is not None and run.alive and snapshot.matching is not None
    st.download_button(
        words.REPORT, partial(_report, problem, session, run, snapshot), words.REPORT, "text/html", key="report",
        help=words.REPORT_HELP, on_click="ignore", width="stretch", icon=":material/download:", disabled=not ready,
    )  # fmt: skip
    st.download_button(
        words.SAVE_SESSION, partial(_session_file, problem, session, run), words.SAVE_SESSION, "application/zip",
        key="save_session", help=words.SAVE_HELP, on_click="ignore", width="stretch", icon=":material/download:",
        disabled=not ready,
    )  # fmt: skip
    with st.popover(words.RESTORE, icon=":material/folder_open:", width="stretch"):
        st.file_uploader(words.RESTORE, type="zip", key="session_file", help=words.RESTORE_HELP, on_change=_restore)


def _report(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> bytes:
    assert run is not None
    record = json.loads(with_origin(run.export("run.json"), session.data))
    learned = session.settings[0].embeddings
    figures = {
        "curves": drawing.curves(snapshot),
        "transport": drawing.transport(problem, snapshot, session.selected, order=session.order),
        "embedding": drawing.embedding(problem, snapshot, learned, session.selected),
        "graphs": drawing.graphs(problem, snapshot, session.selected),
    }
    charts = [(figure, text.alternative(name, snapshot)) for name, figure in figures.items()]
    return report_html(problem, session, snapshot, record, charts).encode()


def _session_file(problem: MatchingProblem, session: Session, run: Run | None) -> bytes:
    assert run is not None
    page = {
        "query": sessions.to_query(session), "data": asdict(replace(session.data, upload="")),
        "selected": session.selected, "show": session.show,
    }  # fmt: skip
    return session_file.pack(page, replace(problem, pins=session.pins), run.save())


@state.noticed
def _restore() -> None:
    uploaded = st.session_state["session_file"]
    if uploaded is None:
        return
    restore(session_file.unpack(uploaded.getvalue(), uploaded.name))


def restore(saved: session_file.Saved) -> None:
    """Take up a saved session in place of the present one.

    Raises:
        InputError: it does not fit together.
    """
    query = {str(key): str(value) for key, value in dict(saved.page["query"]).items()}
    session = replace(sessions.from_query(query, [info.key for info in list_pairs()]), notices=())
    if not _is_known(session.data, str(query.get("pair")), saved.problem):
        plain = replace(saved.problem, pins=())
        origin = read_back(saved.page.get("data"))
        data = DataChoice(sessions.UPLOAD, upload=secrets.token_hex(8), origin=origin)
        session = sessions.with_data(session, data, plain)
    pair = saved.page.get("selected")
    selected = (int(pair[0]), int(pair[1])) if isinstance(pair, list) and len(pair) == 2 else None
    session = replace(session, selected=selected, pins=saved.problem.pins, selected_in="link" if selected else "")
    session = sessions.within(session, saved.problem.source.n_nodes, saved.problem.target.n_nodes)
    found = RUNS.open(st.session_state["token"])
    number = found.restore(session.data, saved.problem, saved.runs)
    found.wait(number, _PATIENCE)
    if found.snapshot.error:
        raise InputError(found.snapshot.error)
    found.project(session.projection, session.perplexity)
    st.session_state["run"] = found
    snapshot = found.snapshot
    session = replace(session, past=None if snapshot.live else snapshot.shown)
    state.put(sessions.with_notice(session, words.RESTORED.format(step=snapshot.shown, last=snapshot.last)))


def _is_known(data: DataChoice, pair: str, problem: MatchingProblem) -> bool:
    """Whether the graphs are those of a built-in or generated pair, as it is here."""
    if data.pair != pair or pair == sessions.UPLOAD:
        return False
    known = load(data)
    return all(
        fingerprint(getattr(known, side)) == fingerprint(getattr(problem, side)) for side in ("source", "target")
    )  # fmt: skip
