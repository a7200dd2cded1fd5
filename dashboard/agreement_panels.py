"""The lower half of the Compare page: where methods agree, how hard nodes are, and the consensus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dashboard import compare_state, compare_view, opening
from dashboard import text as common
from dashboard.compare_state import Choice
from dashboard.figures import comparison as figures
from dashboard.figures.common import Figure
from dashboard.live_plot.component import live_plot
from dashboard.text import compare as text
from dashboard.widgets.synced import by_user, place, synced
from gwl_core.agreement import Agreement, agreement, consensus, known_share
from gwl_core.comparison import OWN, MethodRun
from gwl_core.difficulty import Difficulty, difficulty
from gwl_core.problem import MatchingProblem
from gwl_core.scorecard import scorecard

_HEIGHT = 300
_TABLE_HEIGHT = 380


@dataclass(frozen=True, eq=False)
class Found:
    """The methods that have a matching, and what follows from it.

    Attributes:
        names: what charts call them, by key.
    """

    problem: MatchingProblem
    rows: tuple[MethodRun, ...]
    names: dict[str, str]
    agreed: Agreement
    hard: Difficulty

    @property
    def truth(self) -> bool:
        return self.problem.truth is not None


def found(problem: MatchingProblem, rows: tuple[MethodRun, ...]) -> Found | None:
    """What there is to compare; None without a matching. Kept while the rows are the same."""
    matched = tuple(row for row in rows if row.matching is not None)
    if not matched:
        return None
    kept: tuple[Any, Found] | None = st.session_state.get("compare_found")
    if kept is None or kept[0] != tuple(map(id, rows)) or kept[1].problem is not problem:
        agreed = agreement(compare_view.found_by(matched))
        hard = difficulty(agreed, problem.source.n_nodes, problem.truth)
        made = Found(problem, matched, compare_view.short_names(matched), agreed, hard)
        kept = st.session_state["compare_found"] = (tuple(map(id, rows)), made)
    return kept[1]


def charts(it: Found) -> None:
    """Four charts, two where only one method has a matching."""
    several = len(it.rows) > 1
    names = list(it.names.values())
    shown = [("time", *_time(it))]
    if several:
        shared = compare_view.shared_pairs(it.agreed)
        heatmap = figures.overlap_heatmap(shared, it.agreed.overlap, names, text.OVERLAP, text.OVERLAP_CAPTION)
        shown.append(("overlap", heatmap, text.overlap_words(names, shared.tolist())))
        shown.append(("votes", *_votes(it)))
    counts = compare_view.difficulty_counts(it.hard, len(it.rows), it.truth).tolist()
    bars = figures.difficulty_bars(counts, it.truth, text.HARD, text.HARD_CAPTION[it.truth])
    shown.append(("hard", bars, text.hard_words(counts, it.truth)))
    for at in range(0, len(shown), 2):
        for column, (name, figure, words) in zip(st.columns(2, gap="small"), shown[at : at + 2], strict=False):
            with column.container(border=True, key=f"panel_compare_{name}"):
                live_plot(figure, key=f"plot_compare_{name}", height=_HEIGHT, alt=words)


def _time(it: Found) -> tuple[Figure, str]:
    measure = "correct" if it.truth else "ec"
    points = []
    for row in it.rows:
        value = compare_view.accuracy(row.card, it.truth) if row.card else None
        if value is not None:
            points.append((it.names[row.key], row.seconds, value, row.key in OWN))
    figure = figures.time_scatter(points, text.TIME, text.TIME_CAPTION[measure])
    return figure, text.time_words([point[:3] for point in points], measure)


def _votes(it: Found) -> tuple[Figure, str]:
    counts, right = it.agreed.counts.tolist(), None
    if it.problem.truth is not None:
        known = dict(it.problem.truth.tolist())
        true = np.array([known.get(i, -1) == j for i, j in it.agreed.pairs.tolist()], dtype=bool)
        right = np.bincount(it.agreed.votes[true], minlength=len(counts) + 1)[1:].tolist()
    return figures.vote_bars(counts, right, text.VOTES, text.VOTES_CAPTION), text.votes_words(counts, right)


def tables(it: Found, choice: Choice) -> None:
    """Pairs and nodes, each with a row to open."""
    pairs, nodes = st.tabs([text.PAIRS, text.NODES], key="compare_tabs")
    with pairs:
        _pairs(it, choice)
    with nodes:
        order = compare_view.hardest_first(it.hard, it.truth)
        likely = np.where(it.hard.favourite >= 0, it.hard.favourite, np.maximum(it.hard.known, 0))
        chosen = _table("nodes", compare_view.node_frame(it.problem, it.hard, order), text.NODE_COLUMNS, "source")
        _open("nodes", it.problem, None if chosen is None else (int(order[chosen]), int(likely[order[chosen]])))


def _pairs(it: Found, choice: Choice) -> None:
    options = dict(text.FILTERS)
    m = len(it.rows)
    options |= {f"by:{k}": text.BY_EXACTLY.format(k=k, m=m) for k in range(m - 1, 1, -1)}
    options |= {f"of:{row.key}": text.OF.format(title=row.title) for row in it.rows}
    options |= {f"only:{row.key}": text.ONLY.format(title=row.title) for row in it.rows}
    show = choice.show if choice.show in options else Choice.show
    st.selectbox(
        text.FILTER, list(options), place("compare_show", show, list(options)), format_func=options.__getitem__,
        key="compare_show", on_change=by_user("compare_show", compare_state.choose_show), width=320,
    )  # fmt: skip
    rows = compare_view.chosen_pairs(it.agreed, show)
    frame = compare_view.pair_frame(it.problem, it.agreed, rows, it.names)
    chosen = _table(f"pairs_{show}", frame, text.PAIR_COLUMNS, "source")
    _open("pairs", it.problem, None if chosen is None else tuple(it.agreed.pairs[rows[chosen]].tolist()))


def _table(key: str, frame: Any, words: dict[str, tuple[str, str]], pinned: str) -> int | None:
    """A table of which one row can be selected; the selected row."""
    make = st.column_config
    config = {
        name: make.Column(label=words[name][0], help=words[name][1], pinned=name == pinned) for name in frame.columns
    }
    count = text.FEW_ROWS.format(count=len(frame))
    event: Any = st.dataframe(
        frame, hide_index=True, height=min(_TABLE_HEIGHT, 35 * (len(frame) + 1) + 3), key=f"compare_{key}",
        on_select="rerun", selection_mode="single-row", column_config=config, alt=count,
    )  # fmt: skip
    st.caption(count)
    rows = event["selection"]["rows"]
    return rows[0] if rows and rows[0] < len(frame) else None


def _open(key: str, problem: MatchingProblem, pair: Any) -> None:
    """The way to the selected row's pair."""
    label = text.OPEN
    if pair is not None:
        source, target = problem.source.labels[pair[0]], problem.target.labels[pair[1]]
        label = text.OPEN_PAIR.format(source=common.plain(source), target=common.plain(target))
    pressed = st.button(
        label, key=f"compare_open_{key}", icon=":material/search:", disabled=pair is None,
        help=text.OPEN_HINT if pair is None else None,
    )  # fmt: skip
    if pressed and pair is not None:
        opening.inspect(pair, "compare")
        st.caption(text.MARKED)  # reached where there is no page to go to


