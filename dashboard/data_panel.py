"""The form for the user's own files: choose, see what was read, then use it or keep what is loaded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dashboard import choices, text
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.readers import GraphReport, Limits, TruthReport, read_anchors, read_graph, read_truth

LIMITS = Limits(max_bytes=50_000_000, max_nodes=5_000, max_edges=500_000)
"""Tighter than the library's: the page shows every pair of nodes."""


@dataclass(frozen=True, eq=False)
class Draft:
    """What was read of the files chosen so far; sentences say what is wrong with the others."""

    source: GraphReport | None = None
    target: GraphReport | None = None
    problem: MatchingProblem | None = None
    errors: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def form() -> None:
    """The form, above the panels that still show what is loaded."""
    with st.container(border=True, key="upload"):
        st.subheader(text.UPLOAD_TITLE)
        st.caption(text.UPLOAD_INTRO)
        (first, second), (third, fourth) = st.columns(2), st.columns(2)
        files = {
            "source": _file(first, "source", text.UPLOAD_SOURCE),
            "target": _file(second, "target", text.UPLOAD_TARGET),
            "truth": _file(third, "truth", text.UPLOAD_TRUTH, text.UPLOAD_TRUTH_HELP),
            "anchors": _file(fourth, "anchors", text.UPLOAD_ANCHORS, text.UPLOAD_ANCHORS_HELP),
        }
        direction = st.segmented_control(
            text.DIRECTION, list(text.DIRECTIONS), default="file", required=True,
            format_func=text.DIRECTIONS.__getitem__, key="direction", help=text.DIRECTION_HELP,
        )  # fmt: skip
        draft = read(files, {"directed": True, "undirected": False}.get(str(direction)))
        for sentence in draft.errors:
            st.error(text.plain(sentence))
        for sentence in draft.notices:
            st.info(text.plain(sentence))
        for column, report in zip(st.columns(2), (draft.source, draft.target), strict=True):
            if report is not None:
                with column:
                    _preview(report)
        with st.container(horizontal=True):
            st.button(
                text.UPLOAD_USE, type="primary", disabled=draft.problem is None, on_click=choices.use_upload,
                args=(draft.problem,),
            )  # fmt: skip
            st.button(text.UPLOAD_CANCEL, on_click=choices.cancel_upload)


def _file(place: Any, key: str, label: str, hint: str | None = None) -> tuple[str, bytes] | None:
    uploaded = place.file_uploader(label, key=f"file_{key}", help=hint)
    return (uploaded.name, uploaded.getvalue()) if uploaded is not None else None


def read(files: dict[str, tuple[str, bytes] | None], directed: bool | None) -> Draft:
    """Read the files there are, with every size checked here: the browser's limit is only advice.

    Args:
        files: (name, content) of "source", "target", "truth" and "anchors".
        directed: used for graph files that do not say.
    """
    draft, reports = Draft(), {}
    for side in ("source", "target"):
        chosen = files.get(side)
        if chosen is None:
            continue
        try:
            reports[side] = read_graph(chosen[1], name=chosen[0], directed=directed, limits=LIMITS)
        except InputError as error:
            draft = replace(draft, errors=(*draft.errors, str(error)))
    draft = replace(draft, source=reports.get("source"), target=reports.get("target"))
    if draft.source is None or draft.target is None:
        return draft
    try:
        return _joined(draft, draft.source, draft.target, files)
    except InputError as error:
        return replace(draft, errors=(*draft.errors, str(error)))


def _joined(
    draft: Draft, source: GraphReport, target: GraphReport, files: dict[str, tuple[str, bytes] | None]
) -> Draft:
    graphs = {"source_graph": source.graph, "target_graph": target.graph}
    truth = anchors = None
    notices: list[str] = []
    for kind, reader in (("truth", read_truth), ("anchors", read_anchors)):
        chosen = files.get(kind)
        if chosen is None:
            continue
        report = reader(chosen[1], name=chosen[0], limits=LIMITS, **graphs)
        used = text.PAIRS_READ.format(name=chosen[0], used=report.rows_used, present=report.rows_present)
        notices += [used, *report.notices]
        if isinstance(report, TruthReport):
            truth = report.pairs
        else:
            anchors = report.matrix
    problem = MatchingProblem(source.graph, target.graph, truth=truth, anchors=anchors)
    return replace(draft, problem=problem, notices=tuple(notices))


def _preview(report: GraphReport) -> None:
    """What was read, as a small table and sentences."""
    graph = report.graph
    facts = {
        text.READ_ROWS: f"{report.rows_read:,} of {report.rows_present:,}",
        text.READ_FACTS["nodes"]: f"{graph.n_nodes:,}",
        text.READ_FACTS["edges"]: f"{graph.n_edges:,}",
        text.READ_FACTS["isolated"]: f"{graph.n_isolated:,}",
        text.READ_FACTS["loops"]: f"{report.self_loops:,}",
        text.READ_FACTS["merged"]: f"{report.duplicates_merged:,}",
        text.READ_FACTS["direction"]: text.DIRECTED[graph.directed],
    }
    st.markdown(f"**{text.plain(graph.name)}** · {report.format}")
    st.table({"": list(facts), " ": list(facts.values())}, border="horizontal", hide_index=True, hide_header=True)
    for sentence in (report.direction_reason, *report.notices):
        if sentence:
            st.caption(text.plain(sentence))
