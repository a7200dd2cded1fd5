import numpy as np
import plotly.graph_objects as go

from dashboard.figures.curves import MAX_POINTS, discrepancy_curves, thinned


def _by_name(figure: dict) -> dict:
    return {trace["name"]: trace for trace in figure["data"]}


def test_two_panels_over_one_axis() -> None:
    figure = discrepancy_curves(
        {
            "step": [5, 6, 7], "gw_discrepancy": [0.3, 0.2, 0.1], "objective": [0.4, 0.3, 0.2],
            "node_correctness_coupling": [0.0, 0.5, 1.0], "node_correctness_embedding": [0.0, 0.2, 0.9],
            "edge_correctness": [0.1, 0.2, 0.3], "something_else": [1, 2, 3],
        },
        6,
    )  # fmt: skip
    go.Figure(figure)
    traces = _by_name(figure)
    assert list(traces) == ["discrepancy", "objective", "by coupling", "by embedding", "edges"]
    assert {trace["xaxis"] for trace in traces.values()} == {"x"}
    np.testing.assert_array_equal(traces["discrepancy"]["x"], [5, 6, 7])
    np.testing.assert_array_equal(traces["by coupling"]["y"], [0, 50, 100])
    assert traces["by coupling"]["yaxis"] == "y2"
    [mark] = figure["layout"]["shapes"]
    assert mark["x0"] == mark["x1"] == 6


def test_a_series_without_values_is_left_out_and_gaps_stay_gaps() -> None:
    figure = discrepancy_curves(
        {"gw_discrepancy": [0.3, None, 0.1], "node_correctness_coupling": [None] * 3, "edge_correctness": []}
    )
    [trace] = figure["data"]
    assert np.isnan(trace["y"][1])
    np.testing.assert_array_equal(trace["x"], [0, 1, 2])


def test_nothing_yet() -> None:
    figure = discrepancy_curves({})
    assert figure["data"] == []
    go.Figure(figure)


def test_a_ghost_is_faint_and_not_in_the_legend() -> None:
    ghost, now = discrepancy_curves({"gw_discrepancy": [3, 2]}, ghosts=[{"gw_discrepancy": [3, 1]}])["data"]
    assert ghost["opacity"] < 0.5
    assert ghost["showlegend"] is False
    assert now.get("showlegend", True)
    np.testing.assert_array_equal(now["y"], [3, 2])


def test_embedding_epochs_are_shaded_and_explained() -> None:
    figure = discrepancy_curves({"gw_discrepancy": [3, 2, 1]}, embedding_phases=[(0, 1)])
    [shade] = figure["layout"]["shapes"]
    assert (shade["x0"], shade["x1"], shade["layer"]) == (0, 1, "below")
    assert "embedding epochs" in figure["layout"]["title"]["subtitle"]["text"]
    go.Figure(figure)


def test_thinning_keeps_ends_and_extremes() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(100_000)
    y[[17, 71_003]] = 5, -5
    y[40_000:45_000] = np.nan
    x, kept = thinned(np.arange(len(y)), y)
    assert len(x) <= MAX_POINTS + 2
    assert {0, 17, 71_003, len(y) - 1} <= set(x.tolist())
    np.testing.assert_array_equal(kept, y[x])
    short = np.arange(5.0)
    assert thinned(short, short)[0] is short


def test_thinning_keeps_the_gaps_between_stretches() -> None:
    x = np.arange(5000.0)
    x[[1234, 3000]] = np.nan
    found, _ = thinned(x, np.where(np.isnan(x), np.nan, 1.0))
    assert np.isnan(found).sum() == 2
