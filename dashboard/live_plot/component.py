"""A Plotly chart that lives on across ticks: same DOM node, same zoom, clicks come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.live_plot.wire import pack


def _script() -> str:
    """The component's JavaScript without comments and indentation: it travels with every update."""
    lines = (Path(__file__).parent / "live_plot.js").read_text(encoding="utf-8").splitlines()
    return "\n".join(line.strip() for line in lines if line.strip() and not line.strip().startswith("//"))


# The tool buttons lie on the heading's line, not on the data.
_STYLE = ".live-plot .modebar-container { top: -22px !important; }"
_mount = st.components.v2.component("gwl_live_plot", js=_script(), css=_STYLE, isolate_styles=False)


def live_plot(
    figure_spec: Mapping[str, Any],
    *,
    key: str,
    height: int,
    alt: str,
    on_click: Callable[[], None] | None = None,
    view: str = "",
) -> dict[str, Any] | None:
    """Show a figure, or bring the one shown under this key up to date.

    An update equal to what is shown costs no drawing. The figure's colour `palette.INK` becomes the page's text
    colour, and its plot area is transparent, so it follows the theme.

    Args:
        figure_spec: {"data": [...], "layout": {...}}; NumPy arrays welcome.
        key: names the chart on the page. Its state `st.session_state[key]["click"]` is what on_click may read.
        height: in pixels; the width is the container's.
        alt: what the chart shows, in one or two sentences, for those who do not see it.
        on_click: called before the script runs again after a click.
        view: zoom, pan and legend state are kept for as long as this stays the same.

    Returns:
        The click that caused this run, else None: {"curve", "point", "x", "y", "customdata", "n"}. `point` is the
        point's index in its trace, [row, column] for a heatmap; `n` counts the clicks on this chart.
    """
    layout = {**figure_spec["layout"], "uirevision": f"{key} {view}"}
    block = pack({"data": figure_spec["data"], "layout": layout, "height": height, "alt": alt})
    result = _mount(key=key, data=block, on_click_change=on_click or _nothing)
    click: dict[str, Any] | None = result.click
    return click


def _nothing() -> None:
    """Streamlit reports a trigger only where a callback is given."""
