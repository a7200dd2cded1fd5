"""What happens when the player's buttons are pressed or its slider is moved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields, replace
from functools import wraps

import streamlit as st

from dashboard import session as sessions
from dashboard import state, text
from dashboard.client import Run
from dashboard.registry import RUNS
from dashboard.session import Session
from gwl_core.settings import Hyperparameters

_TWICE = 0.6


def _once(action: Callable[..., None]) -> Callable[..., None]:
    """Ignore a press that comes again at once: Streamlit may deliver one twice if its timer fires at that moment."""

    @wraps(action)
    def act(*args: str) -> None:
        pressed = st.session_state.setdefault("pressed", {})
        name, now = (action.__name__, *args), time.monotonic()
        at, with_timer = pressed.get(name, (0.0, False))
        if with_timer and now - at < _TWICE:
            return
        pressed[name] = (now, state.has_timer())
        action(*args)

    return act


@state.noticed
@_once
def play(how: str = "play") -> None:
    """Play to the end, or take one step; starts, restarts or forks as the session asks for."""
    session = state.current()
    found = _ready_run(session)
    number = found.play(how, session.past if session.fork else None)
    state.put(sessions.at_newest(session))
    state.settle(found, number)


@state.noticed
@_once
def resume() -> None:
    """Take up a run whose process is gone, where that kept it; go on if it was at work."""
    old = state.run()
    if old is not None and old.resumable:
        found, number = _resumed(old)
        if old.was_playing:
            number = found.play()
        state.put(sessions.at_newest(state.current()))
        state.settle(found, number)


@state.noticed
@_once
def pause() -> None:
    found = state.run()
    if found is not None:
        state.settle(found, found.pause())


@state.noticed
@_once
def stop() -> None:
    found = state.run()
    if found is not None:
        state.put(sessions.at_newest(state.current()))
        state.settle(found, found.stop())


@state.noticed
@_once
def reset() -> None:
    """Back to the start of the present graphs with the settings of now."""
    session = sessions.at_newest(state.current())
    state.put(session)
    if state.run() is not None:
        state.settle(*_begin(session))


@state.noticed
def look_at(step: int | None) -> None:
    """A step of the past; None for the newest."""
    found = state.run()
    if found is None:
        return
    before, now = state.current(), sessions.look_at(state.current(), step, found.snapshot.last)
    state.put(now)
    number = found.look_at(now.past)
    if before.past is not None and now.past is None and found.alive and found.settings is not None:
        number = found.set_hyperparameters()  # those changed meanwhile hold here, too
    state.settle(found, number)


@state.noticed
def switch(number: int) -> None:
    """Show another run, with its settings and pins."""
    found = state.run()
    if found is None:
        return
    sent = found.switch(number)
    assert found.settings is not None
    state.put(replace(sessions.with_settings(state.current(), *found.settings), pins=found.pins))
    state.settle(found, sent)


@state.noticed
def rename(number: int, key: str) -> None:
    found = state.run()
    if found is not None:
        state.settle(found, found.rename(number, st.session_state[key]))


@state.noticed
def remove(number: int) -> None:
    found = state.run()
    if found is not None:
        state.settle(found, found.remove(number))


def _ready_run(session: Session) -> Run:
    """A run of the session's graphs that can take steps."""
    found = state.run()
    if found is not None and found.resumable and found.snapshot.state != "finished":
        return _resumed(found)[0]
    if found is None or not found.alive or found.snapshot.state in ("finished", "failed") or _stale(found, session):
        return _begin(session)[0]
    return found


def _resumed(old: Run) -> tuple[Run, int]:
    """Another process that goes on with what the old one kept, under the settings of now."""
    session = state.current()
    found = RUNS.open(st.session_state["token"], resuming=True)
    number = found.resume(old)
    st.session_state["run"] = found
    found.project(session.projection, session.perplexity)
    hyper = session.settings[1]
    if found.settings is not None and found.settings[2] != hyper:
        number = found.set_hyperparameters(**vars(hyper))
    return found, number


def _stale(found: Run, session: Session) -> bool:
    """Whether settings changed before the first step, so that starting over costs nothing."""
    return found.snapshot.last == 0 and not found.playing and found.settings != (session.preset, *session.settings)


def _begin(session: Session) -> tuple[Run, int]:
    found = RUNS.open(st.session_state["token"])
    st.session_state["run"] = found
    settings = (session.preset, *session.settings)
    if found.origin == session.data and found.problem is not None:
        number = found.reset(*settings, session.pins)
    else:
        number = found.start(session.data, replace(state.problem(session), pins=session.pins), *settings)
        found.project(session.projection, session.perplexity)
    return found, number


def pending(session: Session) -> list[str]:
    """Labels of the settings that wait for a reset."""
    found = state.run()
    if found is None or found.settings is None or found.snapshot.last == 0:
        return []
    _, config, hyper = found.settings
    now_config, now_hyper = session.settings
    names = sessions.differing(config, now_config)
    names += [f.name for f in fields(Hyperparameters) if getattr(hyper, f.name) != getattr(now_hyper, f.name)]
    return [text.PARAMETERS[name].label for name in names if name in text.PARAMETERS]


def outer_total(found: Run) -> int:
    """M of the run under way."""
    return found.settings[2].outer if found.settings else 0