def votes(it: Found, choice: Choice) -> None:
    """The consensus, and what each method found alone."""
    left, right = st.columns([1.4, 1], gap="medium")
    with left:
        _consensus(it, choice)
    with right:
        st.subheader(text.ONLY_TITLE)
        for row in it.rows:
            alone = it.agreed.only(row.key)
            share = known_share(alone, it.problem.truth)
            more = "" if share is None else text.ONLY_RIGHT.format(right=100 * share)
            st.markdown(common.plain(text.ONLY_LINE.format(title=row.title, pairs=len(alone))) + more)


def _consensus(it: Found, choice: Choice) -> None:
    m, problem = len(it.rows), it.problem
    st.subheader(text.CONSENSUS, help=text.CONSENSUS_HELP)
    least = min(choice.least or m // 2 + 1, m)
    st.number_input(
        text.LEAST, 1, m, synced("compare_least", least), step=1, key="compare_least",
        on_change=by_user("compare_least", compare_state.choose_least), width=220,
    )  # fmt: skip
    matching = consensus(it.agreed, problem.source.n_nodes, least)
    card = scorecard(problem, matching)
    matched = np.flatnonzero(matching >= 0)
    sentences = [text.CONSENSUS_SIZE.format(pairs=len(matched), sources=problem.source.n_nodes)]
    right = known_share(np.column_stack([matched, matching[matched]]), problem.truth)
    if right is not None and card.correctness is not None:
        sentences.append(text.CONSENSUS_RIGHT.format(right=100 * right, found=100 * card.correctness.share))
    sentences.append(text.CONSENSUS_EDGES.format(ec=text.percent(card.edge_correctness), s3=text.percent(card.s3)))
    st.markdown(" ".join(sentences))
    st.download_button(
        text.CONSENSUS_FILE, partial(_file, problem, it.agreed, matching), text.CONSENSUS_FILE,
        help=text.CONSENSUS_FILE_HELP, key="compare_consensus", on_click="ignore", icon=":material/download:",
        disabled=not len(matched),
    )  # fmt: skip


def _file(problem: MatchingProblem, agreed: Agreement, matching: np.ndarray) -> bytes:
    from gwl_core.writers import consensus_csv  # only a press needs it

    return consensus_csv(problem, agreed, matching)
