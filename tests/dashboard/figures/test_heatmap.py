import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.figures.heatmap import MAX_SIDE, HeatmapView, cell_to_pair, diagonal_order, transport_heatmap


def _labels(prefix: str, n: int) -> list[str]:
    return [f"{prefix}{i}" for i in range(n)]


def _figure(coupling: np.ndarray, view: HeatmapView, **more) -> dict:
    figure = transport_heatmap(coupling, view, _labels("s", len(coupling)), _labels("t", coupling.shape[1]), **more)
    go.Figure(figure)
    return figure


def test_cells_are_shares_of_each_sources_mass_in_the_order_given() -> None:
    coupling = np.array([[0.1, 0.3], [0.45, 0.15]])
    figure = _figure(coupling, HeatmapView(np.array([1, 0]), np.array([0, 1])))
    np.testing.assert_allclose(figure["data"][0]["z"], [[0.75, 0.25], [0.25, 0.75]], atol=1e-6)
    assert figure["layout"]["yaxis"]["ticktext"] == ["s1", "s0"]
    low, high = figure["layout"]["yaxis"]["range"]
    assert low > high, "row 0 belongs at the top"


def test_a_given_mass_counts_what_goes_to_nobody() -> None:
    figure = _figure(np.array([[0.1, 0.1]]), HeatmapView(np.array([0]), np.array([0, 1])), source_mass=np.array([0.4]))
    np.testing.assert_allclose(figure["data"][0]["z"], [[0.25, 0.25]])


def test_the_product_coupling_is_not_painted_as_certainty() -> None:
    n = 50
    view = HeatmapView(np.arange(n), np.arange(n))
    [trace] = _figure(np.full((n, n), 1 / n**2), view)["data"]
    assert trace["z"].max() / trace["zmax"] == pytest.approx(0.2)
    [trace] = _figure(np.eye(n) / n, view)["data"]
    assert trace["zmax"] == 1


@pytest.mark.filterwarnings("error")
def test_a_diverged_coupling_and_empty_rows_are_drawn() -> None:
    coupling = np.array([[np.nan, 0.5], [0.0, 0.0]])
    [trace] = _figure(coupling, HeatmapView(np.arange(2), np.arange(2)))["data"]
    assert np.isfinite(trace["z"]).all()
    assert np.isfinite(trace["zmax"])


