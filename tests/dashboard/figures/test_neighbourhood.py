"""Both neighbourhoods: places mirror each other, every kind has its own line, labels cannot harm."""

from __future__ import annotations

import numpy as np

from dashboard.figures.neighbourhood import MAX_DRAWN, neighbourhood_figure
from gwl_core.neighbourhood import ADDED, BROKEN, CONSERVED, Link

LINKS = (
    Link(CONSERVED, 1, 2, True, 1.0), Link(BROKEN, 2, 3, True, 1.0), Link(BROKEN, 3, -1, True, 1.0),
    Link(ADDED, -1, 1, True, 1.0),
)  # fmt: skip
SOURCE, TARGET = ["a", "b", "<b>c", "d"], ["A", "B", "C", "D"]


def nodes(figure: dict, side: int) -> dict[int, tuple[float, float]]:
    trace = [t for t in figure["data"] if "customdata" in t][side]
    return {int(n): (x, y) for n, x, y in zip(trace["customdata"], trace["x"], trace["y"], strict=True)}


def test_partners_face_each_other() -> None:
    figure = neighbourhood_figure(LINKS, (0, 0), SOURCE, TARGET)
    ours, theirs = nodes(figure, 0), nodes(figure, 1)
    assert set(ours) == {1, 2, 3}
    assert set(theirs) == {4 + 2, 4 + 3, 4 + 1}
    width = sum(c["x"][0] for c in figure["data"] if c.get("textposition") == "bottom center")
    for i, j in ((1, 2), (2, 3)):
        assert abs(ours[i][0] + theirs[4 + j][0] - width) < 1e-9
        assert ours[i][1] == theirs[4 + j][1]


def test_names_between_the_two_are_not_at_one_height() -> None:
    figure = neighbourhood_figure([Link(CONSERVED, k, k, True, 1.0) for k in (1, 2)], (0, 0), SOURCE, TARGET)
    left, right = ([*t["textposition"]] for t in figure["data"] if "customdata" in t)
    assert left == ["middle left", "top right"]
    assert right == ["middle right", "bottom left"]


def test_each_kind_has_its_own_colour_and_dash_and_a_legend() -> None:
    figure = neighbourhood_figure(
        LINKS, (0, 0), SOURCE, TARGET, names={CONSERVED: "kept", BROKEN: "lost", ADDED: "new"}
    )
    lines = [t for t in figure["data"] if t.get("line", {}).get("dash")]
    assert [t["name"] for t in lines] == ["kept", "lost", "new"]
    assert len({t["line"]["dash"] for t in lines}) == len({t["line"]["color"] for t in lines}) == 3
    # A conserved edge is drawn on both sides, a broken one on the left, an added one on the right.
    drawn = [int(np.isfinite(t["x"]).sum()) // 2 for t in lines]
    assert drawn == [2, 2, 1]
    assert np.nanmax(lines[1]["x"]) < np.nanmin(lines[2]["x"])


def test_an_empty_ring_stands_for_a_partner_without_the_edge() -> None:
    figure = neighbourhood_figure(LINKS, (0, 0), SOURCE, TARGET)
    right = [t for t in figure["data"] if "customdata" in t][1]
    filled = dict(zip((right["customdata"] - 4).tolist(), right["marker"]["color"], strict=True))
    assert filled[3] == "rgba(0,0,0,0)"
    assert filled[2] == filled[1] != "rgba(0,0,0,0)"


def test_labels_are_escaped_and_crowds_cut() -> None:
    figure = neighbourhood_figure(LINKS, (2, 0), SOURCE, TARGET)
    assert "<b>&lt;b&gt;c</b>" in [t["text"][0] for t in figure["data"] if t.get("textposition") == "bottom center"]
    many = [Link(CONSERVED, k, k, True, 1.0) for k in range(1, 3 * MAX_DRAWN)]
    labels = [str(k) for k in range(3 * MAX_DRAWN)]
    assert len(nodes(neighbourhood_figure(many, (0, 0), labels, labels), 0)) == MAX_DRAWN


def test_directed_lines_have_heads_at_their_ends() -> None:
    links = (Link(CONSERVED, 1, 1, True, 1.0), Link(CONSERVED, 1, 1, False, 1.0))
    trace = neighbourhood_figure(links, (0, 0), SOURCE, TARGET, directed=True)["data"][0]
    assert trace["marker"]["symbol"] == "arrow"
    assert trace["marker"]["size"][:3].tolist() == [0, 9, 0]
    # Out of the centre and back into it, side by side.
    away = np.hypot(trace["x"] - 0.5, trace["y"] - 0.5)
    assert away[0] < away[1]
    assert away[6] > away[7]
