"""The four charts of the Align page, from a problem and a snapshot. Same input, same bytes; no Streamlit."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from dashboard import text
from dashboard.coarse import carried, coarse, coarse_layouts, large
from dashboard.figures.common import Figure, bare_axis, base_layout, verdicts
from dashboard.figures.curves import discrepancy_curves
from dashboard.figures.embedding import embedding_scatter
from dashboard.figures.graphs import side_by_side
from dashboard.figures.heatmap import HeatmapView, transport_heatmap
from dashboard.figures.layout import aligned_layout, spring_layout
from dashboard.orders import ORDERS, true_matching
from dashboard.orders import order as ordered
from dashboard.snapshot import HISTORY, PHASES, Snapshot
from dashboard.text import charts as words
from gwl_core.problem import MatchingProblem

Pair = tuple[int, int]

_CURVES = (
    "step", "objective", "gw_discrepancy", "edge_correctness",
    "node_correctness_coupling", "node_correctness_embedding",
)  # fmt: skip
"""Columns of the history that the curves show."""
_WIDE = 3
"""From this ratio of objective to discrepancy on, the two share a logarithmic axis."""
_LEAST = 1e-12
"""What a logarithmic axis shows of a smaller discrepancy."""
_CROP = 60
"""Nodes a side of the exact crop around a selected pair."""


def curves(snapshot: Snapshot) -> Figure:
    """Discrepancy and correctness over the steps, with the abandoned branch of a fork as a ghost."""
    if np.isnan(snapshot.column("gw_discrepancy")).all():
        return empty(text.CURVES, text.CURVES_EMPTY)
    kept, beaten = candidates(snapshot.history, snapshot.leader, snapshot.running)
    former = None if snapshot.ghost is None else _measured(snapshot.ghost)
    ghosts = [_series(rows) for rows in (former, beaten) if rows is not None]
    shown = None if snapshot.live else snapshot.shown
    series = _series(kept)
    # Decided by the first measured step alone: a scale that changes on the way would throw away the user's zoom.
    measured = np.flatnonzero(~np.isnan(series["gw_discrepancy"]))[:1]
    wide = bool((series["objective"][measured] > _WIDE * series["gw_discrepancy"][measured]).any())
    if wide:
        series["gw_discrepancy"] = np.maximum(series["gw_discrepancy"], _LEAST)
    figure = discrepancy_curves(series, shown, ghosts=ghosts, embedding_phases=_phases(snapshot.history))
    if wide:
        figure["layout"]["yaxis"] |= {"type": "log", "dtick": 1}
    return figure


def transport(
    problem: MatchingProblem, snapshot: Snapshot, marked: Pair | None, exact: bool = False, order: str = ORDERS[0]
) -> Figure:
    """The coupling.

    Args:
        exact: only the cells around the marked pair, unpooled.
        order: of rows and columns, one of orders.ORDERS.
    """
    if snapshot.coupling is None:
        return empty(text.TRANSPORT, text.TRANSPORT_EMPTY)
    view = view_of(problem, marked if exact else None, order, snapshot.matching)
    return transport_heatmap(snapshot.coupling, view, problem.source.labels, problem.target.labels, selected=marked)


def embedding(
    problem: MatchingProblem, snapshot: Snapshot, learned: bool, marked: Pair | None, lines: bool = True
) -> Figure:
    """Both embeddings in the plane.

    Args:
        lines: whether matched nodes are joined.
        learned: whether the run has embeddings at all.
    """
    if snapshot.points is None:
        sentence = (snapshot.points_note or text.EMBEDDING_EMPTY) if learned else text.EMBEDDING_NONE
        return empty(text.EMBEDDING, sentence)
    few = len(snapshot.points) < 4
    kind: Literal["tsne", "pca", "plain", "raw"] = "plain" if few else "tsne"
    if snapshot.points_kind in ("pca", "raw"):
        kind = "pca" if snapshot.points_kind == "pca" else "raw"
    lags = snapshot.state != "running" and snapshot.points_step != snapshot.shown
    notes = (snapshot.points_note, text.EMBEDDING_LAGS.format(step=snapshot.points_step) if lags else "")
    return embedding_scatter(
        snapshot.points, problem.source.n_nodes, problem.source.labels, problem.target.labels,
        matching=snapshot.matching, verdict=_verdicts(problem, snapshot), confidence=snapshot.confidence,
        selected=marked, kind=kind, lines=lines, note=" ".join(filter(None, notes)),
    )  # fmt: skip


def graphs(problem: MatchingProblem, snapshot: Snapshot, marked: Pair | None, layout: str = "truth") -> Figure:
    """Both graphs, the surest matches joined.

    Args:
        layout: where the target's nodes lie: truth, match (once the run rests) or own.
    """
    if large(problem):
        return _communities(problem, snapshot, marked, layout)
    source_xy, target_xy = layouts(problem, layout == "truth")
    if layout == "match" and snapshot.matching is not None and snapshot.pairs is not None:
        target_xy = aligned_layout(source_xy, snapshot.matching, problem.target.without_loops, target_xy)
    source, target = problem.source, problem.target
    return side_by_side(
        source_xy, source.edges, target_xy, target.edges, source.labels, target.labels,
        matching=snapshot.matching, verdict=_verdicts(problem, snapshot), confidence=snapshot.confidence,
        selected=marked, names=(source.name, target.name),
    )  # fmt: skip


def _communities(problem: MatchingProblem, snapshot: Snapshot, marked: Pair | None, layout: str) -> Figure:
    """Both graphs as their communities; a line joins a community to the one that most of its nodes are matched to."""
    source, target = coarse(problem.source), coarse(problem.target)
    matching = snapshot.matching
    partners, share = (None, None) if matching is None else carried(matching, source, target)
    truth = true_matching(problem)
    follow = carried(truth, source, target)[0] if layout == "truth" and (truth >= 0).any() else partners
    places = coarse_layouts(problem, None if layout == "own" else follow)
    figure = side_by_side(
        places[0], source.edges, places[1], target.edges, source.labels, target.labels, matching=partners,
        confidence=share, selected=None if marked is None else (source.member[marked[0]], target.member[marked[1]]),
        names=(problem.source.name, problem.target.name),
    )  # fmt: skip
    figure["layout"]["title"]["subtitle"]["text"] = words.COMMUNITIES.format(
        source=len(source.labels), target=len(target.labels)
    )
    return figure


def graph_node(problem: MatchingProblem, side: str, number: int) -> int | None:
    """The node that a click on the graphs means: a community stands for its node of highest degree."""
    graph = problem.source if side == "source" else problem.target
    if not large(problem):
        return number if number < graph.n_nodes else None
    hubs = coarse(graph).hub
    return int(hubs[number]) if number < len(hubs) else None


def drawn_nodes(problem: MatchingProblem) -> int:
    """How many nodes of the source the graphs show."""
    return len(coarse(problem.source).labels) if large(problem) else problem.source.n_nodes


def pooled(problem: MatchingProblem) -> bool:
    """Whether one cell of the heatmap stands for several pairs."""
    return max(view_of(problem).pool) > 1


def view_of(
    problem: MatchingProblem, around: Pair | None = None, order: str = ORDERS[0], matching: np.ndarray | None = None
) -> HeatmapView:
    """The order of the heatmap, all of it or a crop around a pair."""
    view = ordered(problem, order, matching)
    if around is None:
        return view
    corners: list[int] = []
    for nodes, node in ((view.row_order, around[0]), (view.column_order, around[1])):
        rank = int(np.flatnonzero(nodes == node)[0])
        first = max(0, min(rank - _CROP // 2, len(nodes) - _CROP))
        corners += [first, min(len(nodes), first + _CROP)]
    return HeatmapView(view.row_order, view.column_order, (corners[0], corners[1], corners[2], corners[3]))


@lru_cache(maxsize=16)
def layouts(problem: MatchingProblem, aligned: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Where the nodes lie; true partners, where they are known and to be aligned, lie at the same place."""
    rng = np.random.default_rng(0)
    source = spring_layout(problem.source.without_loops, rng)
    target = spring_layout(problem.target.without_loops, rng)
    if aligned and problem.truth is not None:
        target = aligned_layout(source, true_matching(problem), problem.target.without_loops, target)
    return source, target


