"""Two small graphs side by side with their names in the nodes, and how a coupling or a matching joins them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboard.figures.common import FONT, Figure, bare_axis, base_layout, safe_labels, segments
from dashboard.palette import GREEN, GREY, INK, PURPLE, SOURCE, TARGET
from gwl_core.graph import Graph

_GAP = 0.75
_LEAST = 0.02
_LEVELS = 5
ON_SOURCE, ON_TARGET = "#FFFFFF", "#111111"
"""Ink that can be read on a source's blue and on a target's orange."""


def small_graphs(
    source: Graph,
    target: Graph,
    source_xy: np.ndarray,
    target_xy: np.ndarray,
    title: str,
    caption: str = "",
    *,
    coupling: np.ndarray | None = None,
    matching: np.ndarray | None = None,
    truth: np.ndarray | None = None,
    compact: bool = False,
) -> Figure:
    """Source at the left, target at the right.

    Args:
        source_xy, target_xy: (n, 2) positions in 0–1.
        coupling: (n_s, n_t) shares drawn as lines, the wider the more mass.
        matching: (n_s,) target of each source, −1 for none: drawn as lines, with `truth` right solid and wrong dotted.
        truth: (n_s,) true target of each source, −1 where unknown.
        compact: smaller nodes, for many of them.
    """
    left, right = np.asarray(source_xy), np.asarray(target_xy) + np.array([1 + _GAP, 0.0])
    joined = [] if coupling is None else _mass_lines(left, right, coupling)
    if matching is not None:
        joined += _match_lines(left, right, matching, truth)
    return {
        "data": [
            *joined,
            *_edges(left, source),
            *_edges(right, target),
            _nodes(left, source.labels, SOURCE, ON_SOURCE, "circle", compact),
            _nodes(right, target.labels, TARGET, ON_TARGET, "square", compact),
        ],
        "layout": base_layout(
            title,
            caption,
            xaxis=bare_axis(range=[-0.12, 2.12 + _GAP], fixedrange=True),
            yaxis=bare_axis(range=[-0.26, 1.14], fixedrange=True),
            annotations=[
                *_arrows(left, source),
                *_arrows(right, target),
                *_weights(left, source),
                *_weights(right, target),
                _name("source", 0.5),
                _name("target", 1.5 + _GAP),
            ],
            hovermode="closest",
            **_legend(matching, truth),
        ),
    }


def circle(n: int, order: np.ndarray | None = None) -> np.ndarray:
    """(n, 2) positions on a circle in 0–1; order[k] is the node at the k-th place."""
    # Turned a little: no two nodes are level, so that no line from side to side runs through a third.
    angle = np.pi / 2 + 0.35 - 2 * np.pi * np.arange(n) / n
    places = 0.5 + 0.5 * np.column_stack([np.cos(angle), np.sin(angle)])
    if order is None:
        return places
    xy = np.empty_like(places)
    xy[np.asarray(order)] = places
    return xy


def _mass_lines(left: np.ndarray, right: np.ndarray, coupling: np.ndarray) -> list[dict[str, Any]]:
    """Always the same number of traces: one for each level of width."""
    share = coupling / np.maximum(coupling.sum(1, keepdims=True), 1e-300)
    traces = []
    for level in range(_LEVELS):
        low, high = max(level / _LEVELS, _LEAST), (level + 1) / _LEVELS
        rows, columns = np.nonzero((share >= low) & ((share < high) | (level == _LEVELS - 1)))
        x, y = segments(left[rows], right[columns])
        traces.append(_line(x, y, INK, 1 + 1.3 * level, opacity=0.25 + 0.15 * level))
    return traces


def _match_lines(
    left: np.ndarray, right: np.ndarray, matching: np.ndarray, truth: np.ndarray | None
) -> list[dict[str, Any]]:
    known = np.full(len(matching), -1) if truth is None else truth
    matched = matching >= 0
    hit = matched & (matching == known)
    traces = []
    for chosen, name, color, dash in (
        (hit, "right", GREEN, "solid"),
        (matched & (known >= 0) & ~hit, "wrong", PURPLE, "dot"),
        (matched & (known < 0), "match", INK, "solid"),
    ):
        rows = np.flatnonzero(chosen)
        x, y = segments(left[rows], right[matching[rows]])
        traces.append(_line(x, y, color, 2.5, dash=dash) | {"name": name, "showlegend": bool(len(rows))})
    return traces


def _line(
    x: np.ndarray, y: np.ndarray, color: str, width: float, *, dash: str = "solid", opacity: float = 1.0
) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "hoverinfo": "skip", "showlegend": False,
        "opacity": opacity, "line": {"color": color, "width": width, "dash": dash},
    }  # fmt: skip


def _edges(xy: np.ndarray, graph: Graph) -> list[dict[str, Any]]:
    if graph.directed:
        return []
    rows, columns, weights = graph.edges
    traces = []
    for heavy in (False, True):
        chosen = (weights > np.median(weights)) == heavy
        x, y = segments(xy[rows[chosen]], xy[columns[chosen]])
        traces.append(_line(x, y, GREY, 4.0 if heavy else 2.0))
    return traces


def _arrows(xy: np.ndarray, graph: Graph) -> list[dict[str, Any]]:
    if not graph.directed:
        return []
    rows, columns, _ = graph.edges
    return [
        {
            "x": xy[j, 0], "y": xy[j, 1], "ax": xy[i, 0], "ay": xy[i, 1], "xref": "x", "yref": "y", "axref": "x",
            "ayref": "y", "text": "", "showarrow": True, "arrowhead": 2, "arrowsize": 1.1, "arrowwidth": 2,
            "arrowcolor": GREY, "standoff": 11, "startstandoff": 11,
        }
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
    ]  # fmt: skip


def _weights(xy: np.ndarray, graph: Graph) -> list[dict[str, Any]]:
    """Interaction counts on the edges, where they differ."""
    rows, columns, weights = graph.edges
    if len(np.unique(weights)) < 2:
        return []
    return [
        {
            "x": (xy[i, 0] + xy[j, 0]) / 2, "y": (xy[i, 1] + xy[j, 1]) / 2, "text": f"{w:g}", "showarrow": False,
            "font": {"size": FONT}, "xshift": 9, "yshift": 6,
        }
        for i, j, w in zip(rows.tolist(), columns.tolist(), weights.tolist(), strict=True)
    ]  # fmt: skip


def _nodes(xy: np.ndarray, names: Sequence[str], color: str, ink: str, symbol: str, compact: bool) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers+text", "x": xy[:, 0], "y": xy[:, 1], "text": safe_labels(names, 4),
        "textposition": "middle center", "textfont": {"size": 9 if compact else 12, "color": ink}, "hoverinfo": "skip",
        "showlegend": False, "marker": {"size": 18 if compact else 22, "color": color, "symbol": symbol, "opacity": 1},
    }  # fmt: skip


def _name(words: str, x: float) -> dict[str, Any]:
    return {"text": words, "x": x, "y": -0.25, "yanchor": "bottom", "showarrow": False, "font": {"size": FONT}}


def _legend(matching: np.ndarray | None, truth: np.ndarray | None) -> dict[str, Any]:
    if matching is None or truth is None:
        return {}
    small = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": 1, "yanchor": "bottom", "font": {"size": FONT}}
    return {"showlegend": True, "legend": small | {"itemclick": False, "itemdoubleclick": False}}
