"""One pair over the steps of a run: how much of the source's mass went to the target."""

from __future__ import annotations

import numpy as np

from dashboard.figures.common import Figure, base_layout
from dashboard.figures.curves import thinned
from dashboard.palette import BLUE, GREEN, INK


def course(
    steps: np.ndarray, mass: np.ndarray, best: np.ndarray, *, caption: str = "", shown_step: int | None = None
) -> Figure:
    """The share as a line, thick where the target was the largest entry of its row.

    Args:
        steps, mass, best: as in gwl_core.trajectory.PairHistory.
        shown_step: where to draw the line that marks the step shown.
    """
    x, y = thinned(np.asarray(steps, dtype=np.float64), 100 * np.asarray(mass, dtype=np.float64))
    leading = np.where(np.asarray(best, dtype=bool), 100 * np.asarray(mass, dtype=np.float64), np.nan)
    mode = "lines" if len(x) > 1 else "markers"
    mark = {"color": INK, "width": 1, "dash": "dot"}
    shapes = [] if shown_step is None else [
        {"type": "line", "yref": "paper", "x0": shown_step, "x1": shown_step, "y0": 0, "y1": 1, "line": mark}
    ]  # fmt: skip
    return {
        "data": [
            {
                "type": "scatter", "mode": mode, "x": x, "y": y, "name": "mass", "showlegend": False,
                "line": {"color": BLUE, "width": 1.4}, "hovertemplate": "step %{x}: %{y:.1f}%<extra></extra>",
            },
            {
                "type": "scatter", "mode": mode, "x": np.asarray(steps, dtype=np.float64), "y": leading,
                "name": "largest entry", "showlegend": False, "hoverinfo": "skip", "connectgaps": False,
                "line": {"color": GREEN, "width": 4},
            },
        ],
        "layout": base_layout(
            "Course of the pair", caption, shapes=shapes,
            xaxis={"showgrid": False, "zeroline": False, "ticks": "", "nticks": 6, "rangemode": "nonnegative"},
            yaxis={"range": [-4, 104], "tickvals": [0, 50, 100], "ticktext": ["0%", "50%", "100%"], "ticks": ""},
            margin={"l": 40, "r": 10, "t": 60, "b": 24}, hovermode="closest",
        ),
    }  # fmt: skip
