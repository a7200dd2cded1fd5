"""The joint embedding in the plane: do matched nodes of both graphs lie together?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from dashboard.figures.common import (
    Figure,
    bare_axis,
    base_layout,
    check_length,
    legend,
    on_grid,
)
from dashboard.figures.nodes import hover_texts, marker_key, match_lines, node_size, node_trace, selection
from dashboard.palette import SOURCE, TARGET

CAPTIONS = {
    "tsne": "t-SNE: neighbours count; distances between clusters mean little",
    "pca": "PCA: the two directions of largest spread",
    "raw": "first two coordinates, as they are",
    "plain": "first two coordinates: too few nodes for t-SNE",
}


def embedding_scatter(
    positions: np.ndarray,
    n_source: int,
    source_labels: Sequence[str],
    target_labels: Sequence[str],
    *,
    matching: np.ndarray | None = None,
    verdict: Sequence[str] | None = None,
    confidence: np.ndarray | None = None,
    selected: tuple[int, int] | None = None,
    kind: Literal["tsne", "pca", "plain", "raw"] = "tsne",
    note: str = "",
    lines: bool = True,
) -> Figure:
    """Both graphs' nodes in one plane: sources as blue circles, targets as orange diamonds.

    Args:
        positions: (n_s + n_t, 2) points, sources first; each axis is stretched to fill the panel.
        n_source: n_s.
        source_labels, target_labels: of all nodes.
        matching: (n_s,) target of each source, -1 for none; each pair is joined by a thin line, coloured by verdict.
        verdict: n_s names from palette.VERDICTS.
        confidence: (n_s,) in 0–1, shown in the hover text; sure nodes are larger.
        selected: (source, target) pair to mark.
        kind: where the positions come from.
        note: one more clause for the caption.
        lines: whether matched nodes are joined.
    """
    check_length("positions", positions, n_source + len(target_labels))
    xy = on_grid(_filling(positions))
    ends = xy[:n_source], xy[n_source:]
    size = node_size(len(xy))
    sizes = _sizes(size, matching, confidence, n_source, len(target_labels))
    looks = {"size": sizes[0], "opacity": 0.8}, {"size": sizes[1], "opacity": 0.8}
    styles = {"color": SOURCE, "symbol": "circle"}, {"color": TARGET, "symbol": "diamond"}
    texts = hover_texts(source_labels, target_labels, matching, verdict, confidence)
    return {
        "data": [
            *match_lines(*ends, matching if lines else None, verdict),
            node_trace(ends[0], 0, texts[0], styles[0] | looks[0], legendgroup="source"),
            node_trace(ends[1], n_source, texts[1], styles[1] | looks[1], legendgroup="target"),
            selection(*ends, selected, size),
            marker_key("source", **styles[0], group="source"),
            marker_key("target", **styles[1], group="target"),
        ],
        "layout": base_layout(
            "Joint embedding",
            CAPTIONS[kind] + (" · large: sure" if confidence is not None else "") + (f" · {note}" if note else ""),
            xaxis=bare_axis(range=[-0.03, 1.03]),
            yaxis=bare_axis(range=[-0.16, 1.05]),
            legend=legend(x=1, xanchor="right", y=0, yanchor="bottom"),
            showlegend=True,
            hovermode="closest",
        ),
    }


def _sizes(
    size: float, matching: np.ndarray | None, confidence: np.ndarray | None, n_source: int, n_target: int
) -> tuple[np.ndarray | float, np.ndarray | float]:
    """Sizes by confidence in a few steps (the live chart paints nodes of one look at once); targets as sources."""
    if matching is None or confidence is None:
        return size, size
    sure, carried = np.nan_to_num(np.asarray(confidence, dtype=np.float64)), np.zeros(n_target)
    matched = np.flatnonzero(np.asarray(matching)[:n_source] >= 0)
    carried[np.asarray(matching)[matched]] = sure[matched]
    found = [np.round(size * (0.7 + np.rint(4 * np.clip(part, 0, 1)) / 8), 2) for part in (sure, carried)]
    return found[0], found[1]


def _filling(positions: np.ndarray) -> np.ndarray:
    """The points with each axis scaled to 0–1; a value that is not finite lies in the middle."""
    points = np.asarray(positions, dtype=np.float64).reshape(-1, 2).copy()
    bad = ~np.isfinite(points)
    points[bad] = np.nan
    for column, lost in zip(points.T, bad.T, strict=True):
        low, high = (np.nanmin(column), np.nanmax(column)) if not lost.all() else (0.0, 0.0)
        column[:] = (column - low) / (high - low) if high > low else 0.5
        column[lost] = 0.5
    return points
