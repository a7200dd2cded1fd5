"""A figure as one HTML file that works offline."""

from __future__ import annotations

import html

from dashboard.figures.common import Figure


def figure_html(figure: Figure, title: str, alt: str = "") -> str:
    """The figure with plotly.js inline (about 5 MB), on white, as wide as the window.

    Args:
        figure: what the functions of this package return.
        title: the page's title and heading.
        alt: what the chart shows, in words.
    """
    import plotly.graph_objects as go
    from plotly.io import to_html

    drawn = go.Figure(figure)
    drawn.update_layout(paper_bgcolor="white", plot_bgcolor="white", template="none")
    body = to_html(drawn, include_plotlyjs=True, full_html=False, config={"displaylogo": False, "responsive": True})
    name = html.escape(title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{name}</title></head>\n'
        f'<body style="font-family:sans-serif"><h1 style="font-size:1.1rem">{name}</h1>\n'
        f"<p>{html.escape(alt)}</p>\n{body}\n</body>\n</html>\n"
    )
