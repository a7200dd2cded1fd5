"""The coupling as a picture: how much of each source's mass goes to each target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.figures.common import Figure, base_layout, safe_label, safe_labels
from dashboard.palette import SEQUENTIAL, VERMILION

# About the panel's height in pixels: browsers drop whole rows of a larger picture, and with them a permutation's cells.
MAX_SIDE = 240
# Ticks with labels up to this many nodes a side; beyond it labels are in the hover text only.
MAX_TICKS = 30
TICK_LABEL = 14


@dataclass(frozen=True, eq=False)
class HeatmapView:
    """What part of the coupling is drawn, in which order.

    Attributes:
        row_order: (n_s,) source index drawn in each row, from the top.
        column_order: (n_t,) target index drawn in each column, from the left.
        crop: (first row, end row, first column, end column) to draw, in ranks; None for all.
        limit: cells a side; above it neighbouring cells are pooled.
    """

    row_order: np.ndarray
    column_order: np.ndarray
    crop: tuple[int, int, int, int] | None = None
    limit: int = MAX_SIDE

    @property
    def rows(self) -> np.ndarray:
        """Sources drawn, from the top."""
        return self.row_order[self.crop[0] : self.crop[1]] if self.crop else self.row_order

    @property
    def columns(self) -> np.ndarray:
        """Targets drawn, from the left."""
        return self.column_order[self.crop[2] : self.crop[3]] if self.crop else self.column_order

    @property
    def pool(self) -> tuple[int, int]:
        """(rows, columns) that share one cell."""
        return max(1, -(-len(self.rows) // self.limit)), max(1, -(-len(self.columns) // self.limit))


def diagonal_order(matching: np.ndarray, n_target: int, rows: np.ndarray | None = None) -> HeatmapView:
    """The view that puts matched pairs on the diagonal: matched sources first, their targets in the same order.

    Args:
        matching: (n_s,) target of each source, -1 for none; the truth, where it is known, keeps the picture still.
        n_target: number of targets.
        rows: (n_s,) order of the sources to start from, for instance by degree; default their own.
    """
    matching = np.asarray(matching)
    order = np.arange(len(matching)) if rows is None else np.asarray(rows)
    order = np.concatenate([order[matching[order] >= 0], order[matching[order] < 0]])
    targets = matching[order]
    _, first = np.unique(targets, return_index=True)
    columns = targets[np.sort(first)]
    columns = columns[columns >= 0]
    return HeatmapView(order, np.concatenate([columns, np.setdiff1d(np.arange(n_target), columns)]))


def transport_heatmap(
    coupling: np.ndarray,
    view: HeatmapView,
    source_labels: Sequence[str],
    target_labels: Sequence[str],
    *,
    selected: tuple[int, int] | None = None,
    source_mass: np.ndarray | None = None,
    most: float | None = None,
) -> Figure:
    """The coupling as shares of each source's mass, the largest of every pool.

    A mean would hide a permutation: one large cell among many small ones.

    Args:
        coupling: (n_s, n_t) T, the real block.
        view: order and extent.
        source_labels, target_labels: of all nodes.
        selected: (source, target) pair to mark.
        source_mass: (n_s,) μ_s, default the row sums.
        most: upper end of the colour scale; default the largest share, but at least five times an even split, so that
            the product coupling is not painted as certainty.
    """
    rows, columns, pool = view.rows, view.columns, view.pool
    mass = coupling.sum(axis=1) if source_mass is None else np.asarray(source_mass)
    block = np.nan_to_num(_pooled(coupling[np.ix_(rows, columns)] / np.where(mass > 0, mass, 1)[rows, None], pool))
    top = min(1.0, max(float(block.max(initial=0)), 5 / coupling.shape[1])) if most is None else most
    first_row, first_column = (view.crop[0], view.crop[2]) if view.crop else (0, 0)
    y, y_axis = _axis(rows, source_labels, pool[0], first_row)
    x, x_axis = _axis(columns, target_labels, pool[1], first_column)
    shown = f"share of mass (largest of {pool[0]}×{pool[1]})" if max(pool) > 1 else "share of the source's mass"
    trace = {
        "type": "heatmap", "z": block, "x": x, "y": y, "zmin": 0, "zmax": top, "colorscale": SEQUENTIAL,
        "hovertemplate": "source %{y}<br>target %{x}<br>%{z:.2~%} of the source's mass<extra></extra>",
        "colorbar": {
            "thickness": 8, "outlinewidth": 0, "xpad": 4, "ypad": 0, "len": 1, "tickfont": {"size": 10},
            "ticklabeloverflow": "allow",
            "tickvals": [0, top / 2, top], "ticktext": [_percent(share) for share in (0, top / 2, top)],
        },
    }  # fmt: skip
    return {
        "data": [trace],
        "layout": base_layout(
            "Transport",
            f"source ↓ target →, {shown}",
            xaxis=x_axis,
            yaxis=y_axis | {"range": y_axis["range"][::-1]},
            shapes=_mark(view, selected) if selected else [],
        ),
    }


def cell_to_pair(click: Mapping[str, Any], coupling: np.ndarray, view: HeatmapView) -> tuple[int, int] | None:
    """The (source, target) of a clicked cell: the largest entry of its pool. None when the click hit no cell.

    Args:
        click: what live_plot returned; its "point" is [row, column].
        coupling, view: what the heatmap was drawn from.
    """
    point = click.get("point")
    if not isinstance(point, list | tuple) or len(point) != 2:
        return None
    cells = [
        nodes[int(rank) * size : (int(rank) + 1) * size] if int(rank) >= 0 else nodes[:0]
        for nodes, size, rank in zip((view.rows, view.columns), view.pool, point, strict=True)
    ]
    if not len(cells[0]) or not len(cells[1]):
        return None
    block = coupling[np.ix_(*cells)]
    row, column = np.unravel_index(int(np.argmax(block)), block.shape)
    return int(cells[0][row]), int(cells[1][column])


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%" if share == 0 or share >= 0.095 else f"{100 * share:.2g}%"


def _pooled(matrix: np.ndarray, pool: tuple[int, int]) -> np.ndarray:
    """float32 largest of every pool[0] × pool[1] tile; tiles at the lower and right rim may be smaller."""
    if pool == (1, 1):
        return matrix.astype(np.float32)
    starts = [np.arange(0, n, size) for n, size in zip(matrix.shape, pool, strict=True)]
    return np.maximum.reduceat(np.maximum.reduceat(matrix, starts[0], 0), starts[1], 1).astype(np.float32)


def _axis(nodes: np.ndarray, labels: Sequence[str], size: int, first: int) -> tuple[np.ndarray, dict[str, Any]]:
    """Cell centres in ranks, and the axis that names them: hover text takes its labels from the ticks."""
    centres = first + np.arange(-(-len(nodes) // size)) * size + (size - 1) / 2
    named = len(nodes) <= MAX_TICKS
    if size == 1:
        text = safe_labels([labels[i] for i in nodes], TICK_LABEL if named else 40)
    else:
        ends = [(nodes[k * size], nodes[min((k + 1) * size, len(nodes)) - 1]) for k in range(len(centres))]
        text = [f"{safe_label(labels[a], 20)} … {safe_label(labels[b], 20)}" for a, b in ends]
    axis = {
        "tickvals": centres, "ticktext": text, "showticklabels": named, "ticks": "", "showgrid": False,
        "zeroline": False, "automargin": named, "tickfont": {"size": 10},
        "range": [first - 0.5, first + len(centres) * size - 0.5],
    }  # fmt: skip
    return centres, axis


def _mark(view: HeatmapView, pair: tuple[int, int]) -> list[dict[str, Any]]:
    """A cross-hair through the pair's cell and a box around it, large enough to be seen."""
    row, column = np.flatnonzero(view.row_order == pair[0]), np.flatnonzero(view.column_order == pair[1])
    if not len(row) or not len(column):
        return []
    y, x = float(row[0]), float(column[0])
    half_y, half_x = max(0.5, len(view.rows) * 0.018), max(0.5, len(view.columns) * 0.012)
    line = {"color": "#ffffff", "width": 1, "dash": "dot"}
    hair = {"type": "line", "opacity": 0.55, "line": line}
    return [
        hair | {"xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y},
        hair | {"yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x},
        {
            "type": "rect", "x0": x - half_x, "x1": x + half_x, "y0": y - half_y, "y1": y + half_y,
            "line": {"color": VERMILION, "width": 2},
        },
    ]  # fmt: skip
