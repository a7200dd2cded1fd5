"""Discrepancy and correctness against the step: two panels over one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.figures.common import Figure, base_layout, legend
from dashboard.palette import GREEN, GREY, INK, SKY, VERMILION

MAX_POINTS = 1200
MAX_PHASES = 60


@dataclass(frozen=True)
class _Series:
    label: str
    short: str
    axis: str
    color: str
    dash: str
    percent: bool


# Keys are the names in gwl_core.result.Measures.
SERIES: dict[str, _Series] = {
    "gw_discrepancy": _Series("discrepancy", "discrepancy", "y", INK, "solid", False),
    "objective": _Series("objective", "objective", "y", GREY, "dash", False),
    "node_correctness_coupling": _Series("node correctness by coupling", "by coupling", "y2", GREEN, "solid", True),
    "node_correctness_embedding": _Series("node correctness by embedding", "by embedding", "y2", SKY, "dash", True),
    "edge_correctness": _Series("edge correctness", "edges", "y2", VERMILION, "dot", True),
}


def discrepancy_curves(
    curves: Mapping[str, Any],
    shown_step: int | None = None,
    *,
    ghosts: Sequence[Mapping[str, Any]] = (),
    embedding_phases: Sequence[tuple[float, float]] = (),
) -> Figure:
    """Top: discrepancy and objective. Bottom: the correctness values, in percent.

    Args:
        curves: arrays of one length, by the names in SERIES (others are ignored); "step" gives the abscissa, default
            0, 1, 2, …. None and NaN make gaps. A series without any value is left out, with its legend entry.
        shown_step: where to draw the line that marks the step the other panels show.
        ghosts: curves of earlier runs and beaten candidates, drawn faint and without legend.
        embedding_phases: (first, last) steps that were embedding epochs, shaded lightly.
    """
    traces = [trace for ghost in ghosts for trace in _traces(ghost, ghost=True)] + _traces(curves)
    # Labels stay within the margins: plotly need not measure every one of them at every step.
    axis = {"showline": False, "zeroline": False, "ticks": "", "nticks": 5, "ticklabeloverflow": "allow"}
    return {
        "data": traces,
        "layout": base_layout(
            "Curves",
            "right by coupling, by embedding, edges"
            + (" · shaded: embedding epochs" if embedding_phases else "")
            + (" · faint: set aside" if ghosts else ""),
            xaxis={**axis, "anchor": "y2", "nticks": 8, "showgrid": False, "rangemode": "nonnegative"},
            yaxis={**axis, "domain": [0.56, 0.92], "rangemode": "tozero", "exponentformat": "power"},
            yaxis2={
                **axis,
                "domain": [0, 0.42],
                "range": [-3, 103],
                "tickvals": [0, 50, 100],
                "ticktext": ["0%", "50%", "100%"],
            },
            shapes=[*_phases(embedding_phases), *_mark(shown_step)],
            margin={"l": 44, "r": 12, "t": 60, "b": 22},
            legend=legend(x=1, xanchor="right", y=1, yanchor="top"),
            legend2=legend(x=1, xanchor="right", y=0.5, yanchor="middle"),
            showlegend=True,
            hovermode="x unified",
            hoversubplots="axis",
        ),
    }


def _traces(curves: Mapping[str, Any], ghost: bool = False) -> list[dict[str, Any]]:
    traces = []
    for key, series in SERIES.items():
        values = np.asarray(curves.get(key, ()), dtype=np.float64)
        if not np.isfinite(values).any():
            continue
        steps = np.asarray(curves.get("step", np.arange(len(values))), dtype=np.float64)
        x, y = thinned(steps, values * 100 if series.percent else values)
        trace: dict[str, Any] = {
            "type": "scatter", "mode": "lines", "x": x, "y": y, "xaxis": "x", "yaxis": series.axis,
            "name": series.short, "line": {"color": series.color, "dash": series.dash, "width": 1.6},
            "hovertemplate": ("%{y:.1f}%" if series.percent else "%{y:.4g}") + f"<extra>{series.label}</extra>",
            "legend": "legend2" if series.percent else "legend",
        }  # fmt: skip
        if ghost:
            trace |= {"opacity": 0.28, "showlegend": False, "hoverinfo": "skip", "hovertemplate": None}
        elif len(x) == 1:
            trace["mode"] = "markers"
        traces.append(trace)
    return traces


def thinned(x: np.ndarray, y: np.ndarray, most: int = MAX_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """At most about `most` points, among them the lowest and highest of every stretch, both ends, and gaps in x."""
    n = len(y)
    if n <= most:
        return x, y
    width = -(-n // (most // 2))
    padded = np.pad(y, (0, -n % width), constant_values=np.nan).reshape(-1, width)
    starts = np.arange(len(padded)) * width
    low = starts + np.argmin(np.where(np.isnan(padded), np.inf, padded), axis=1)
    high = starts + np.argmax(np.where(np.isnan(padded), -np.inf, padded), axis=1)
    keep = np.unique(np.concatenate([low, high, [0, n - 1], np.flatnonzero(np.isnan(x))]))
    return x[keep], y[keep]


def _phases(phases: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    return [
        {
            "type": "rect", "xref": "x", "yref": "paper", "x0": first, "x1": last, "y0": 0, "y1": 0.92,
            "fillcolor": SKY, "opacity": 0.10, "line": {"width": 0}, "layer": "below",
        }
        for first, last in phases[-MAX_PHASES:]
    ]  # fmt: skip


def _mark(step: int | None) -> list[dict[str, Any]]:
    if step is None:
        return []
    return [
        {
            "type": "line", "xref": "x", "yref": "paper", "x0": step, "x1": step, "y0": 0, "y1": 0.92,
            "line": {"color": INK, "width": 1, "dash": "dot"},
        }
    ]  # fmt: skip
