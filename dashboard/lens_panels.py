"""The parts of the Inspect page: the chooser, both neighbourhoods, what the pair costs, how sure it is, its course."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import choices, filters, inspecting, state, text
from dashboard.figures.course import course
from dashboard.figures.neighbourhood import MAX_DRAWN, neighbourhood_figure
from dashboard.figures.nodes import clicked_node
from dashboard.inspecting import Pair
from dashboard.live_plot.component import live_plot
from dashboard.protocol import Message
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from dashboard.text import inspect as words
from dashboard.widgets.synced import by_user, synced
from gwl_core.neighbourhood import links
from gwl_core.problem import MatchingProblem

AROUND_HEIGHT, COURSE_HEIGHT = 430, 190
_MOST_KNOWN = 8
"""Attributes of a node that are shown."""


def chooser(problem: MatchingProblem, session: Session, snapshot: Snapshot, pairs: list[Pair]) -> None:
    """Which pairs to go through, back and forth, and two lists of labels to search."""
    names = [name for name in words.FILTERS if name != "wrong" or problem.truth is not None]
    with st.container(key="chooser", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            words.FILTER, names, default=synced("show", session.show), format_func=words.FILTERS.__getitem__,
            key="show", label_visibility="collapsed",
            help=words.FILTER_HELP, on_change=by_user("show", inspecting.choose_filter),
        )  # fmt: skip
        for by, label, icon in ((-1, words.PREVIOUS, "chevron_left"), (1, words.NEXT, "chevron_right")):
            st.button(
                label, key=f"go_{by}", icon=f":material/{icon}:", disabled=not pairs, on_click=inspecting.go,
                args=(by,),
            )  # fmt: skip
        count = len(pairs)
        place = pairs.index(session.selected) + 1 if session.selected in pairs else None
        st.caption(words.PLACE.format(place=place, count=count) if place else words.NO_PLACE.format(count=count))
        for side, labels in (("source", problem.source.labels), ("target", problem.target.labels)):
            key = f"inspect_{side}"
            chosen = session.selected[0 if side == "source" else 1] if session.selected else None
            st.selectbox(
                text.FIND[side], range(len(labels)), index=synced(key, chosen), format_func=labels.__getitem__, key=key,
                label_visibility="collapsed", placeholder=text.FIND_NONE[side],
                on_change=by_user(key, inspecting.find), args=(side, key), disabled=snapshot.matching is None,
                width=190,
            )  # fmt: skip
    if not pairs and snapshot.matching is not None:
        st.caption(words.EMPTY_FILTER.format(step=snapshot.shown))


def heading(problem: MatchingProblem, snapshot: Snapshot, pair: Pair) -> None:
    """Which pair this is, and whether it is the match."""
    source, target = (text.plain(g.labels[k]) for g, k in zip((problem.source, problem.target), pair, strict=True))
    match = -1 if snapshot.matching is None else int(snapshot.matching[pair[0]])
    if match == pair[1]:
        fate = words.IS_MATCH
    elif match < 0:
        fate = words.IS_UNMATCHED.format(source=source)
    else:
        fate = words.NOT_MATCH.format(source=source, target=text.plain(problem.target.labels[match]))
    about = text.VERDICTS[filters.verdict(problem, snapshot, pair)]
    if about and match != pair[1]:
        about = words.WOULD_BE.format(verdict=about)
    st.markdown(
        f"#### {words.PAIR.format(source=source, target=target)}\n{fate}" + (f" · **{about}**" if about else "")
    )
    known(problem, pair)


def known(problem: MatchingProblem, pair: Pair) -> None:
    """What node lists say of the two nodes."""
    for graph, node in zip((problem.source, problem.target), pair, strict=True):
        told = {name: texts[node] for name, texts in graph.attributes.items() if texts[node]}
        if told:
            said = " · ".join(f"{name}: {value}" for name, value in list(told.items())[:_MOST_KNOWN])
            st.caption(text.plain(f"{graph.labels[node]}: {said}"))


def around(problem: MatchingProblem, answer: Message, pair: Pair, view: str) -> None:
    """Both neighbourhoods, side by side."""
    found = links(problem, answer.arrays["matching"], pair)
    counts = {kind: sum(link.kind == kind for link in found) for kind in words.KINDS}
    caption = words.AROUND_CAPTION.format(**counts)
    neighbours = len({(link.source, link.target) for link in found})
    if neighbours > MAX_DRAWN:
        caption += " · " + words.AROUND_FEW.format(shown=MAX_DRAWN, count=neighbours)
    if counts["broken"] or counts["added"]:
        caption += " · " + words.AROUND_RINGS
    labels = problem.source.labels, problem.target.labels
    figure = neighbourhood_figure(
        found, pair, *labels, directed=problem.source.directed or problem.target.directed, names=words.KINDS,
        caption=caption,
    )  # fmt: skip
    alt = words.AROUND_ALT.format(source=labels[0][pair[0]], target=labels[1][pair[1]], **counts)
    with st.container(border=True, key="panel_neighbourhood"):
        live_plot(
            figure, key="plot_neighbourhood", height=AROUND_HEIGHT, alt=alt, on_click=_neighbour_clicked,
            view=f"{view} {pair}",
        )  # fmt: skip


def _neighbour_clicked() -> None:
    click = st.session_state["plot_neighbourhood"].get("click")
    node = clicked_node(click, state.problem(state.current()).source.n_nodes) if click else None
    if node:
        choices.pick_node(*node, "inspect")


def history(answer: Message, snapshot: Snapshot, view: str) -> None:
    """The coupling's entry over the steps."""
    arrays, since, spacing = answer.arrays, answer.values["since"], int(answer.values["spacing"])
    clauses = [words.COURSE_NEVER if since is None else words.COURSE_SINCE.format(step=since)]
    if spacing > 1:
        clauses.append(words.COURSE_SPACING.format(spacing=spacing))
    figure = course(arrays["steps"], arrays["mass"], arrays["best"], caption=" · ".join(clauses))
    now = f"{100 * float(arrays['mass'][-1]) if len(arrays['mass']) else 0:.1f} %"
    with st.container(border=True, key="panel_course"):
        live_plot(
            figure, key="plot_course", height=COURSE_HEIGHT, view=view,
            alt=words.COURSE_ALT.format(last=answer.values["step"], now=now),
        )  # fmt: skip


