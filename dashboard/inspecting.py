"""What the Inspect page asks of a run, and what happens when pairs are gone through, pinned or forbidden."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard import choices, filters, state
from dashboard import session as sessions
from dashboard.client import Run
from dashboard.protocol import Message
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from gwl_core.pins import Pin, with_pin
from gwl_core.problem import MatchingProblem

Pair = tuple[int, int]

_PATIENCE = 0.4
_EVERY = 1.0
"""Seconds from one question to the next while a run is under way."""


def answer(run: Run, snapshot: Snapshot, pair: Pair) -> Message | None:
    """What the run's process says of a pair at the step shown; an older answer, or None, while it works on it."""
    wanted = (id(run), snapshot.generation, snapshot.shown, snapshot.pairs is None, pair)
    asked: dict[str, Any] = st.session_state.setdefault("asked", {"of": None, "at": 0.0, "number": -1})
    known = run.answer
    if asked["of"] != wanted and run.alive:
        answered = known is not None and known.values["id"] >= asked["number"]
        other_pair = asked["of"] is None or asked["of"][-1] != pair or asked["of"][0] != id(run)
        due = time.monotonic() - asked["at"] >= _EVERY and answered
        if other_pair or not run.playing or due:
            number = run.inspect(pair)
            asked.update(of=wanted, at=time.monotonic(), number=number)
            run.wait(number, _PATIENCE)
    known = run.answer
    return known if known is not None and tuple(known.values["pair"]) == pair else None


def chosen(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> tuple[list[Pair], Pair | None]:
    """The pairs to go through, and the selected one: the first of them where none was selected."""
    pairs = filters.listed(problem, snapshot, session.show)
    if session.selected is None and pairs:
        state.put(sessions.select(session, pairs[0], "inspect"))
    return pairs, state.current().selected


@state.noticed
def choose_filter() -> None:
    """Another list, and its first pair."""
    show = st.session_state["show"] or state.current().show
    session = replace(state.current(), show=show)
    found = state.run()
    if found is not None:
        pairs = filters.listed(state.problem(session), found.snapshot, show)
        if pairs and session.selected not in pairs:
            session = sessions.select(session, pairs[0], "inspect")
    state.put(session)


@state.noticed
def go(by: int) -> None:
    """To the next pair of the list, or the previous one; from outside the list, to its first."""
    found, session = state.run(), state.current()
    if found is None:
        return
    pairs = filters.listed(state.problem(session), found.snapshot, session.show)
    if not pairs:
        return
    at = pairs.index(session.selected) + by if session.selected in pairs else 0
    state.put(sessions.select(session, pairs[at % len(pairs)], "inspect"))


@state.noticed
def find(side: str, key: str) -> None:
    """A node was chosen from a list of labels."""
    node, selected = st.session_state[key], state.current().selected
    if node is None:
        return
    if side == "target" and selected is not None:
        choices.pick((selected[0], node), "inspect")
    else:
        choices.pick_node(side, node, "inspect")


@state.noticed
def pin(kind: str, hard: bool) -> None:
    """Pin or forbid the selected pair; the run goes on from the step shown."""
    session = state.current()
    if session.selected is not None:
        put_pins(with_pin(session.pins, Pin(*session.selected, kind, hard)))


@state.noticed
def unpin(at: int | None) -> None:
    """Remove one pin, or all of them."""
    pins = state.current().pins
    put_pins(() if at is None else pins[:at] + pins[at + 1 :])


def put_pins(pins: tuple[Pin, ...]) -> None:
    """Work under these pins from the step shown on; notes what the answer was before."""
    session, found = state.current(), state.run()
    problem = state.problem(session)
    replace(problem, pins=pins)  # raises where they contradict each other
    state.put(replace(sessions.at_newest(session), pins=pins))
    if found is None or not found.alive or found.snapshot.matching is None or not found.snapshot.last:
        return
    st.session_state["before_pins"] = (id(found), found.snapshot)
    state.settle(found, found.pin(pins))


def before_pins() -> Snapshot | None:
    """The run as it was when pins were changed last."""
    found, kept = state.run(), st.session_state.get("before_pins")
    return kept[1] if found is not None and kept is not None and kept[0] == id(found) else None
