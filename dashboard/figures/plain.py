"""Curves, bars and a plane of named points: the lessons' other figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.figures.common import FONT, Figure, base_layout, safe_labels, segments
from dashboard.figures.small_graphs import ON_SOURCE, ON_TARGET
from dashboard.palette import BLUE, GREY, INK, SOURCE, TARGET


@dataclass(frozen=True, eq=False)
class Curve:
    """A line of its own colour, dash and marker."""

    name: str
    y: np.ndarray
    color: str
    dash: str = "solid"
    symbol: str = ""


def curves(
    lines: Sequence[Curve],
    title: str,
    caption: str,
    x_title: str,
    *,
    x: np.ndarray | None = None,
    shown: float | None = None,
    level: tuple[float, str] | None = None,
    log: bool = False,
    percent: bool = False,
) -> Figure:
    """Some lines over one axis.

    Args:
        x: common abscissa; default 0, 1, 2, ….
        shown: where to draw a vertical line.
        level: (value, words) of a horizontal line.
        log: logarithmic ordinate.
        percent: ordinate 0–1, written in percent.
    """
    axis = {"zeroline": False, "ticks": "", "showline": False, "fixedrange": True}
    ordinate: dict[str, Any] = {"rangemode": "tozero", "nticks": 5}
    if log:
        ordinate = {"type": "log", "dtick": 2 if lines and _decades(lines) < 9 else 4, "exponentformat": "power"}
    if percent:
        ordinate = {"range": [-0.04, 1.06], "tickformat": ".0%", "nticks": 5}
    return {
        "data": [_line(curve, x, percent) for curve in lines],
        "layout": base_layout(
            title,
            caption,
            xaxis={**axis, "title": {"text": x_title, "font": {"size": FONT}, "standoff": 4}, "automargin": True},
            yaxis={**axis, **ordinate, "automargin": True},
            shapes=_marks(shown, level),
            annotations=[_level_words(*level)] if level else [],
            margin={"l": 40, "r": 12, "t": 60, "b": 36},
            showlegend=len(lines) > 1,
            legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "font": {"size": FONT}},
            hovermode="x unified",
        ),
    }


def _decades(lines: Sequence[Curve]) -> float:
    values = np.concatenate([line.y[line.y > 0] for line in lines])
    return float(np.log10(values.max() / values.min())) if len(values) else 0.0


def _line(curve: Curve, x: np.ndarray | None, percent: bool) -> dict[str, Any]:
    form = "%{y:.0%}" if percent else "%{y:.4g}"
    return {
        "type": "scatter", "mode": "lines+markers" if curve.symbol else "lines", "name": curve.name,
        "x": np.arange(len(curve.y)) if x is None else x, "y": curve.y,
        "line": {"color": curve.color, "dash": curve.dash, "width": 2.5},
        "marker": {"symbol": curve.symbol or "circle", "size": 8}, "hovertemplate": form,
    }  # fmt: skip


def _marks(shown: float | None, level: tuple[float, str] | None) -> list[dict[str, Any]]:
    marks: list[dict[str, Any]] = []
    if shown is not None:
        line = {"color": INK, "width": 1, "dash": "dot"}
        marks.append({"type": "line", "x0": shown, "x1": shown, "yref": "paper", "y0": 0, "y1": 1, "line": line})
    if level:
        line = {"color": GREY, "width": 1.5, "dash": "dash"}
        marks.append({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": level[0], "y1": level[0], "line": line})
    return marks


def _level_words(value: float, words: str) -> dict[str, Any]:
    return {
        "xref": "paper", "x": 1, "xanchor": "right", "y": value, "yanchor": "bottom", "text": words,
        "showarrow": False, "font": {"size": FONT},
    }  # fmt: skip


def bars(heights: np.ndarray, names: Sequence[str], title: str, caption: str, x_title: str) -> Figure:
    """Counts, written on their bars."""
    return {
        "data": [
            {
                "type": "bar", "x": list(range(len(heights))), "y": heights, "text": [f"{h:g}" for h in heights],
                "textposition": "outside", "cliponaxis": False, "hoverinfo": "skip", "textfont": {"color": INK},
                "marker": {
                    "color": [BLUE if k == 0 else GREY for k in range(len(heights))],
                    "pattern": {"shape": ["" if k == 0 else "/" for k in range(len(heights))]},
                },
            }
        ],
        "layout": base_layout(
            title,
            caption,
            xaxis={
                "tickvals": list(range(len(names))), "ticktext": list(names), "fixedrange": True, "automargin": True,
                "title": {"text": x_title, "font": {"size": FONT}, "standoff": 4},
            },
            yaxis={"visible": False, "fixedrange": True, "range": [0, 1.18 * float(max(heights, default=1))]},
            margin={"l": 12, "r": 12, "t": 60, "b": 36},
        ),
    }  # fmt: skip


def plane(
    source_xy: np.ndarray,
    target_xy: np.ndarray,
    source_labels: Sequence[str],
    target_labels: Sequence[str],
    partner: np.ndarray,
    title: str,
    caption: str,
) -> Figure:
    """Named points of both graphs, each source joined to its true partner.

    Args:
        source_xy, target_xy: (n, 2).
        partner: (n,) true target of each source.
    """
    x, y = segments(source_xy, target_xy[partner])
    everything = np.concatenate([source_xy, target_xy])
    centre, reach = everything.mean(0), max(1.3, 1.15 * float(np.abs(everything - everything.mean(0)).max()))
    return {
        "data": [
            {
                "type": "scatter", "mode": "lines", "x": x, "y": y, "hoverinfo": "skip", "name": "same node",
                "line": {"color": GREY, "width": 2, "dash": "dot"},
            },
            _points(target_xy, target_labels, "target", TARGET, ON_TARGET, "square", 22),
            _points(source_xy, source_labels, "source", SOURCE, ON_SOURCE, "circle", 19),
        ],
        "layout": base_layout(
            title,
            caption,
            xaxis={"range": [centre[0] - reach, centre[0] + reach], "fixedrange": True, "nticks": 6},
            yaxis={
                "range": [centre[1] - reach, centre[1] + reach], "fixedrange": True, "nticks": 6, "scaleanchor": "x",
            },
            showlegend=True,
            legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "font": {"size": FONT}},
            margin={"l": 30, "r": 12, "t": 60, "b": 24},
        ),
    }  # fmt: skip


def _points(
    xy: np.ndarray, names: Sequence[str], side: str, color: str, ink: str, symbol: str, size: int
) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "markers+text", "x": xy[:, 0], "y": xy[:, 1], "text": safe_labels(names, 4),
        "textfont": {"size": 11, "color": ink}, "name": side, "hovertemplate": "%{text}<extra>" + side + "</extra>",
        "marker": {"size": size, "color": color, "symbol": symbol, "opacity": 0.9},
    }  # fmt: skip