def sureness(answer: Message) -> None:
    """Confidence and what it rests on, as small figures."""
    values, parts = answer.values, answer.values["sureness"]
    is_match = values["confidence"] is not None
    shown = {
        "confidence" if is_match else "would_be": _percent(values["confidence"] if is_match else values["would_be"]),
        "mass": _percent(parts["mass"]), "margin": _percent(parts["margin"]), "entropy": _percent(parts["entropy"]),
        "mutual": words.YES if parts["mutual"] else words.NO, "alike": f"{values['alike']}",
    }  # fmt: skip
    st.markdown(f"##### {words.SURE}")
    with st.container(key="sureness", horizontal=True, gap="medium"):
        for name, value in shown.items():
            label, hint = words.SURE_PARTS[name]
            st.metric(label, value, help=hint, width="content")


def costs(answer: Message) -> None:
    """The pair's part in the discrepancy and in each term of the objective."""
    st.markdown(f"##### {words.COST}", help=words.TERMS_HELP)
    name, pair, whole, share, weight = words.TERM_COLUMNS
    rows = [
        {
            name: words.TERMS[term["name"]], pair: _figure(term["share"]), whole: _figure(term["total"]),
            share: _share(term["share"], term["total"]), weight: _figure(term["weight"]),
        }
        for term in answer.values["terms"]
    ]  # fmt: skip
    st.table(pd.DataFrame(rows), border="horizontal", hide_index=True)


def alternatives(problem: MatchingProblem, answer: Message, pair: Pair) -> None:
    """The exchanges that raise the discrepancy least."""
    st.markdown(f"##### {words.OTHERS}", help=words.OTHERS_HELP)
    known = {} if problem.truth is None else dict(problem.truth.tolist())
    columns = {key: label for key, (label, _) in words.OTHER_COLUMNS.items()}
    rows: list[dict[str, Any]] = []
    for other in answer.values["alternatives"]:
        owner, target = other["owner"], other["target"]
        notes = [words.TRUE_TARGET] if known.get(pair[0]) == target else []
        notes += [words.SELECTED] if target == pair[1] else []
        rows.append(
            {
                columns["target"]: problem.target.labels[target],
                columns["owner"]: problem.source.labels[owner] if owner >= 0 else words.FREE,
                columns["mass"]: _percent(other["mass"]),
                columns["discrepancy"]: _change(other["discrepancy"], answer.values["matching_discrepancy"]),
                columns["conserved"]: f"{other['conserved']:+d}" if other["conserved"] else "0",
                columns["verdict"]: ", ".join(notes),
            }
        )
    config = {label: st.column_config.TextColumn(help=hint) for label, hint in words.OTHER_COLUMNS.values()}
    shown = [int(other["target"]) for other in answer.values["alternatives"]]
    key = f"others_{answer.values['id']}"
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, key=key, on_select=_other_picked(key, pair, shown),
        selection_mode="single-row", column_config=config, alt=words.OTHERS,
    )  # fmt: skip


def _other_picked(key: str, pair: Pair, shown: list[int]) -> Callable[[], None]:
    def act() -> None:
        rows = st.session_state[key]["selection"]["rows"]
        if rows:
            choices.pick((pair[0], shown[rows[0]]), "inspect")

    return act


def _percent(share: float | None) -> str:
    return text.NOT_YET if share is None or not np.isfinite(share) else f"{100 * share:.1f} %".replace("-", "−")


def _figure(value: float | None) -> str:
    return text.NOT_YET if value is None else f"{value:.4g}"


def _share(part: float, whole: float | None) -> str:
    return text.NOT_YET if not whole else f"{_two_digits(100 * part / whole)} %"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def _change(value: float, whole: float) -> str:
    sign = "+" if value > 0 else "−" if value < 0 else "±"
    relative = f" ({_two_digits(100 * abs(value) / whole)} %)" if whole > 0 else ""
    return f"{sign}{abs(value):.3g}{relative}"
