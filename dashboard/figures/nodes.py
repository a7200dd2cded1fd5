"""Parts that the embedding and the graph figure share: node sizes, hover texts, match lines, clicks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dashboard.figures.common import safe_labels, segments
from dashboard.palette import INK, VERDICTS

# Pairs on screen at once; more lines than this are a grey haze.
MAX_LINES = 1500
_LINE_VERDICTS = ("unknown", "tied", "wrong", "right")


def node_size(n_nodes: int) -> float:
    """Marker size in pixels at which n nodes fit a panel of about 500 × 250."""
    return float(np.clip(70 / np.sqrt(max(n_nodes, 1)), 3.5, 12))


def hover_texts(
    source_labels: Sequence[str],
    target_labels: Sequence[str],
    matching: np.ndarray | None,
    verdict: Sequence[str] | None,
    confidence: np.ndarray | None,
) -> tuple[list[str], list[str]]:
    """(texts of the sources, texts of the targets): the label, and what is known of its match."""
    sources, targets = safe_labels(source_labels), safe_labels(target_labels)
    if matching is None:
        return sources, targets
    source_texts, partners = [], ["" for _ in targets]
    for i, j in enumerate(np.asarray(matching).tolist()):
        facts = [VERDICTS[verdict[i]].label] if verdict is not None else []
        if confidence is not None and j >= 0:
            facts.append(f"confidence {confidence[i]:.2f}")
        fate = "<br>" + " · ".join(facts) if facts else ""
        source_texts.append(sources[i] + (f" → {targets[j]}" if j >= 0 else "") + fate)
        if j >= 0:
            partners[j] = f" ← {sources[i]}{fate}"
    return source_texts, [label + partner for label, partner in zip(targets, partners, strict=True)]


def match_lines(
    source_xy: np.ndarray,
    target_xy: np.ndarray,
    matching: np.ndarray | None,
    verdict: Sequence[str] | None,
    shown: np.ndarray | None = None,
) -> list[dict[str, Any]]:
    """One trace of lines for each verdict, the right ones on top; always the same number of traces.

    Args:
        shown: (n_s,) bool, sources whose line is drawn; default all that are matched.
    """
    targets = np.full(len(source_xy), -1) if matching is None else np.asarray(matching)
    drawn = np.flatnonzero((targets >= 0) if shown is None else (targets >= 0) & shown)[:MAX_LINES]
    kinds = np.array(verdict if verdict is not None else ["unknown"] * len(source_xy))
    opacity = float(np.clip(9 / np.sqrt(len(drawn) + 1), 0.3, 0.7))
    traces = []
    for kind in _LINE_VERDICTS:
        sources = drawn[kinds[drawn] == kind]
        x, y = segments(source_xy[sources], target_xy[targets[sources]])
        traces.append(line_trace(x, y, VERDICTS[kind].color, 1.0, opacity))
    return traces


def line_trace(x: np.ndarray, y: np.ndarray, color: str, width: float, opacity: float) -> dict[str, Any]:
    """Lines as made by common.segments, which the live chart paints itself ("meta": see live_plot.js)."""
    return {
        "type": "scatter", "mode": "lines", "x": x, "y": y, "hoverinfo": "skip", "showlegend": False, "meta": "paint",
        "opacity": opacity, "line": {"color": color, "width": width},
    }  # fmt: skip


def node_trace(xy: np.ndarray, first: int, hover: list[str], marker: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Nodes that the live chart paints itself; customdata numbers them from `first`, see clicked_node."""
    return {
        "type": "scatter", "mode": "markers", "x": xy[:, 0], "y": xy[:, 1], "showlegend": False, "meta": "paint",
        "customdata": np.arange(first, first + len(xy)), "hovertext": hover,
        "hovertemplate": "%{hovertext}<extra></extra>", "marker": marker | {"line": {"width": 0}}, **more,
    }  # fmt: skip


def selection(
    source_xy: np.ndarray, target_xy: np.ndarray, pair: tuple[int, int] | None, size: float
) -> dict[str, Any]:
    """The selected pair, ringed and joined; an empty trace for None, so that the traces keep their places."""
    ends = np.array([source_xy[pair[0]], target_xy[pair[1]]]) if pair else np.empty((0, 2), dtype=np.float32)
    return {
        "type": "scatter", "mode": "lines+markers", "x": ends[:, 0], "y": ends[:, 1], "hoverinfo": "skip",
        "showlegend": False, "line": {"color": INK, "width": 2},
        "marker": {"symbol": "circle-open", "size": size + 7, "color": INK, "line": {"width": 2}},
    }  # fmt: skip


def marker_key(name: str, color: str, symbol: str, group: str = "") -> dict[str, Any]:
    """A trace that draws nothing and explains a marker in the legend; it shows and hides the traces of its group."""
    return {
        "type": "scatter", "x": [None], "y": [None], "mode": "markers", "name": name, "showlegend": True,
        "hoverinfo": "skip", "legendgroup": group, "marker": {"color": color, "symbol": symbol, "size": 7},
    }  # fmt: skip


def clicked_node(click: Mapping[str, Any], n_source: int) -> tuple[str, int] | None:
    """("source" | "target", index) of a clicked node in the embedding or the graph figure; None for anything else."""
    node = click.get("customdata")
    if isinstance(node, bool) or not isinstance(node, int | float) or node < 0:
        return None
    return ("source", int(node)) if node < n_source else ("target", int(node) - n_source)
