"""What the Compare page has chosen, its run, and what happens at a press."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import streamlit as st

from dashboard import session as sessions
from dashboard import state
from dashboard.compare_registry import COMPARISONS
from dashboard.compare_run import Asked, CompareRun
from dashboard.limits import limits
from dashboard.session import Session
from gwl_core.baselines import BASELINES, EXTERNAL
from gwl_core.comparison import OWN, method_keys
from gwl_core.errors import InputError
from gwl_core.settings import Parameter

QUICK = ("gwl", "netal", "gaa", "faq-convex")
"""Chosen at first: seconds on the built-in pairs."""
PAPER = ("gaa", "lrsa", "tame", "graal", "mi-graal", "magna++", "hubalign", "netal")
GROUPS: Mapping[str, tuple[str, ...]] = {
    "own": tuple(OWN), "paper": PAPER, "beside": tuple(key for key in BASELINES if key not in (*PAPER, *EXTERNAL)),
    **({"external": tuple(EXTERNAL)} if EXTERNAL else {}),
}  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """What to compare, and how to look at it.

    Attributes:
        methods: keys, in the order of all methods.
        cap: seconds for each.
        least: methods that must agree in the consensus; None for more than half.
        show: which pairs the table has, see `compare_view.chosen_pairs`.
    """

    methods: tuple[str, ...] = QUICK
    cap: float = 120.0
    least: int | None = None
    show: str = "differ"


def cap_rule() -> Parameter:
    """Seconds that a method may be given."""
    return Parameter("cap", "float", live=False, low=1, high=limits().method_seconds)


def current() -> Choice:
    """The choice, made from the URL when it is new."""
    if "compare" not in st.session_state:
        st.session_state["compare"] = from_query(st.query_params.to_dict())
    return cast(Choice, st.session_state["compare"])


def put(choice: Choice) -> None:
    st.session_state["compare"] = choice


def from_query(query: Mapping[str, str]) -> Choice:
    """The choice of a URL; what it cannot use stands as by default."""
    asked = query.get("methods", "").split(",")
    methods = tuple(key for key in method_keys() if key in asked) or Choice.methods
    usual = min(Choice.cap, float(limits().method_seconds))
    try:
        cap = cap_rule().check(query.get("cap", usual))
    except InputError:
        cap = usual
    return Choice(ordered(methods), cap)


def to_query(choice: Choice) -> dict[str, str]:
    """What of the choice is in the URL."""
    query = {}
    if choice.methods != ordered(Choice.methods):
        query["methods"] = ",".join(choice.methods)
    if choice.cap != Choice.cap:
        query["cap"] = f"{choice.cap:g}"
    return query


def write_url(session: Session) -> None:
    query = sessions.to_query(session) | to_query(current())
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def ordered(methods: tuple[str, ...]) -> tuple[str, ...]:
    """Each once, in the order of all methods."""
    return tuple(key for key in method_keys() if key in methods)


def run() -> CompareRun | None:
    """The comparison of the graphs on the page, at work or finished."""
    found = COMPARISONS.find(st.session_state["token"])
    return found if found is not None and found.asked.origin == state.current().data else None


def place() -> int:
    """The comparison's place in the queue."""
    return COMPARISONS.place(st.session_state["token"])


def asked(session: Session, choice: Choice) -> Asked:
    """What Run would start now."""
    return Asked(session.data, ordered(choice.methods), int(session.value("seed")), choice.cap)


@state.noticed
def start() -> None:
    session = state.current()
    wanted = asked(session, current())
    if wanted.methods:
        COMPARISONS.begin(st.session_state["token"], wanted, state.problem(session))
        put(replace(current(), least=None, show=Choice.show))


@state.noticed
def stop() -> None:
    found = run()
    if found is not None:
        found.stop()


@state.noticed
def choose_method(key: str) -> None:
    chosen = st.session_state[f"method_{key}"]
    methods = {*current().methods, key} if chosen else set(current().methods) - {key}
    put(replace(current(), methods=ordered(tuple(methods))))


@state.noticed
def choose_methods(keys: tuple[str, ...]) -> None:
    put(replace(current(), methods=ordered(keys)))


@state.noticed
def choose_cap() -> None:
    put(replace(current(), cap=cap_rule().check(st.session_state["compare_cap"])))


@state.noticed
def choose_least() -> None:
    put(replace(current(), least=int(st.session_state["compare_least"])))


@state.noticed
def choose_show() -> None:
    put(replace(current(), show=st.session_state["compare_show"]))


@state.noticed
def show_pairs(which: str) -> None:
    put(replace(current(), show=which))
