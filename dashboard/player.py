"""The top bar: Play, Pause, Step, Inner step, Reset, Stop, how the run stands, and the history slider."""

from __future__ import annotations

import streamlit as st

from dashboard import playing, text
from dashboard.client import Run
from dashboard.estimate import estimate
from dashboard.registry import RUNS
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from dashboard.text.runs import THINNED
from dashboard.widgets.timeline import NEWEST, moved_to, timeline
from gwl_core.problem import MatchingProblem

_WIDTH = 124
"""Pixels of Play, Pause and Resume."""


def bar(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> None:
    """Buttons and status side by side, the slider below."""
    with st.container(key="player", horizontal=True, vertical_alignment="center", gap="small"):
        _buttons(run, snapshot)
        with st.container(key="status", gap=None):
            st.markdown(status(problem, session, run, snapshot))
            if run is not None and run.playing and snapshot.estimate:
                st.progress(min(1.0, snapshot.last / snapshot.estimate), text=text.progress(snapshot))
    timeline(snapshot.shown, snapshot.last, st.session_state.get("tick_ms", 0), _moved)


def _buttons(run: Run | None, snapshot: Snapshot) -> None:
    on, begun = run is not None and run.playing, snapshot.last > 0 or snapshot.state not in ("empty", "ready")
    # Two keys: a press that is delivered twice must not play and pause. No help: with it Streamlit draws a button
    # twice, one copy hidden, and a shortcut needs one.
    key, label, icon, act = "play", text.PLAY, "play_arrow", playing.play
    if on:
        key, label, icon, act = "pause", text.PAUSE, "pause", playing.pause
    elif run is not None and run.resumable:
        key, label, icon, act = "resume", text.RESUME, "play_arrow", playing.resume
    # As wide as the widest: what is beside it must not move under a pointer.
    st.button(label, key=key, icon=_icon(icon), shortcut="Space", type="primary", on_click=act, width=_WIDTH)
    for key, label, icon, hint, act, how, off in (
        ("step", text.STEP, "skip_next", text.STEP_HELP, playing.play, ("step",), on),
        ("inner_step", text.INNER, "chevron_right", text.INNER_HELP, playing.play, ("inner_step",), on),
        ("stop", text.STOP, "stop", text.STOP_HELP, playing.stop, (), not (on or snapshot.state == "paused")),
        ("reset", text.RESET, "replay", text.RESET_HELP, playing.reset, (), not (on or begun)),
    ):
        st.button(label, key=key, icon=_icon(icon), help=hint, disabled=off, on_click=act, args=how)


def _icon(name: str) -> str:
    return f":material/{name}:"


def status(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> str:
    """One sentence, or two, on how the run stands."""
    sentences = [_state(problem, run, snapshot)]
    if session.past is not None and not snapshot.live:
        at = text.position(snapshot.alpha, snapshot.gamma)
        sentences = [text.PAST.format(step=snapshot.shown, last=snapshot.last, position=at and f" ({at})")]
        if session.fork:
            sentences.append(text.FORK_RUNNING if run is not None and run.playing else text.FORK)
        if snapshot.spacing > 1:
            sentences.append(THINNED.format(spacing=text.ordinal(snapshot.spacing)))
    if snapshot.kept_fault and run is not None and run.alive:
        sentences.append(text.NOT_KEPT.format(why=text.plain(snapshot.kept_fault), step=max(0, snapshot.kept)))
    if run is None or (snapshot.state == "ready" and run.alive):
        need = estimate(problem, *session.settings)
        sentences.append(text.ESTIMATE.format(time=text.duration(need.seconds), gigabytes=need.bytes / 1e9))
    waiting = playing.pending(session)
    if waiting:
        sentences.append(text.PENDING.format(names=text.few(waiting)))
    return " ".join(sentences)


def _state(problem: MatchingProblem, run: Run | None, snapshot: Snapshot) -> str:
    ready = text.READY.format(source=text.plain(problem.source.name), target=text.plain(problem.target.name))
    if run is None:
        return ready
    if not run.alive:
        return run.ending
    if snapshot.error:
        return text.plain(snapshot.error)
    if not run.launched and (place := RUNS.place(st.session_state["token"])):  # asking may launch it
        return text.WAITING.format(place=text.ordinal(place), count=text.plural(RUNS.cap, "run is", "runs are"))
    if snapshot.state == "empty":
        return text.STARTING
    if snapshot.state == "ready":
        return ready
    if snapshot.state == "running":
        phase = text.PHASES[snapshot.phase].format(inner=snapshot.inner + 1)
        if snapshot.candidate is not None:
            return text.SEARCHING.format(round=snapshot.candidate, phase=phase)
        return text.RUNNING.format(outer=snapshot.outer + 1, total=playing.outer_total(run), phase=phase)
    if snapshot.state == "paused":
        return text.PAUSED.format(step=snapshot.last)
    return text.plain(snapshot.status.message)


def _moved() -> None:
    step = moved_to()
    if step is not None:
        playing.look_at(None if step == NEWEST else step)
