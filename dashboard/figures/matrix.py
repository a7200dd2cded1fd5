"""A small matrix with its numbers written in the cells, and its row and column sums beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboard.figures.common import FONT, Figure, base_layout, safe_labels
from dashboard.palette import SEQUENTIAL, VERMILION

_MET = 5e-4
"""A sum is called met when it is this close: what three written digits can show."""


def matrix(
    values: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    caption: str = "",
    *,
    top: float | None = None,
    masses: tuple[np.ndarray, np.ndarray] | None = None,
    marked: Sequence[tuple[int, int]] = (),
    texts: list[list[str]] | None = None,
    hover: str = "%{y} → %{x}: %{text}",
) -> Figure:
    """Values from dark (0) to light (`top`), each written in its cell.

    Args:
        values: (n, m), 0 or more.
        rows, columns: labels.
        top: upper end of the colour scale; default the largest value.
        masses: what the rows and columns should sum to; then every sum is written, with ✓ where it is met, else ≠.
        marked: (row, column) cells to box.
        texts: what to write in the cells instead of their values.
    """
    n, m = values.shape
    end = max(float(values.max(initial=0)), 1e-12) if top is None else top
    decimals = 4 if masses else None  # beside sums, as many as it takes that they add up
    texts = [[written(v, decimals) for v in row] for row in values.tolist()] if texts is None else texts
    trace = {
        "type": "heatmap", "z": values.tolist(), "zmin": 0, "zmax": end, "colorscale": SEQUENTIAL, "showscale": False,
        "text": texts, "xgap": 1, "ygap": 1,
        "hovertemplate": f"{hover}<extra></extra>",
    }  # fmt: skip
    room = (0.9, 0.75) if masses else (0.0, 0.0)
    return {
        "data": [trace, _writing(texts, values / end)],
        "layout": base_layout(
            title,
            caption,
            xaxis=_axis(columns) | {"range": [-0.5, m - 0.5 + room[0]], "side": "top"},
            yaxis=_axis(rows) | {"range": [n - 0.5 + room[1], -0.5]},
            annotations=_sums(values, masses) if masses else [],
            shapes=[_box(*cell) for cell in marked],
            margin={"l": 8, "r": 8, "t": 60, "b": 8},
        ),
    }


def _writing(texts: list[list[str]], shares: np.ndarray) -> dict[str, Any]:
    """The cells' texts in black or white, whichever stands out: Cividis grows lighter evenly, and crosses over here."""
    n, m = shares.shape
    row, column = np.divmod(np.arange(n * m), m)
    return {
        "type": "scatter", "mode": "text", "x": column, "y": row, "text": [t for line in texts for t in line],
        "textfont": {
            "size": 12 if max(n, m) <= 5 else 10,
            "color": ["#000000" if share > 0.48 else "#FFFFFF" for share in shares.ravel().tolist()],
        },
        "hoverinfo": "skip", "showlegend": False,
    }  # fmt: skip


def written(value: float, decimals: int | None = None) -> str:
    """A number as short as two significant digits, or so many decimals, allow."""
    if value == 0 or abs(value) < 5e-4:
        return "0" if abs(value) < 1e-12 else "≈0"
    if decimals is not None:
        return f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return f"{value:.2g}" if abs(value) < 100 else f"{value:.0f}"


def _axis(labels: Sequence[str]) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(labels))), "ticktext": safe_labels(labels, 8), "ticks": "", "showgrid": False,
        "zeroline": False, "automargin": True, "tickfont": {"size": 12}, "fixedrange": True,
    }  # fmt: skip


def _sums(values: np.ndarray, masses: tuple[np.ndarray, np.ndarray]) -> list[dict[str, Any]]:
    n, m = values.shape
    rows, columns = values.sum(1), values.sum(0)
    beside = [_note(m - 0.45, i, _verdict(rows[i], masses[0][i]), "left") for i in range(n)]
    below = [_note(j, n - 0.1, _verdict(columns[j], masses[1][j], "<br>"), "center") for j in range(m)]
    return beside + below


def _verdict(value: float, wanted: float, between: str = " ") -> str:
    return f"{value:.3f}{between}{'✓' if abs(value - wanted) < _MET else '≠'}"


def _note(x: float, y: float, words: str, anchor: str) -> dict[str, Any]:
    return {
        "x": x, "y": y, "text": words, "xanchor": anchor, "yanchor": "middle", "showarrow": False,
        "font": {"size": FONT},
    }  # fmt: skip


def _box(row: int, column: int) -> dict[str, Any]:
    return {
        "type": "rect", "x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5,
        "line": {"color": VERMILION, "width": 3},
    }  # fmt: skip
