"""Both graphs side by side, with lines between matched nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboard.figures.common import (
    FONT,
    Figure,
    bare_axis,
    base_layout,
    check_length,
    legend,
    on_grid,
    safe_label,
    safe_labels,
    segments,
)
from dashboard.figures.nodes import hover_texts, line_trace, marker_key, match_lines, node_size, node_trace, selection
from dashboard.palette import GREY, INK, VERDICTS

MAX_EDGES = 3000
# Node names are written beside the nodes up to this many nodes a graph.
MAX_NAMED = 14
_GAP = 0.12

Edges = tuple[np.ndarray, np.ndarray, np.ndarray]


def side_by_side(
    source_xy: np.ndarray,
    source_edges: Edges,
    target_xy: np.ndarray,
    target_edges: Edges,
    source_labels: Sequence[str],
    target_labels: Sequence[str],
    *,
    matching: np.ndarray | None = None,
    verdict: Sequence[str] | None = None,
    confidence: np.ndarray | None = None,
    selected: tuple[int, int] | None = None,
    surest: int = 20,
    names: tuple[str, str] = ("source", "target"),
) -> Figure:
    """Source at the left, target at the right; nodes coloured and shaped by verdict, the surest matches joined.

    Args:
        source_xy, target_xy: (n, 2) positions in 0–1, for instance from layout.spring_layout.
        source_edges, target_edges: (rows, columns, weights) as in Graph.edges; the MAX_EDGES strongest are drawn.
        source_labels, target_labels: of all nodes.
        matching: (n_s,) target of each source, -1 for none.
        verdict: n_s names from palette.VERDICTS; a target takes its source's. Default unknown or unmatched.
        confidence: (n_s,) in 0–1: picks the surest matches, and unsure nodes are paler.
        selected: (source, target) pair to mark.
        surest: how many matches to join by lines.
        names: the graphs' names.
    """
    n_source, n_target = len(source_labels), len(target_labels)
    check_length("source_xy", source_xy, n_source)
    check_length("target_xy", target_xy, n_target)
    left, right = on_grid(source_xy), on_grid(target_xy) + np.array([1 + _GAP, 0], dtype=np.float32)
    targets = np.full(n_source, -1) if matching is None else np.asarray(matching)
    kinds = list(verdict) if verdict is not None else ["unmatched" if j < 0 else "unknown" for j in targets]
    sureness = np.ones(n_source) if confidence is None else np.nan_to_num(np.asarray(confidence, dtype=np.float64))
    target_kinds, target_sureness = _carried(targets, kinds, sureness, n_target)
    size = node_size(n_source + n_target)
    texts = hover_texts(source_labels, target_labels, targets, kinds, confidence)
    pad = 0.14 if max(n_source, n_target) <= MAX_NAMED else 0.04
    shown = _surest(targets, sureness, surest)
    present = [kind for kind in VERDICTS if kind in {*kinds, *target_kinds}]
    return {
        "data": [
            _edges(left, source_edges),
            _edges(right, target_edges),
            *match_lines(left, right, targets, kinds, shown),
            _nodes(left, 0, texts[0], kinds, sureness, size),
            _nodes(right, n_source, texts[1], target_kinds, target_sureness, size),
            _written(left, source_labels, size),
            _written(right, target_labels, size),
            selection(left, right, selected, size),
            *(marker_key(VERDICTS[k].label, VERDICTS[k].color, VERDICTS[k].symbol) for k in present),
        ],
        "layout": base_layout(
            "Graphs",
            _caption(source_edges, target_edges, int(shown.sum()), confidence is not None),
            xaxis=bare_axis(range=[-pad, 2 + _GAP + pad]),
            yaxis=bare_axis(range=[-0.17, 1.14 + pad]),
            annotations=[
                _name(names[0], "source", 0.5, 1.14 + pad),
                _name(names[1], "target", 1.5 + _GAP, 1.14 + pad),
            ],
            legend=legend(x=0.5, xanchor="center", y=0, yanchor="bottom", itemclick=False, itemdoubleclick=False),
            showlegend=True,
            hovermode="closest",
        ),
    }  # fmt: skip


def strongest(edges: Edges, most: int = MAX_EDGES) -> Edges:
    """The `most` heaviest edges, in their own order."""
    rows, columns, weights = (np.asarray(part) for part in edges)
    if len(rows) <= most:
        return rows, columns, weights
    keep = np.sort(np.argsort(-weights, kind="stable")[:most])
    return rows[keep], columns[keep], weights[keep]


def _edges(xy: np.ndarray, edges: Edges) -> dict[str, Any]:
    rows, columns, _ = strongest(edges)
    x, y = segments(xy[rows], xy[columns])
    return line_trace(x, y, GREY, 0.7, float(np.clip(9 / np.sqrt(len(rows) + 1), 0.15, 0.8)))


def _nodes(
    xy: np.ndarray, first: int, hover: list[str], kinds: Sequence[str], sureness: np.ndarray, size: float
) -> dict[str, Any]:
    styles = [VERDICTS[kind] for kind in kinds]
    # Few levels of paleness: the live chart paints all nodes of one look at once.
    opacity = np.rint((0.3 + 0.7 * np.clip(sureness, 0, 1)) * 5) / 5
    marker = {"color": [s.color for s in styles], "symbol": [s.symbol for s in styles], "size": size}
    return node_trace(xy, first, hover, marker | {"opacity": opacity})


def _written(xy: np.ndarray, labels: Sequence[str], size: float) -> dict[str, Any]:
    """Node names beside the nodes, where there are few."""
    few = xy if len(labels) <= MAX_NAMED else xy[:0]
    return {
        "type": "scatter", "mode": "markers+text", "x": few[:, 0], "y": few[:, 1],
        "text": safe_labels(labels[: len(few)], 12), "textposition": "top center", "textfont": {"size": FONT},
        "hoverinfo": "skip", "showlegend": False, "marker": {"size": size, "opacity": 0},
    }  # fmt: skip


def _carried(
    targets: np.ndarray, kinds: Sequence[str], sureness: np.ndarray, n_target: int
) -> tuple[list[str], np.ndarray]:
    """Every target's verdict and sureness: those of the source matched to it."""
    target_kinds, target_sureness = ["unmatched"] * n_target, np.ones(n_target)
    for source, target in enumerate(targets.tolist()):
        if target >= 0:
            target_kinds[target], target_sureness[target] = kinds[source], sureness[source]
    return target_kinds, target_sureness


def _surest(targets: np.ndarray, sureness: np.ndarray, most: int) -> np.ndarray:
    """(n_s,) bool: the `most` matched sources of highest confidence."""
    ranked = np.argsort(np.where(targets >= 0, -sureness, np.inf), kind="stable")[: max(0, most)]
    shown = np.zeros(len(targets), dtype=bool)
    shown[ranked] = True
    return shown & (targets >= 0)


def _caption(source_edges: Edges, target_edges: Edges, lines: int, pale: bool) -> str:
    clauses = []
    if lines:
        clauses.append(f"lines: {'the surest match' if lines == 1 else f'the {lines} surest matches'}")
    if pale:
        clauses.append("faint: unsure")
    if max(len(source_edges[0]), len(target_edges[0])) > MAX_EDGES:
        clauses.append(f"strongest {MAX_EDGES:,} edges of each graph")
    return " · ".join(clauses)


def _name(name: str, side: str, x: float, y: float) -> dict[str, Any]:
    text = side if name == side else f"{side}: {safe_label(name, 24)}"
    return {
        "text": text, "x": x, "y": y, "xanchor": "center", "yanchor": "top", "showarrow": False,
        "font": {"size": FONT, "color": INK},
    }  # fmt: skip
