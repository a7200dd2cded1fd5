"""What happens when something is pressed or changed: the one place that joins session, run and URL."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps
from typing import Any, cast

import numpy as np
import streamlit as st

from dashboard import session as sessions
from dashboard import text
from dashboard.client import Run
from dashboard.problems import load
from dashboard.registry import RUNS
from dashboard.session import DataChoice, Session
from gwl_core.datasets.builtin import list_pairs
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER, Hyperparameters

_QUICK = 0.25
"""Seconds that a press waits for its effect, so that the page shows it at once where it is quick."""


def current() -> Session:
    """The session, made from the URL when it is new."""
    if "session" not in st.session_state:
        query = {key: st.query_params[key] for key in st.query_params}
        st.session_state["session"] = sessions.from_query(query, [info.key for info in list_pairs()])
        st.session_state["token"] = secrets.token_urlsafe(16)
    return cast(Session, st.session_state["session"])


def put(session: Session) -> None:
    st.session_state["session"] = session


def problem(session: Session) -> MatchingProblem:
    return session.uploaded or load(session.data)


def write_url(session: Session) -> None:
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
        session = sessions.with_data(session, run.origin, run.problem)
        put(replace(session, notices=tuple(n for n in session.notices if n != text.LINK_WITHOUT_FILES)))
    st.session_state["run"] = run
    return run.origin == current().data


def run() -> Run | None:
    """The run of the graphs on the page, if one was started."""
    found = cast("Run | None", st.session_state.get("run"))
    return found if found is not None and found.origin == current().data else None


def active() -> bool:
    """Whether the page must look for news by itself."""
    found = run()
    return found is not None and found.busy


def _guarded(action: Callable[..., None]) -> Callable[..., None]:
    """Input that cannot be used becomes a notice, in place of earlier ones; what was there stays."""

    @wraps(action)
    def act(*args: Any) -> None:
        put(replace(current(), notices=()))
        try:
            action(*args)
        except InputError as error:
            put(sessions.with_notice(current(), str(error)))

    return act


@_guarded
def choose_pair() -> None:
    pair = st.session_state["pair"]
    if pair == sessions.UPLOAD:
        put(replace(current(), uploading=True))
        return
    _use(replace(current().data, pair=pair, upload=""))


@_guarded
def choose_generated(name: str) -> None:
    value = {"nodes": sessions.NODES, "noise": sessions.NOISE, "graph_seed": sessions.GRAPH_SEED}[name].check(
        st.session_state[name]
    )
    _use(replace(current().data, **{name: value}))


def _use(data: DataChoice) -> None:
    load(data)  # raises before anything is given up
    _leave_run()
    put(sessions.with_data(current(), data))


@_guarded
def use_upload(made: MatchingProblem) -> None:
    _leave_run()
    put(sessions.with_data(current(), DataChoice(sessions.UPLOAD, upload=secrets.token_hex(8)), made))


@_guarded
def cancel_upload() -> None:
    put(replace(current(), uploading=False))


def _leave_run() -> None:
    found = run()
    if found is not None and found.playing:
        found.stop()


@_guarded
def choose_preset() -> None:
    put(sessions.with_preset(current(), st.session_state["preset"]))


@_guarded
def change_parameter(name: str) -> None:
    value = st.session_state[f"set_{name}"]
    put(sessions.with_parameter(current(), name, value))
    found = run()
    if found is not None and PARAMETER[name].live and found.alive:
        found.set_hyperparameters(**{name: current().value(name)})


@_guarded
def change_schedule_value() -> None:
    name, value = st.session_state["set_alpha"], st.session_state["schedule_value"]
    plain = value == 1 and name in ("linear", "smooth")
    st.session_state["set_alpha"] = name if plain else f"{name}:{value:g}"
    change_parameter("alpha")


@_guarded
def choose_projection() -> None:
    put(replace(current(), projection=st.session_state["projection"] or current().projection))
    _project()


@_guarded
def choose_perplexity() -> None:
    put(replace(current(), perplexity=sessions.PERPLEXITIES.check(st.session_state["perplexity"])))
    _project()


def _project() -> None:
    found = run()
    if found is not None:
        _settle(found, found.project(current().projection, current().perplexity))


@_guarded
def play(how: str = "play") -> None:
    """Play to the end, or take one step; starts, restarts or forks as the session asks for."""
    session = current()
    found = _ready_run(session)
    number = found.play(how, session.past if session.fork else None)
    put(sessions.at_newest(session))
    _settle(found, number)


@_guarded
def pause() -> None:
    found = run()
    if found is not None:
        _settle(found, found.pause())


@_guarded
def stop() -> None:
    found = run()
    if found is not None:
        put(sessions.at_newest(current()))
        _settle(found, found.stop())


@_guarded
def reset() -> None:
    """Back to the start of the present graphs with the settings of now."""
    session = sessions.at_newest(current())
    put(session)
    if run() is not None:
        _settle(*_begin(session))


@_guarded
def look_at(step: int) -> None:
    found = run()
    if found is None:
        return
    put(sessions.look_at(current(), step, found.snapshot.last))
    _settle(found, found.look_at(current().past))


def _ready_run(session: Session) -> Run:
    """A run of the session's graphs that can take steps."""
    found = run()
    if found is None or not found.alive or found.snapshot.state in ("finished", "failed") or _stale(found, session):
        return _begin(session)[0]
    return found


