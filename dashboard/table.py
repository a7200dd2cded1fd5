"""Below the charts: the selected pair, the table of matched pairs, and the files to take away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import choices, drawing, pin_panel, runs_panel, share, state, text
from dashboard.client import Run
from dashboard.exports import figures_html
from dashboard.figures.common import verdicts
from dashboard.origin import with_origin
from dashboard.session import DataChoice, Session
from dashboard.snapshot import Pairs, Snapshot
from dashboard.widgets.synced import by_user, synced
from gwl_core.problem import MatchingProblem

_HEIGHT = 420


def section(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> None:
    """The table at the left, the files at the right."""
    left, right = st.columns([3, 1], gap="medium")
    with left:
        _find(problem, session, snapshot)
        if snapshot.matching is not None and snapshot.last:
            pin_panel.buttons(session, "align")
            pin_panel.moved(problem, snapshot)
        if snapshot.pairs is None:
            st.caption(text.TABLE_EMPTY)
        else:
            _table(problem, session, snapshot, snapshot.pairs)
    with right:
        runs_panel.section(snapshot)
        _exports(problem, session, run, snapshot)
        share.section(problem, session, run, snapshot)


def _find(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> None:
    """A list of all source nodes, and of all targets for the selected one: any pair, without a mouse."""
    heading, source, target = st.columns([1.2, 1, 1], vertical_alignment="center")
    heading.subheader(text.TABLE)
    picked = session.selected or (None, None)
    for place, side, labels, chosen in (
        (source, "source", problem.source.labels, picked[0]),
        (target, "target", problem.target.labels, picked[1]),
    ):
        key = f"find_{side}"
        place.selectbox(
            text.FIND[side], range(len(labels)), index=synced(key, chosen), format_func=labels.__getitem__, key=key,
            label_visibility="collapsed",
            placeholder=text.FIND_NONE[side], help=text.FIND_HELP[side], on_change=by_user(key, _found), args=(side,),
            disabled=snapshot.matching is None,
        )  # fmt: skip


def _found(side: str) -> None:
    chosen = st.session_state[f"find_{side}"]
    selected = state.current().selected
    if chosen is None:
        choices.pick(None, "list")
    elif side == "target" and selected is not None:
        choices.pick((selected[0], chosen), "list")
    else:
        choices.pick_node(side, chosen, "list")


def _table(problem: MatchingProblem, session: Session, snapshot: Snapshot, pairs: Pairs) -> None:
    """The matched pairs, surest first; the selected pair leads unless it was picked right here."""
    rows = [(int(s), int(t)) for s, t in zip(pairs.source, pairs.target, strict=True)]
    order = list(range(len(rows)))
    picked, lead = session.selected, None
    if picked is not None:
        place = rows.index(picked) if picked in rows else None
        if place is None:
            lead = _row_of(problem, snapshot, picked)
        elif session.selected_in != "table":
            order.insert(0, order.pop(place))
    frame = _frame(problem, snapshot, pairs).iloc[order]
    shown = [rows[k] for k in order]
    if picked is not None and lead is not None:
        frame, shown = pd.concat([pd.DataFrame([lead]), frame]), [picked, *shown]
    marked = [shown.index(picked)] if picked in shown else []
    # Another key is another table: it opens with the pair marked that was picked elsewhere.
    key = f"matches_{snapshot.generation}_{snapshot.shown}_{'' if session.selected_in == 'table' else picked}"
    st.dataframe(
        frame, hide_index=True, height=_HEIGHT, key=key, on_select=lambda: _row_picked(key, shown),
        selection_mode="single-row", column_config=_columns(), alt=text.TABLE,
        selection_default={"selection": {"rows": marked}},
    )  # fmt: skip


def _row_picked(key: str, shown: list[tuple[int, int]]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    choices.pick(shown[rows[0]] if rows else None, "table")


def _frame(problem: MatchingProblem, snapshot: Snapshot, pairs: Pairs) -> pd.DataFrame:
    source, target = np.array(problem.source.labels, object), np.array(problem.target.labels, object)
    found = np.full(problem.source.n_nodes, -1)
    found[pairs.source] = pairs.target
    tied = np.zeros(problem.source.n_nodes, dtype=bool)
    tied[pairs.source] = pairs.tied
    about = verdicts(found, problem.truth, tied)
    return pd.DataFrame(
        {
            "source": source[pairs.source],
            "target": target[pairs.target],
            "verdict": [text.VERDICTS[about[i]] for i in pairs.source],
            "confidence": 100 * pairs.confidence,
            "coupling": pairs.coupling,
            "alternatives": [
                ", ".join(f"{target[j]} {share:.1%}" for j, share in zip(js, shares, strict=True) if j >= 0)
                for js, shares in zip(pairs.alternatives, pairs.shares, strict=True)
            ],
        }
    )


def _row_of(problem: MatchingProblem, snapshot: Snapshot, pair: tuple[int, int]) -> dict[str, object]:
    """A selected cell that is no match."""
    assert snapshot.coupling is not None
    assert snapshot.matching is not None
    match = int(snapshot.matching[pair[0]])
    instead = text.NO_MATCH if match < 0 else text.MATCH_IS.format(label=problem.target.labels[match])
    return {
        "source": problem.source.labels[pair[0]], "target": problem.target.labels[pair[1]], "verdict": text.NOT_MATCHED,
        "confidence": None, "coupling": float(snapshot.coupling[pair]), "alternatives": instead,
    }  # fmt: skip


def _columns() -> dict[str, Any]:
    make = st.column_config
    kinds: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "source": (make.TextColumn, {"pinned": True}),
        "target": (make.TextColumn, {}),
        "verdict": (make.TextColumn, {"width": "small"}),
        "confidence": (
            make.ProgressColumn,
            {"min_value": 0, "max_value": 100, "format": "%.1f %%", "width": "small"},
        ),
        "coupling": (make.NumberColumn, {"format": "%.3g", "width": "small"}),
        "alternatives": (make.TextColumn, {"width": "large"}),
    }
    return {
        name: kind(label=text.COLUMNS[name][0], help=text.COLUMNS[name][1], **more)
        for name, (kind, more) in kinds.items()
    }


def _exports(problem: MatchingProblem, session: Session, run: Run | None, snapshot: Snapshot) -> None:
    """Files made when they are asked for; one that cannot be made is said by the button itself."""
    st.subheader(text.EXPORTS)
    ready = run is not None and run.alive and snapshot.matching is not None
    learned = run is not None and run.settings is not None and run.settings[1].embeddings
    make: Callable[[], bytes]
    for name, hint in text.EXPORT_FILES.items():
        if name == "figures.html":
            make = partial(_figures_file, problem, session, snapshot)
        elif name == "run.json":
            make = partial(_record, run, session.data)
        else:
            make = partial(run.export, name) if run is not None else bytes
        st.download_button(
            name, make, name, help=hint, key=f"export_{name}", on_click="ignore", width="stretch",
            icon=":material/download:", disabled=not ready or (name == "embeddings.npz" and not learned),
        )  # fmt: skip
    st.caption(text.EXPORT_NOTE)
    for sentence in snapshot.notices:
        st.caption(text.plain(sentence))


def _record(run: Run | None, data: DataChoice) -> bytes:
    return with_origin(run.export("run.json"), data) if run is not None else b""


def _figures_file(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> bytes:
    learned = session.settings[0].embeddings
    figures = {
        "curves": drawing.curves(snapshot),
        "transport": drawing.transport(problem, snapshot, session.selected),
        "embedding": drawing.embedding(problem, snapshot, learned, session.selected),
        "graphs": drawing.graphs(problem, snapshot, session.selected),
    }
    title = f"{problem.source.name} · {problem.target.name}"
    charts = [(figure, text.alternative(name, snapshot)) for name, figure in figures.items()]
    return figures_html(charts, title).encode()
