"""A panel of a figure as a Plotly specification: plain dicts and lists, so that Plotly itself is not needed here."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gwl_core.experiments.intervals import quiet
from gwl_core.experiments.protocol import Figure, Heatmap, Panel, Series

Spec = dict[str, Any]

INK = "#010203"
"""Text colour on white; the dashboard's charts swap this very colour for the page's."""
# Okabe and Ito's colours, the same for the same role everywhere, with dash and marker as second channel.
_ROLES: dict[str, tuple[str, str, str]] = {
    "gwl": ("#0072B2", "solid", "circle"),
    "gwl embedding": ("#56B4E9", "dash", "diamond"),
    "gwl-r": ("#009E73", "solid", "square"),
    "gwl-r embedding": ("#009E73", "dot", "square-open"),
    "gwd": ("#E69F00", "dashdot", "triangle-up"),
    "proximal": ("#0072B2", "solid", "circle"),
    "entropic": ("#E69F00", "dash", "triangle-up"),
    "proximal log-domain": ("#56B4E9", "dot", "square-open"),
    "entropic log-domain": ("#CC79A7", "dot", "diamond-open"),
    "unstable": ("#D55E00", "solid", "x"),
    "source": ("#0072B2", "solid", "circle"),
    "target": ("#E69F00", "solid", "diamond-open"),
    "published": ("#CC79A7", "dot", "star-open"),
}
_OTHERS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8A8F98")


def panel_spec(figure: Figure, panel: Panel, legend: bool = True) -> Spec:
    """{"data": …, "layout": …} of one panel."""
    traces: list[Spec] = []
    for place, series in enumerate(panel.series):
        traces += _traces(figure, series, place)
    if panel.heatmap is not None:
        traces.append(_heatmap(panel.heatmap))
    return {"data": traces, "layout": _layout(figure, panel, legend and len(panel.series) > 1)}


def _layout(figure: Figure, panel: Panel, legend: bool) -> Spec:
    x: Spec = {
        "title": {"text": figure.x_title, "standoff": 4},
        "showline": False,
        "zeroline": False,
        "automargin": True,
    }
    y: Spec = {
        "title": {"text": figure.y_title, "standoff": 4},
        "zeroline": False,
        "automargin": True,
        "gridcolor": _GRID,
    }
    x["gridcolor"] = _GRID
    if any(isinstance(place, str) for series in panel.series for place in series.x):
        x["type"] = "category"  # else Plotly reads names like "10" as numbers
    elif figure.log_x:
        x["type"] = "log"
    if figure.log_y:
        y |= {"type": "log", "exponentformat": "power"}
    if figure.percent:
        y |= {"range": [-0.03, 1.03], "tickformat": ".0%"}
    elif not figure.log_y and panel.heatmap is None:
        ends = _ends([panel] if figure.own_y else figure.panels)
        if not figure.own_y or (ends and min(ends) >= 0):
            y |= {"range": _range(ends)}
    if panel.heatmap is not None:
        y["autorange"] = "reversed"
    return {
        "title": {"text": html.escape(panel.title, quote=False), "x": 0, "xanchor": "left", "font": {"size": 13}},
        "font": {"size": 11, "color": INK}, "margin": {"l": 52, "r": 10, "t": 44, "b": 44}, "xaxis": x, "yaxis": y,
        "showlegend": legend, "legend": {"orientation": "h", "y": -0.28, "x": 0, "font": {"size": 10}},
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"font": {"size": 11}, "align": "left"},
    }  # fmt: skip


_GRID = "rgba(138,143,152,0.25)"


def _ends(panels: Sequence[Panel]) -> list[float]:
    """All values on the y axis, with their intervals."""
    return [quiet(v) for p in panels for s in p.series for v in (*s.y, *s.low, *s.high) if v is not None]


def _range(ends: Sequence[float]) -> list[float] | None:
    """A y range; it has no place below 0 for values that are never there, but for half a mark."""
    if not ends:
        return None
    low, high = min(ends), max(ends)
    room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return [low - room if low < 0 else max(-0.03 * (high + room), low - room), high + room]


def _traces(figure: Figure, series: Series, place: int) -> list[Spec]:
    color, dash, symbol = _ROLES.get(series.role, (_OTHERS[place % len(_OTHERS)], "solid", "circle"))
    if series.published:
        color, dash, symbol = _ROLES["published"]
    if not figure.log_y:
        series = replace(series, y=_quiet(series.y), low=_quiet(series.low), high=_quiet(series.high))
    name = html.escape(series.name, quote=False) + (" (as published)" if series.published else "")
    number = ".1%" if figure.percent else ".4g"
    trace: Spec = {
        "type": "scatter", "mode": "lines+markers", "name": name, "x": _places(series), "y": list(series.y),
        "line": {"color": color, "dash": dash, "width": 1.8}, "marker": {"color": color, "symbol": symbol, "size": 6},
        "hovertemplate": f"%{{x}}: %{{y:{number}}}<extra>{name}</extra>",
    }  # fmt: skip
    if series.kind == "points" or series.kind == "mark":
        trace["mode"] = "markers"
        trace["marker"]["size"] = 11 if series.kind == "mark" else 5
    elif len(series.x) > 40:
        trace["mode"] = "lines"
    elif series.kind == "bar":
        trace = {name: trace[name] for name in ("name", "x", "y", "hovertemplate")} | {
            "type": "bar",
            "marker": {"color": "rgba(0,0,0,0)" if series.published else color, "line": {"color": color, "width": 1.5}},
        }
    if series.labels:
        trace["text"] = [html.escape(label, quote=False) for label in series.labels]
        trace["hovertemplate"] = f"%{{text}}<extra>{name}</extra>"
    if not series.low:
        return [trace]
    if len(series.x) > 12 and series.kind == "line":
        return [_band(series, color), trace]
    trace["error_y"] = {
        "type": "data", "symmetric": False, "thickness": 1, "width": 3, "color": color,
        "array": _gaps(series.high, series.y), "arrayminus": _gaps(series.y, series.low),
    }  # fmt: skip
    return [trace]


def _places(series: Series) -> list[float | str]:
    """Abscissae, names among them as plain text: Plotly reads tags in any text that it draws."""
    return [html.escape(x, quote=False) if isinstance(x, str) else x for x in series.x]


def _band(series: Series, color: str) -> Spec:
    """The interval as a shaded band."""
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return {
        "type": "scatter", "mode": "lines", "x": [*series.x, *reversed(series.x)],
        "y": [*series.high, *reversed(series.low)], "fill": "toself", "line": {"width": 0}, "showlegend": False,
        "fillcolor": f"rgba({red},{green},{blue},0.18)", "hoverinfo": "skip",
    }  # fmt: skip


def _quiet(values: tuple[float | None, ...]) -> tuple[float | None, ...]:
    return tuple(None if value is None else quiet(value) for value in values)


def _gaps(above: tuple[float | None, ...], below: tuple[float | None, ...]) -> list[float]:
    return [0.0 if a is None or b is None else a - b for a, b in zip(above, below, strict=True)]


def _heatmap(heatmap: Heatmap) -> Spec:
    return {
        "type": "heatmap", "x": [html.escape(t, quote=False) for t in heatmap.x],
        "y": [html.escape(t, quote=False) for t in heatmap.y], "z": [list(row) for row in heatmap.z],
        "colorscale": "Cividis", "hovertemplate": "%{y}<br>%{x}: %{z:.3g}<extra></extra>",
    }  # fmt: skip