@pytest.mark.parametrize(("n_source", "n_target"), [(MAX_SIDE, MAX_SIDE), (601, 599), (30, 1000)])
def test_pooling_keeps_every_cell_of_a_permutation(n_source: int, n_target: int) -> None:
    rng = np.random.default_rng(0)
    coupling = np.full((n_source, n_target), 1e-6)
    small = min(n_source, n_target)
    rows, columns = rng.permutation(n_source)[:small], rng.permutation(n_target)[:small]
    coupling[rows, columns] = 1
    view = HeatmapView(rng.permutation(n_source), rng.permutation(n_target))
    figure = _figure(coupling, view)
    z = figure["data"][0]["z"]
    assert max(z.shape) <= MAX_SIDE
    row_rank, column_rank = np.argsort(view.row_order)[rows], np.argsort(view.column_order)[columns]
    assert (z[row_rank // view.pool[0], column_rank // view.pool[1]] > 0.9).all()
    said = "largest of" in figure["layout"]["title"]["subtitle"]["text"]
    assert said == (max(n_source, n_target) > MAX_SIDE)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_click_finds_the_largest_pair_under_it_whatever_the_order(data: st.DataObject) -> None:
    n_source, n_target, limit = (data.draw(st.integers(1, 12)) for _ in range(3))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    coupling = rng.random((n_source, n_target))
    view = HeatmapView(rng.permutation(n_source), rng.permutation(n_target), limit=limit)
    z = _figure(coupling, view)["data"][0]["z"]
    row, column = data.draw(st.integers(0, z.shape[0] - 1)), data.draw(st.integers(0, z.shape[1] - 1))
    pair = cell_to_pair({"point": [row, column]}, coupling, view)
    assert pair is not None
    ranks = np.flatnonzero(view.row_order == pair[0])[0], np.flatnonzero(view.column_order == pair[1])[0]
    assert (ranks[0] // view.pool[0], ranks[1] // view.pool[1]) == (row, column)
    above = [r for r in range(n_source) if r // view.pool[0] == row]
    left = [c for c in range(n_target) if c // view.pool[1] == column]
    block = coupling[np.ix_(view.row_order[above], view.column_order[left])]
    assert coupling[pair] == block.max()


def test_choosing_a_named_cell_finds_it_in_every_sort_order() -> None:
    sources, targets = ["cyd", "ab", "ef"], ["T1", "T0"]
    coupling = np.arange(6).reshape(3, 2) / 15
    for rows in ([0, 1, 2], [2, 0, 1]):
        for columns in ([0, 1], [1, 0]):
            view = HeatmapView(np.array(rows), np.array(columns))
            figure = transport_heatmap(coupling, view, sources, targets)
            row = figure["layout"]["yaxis"]["ticktext"].index("cyd")
            column = figure["layout"]["xaxis"]["ticktext"].index("T0")
            assert cell_to_pair({"point": [row, column]}, coupling, view) == (0, 1)


@pytest.mark.parametrize("click", [{}, {"point": 3}, {"point": [99, 0]}, {"point": [-1, 0]}, {"point": None}])
def test_a_click_on_no_cell_is_no_pair(click: dict) -> None:
    assert cell_to_pair(click, np.ones((3, 2)), HeatmapView(np.arange(3), np.arange(2))) is None


def test_matched_pairs_lie_on_the_diagonal() -> None:
    view = diagonal_order(np.array([3, -1, 0, 3]), 5, rows=np.array([2, 1, 0, 3]))
    assert view.row_order.tolist() == [2, 0, 3, 1]
    assert view.column_order.tolist() == [0, 3, 1, 2, 4]
    nobody = diagonal_order(np.array([-1, -1]), 3)
    assert sorted(nobody.column_order.tolist()) == [0, 1, 2]


def test_a_crop_shows_its_cells_unpooled_at_their_ranks() -> None:
    n = 1000
    coupling = np.random.default_rng(0).random((n, n))
    view = HeatmapView(np.arange(n)[::-1], np.arange(n), crop=(100, 130, 500, 540))
    figure = _figure(coupling, view)
    z = figure["data"][0]["z"]
    assert z.shape == (30, 40)
    assert figure["data"][0]["x"][0] == 500
    pair = cell_to_pair({"point": [3, 7]}, coupling, view)
    assert pair == (n - 1 - 103, 507)
    assert z[3, 7] == pytest.approx(coupling[pair] / coupling[pair[0]].sum(), rel=1e-5)


def test_the_selected_pair_is_marked_where_it_is_drawn() -> None:
    view = HeatmapView(np.array([2, 0, 1]), np.array([1, 0]))
    *hairs, box = _figure(np.ones((3, 2)), view, selected=(0, 0))["layout"]["shapes"]
    assert len(hairs) == 2
    assert ((box["x0"] + box["x1"]) / 2, (box["y0"] + box["y1"]) / 2) == (1, 1)
    assert _figure(np.ones((3, 2)), view)["layout"]["shapes"] == []


def test_hover_text_needs_no_text_for_every_cell() -> None:
    n = 200
    figure = _figure(np.ones((n, n)), HeatmapView(np.arange(n), np.arange(n)))
    assert not {"text", "customdata", "hovertext"} & set(figure["data"][0])
    assert len(figure["layout"]["xaxis"]["ticktext"]) == n
    assert figure["layout"]["xaxis"]["showticklabels"] is False


def test_hostile_labels_are_text() -> None:
    figure = transport_heatmap(np.ones((1, 1)), HeatmapView(np.arange(1), np.arange(1)), ["<b>a</b>"], ["<a href=x>"])
    assert figure["layout"]["yaxis"]["ticktext"] == ["&lt;b&gt;a&lt;/b&gt;"]