def _stale(found: Run, session: Session) -> bool:
    """Whether settings changed before the first step, so that starting over costs nothing."""
    return found.snapshot.last == 0 and not found.playing and found.settings != (session.preset, *session.settings)


def _begin(session: Session) -> tuple[Run, int]:
    found = RUNS.open(st.session_state["token"])
    st.session_state["run"] = found
    settings = (session.preset, *session.settings)
    if found.origin == session.data and found.problem is not None:
        number = found.reset(*settings)
    else:
        number = found.start(session.data, problem(session), *settings)
        found.project(session.projection, session.perplexity)
    return found, number


def _settle(found: Run, number: int) -> None:
    found.wait(number, _QUICK)


def pending(session: Session) -> list[str]:
    """Labels of the settings that wait for a reset."""
    found = run()
    if found is None or found.settings is None or found.snapshot.last == 0:
        return []
    _, config, hyper = found.settings
    now_config, now_hyper = session.settings
    names = sessions.differing(config, now_config)
    names += [f.name for f in fields(Hyperparameters) if getattr(hyper, f.name) != getattr(now_hyper, f.name)]
    return [text.PARAMETERS[name].label for name in names if name in text.PARAMETERS]


@_guarded
def pick(pair: tuple[int, int] | None, where: str) -> None:
    put(sessions.select(current(), pair, where))


@_guarded
def pick_node(side: str, node: int, where: str) -> None:
    """Select a node with its match, or with the likeliest partner of a node that has none."""
    found = run()
    if found is None or found.snapshot.matching is None or found.snapshot.coupling is None:
        return
    matching, coupling = found.snapshot.matching, found.snapshot.coupling
    if side == "source":
        pair = (node, int(matching[node]) if matching[node] >= 0 else int(coupling[node].argmax()))
    else:
        matched = np.flatnonzero(matching == node)
        pair = (int(matched[0]) if len(matched) else int(coupling[:, node].argmax()), node)
    put(sessions.select(current(), pair, where))


def drawing_begins() -> bool:
    """Note what the untimed part of the page is drawn with; whether the timed part is to have its timer."""
    st.session_state["drawn_with"] = _untimed()
    return active()


def outdated() -> bool:
    """Whether the untimed part of the page shows what is no longer so: the timer itself, table, selection."""
    return st.session_state.get("drawn_with") != _untimed()


def _untimed() -> tuple[object, ...]:
    session, found = current(), run()
    pairs = found.snapshot.pairs if found else None
    return active(), pairs, session.selected, session.past, found is not None and found.alive


def outer_total(found: Run) -> int:
    """M of the run under way."""
    return found.settings[2].outer if found.settings else 0
