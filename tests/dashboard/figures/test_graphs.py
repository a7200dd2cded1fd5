import numpy as np
import plotly.graph_objects as go
import pytest

from dashboard.figures.graphs import MAX_EDGES, side_by_side, strongest
from dashboard.palette import VERDICTS

XY = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
EDGES = (np.array([0, 1]), np.array([1, 2]), np.array([1.0, 2.0]))
LABELS = ["a", "b", "c"], ["x", "y", "z"]


def _figure(**more) -> dict:
    figure = side_by_side(XY, EDGES, XY, EDGES, *LABELS, **more)
    go.Figure(figure)
    return figure


def _nodes(figure: dict) -> list[dict]:
    return [trace for trace in figure["data"] if "customdata" in trace]


def test_source_left_target_right() -> None:
    source, target = _nodes(_figure())
    assert source["x"].max() < target["x"].min()
    np.testing.assert_array_equal(source["y"], target["y"])
    assert np.concatenate([source["customdata"], target["customdata"]]).tolist() == [0, 1, 2, 3, 4, 5]


def test_nodes_show_their_verdict_by_colour_and_shape_on_both_sides() -> None:
    source, target = _nodes(_figure(matching=np.array([2, 0, -1]), verdict=["right", "wrong", "unmatched"]))
    for trace, kinds in ((source, ["right", "wrong", "unmatched"]), (target, ["wrong", "unmatched", "right"])):
        assert trace["marker"]["color"] == [VERDICTS[kind].color for kind in kinds]
        assert trace["marker"]["symbol"] == [VERDICTS[kind].symbol for kind in kinds]
    assert len({(style.color, style.symbol) for style in VERDICTS.values()}) == len(VERDICTS)


def test_the_surest_matches_are_joined() -> None:
    figure = _figure(
        matching=np.array([0, 1, 2]),
        verdict=["right", "wrong", "right"],
        confidence=np.array([0.9, 0.8, 0.1]),
        surest=2,
    )
    lines = [trace for trace in figure["data"] if trace["mode"] == "lines"][2:]
    assert [len(trace["x"]) // 3 for trace in lines] == [0, 0, 1, 1]
    assert "2 surest" in figure["layout"]["title"]["subtitle"]["text"]
    source, _ = _nodes(figure)
    assert source["marker"]["opacity"][0] > source["marker"]["opacity"][2]


def test_the_selected_pair_is_ringed() -> None:
    [pair] = [trace for trace in _figure(selected=(1, 2))["data"] if trace["mode"] == "lines+markers"]
    np.testing.assert_allclose([pair["x"], pair["y"]], [[1, 1.12], [0, 1]], atol=1e-3)


def test_only_the_strongest_edges_of_a_large_graph_are_drawn_and_that_is_said() -> None:
    rng = np.random.default_rng(0)
    n, m = 400, MAX_EDGES + 500
    edges = (rng.integers(n, size=m), rng.integers(n, size=m), rng.permutation(m).astype(float))
    assert strongest(edges)[2].min() == 500
    labels = [str(i) for i in range(n)]
    figure = side_by_side(rng.random((n, 2)), edges, rng.random((n, 2)), edges, labels, labels)
    assert len(figure["data"][0]["x"]) == 3 * MAX_EDGES
    assert "strongest 3,000 edges" in figure["layout"]["title"]["subtitle"]["text"]


def test_few_nodes_are_named_and_many_are_not() -> None:
    written = [trace for trace in _figure()["data"] if trace["mode"] == "markers+text"]
    assert [trace["text"] for trace in written] == [["a", "b", "c"], ["x", "y", "z"]]
    many = [str(i) for i in range(100)]
    figure = side_by_side(np.zeros((100, 2)), EDGES, np.zeros((100, 2)), EDGES, many, many)
    assert [trace["text"] for trace in figure["data"] if trace["mode"] == "markers+text"] == [[], []]


def test_graph_names_are_text() -> None:
    notes = _figure(names=("<b>yeast</b>", "target"))["layout"]["annotations"]
    assert [note["text"] for note in notes] == ["source: &lt;b&gt;yeast&lt;/b&gt;", "target"]


def test_positions_of_another_graph_are_refused() -> None:
    with pytest.raises(ValueError, match="target_xy needs 3 values, got 2"):
        side_by_side(XY, EDGES, XY[:2], EDGES, *LABELS)