def _verdicts(problem: MatchingProblem, snapshot: Snapshot) -> list[str] | None:
    if snapshot.matching is None:
        return None
    tied = None
    if snapshot.pairs is not None:
        tied = np.zeros(problem.source.n_nodes, dtype=bool)
        tied[snapshot.pairs.source] = snapshot.pairs.tied
    return verdicts(snapshot.matching, problem.truth, tied)


def candidates(history: np.ndarray, leader: int | None, running: int | None) -> tuple[np.ndarray, np.ndarray | None]:
    """The measured rows without the rounds of a search that lost to the leader, and those that lost; in both, a gap
    where another round lies between.

    Args:
        leader: the round that brought the best candidate so far.
        running: the round that goes on, which may still win; None once the search is over: its last step, which takes
            the best candidate back, then belongs to what follows.
    """
    number, outer = history[:, HISTORY.index("round")], history[:, HISTORY.index("outer")]
    searched = (outer == 0) & ~np.isnan(number)
    if running is None and searched.any():
        searched[np.flatnonzero(searched)[-1]] = False
    if leader is None or not searched.any():
        return _measured(history), None
    rounds = np.where(searched, number, leader)
    stretch = np.cumsum(np.diff(rounds, prepend=rounds[0]) != 0)
    lost = searched & (number != leader) & (number != running)
    beaten = _measured(history[lost], stretch[lost])
    return _measured(history[~lost], stretch[~lost]), beaten if len(beaten) else None


def _measured(history: np.ndarray, stretch: np.ndarray | None = None) -> np.ndarray:
    """The rows with a measured discrepancy, with gaps between stretches: runs, if not told."""
    known = ~np.isnan(history[:, HISTORY.index("gw_discrepancy")])
    rows = history[known]
    ends = np.diff(rows[:, HISTORY.index("step")]) <= 0 if stretch is None else np.diff(stretch[known]) != 0
    return np.insert(rows, np.flatnonzero(ends) + 1, np.nan, axis=0)


def _series(history: np.ndarray) -> dict[str, np.ndarray]:
    return {name: history[:, HISTORY.index(name)] for name in _CURVES}


def _phases(history: np.ndarray) -> list[tuple[float, float]]:
    """(step before the first, last step) of every stretch of embedding epochs."""
    learning = history[:, HISTORY.index("phase")] == PHASES.index("embedding")
    edges = np.flatnonzero(np.diff(np.concatenate([[False], learning, [False]]).astype(np.int8)))
    steps = history[:, HISTORY.index("step")]
    return [(float(steps[a]) - 1, float(steps[b - 1])) for a, b in edges.reshape(-1, 2)]


def empty(title: str, sentence: str) -> Figure:
    """A chart that has nothing to show yet, and says why."""
    note = {
        "text": sentence, "showarrow": False, "xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5,
        "font": {"size": 12, "color": "#8A8F98"},
    }  # fmt: skip
    return {
        "data": [],
        "layout": base_layout(
            title, xaxis=bare_axis(visible=False), yaxis=bare_axis(visible=False), annotations=[note]
        ),
    }
