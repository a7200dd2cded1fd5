"""The lessons' figures: numbers in cells, sums at the rim, and shape beside colour."""

import numpy as np

from dashboard.figures.matrix import matrix, written
from dashboard.figures.plain import Curve, bars, curves, plane
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.couplings import between
from dashboard.lessons.pairs import FOLLOWERS, FOUR, right, shuffled
from dashboard.live_plot.wire import pack


def test_cells_carry_their_numbers_and_sums_their_verdicts() -> None:
    values = np.array([[0.5, 0.0], [0.1, 0.4]])
    masses = np.array([0.5, 0.5])
    figure = matrix(values, ["a", "b"], ["1", "2"], "T", masses=(masses, masses), marked=[(1, 0)])
    heat, texts = figure["data"]
    assert texts["text"] == ["0.5", "0", "0.1", "0.4"]
    assert list(zip(texts["x"], texts["y"], strict=True)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert texts["textfont"]["color"][:2] == ["#000000", "#FFFFFF"]
    assert heat["z"] == values.tolist()
    notes = [note["text"] for note in figure["layout"]["annotations"]]
    assert notes == ["0.500 ✓", "0.500 ✓", "0.600<br>≠", "0.400<br>≠"]
    assert figure["layout"]["shapes"][0]["x0"] == -0.5
    pack(figure)


def test_written_cells_add_up_to_their_sum() -> None:
    mass = np.full(4, 0.25)
    for sureness in np.arange(0, 1.01, 0.05):
        coupling = between(np.arange(4), float(sureness))
        texts = matrix(coupling, list("abcd"), list("1234"), "T", masses=(mass, mass))["data"][1]["text"]
        assert f"{sum(map(float, texts[:4])):.3f}" == "0.250", texts[:4]


def test_numbers_are_short() -> None:
    assert [written(v) for v in (0, 1e-5, 0.0623, 0.25, 1.0, 123.4)] == ["0", "≈0", "0.062", "0.25", "1", "123"]


def test_right_and_wrong_differ_in_dash_and_unmatched_has_no_line() -> None:
    problem = shuffled(FOUR, 3)
    truth = right(problem)
    matching = truth.copy()
    matching[0], matching[1] = truth[1], -1
    figure = small_graphs(
        problem.source, problem.target, circle(4), circle(4, truth), "g", matching=matching, truth=truth
    )
    lines = {t["name"]: t for t in figure["data"] if t.get("name")}
    assert len(lines["right"]["x"]) == 6
    assert len(lines["wrong"]["x"]) == 3
    assert lines["right"]["line"]["dash"] != lines["wrong"]["line"]["dash"]
    assert [t["marker"]["symbol"] for t in figure["data"] if "marker" in t] == ["circle", "square"]
    pack(figure)


def test_weights_are_written_and_directions_drawn() -> None:
    weighted, directed = shuffled(FOUR, 3), shuffled(FOLLOWERS, 4, directed=True)
    texts = [
        small_graphs(p.source, p.target, circle(n), circle(n), "g")["layout"]["annotations"]
        for p, n in ((weighted, 4), (directed, 7))
    ]
    assert [a["text"] for a in texts[0]].count("3") == 2
    assert sum(bool(a["showarrow"]) for a in texts[1]) == 14


def test_no_two_nodes_on_a_circle_are_level() -> None:
    for n in range(3, 8):
        levels = np.sort(circle(n)[:, 1])
        assert np.diff(levels).min() > 0.01
    xy = circle(3, np.array([2, 0, 1]))
    np.testing.assert_array_equal(xy[[2, 0, 1]], circle(3))


def test_curves_bars_and_plane_travel() -> None:
    y = np.array([0.3, 0.1, 0.0])
    figure = curves([Curve("a", y, "#000"), Curve("b", y, "#111", "dash")], "c", "", "x", level=(0.1, "truth"), shown=1)
    assert [t["line"]["dash"] for t in figure["data"]] == ["solid", "dash"]
    assert len(figure["layout"]["shapes"]) == 2
    for made in (
        figure,
        bars(np.array([10.0, 50.0]), ["0", "0.1"], "b", "", "D"),
        plane(circle(3), circle(3), "abc", "123", np.array([1, 0, 2]), "p", ""),
    ):
        pack(made)
