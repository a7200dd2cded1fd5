"""Two neighbourhoods side by side: each neighbour of the source faces what it is matched to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dashboard.figures.common import FONT, Figure, bare_axis, base_layout, legend, safe_label
from dashboard.palette import GREEN, GREY, INK, PURPLE, SOURCE, TARGET, VERMILION
from gwl_core.neighbourhood import ADDED, BROKEN, CONSERVED, Link

MAX_DRAWN = 36
_STYLES = {CONSERVED: (GREEN, "solid"), BROKEN: (PURPLE, "dash"), ADDED: (VERMILION, "dot")}
_WIDTH = 2.1
_CENTRE = (0.5, 0.5)


def neighbourhood_figure(
    found: Sequence[Link],
    pair: tuple[int, int],
    source_labels: Sequence[str],
    target_labels: Sequence[str],
    *,
    directed: bool = False,
    names: dict[str, str] | None = None,
    caption: str = "",
) -> Figure:
    """The source's neighbours around it at the left, the target's at the right, in mirrored places.

    A neighbour that has no edge on the other side leaves its partner there as an empty ring without a line.

    Args:
        found: the edges at the pair; the first MAX_DRAWN neighbours are drawn.
        pair: (source, target).
        source_labels, target_labels: of all nodes.
        directed: whether lines end in arrow heads.
        names: words for the three kinds of edge.
    """
    words = names or {kind: kind for kind in _STYLES}
    drawn = _neighbours(found)[:MAX_DRAWN]
    places = _places(len(drawn))
    at = dict(zip(drawn, places, strict=True))
    left, right = np.array(_CENTRE), _mirrored(np.array(_CENTRE))
    lines: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {kind: [] for kind in _STYLES}
    for link in found:
        place = at.get((link.source, link.target))
        if place is None:
            continue
        if link.kind != ADDED:
            lines[link.kind].append(_line(left, place, link.outward, directed))
        if link.kind != BROKEN:
            lines[link.kind].append(_line(right, _mirrored(place), link.outward, directed))
    sides = _sides(found)
    data = [_edges(kind, lines[kind], words[kind], directed) for kind in _STYLES]
    for side, labels, first, color in (
        (0, source_labels, 0, SOURCE),
        (1, target_labels, len(source_labels), TARGET),
    ):
        data.append(_nodes(drawn, places, side, labels, first, color, sides[side]))
        data.append(_centre(pair[side], side, labels, color))
    return {
        "data": data,
        "layout": base_layout(
            "Neighbourhoods",
            caption,
            xaxis=bare_axis(range=[-0.12, _WIDTH + 0.12]),
            yaxis=bare_axis(range=[-0.2, 1.12]),
            legend=legend(x=0.5, xanchor="center", y=0, yanchor="bottom", itemclick=False, itemdoubleclick=False),
            showlegend=True,
            hovermode="closest",
        ),
    }


def _neighbours(found: Sequence[Link]) -> list[tuple[int, int]]:
    """(source, target) of every neighbour once, in the order of the links."""
    return list(dict.fromkeys((link.source, link.target) for link in found))


def _sides(found: Sequence[Link]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The neighbours that have an edge in the source, and in the target."""
    return (
        {(k.source, k.target) for k in found if k.kind != ADDED},
        {(k.source, k.target) for k in found if k.kind != BROKEN},
    )


def _places(count: int) -> list[np.ndarray]:
    """Places on the left, around the centre from the top on; two rings where there are many."""
    angles = np.pi / 2 + 2 * np.pi * (np.arange(count) + 0.5) / max(count, 1)
    radius = np.where(np.arange(count) % 2 == 1, 0.36, 0.47) if count > 14 else np.full(count, 0.44)
    return [
        np.array([_CENTRE[0] + r * np.cos(a), _CENTRE[1] + r * np.sin(a)])
        for r, a in zip(radius, angles, strict=True)
    ]  # fmt: skip


def _mirrored(place: np.ndarray) -> np.ndarray:
    return np.array([_WIDTH - place[0], place[1]])


