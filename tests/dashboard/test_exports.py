"""Files to take away."""

import numpy as np
import pytest

from dashboard import drawing, exports
from dashboard.snapshot import Snapshot
from gwl_core.datasets.synthetic import knn
from gwl_core.errors import InputError


def test_figures_are_one_offline_file() -> None:
    problem = knn(12, 0.0, np.random.default_rng(0))
    charts = [(drawing.graphs(problem, Snapshot(), None), "Both graphs <b>"), (drawing.curves(Snapshot()), "Curves")]
    page = exports.figures_html(charts, "a & b")
    assert page.count("Plotly.newPlot(") == 2
    assert "plotly.js v" in page
    assert "Both graphs &lt;b&gt;" in page
    assert "<title>a &amp; b</title>" in page
    assert "cdn" not in page.split("plotly.js v")[0]


def test_only_known_files_are_made() -> None:
    with pytest.raises(InputError, match="no file"):
        exports.content("../../etc/passwd", None)
