import numpy as np

from dashboard.figures.curves import discrepancy_curves
from dashboard.figures.heatmap import HeatmapView, transport_heatmap
from dashboard.figures.html import figures_html


def test_one_file_holds_the_figures_and_needs_no_network() -> None:
    curves = discrepancy_curves({"gw_discrepancy": [0.2, 0.1]})
    hostile = ["</script><script>alert(1)</script>"]
    heatmap = transport_heatmap(np.ones((1, 1)), HeatmapView(np.arange(1), np.arange(1)), hostile, hostile)
    page = figures_html([(curves, "falls <fast>"), (heatmap, "one cell")], "a & b")
    assert page.startswith("<!doctype html>")
    assert "<title>a &amp; b</title>" in page
    assert "falls &lt;fast&gt;" in page
    assert "<strong>Curves</strong> right by coupling" in page, "headings that wrap on a phone"
    assert '"text":"Curves"' not in page, "and none beside them in the figure"
    assert page.count("plotly.js v") == 1
    assert page.count("Plotly.newPlot(") >= 2
    assert '<script src="http' not in page
    assert "<script>alert(1)" not in page