def _line(centre: np.ndarray, place: np.ndarray, outward: bool, directed: bool) -> tuple[np.ndarray, np.ndarray]:
    start, end = (centre, place) if outward else (place, centre)
    if not directed:
        return start, end
    way = (end - start) / (np.linalg.norm(end - start) or 1.0)
    aside = 0.012 * np.array([-way[1], way[0]])  # two directions lie beside each other
    return start + 0.03 * way + aside, end - 0.035 * way + aside


def _edges(kind: str, lines: list[tuple[np.ndarray, np.ndarray]], name: str, directed: bool) -> dict[str, Any]:
    color, dash = _STYLES[kind]
    path = np.full((max(1, len(lines)), 3, 2), np.nan)
    for at, (start, end) in enumerate(lines):
        path[at, 0], path[at, 1] = start, end
    flat = path.reshape(-1, 2)
    trace: dict[str, Any] = {
        "type": "scatter", "mode": "lines", "x": flat[:, 0], "y": flat[:, 1], "name": name, "hoverinfo": "skip",
        "line": {"color": color, "dash": dash, "width": 2}, "showlegend": True, "connectgaps": False,
    }  # fmt: skip
    if directed:
        size = np.tile([0.0, 9.0, 0.0], len(path))
        marker = {"symbol": "arrow", "angleref": "previous", "size": size, "color": color, "opacity": 1}
        trace |= {"mode": "lines+markers", "marker": marker}
    return trace


def _nodes(
    drawn: list[tuple[int, int]], places: list[np.ndarray], side: int, labels: Sequence[str], first: int, color: str,
    linked: set[tuple[int, int]],
) -> dict[str, Any]:  # fmt: skip
    """Neighbours of one side: filled where there is an edge, an empty ring where only the partner is meant."""
    shown = [(n, place) for n, place in zip(drawn, places, strict=True) if n[side] >= 0]
    xy = np.array([place if side == 0 else _mirrored(place) for _, place in shown]).reshape(-1, 2)
    real = [n in linked for n, _ in shown]
    outward = xy[:, 0] > (_CENTRE[0] if side == 0 else _WIDTH - _CENTRE[0])
    names = [safe_label(labels[n[side]], 14) for n, _ in shown]
    return {
        "type": "scatter", "mode": "markers+text", "x": xy[:, 0], "y": xy[:, 1], "showlegend": False,
        "customdata": np.array([first + n[side] for n, _ in shown], dtype=np.int64),
        "text": names if len(drawn) <= 28 else [""] * len(names), "cliponaxis": False,
        "textposition": [_beside(side, east) for east in outward],
        "textfont": {"size": FONT}, "hovertext": [safe_label(labels[n[side]]) for n, _ in shown],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "size": 9, "color": [color if r else "rgba(0,0,0,0)" for r in real],
            "symbol": "circle" if side == 0 else "diamond",
            "line": {"color": [color if r else GREY for r in real], "width": 1.4},
        },
    }  # fmt: skip


def _beside(side: int, east: bool) -> str:
    """Where a label stands: between the two graphs, the left's above and the right's below, so that both have room."""
    facing = {(0, True): "top right", (1, False): "bottom left"}
    return facing.get((side, east), "middle right" if east else "middle left")


def _centre(node: int, side: int, labels: Sequence[str], color: str) -> dict[str, Any]:
    x, y = _CENTRE if side == 0 else tuple(_mirrored(np.array(_CENTRE)))
    return {
        "type": "scatter", "mode": "markers+text", "x": [x], "y": [y], "showlegend": False, "hoverinfo": "skip",
        "text": [f"<b>{safe_label(labels[node], 18)}</b>"], "textposition": "bottom center", "cliponaxis": False,
        "textfont": {"size": FONT + 1, "color": INK},
        "marker": {
            "size": 17, "color": color, "symbol": "circle" if side == 0 else "diamond",
            "line": {"color": INK, "width": 2},
        },
    }  # fmt: skip
