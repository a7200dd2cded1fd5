"""Pin or forbid the selected pair, the list of pins, and how far they have moved the answer."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard import filters, inspecting, state, text
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from dashboard.text import inspect as words
from gwl_core.pins import APART, SAME
from gwl_core.problem import MatchingProblem
from gwl_core.writers.pins import pins_csv, read_pins


def buttons(session: Session, place: str) -> None:
    """Pin and forbid, for the selected pair.

    Args:
        place: names the widgets, as two pages have them.
    """
    with st.container(key=f"pinning_{place}", horizontal=True, vertical_alignment="center", gap="small"):
        hard = st.segmented_control(
            words.STRENGTH, list(words.STRENGTHS), default=True, required=True, format_func=words.STRENGTHS.__getitem__,
            key=f"strength_{place}", label_visibility="collapsed", help=words.STRENGTH_HELP,
        )  # fmt: skip
        for kind, label, icon, hint in (
            (SAME, words.PIN, "keep", words.PIN_HELP),
            (APART, words.FORBID, "block", words.FORBID_HELP),
        ):
            st.button(
                label, key=f"{kind}_{place}", icon=f":material/{icon}:", help=hint, disabled=session.selected is None,
                on_click=inspecting.pin, args=(kind, bool(hard)),
            )  # fmt: skip


def section(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> None:
    """The list, with what it has changed, and its file."""
    st.markdown(f"##### {words.PINS}")
    buttons(session, "inspect")
    moved(problem, snapshot)
    if not session.pins:
        st.caption(words.NO_PINS)
    for at, pin in enumerate(session.pins):
        source, target = problem.source.labels[pin.source], problem.target.labels[pin.target]
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"pin_row_{at}"):
            st.markdown(f"{text.plain(source)} ↔ {text.plain(target)} · {words.RULES[pin.kind, pin.hard]}")
            st.button(
                f"{words.REMOVE} {text.plain(source)} ↔ {text.plain(target)}", key=f"unpin_{at}",
                icon=":material/close:", on_click=inspecting.unpin, args=(at,), type="tertiary",
            )  # fmt: skip
    with st.container(horizontal=True, gap="small", key="pin_files"):
        st.download_button(
            words.SAVE, partial(pins_csv, session.pins, problem.source, problem.target), "anchors.csv", "text/csv",
            key="save_pins", on_click="ignore", disabled=not session.pins, icon=":material/download:",
        )  # fmt: skip
        with st.popover(words.LOAD, icon=":material/upload:"):
            st.file_uploader(words.LOAD, key="load_pins", help=words.LOAD_HELP, on_change=_load)
        if session.pins:
            st.button(words.REMOVE_ALL, key="unpin_all", on_click=inspecting.unpin, args=(None,))


def moved(problem: MatchingProblem, snapshot: Snapshot) -> None:
    """How far the answer has moved since pins were changed last."""
    before = inspecting.before_pins()
    if before is None:
        return
    if snapshot.state == "running" or snapshot.pairs is None:
        st.caption(words.MOVING)
        return
    changed, known = filters.changed(before.matching, snapshot.matching)
    clauses = [words.MOVED.format(changed=changed, known=known)]
    for name, label in words.MOVED_PARTS.items():
        then, now = text.measure(name, before.measures), text.measure(name, snapshot.measures)
        if now != text.NOT_YET:
            clauses.append(f"{label} {then} → {now}")
    st.info(text.plain("; ".join(clauses)) + ".", icon=":material/compare_arrows:")


@state.noticed
def _load() -> None:
    uploaded = st.session_state["load_pins"]
    if uploaded is None:
        return
    problem = state.problem(state.current())
    inspecting.put_pins(read_pins(uploaded.getvalue(), uploaded.name, problem.source, problem.target))
