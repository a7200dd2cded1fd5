"""The top bar: Play, Pause, Step, Inner step, Reset, Stop, how the run stands, and the history slider."""

from __future__ import annotations

import streamlit as st

from dashboard import actions, text
from dashboard.client import Run
from dashboard.registry import RUNS
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from dashboard.widgets.timeline import moved_to, timeline
from gwl_core.problem import MatchingProblem


def bar(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> None:
    """Buttons and status side by side, the slider below."""
    with st.container(key="player", horizontal=True, vertical_alignment="center", gap="small"):
        _buttons(run, snapshot)
        with st.container(key="status", gap=None):
            st.markdown(status(problem, session, run, snapshot))
            if run is not None and run.playing:
                share = min(1.0, snapshot.last / snapshot.estimate) if snapshot.estimate else 0.0
                st.progress(share, text=text.progress(snapshot))
    timeline(snapshot.shown, snapshot.last, _moved)


def _buttons(run: Run | None, snapshot: Snapshot) -> None:
    playing, begun = run is not None and run.playing, snapshot.last > 0 or snapshot.state not in ("empty", "ready")
    if playing:
        st.button(
            text.PAUSE, key="play", icon=":material/pause:", help=text.PAUSE_HELP, shortcut="Space", type="primary",
            on_click=actions.pause,
        )  # fmt: skip
    else:
        st.button(
            text.PLAY, key="play", icon=":material/play_arrow:", help=text.PLAY_HELP, shortcut="Space", type="primary",
            on_click=actions.play,
        )  # fmt: skip
    st.button(
        text.STEP, icon=":material/skip_next:", help=text.STEP_HELP, disabled=playing, on_click=actions.play, args=("step",)
    )
    st.button(
        text.INNER, icon=":material/chevron_right:", help=text.INNER_HELP, disabled=playing, on_click=actions.play,
        args=("inner_step",),
    )  # fmt: skip
    st.button(
        text.STOP, icon=":material/stop:", help=text.STOP_HELP, on_click=actions.stop,
        disabled=not (playing or snapshot.state == "paused"),
    )  # fmt: skip
    st.button(
        text.RESET, icon=":material/replay:", help=text.RESET_HELP, on_click=actions.reset, disabled=not (playing or begun)
    )


def status(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> str:
    """One sentence, or two, on how the run stands."""
    sentences = [_state(problem, run, snapshot)]
    if session.past is not None and not snapshot.live:
        sentences = [text.PAST.format(step=snapshot.shown, last=snapshot.last)]
        if session.fork:
            sentences.append(text.FORK)
    waiting = actions.pending(session)
    if waiting:
        sentences.append(text.PENDING.format(names=", ".join(waiting)))
    return " ".join(sentences)


def _state(problem: MatchingProblem, run: Run | None, snapshot: Snapshot) -> str:
    ready = text.READY.format(source=text.plain(problem.source.name), target=text.plain(problem.target.name))
    if run is None:
        return ready
    if not run.alive and snapshot.state != "failed":
        return text.WORKER_CLOSED
    if snapshot.error:
        return snapshot.error
    place = RUNS.place(st.session_state["token"])
    if place:
        return text.WAITING.format(place=place)
    if snapshot.state == "empty":
        return text.STARTING
    if snapshot.state == "ready":
        return ready
    if snapshot.state == "running":
        phase = text.PHASES[snapshot.phase].format(inner=snapshot.inner + 1)
        return text.RUNNING.format(outer=snapshot.outer + 1, total=actions.outer_total(run), phase=phase)
    if snapshot.state == "paused":
        return text.PAUSED.format(step=snapshot.last)
    return snapshot.status.message


def _moved() -> None:
    step = moved_to()
    if step is not None:
        actions.look_at(step)
