"""Methods beside each other: shared pairs, agreement, accuracy against time, how hard nodes are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboard.figures.common import Figure, base_layout, check_length, legend, safe_labels
from dashboard.palette import BLUE, GREEN, INK, PURPLE, SEQUENTIAL, SKY, VERMILION

_AXIS: dict[str, Any] = {"showline": False, "zeroline": False, "ticks": ""}
_RIGHT_PATTERN, _WRONG_PATTERN = "", "/"


def overlap_heatmap(shared: np.ndarray, share: np.ndarray, names: Sequence[str], title: str, caption: str) -> Figure:
    """Pairs that two methods both found.

    Args:
        shared: (m, m) how many.
        share: (m, m) of the pairs of either, 0–1.
        names: (m,) of the methods.
    """
    check_length("names", names, len(shared))
    labels = safe_labels(names, 16)
    trace = {
        "type": "heatmap", "z": share.tolist(), "x": labels, "y": labels, "zmin": 0, "zmax": 1,
        "colorscale": SEQUENTIAL, "text": shared.tolist(), "texttemplate": "%{text}", "xgap": 1, "ygap": 1,
        "hovertemplate": "%{y} and %{x}: %{text} pairs, %{z:.0%} of those of either<extra></extra>",
        "colorbar": {
            "thickness": 8, "outlinewidth": 0, "xpad": 4, "ypad": 0, "len": 1, "tickfont": {"size": 10},
            "tickvals": [0, 0.5, 1], "ticktext": ["0%", "50%", "100%"],
        },
    }  # fmt: skip
    axis = {**_AXIS, "showgrid": False, "automargin": True}
    return {
        "data": [trace],
        "layout": base_layout(title, caption, xaxis=axis, yaxis={**axis, "autorange": "reversed"}),
    }


def vote_bars(counts: Sequence[int], right: Sequence[int] | None, title: str, caption: str) -> Figure:
    """Pairs that exactly 1, 2, … methods found; right ones apart from the others where truth is known.

    Args:
        counts: (m,) pairs.
        right: (m,) how many of them are right; None without truth.
    """
    x = [str(k) for k in range(1, len(counts) + 1)]
    if right is None:
        bars = [_bar(x, counts, "pairs", BLUE, _RIGHT_PATTERN)]
    else:
        others = [count - good for count, good in zip(counts, right, strict=True)]
        bars = [
            _bar(x, right, "right", GREEN, _RIGHT_PATTERN),
            _bar(x, others, "wrong or unknown", PURPLE, _WRONG_PATTERN),
        ]
    return _stacked(bars, title, caption, f"methods that agree, of {len(counts)}", "pairs")


def difficulty_bars(counts: Sequence[int], truth: bool, title: str, caption: str) -> Figure:
    """Source nodes that 0, 1, … methods match rightly, or without truth alike."""
    x = [str(k) for k in range(len(counts))]
    axis = "methods that match a node rightly" if truth else "methods that give a node the same target"
    return _stacked([_bar(x, counts, "nodes", GREEN if truth else BLUE, "")], title, caption, axis, "source nodes")


def _bar(x: Sequence[str], y: Sequence[int], name: str, color: str, pattern: str) -> dict[str, Any]:
    hatch = {"shape": pattern, "fgcolor": INK, "size": 6, "solidity": 0.15, "fillmode": "overlay"}
    return {
        "type": "bar", "x": list(x), "y": [int(value) for value in y], "name": name,
        "marker": {"color": color, "pattern": hatch},
        "text": [str(value) if value else "" for value in y], "textposition": "auto", "textangle": 0,
        "hovertemplate": f"%{{y}} {name}<extra></extra>",
    }  # fmt: skip


def _stacked(bars: list[dict[str, Any]], title: str, caption: str, x_title: str, y_title: str) -> Figure:
    return {
        "data": bars,
        "layout": base_layout(
            title, caption, barmode="stack", bargap=0.25, showlegend=len(bars) > 1,
            legend=legend(x=1, xanchor="right", y=1.0, yanchor="bottom"),
            xaxis={**_AXIS, "type": "category", "title": {"text": x_title, "standoff": 4}, "showgrid": False},
            yaxis={**_AXIS, "title": {"text": y_title, "standoff": 4}, "rangemode": "tozero", "nticks": 5},
            margin={"l": 48, "r": 12, "t": 60, "b": 38},
        ),
    }  # fmt: skip


def time_scatter(points: Sequence[tuple[str, float, float, bool]], title: str, caption: str) -> Figure:
    """Accuracy against seconds on a logarithmic axis, every point with its name; GWL's are diamonds, others circles.

    Args:
        points: name, seconds, accuracy as a fraction, and whether it is one of GWL's.
    """
    names, own = [point[0] for point in points], [point[3] for point in points]
    x, values = [max(float(point[1]), 0.01) for point in points], [float(point[2]) for point in points]
    trace = {
        "type": "scatter", "mode": "markers+text", "x": x, "y": [100 * v for v in values],
        "text": safe_labels(names, 16), "textposition": _positions(x, values),
        "marker": {
            "size": 11, "symbol": ["diamond" if mine else "circle" for mine in own],
            "color": [VERMILION if mine else SKY for mine in own], "line": {"width": 1, "color": INK},
        },
        "hovertemplate": "%{text}: %{y:.1f} % in %{x:.2f} s<extra></extra>", "cliponaxis": False,
    }  # fmt: skip
    spread = np.log10([*x, min(x, default=0.1) / 4, max(x, default=1.0) * 4])
    return {
        "data": [trace],
        "layout": base_layout(
            title, caption,
            xaxis={
                **_AXIS, "type": "log", "range": [float(spread.min()), float(spread.max())], "dtick": 1,
                "title": {"text": "seconds", "standoff": 4},
            },
            yaxis={**_AXIS, "range": [-6, 110], "tickvals": [0, 25, 50, 75, 100], "ticksuffix": " %"},
            margin={"l": 48, "r": 12, "t": 60, "b": 38},
        ),
    }  # fmt: skip


def _positions(x: Sequence[float], y: Sequence[float]) -> list[str]:
    """Where each name goes, so that names of points that lie close do not cover each other."""
    places = ("top center", "bottom center", "middle right", "middle left")
    chosen: list[str] = []
    for k in range(len(x)):
        near = {chosen[i] for i in range(k) if abs(np.log10(x[i] / x[k])) < 0.45 and abs(y[i] - y[k]) < 0.12}
        chosen.append(next((place for place in places if place not in near), places[0]))
    return chosen
