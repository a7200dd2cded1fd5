"""What all figures share: safe labels, verdicts, and the base layout."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dashboard.palette import GREY, INK

Figure = dict[str, Any]

FONT = 11
MAX_LABEL = 40


def safe_label(label: str, limit: int = MAX_LABEL) -> str:
    """A user's label as one line of plain text: trimmed, without control or direction marks, markup escaped.

    Plotly reads HTML-like tags (<b>, <a href>) in any text it draws.
    """
    text = "".join(c if c.isprintable() else " " for c in label[: 2 * limit])
    text = " ".join(text.split())
    if len(text) > limit or len(label) > 2 * limit:
        text = text[: limit - 1].rstrip() + "…"
    return html.escape(text, quote=False)


def safe_labels(labels: Iterable[str], limit: int = MAX_LABEL) -> list[str]:
    return [safe_label(label, limit) for label in labels]


def verdicts(matching: np.ndarray, truth: np.ndarray | None, tied: np.ndarray | None = None) -> list[str]:
    """One of palette.VERDICTS for every source.

    Args:
        matching: (n_s,) target of each source, -1 for none.
        truth: (k, 2) known (source, target) pairs, or None.
        tied: (n_s,) bool, whether another choice is equally right by symmetry; such a source is not called wrong.
    """
    known = dict(np.asarray(truth).tolist()) if truth is not None else {}
    found = []
    for source, target in enumerate(np.asarray(matching).tolist()):
        if target < 0:
            found.append("unmatched")
        elif source not in known:
            found.append("unknown")
        elif known[source] == target:
            found.append("right")
        else:
            found.append("tied" if tied is not None and tied[source] else "wrong")
    return found


def base_layout(title: str, caption: str = "", **more: Any) -> dict[str, Any]:
    """Small margins, small print, the title at the left over an optional one-line caption."""
    layout = {
        "title": {
            "text": title, "x": 0, "xref": "container", "xanchor": "left", "pad": {"l": 8}, "font": {"size": 14},
            "subtitle": {"text": caption, "font": {"size": FONT, "color": GREY}},
        },
        "font": {"size": FONT, "color": INK},
        "margin": {"l": 8, "r": 8, "t": 60, "b": 8},
        "showlegend": False,
        "hoverlabel": {"font": {"size": FONT}, "align": "left"},
    }  # fmt: skip
    return layout | more


def bare_axis(**more: Any) -> dict[str, Any]:
    """An axis whose numbers mean nothing: no ticks, grid or zero line."""
    return {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", **more}


def segments(xy_from: np.ndarray, xy_to: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lines from (k, 2) to (k, 2) points as one trace: x and y of length 3k, NaN between lines."""
    path = np.full((len(xy_from), 3, 2), np.nan, dtype=np.float32)
    path[:, 0], path[:, 1] = xy_from, xy_to
    flat = path.reshape(-1, 2)
    return flat[:, 0], flat[:, 1]


def on_grid(xy: np.ndarray) -> np.ndarray:
    """Coordinates in [0, 1] rounded to 1/1024, which no screen can tell and which compresses well."""
    return (np.rint(np.asarray(xy, dtype=np.float64) * 1024) / 1024).astype(np.float32)


def legend(**more: Any) -> dict[str, Any]:
    """A small legend inside the plot."""
    return {"orientation": "h", "font": {"size": FONT}, "bgcolor": "rgba(0,0,0,0)", "indentation": -6, **more}


def check_length(name: str, values: Sequence[Any] | np.ndarray, expected: int) -> None:
    """Raises ValueError when a caller's arrays do not belong together."""
    if len(values) != expected:
        raise ValueError(f"{name} needs {expected} values, got {len(values)}.")
