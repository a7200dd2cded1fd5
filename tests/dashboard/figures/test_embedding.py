import numpy as np
import plotly.graph_objects as go
import pytest

from dashboard.figures.embedding import embedding_scatter
from dashboard.figures.nodes import clicked_node
from dashboard.palette import SOURCE, TARGET


def _nodes(figure: dict) -> list[dict]:
    return [trace for trace in figure["data"] if "customdata" in trace]


def test_sources_and_targets_differ_in_colour_and_shape() -> None:
    positions = np.arange(10.0).reshape(5, 2)
    figure = embedding_scatter(positions, 2, ["a", "b"], ["x", "y", "z"])
    go.Figure(figure)
    source, target = _nodes(figure)
    assert (len(source["x"]), len(target["x"])) == (2, 3)
    assert (source["marker"]["color"], target["marker"]["color"]) == (SOURCE, TARGET)
    assert source["marker"]["symbol"] != target["marker"]["symbol"]
    assert "mean little" in figure["layout"]["title"]["subtitle"]["text"]
    assert (source["x"][0], target["x"][-1]) == (0, 1)


def test_a_pair_is_joined_in_the_colour_of_its_verdict_and_told_in_the_hover_text() -> None:
    figure = embedding_scatter(
        np.array([[0, 0], [1, 0], [0, 1], [1, 1.0]]), 2, ["a", "<i>b"], ["x", "y"], matching=np.array([1, -1]),
        verdict=["wrong", "unmatched"], confidence=np.array([0.25, 0.9]), selected=(0, 1), kind="pca", note="12 steps",
    )  # fmt: skip
    go.Figure(figure)
    lines = [trace for trace in figure["data"] if trace["mode"] == "lines"]
    assert [len(trace["x"]) for trace in lines] == [0, 0, 3, 0]
    source, target = _nodes(figure)
    assert source["hovertext"] == ["a → y<br>wrong · confidence 0.25", "&lt;i&gt;b<br>unmatched"]
    assert target["hovertext"] == ["x", "y ← a<br>wrong · confidence 0.25"]
    [pair] = [trace for trace in figure["data"] if trace["mode"] == "lines+markers"]
    np.testing.assert_array_equal([pair["x"], pair["y"]], [[0, 1], [0, 1]])
    assert figure["layout"]["title"]["subtitle"]["text"].endswith("12 steps")


def test_points_without_spread_or_value_are_still_drawn() -> None:
    figure = embedding_scatter(np.array([[1.0, 5.0], [np.nan, 5.0]]), 1, ["a"], ["x"], kind="plain")
    for trace in _nodes(figure):
        assert np.isfinite(trace["x"]).all()
        assert np.isfinite(trace["y"]).all()


def test_traces_keep_their_places() -> None:
    positions = np.random.default_rng(0).random((4, 2))
    bare = embedding_scatter(positions, 2, ["a", "b"], ["x", "y"])
    full = embedding_scatter(
        positions, 2, ["a", "b"], ["x", "y"], matching=np.array([0, 1]), verdict=["right", "wrong"], selected=(0, 0)
    )
    assert [trace["mode"] for trace in bare["data"]] == [trace["mode"] for trace in full["data"]]


def test_the_wrong_number_of_points_is_refused() -> None:
    with pytest.raises(ValueError, match="positions"):
        embedding_scatter(np.zeros((3, 2)), 2, ["a", "b"], ["x", "y"])


@pytest.mark.parametrize(
    ("customdata", "node"),
    [(0, ("source", 0)), (4, ("source", 4)), (5, ("target", 0)), (7, ("target", 2)), (None, None), (-1, None),
     ([1], None), (True, None)],
)  # fmt: skip
def test_a_clicked_node(customdata: object, node: object) -> None:
    assert clicked_node({"customdata": customdata}, 5) == node
    assert clicked_node({}, 5) is None


def test_sure_matches_are_larger_on_both_sides() -> None:
    xy = np.random.default_rng(0).normal(size=(7, 2))
    figure = embedding_scatter(
        xy, 3, ["a", "b", "c"], ["p", "q", "r", "s"], matching=np.array([2, -1, 0]),
        confidence=np.array([0.9, 0.9, 0.1]),
    )  # fmt: skip
    source, target = (t["marker"]["size"] for t in figure["data"] if len(t.get("customdata", ())) in (3, 4))
    assert source[0] > source[2]
    np.testing.assert_array_equal(target[[2, 0]], source[[0, 2]])
    assert target[1] == target[3] == target.min()
