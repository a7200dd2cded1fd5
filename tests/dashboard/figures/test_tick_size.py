"""The four figures of a 600-node pair on the wire."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dashboard.figures.common import verdicts
from dashboard.figures.curves import discrepancy_curves
from dashboard.figures.embedding import embedding_scatter
from dashboard.figures.graphs import side_by_side
from dashboard.figures.heatmap import diagonal_order, transport_heatmap
from dashboard.live_plot.wire import pack

N, EDGES, STEPS = 600, 6000, 3000
LIMITS = {"curves": 45_000, "heatmap": 60_000, "embedding": 45_000, "graphs": 120_000}


@pytest.fixture(scope="module")
def figures() -> dict[str, dict]:
    """As incompressible as real data could be: random coupling, positions, curves and confidences."""
    rng = np.random.default_rng(0)
    truth = rng.permutation(N)
    matching = np.where(rng.random(N) < 0.7, truth, rng.permutation(N))
    labels = [f"YAL{i:04d}C_yeast" for i in range(N)], [f"ENSG{i:08d}" for i in range(N)]
    edges = rng.integers(N, size=EDGES), rng.integers(N, size=EDGES), rng.random(EDGES)
    marks = {
        "matching": matching, "verdict": verdicts(matching, np.c_[np.arange(N), truth]), "confidence": rng.random(N),
        "selected": (3, 5),
    }  # fmt: skip
    series = (
        "gw_discrepancy",
        "objective",
        "node_correctness_coupling",
        "node_correctness_embedding",
        "edge_correctness",
    )
    return {
        "curves": discrepancy_curves({name: rng.random(STEPS) for name in series}, 1200),
        "heatmap": transport_heatmap(rng.random((N, N)), diagonal_order(truth, N), *labels, selected=(3, 5)),
        "embedding": embedding_scatter(rng.normal(size=(2 * N, 2)), N, *labels, **marks),
        "graphs": side_by_side(rng.random((N, 2)), edges, rng.random((N, 2)), edges, *labels, **marks),
    }


def test_a_tick_fits_its_budget(figures: dict[str, dict]) -> None:
    sizes = {name: len(pack(figure)) for name, figure in figures.items()}
    assert {name: size for name, size in sizes.items() if size > LIMITS[name]} == {}
    assert sum(sizes.values()) < 270_000


def test_every_figure_is_valid_for_plotly(figures: dict[str, dict]) -> None:
    for figure in figures.values():
        assert len(go.Figure(figure).data) == len(figure["data"])


def test_equal_input_gives_equal_bytes(figures: dict[str, dict]) -> None:
    for figure in figures.values():
        assert pack(figure) == pack(figure)
