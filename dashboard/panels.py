"""The strip of figures and the four charts, which a running alignment redraws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dashboard import choices, drawing, state, text
from dashboard.figures.common import Figure
from dashboard.figures.heatmap import cell_to_pair
from dashboard.figures.nodes import clicked_node
from dashboard.live_plot.component import live_plot
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from dashboard.text import charts as words
from dashboard.widgets.synced import place, synced
from gwl_core.problem import MatchingProblem

PANEL_HEIGHT = 342
WITH_TRUTH = (
    "gw_discrepancy", "node_correctness_coupling", "node_correctness_embedding", "edge_correctness", "unmatched",
)  # fmt: skip
WITHOUT_TRUTH = ("gw_discrepancy", "edge_correctness", "ics", "s3", "unmatched")


def strip(problem: MatchingProblem, snapshot: Snapshot) -> None:
    """Five figures; without truth, five that need none."""
    names = WITHOUT_TRUTH if problem.truth is None else WITH_TRUTH
    with st.container(key="strip"):
        for column, name in zip(st.columns(len(names), gap="small"), names, strict=True):
            label, hint = text.METRICS[name]
            column.metric(label, text.measure(name, snapshot.measures), help=hint)


def grid(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> None:
    """Curves and transport over embedding and graphs."""
    figures = _figures(problem, session, snapshot)
    for row in (("curves", "transport"), ("embedding", "graphs")):
        for column, name in zip(st.columns(2, gap="small"), row, strict=True):
            with column.container(border=True, key=f"panel_{name}"):
                _options(name, problem, session)
                live_plot(
                    figures[name], key=f"plot_{name}", height=PANEL_HEIGHT, alt=text.alternative(name, snapshot),
                    on_click=_CLICKS.get(name), view=f"{session.data}",
                )  # fmt: skip


def _options(name: str, problem: MatchingProblem, session: Session) -> None:
    """What a panel lets its reader choose, in the corner of the chart."""
    if name == "embedding":
        st.segmented_control(
            text.PROJECTION, list(text.PROJECTIONS), default=synced("projection", session.projection), key="projection",
            format_func=text.PROJECTIONS.__getitem__, label_visibility="collapsed", on_change=choices.choose_projection,
            help=text.PROJECTION_HELP,
        )  # fmt: skip
        with st.container(key="reading", horizontal=True, vertical_alignment="center", gap="small"):
            lines = synced("lines", session.lines)
            st.checkbox(words.LINES, lines, key="lines", help=words.LINES_HELP, on_change=choices.choose_lines)
            st.caption(words.READING, help=text.PROJECTION_HELP, width="content")
    if name == "graphs":
        at = place("layout", session.layout, list(words.LAYOUTS))
        st.selectbox(
            words.LAYOUT, list(words.LAYOUTS), at, format_func=words.LAYOUTS.__getitem__, key="layout",
            label_visibility="collapsed", on_change=choices.choose_layout, width=150, help=words.LAYOUT_HELP,
        )  # fmt: skip
    if name == "transport":
        at = place("order", session.order, list(words.ORDERS))
        st.selectbox(
            words.ORDER, list(words.ORDERS), at, format_func=words.ORDERS.__getitem__, key="order",
            label_visibility="collapsed", on_change=choices.choose_order, width=128, help=words.ORDER_HELP,
        )  # fmt: skip
    if name == "transport" and session.selected and drawing.pooled(problem):
        st.checkbox(text.EXACT, key="exact", help=text.EXACT_HELP)


def _exact(problem: MatchingProblem, session: Session) -> bool:
    return bool(st.session_state.get("exact")) and session.selected is not None and drawing.pooled(problem)


def _figures(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> dict[str, Figure]:
    """All four. Kept while nothing that they show has changed, so that a tick costs only what is new."""
    marked, exact, learned = session.selected, _exact(problem, session), session.settings[0].embeddings
    # Keys hold the arrays themselves: they are compared by identity, and cannot be confused with later ones.
    made: dict[str, tuple[tuple[Any, ...], Callable[[], Figure]]] = {
        "curves": (
            (snapshot.generation, _Same(snapshot.history), snapshot.shown),
            lambda: drawing.curves(snapshot),
        ),
        "transport": (
            (_Same(problem), _Same(snapshot.coupling), marked, exact, session.order),
            lambda: drawing.transport(problem, snapshot, marked, exact, session.order),
        ),
        "embedding": (
            (_Same(problem), _Same(snapshot.points), _Same(snapshot.matching), marked, learned, session.lines),
            lambda: drawing.embedding(problem, snapshot, learned, marked, session.lines),
        ),
        "graphs": (
            (_Same(problem), _Same(snapshot.matching), _Same(snapshot.pairs), marked, session.layout),
            lambda: drawing.graphs(problem, snapshot, marked, session.layout),
        ),
    }
    kept: dict[str, tuple[tuple[Any, ...], Figure]] = st.session_state.setdefault("drawn", {})
    for name, (key, make) in made.items():
        if name not in kept or kept[name][0] != key:
            kept[name] = (key, make())
    return {name: kept[name][1] for name in made}


class _Same:
    """Equal only to the same object."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._value is other._value

    __hash__ = None  # type: ignore[assignment]


def _cell_clicked() -> None:
    click = st.session_state["plot_transport"].get("click")
    run, session = state.run(), state.current()
    if click and run and run.snapshot.coupling is not None:
        problem = state.problem(session)
        around = session.selected if _exact(problem, session) else None
        view = drawing.view_of(problem, around, session.order, run.snapshot.matching)
        pair = cell_to_pair(click, run.snapshot.coupling, view)
        if pair:
            choices.pick(pair, "transport")


def _node_clicked(name: str) -> None:
    click, problem = st.session_state[f"plot_{name}"].get("click"), state.problem(state.current())
    count = drawing.drawn_nodes(problem) if name == "graphs" else problem.source.n_nodes
    found = clicked_node(click, count) if click else None
    if found is None:
        return
    node = drawing.graph_node(problem, *found) if name == "graphs" else found[1]
    if node is not None:
        choices.pick_node(found[0], node, name)


_CLICKS: dict[str, Callable[[], None]] = {
    "transport": _cell_clicked,
    "embedding": lambda: _node_clicked("embedding"),
    "graphs": lambda: _node_clicked("graphs"),
}
