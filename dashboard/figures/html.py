"""Figures as one HTML file that works offline."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dashboard.figures.common import Figure


def figures_html(figures: Sequence[tuple[Figure, str]], title: str) -> str:
    """Figures with plotly.js inline (about 5 MB), on white, as wide as the window.

    Args:
        figures: (figure, what it shows in words).
        title: the page's title and heading.
    """
    name, content = html.escape(title), "\n".join(figure_parts(figures))
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{name}</title></head>\n'
        f'<body style="font-family:sans-serif"><h1 style="font-size:1.1rem">{name}</h1>\n{content}\n</body>\n</html>\n'
    )


def figure_parts(figures: Sequence[tuple[Figure, str]]) -> list[str]:
    """Each figure with its heading and words as a piece of HTML; the first carries plotly.js."""
    # Half a second, and only an export needs it.
    import plotly.graph_objects as go
    from plotly.io import to_html

    parts = []
    for k, (figure, words) in enumerate(figures):
        title = figure["layout"].get("title", {})
        drawn = go.Figure(figure)
        # The heading is text of the page, which wraps where the screen is narrow.
        drawn.update_layout(
            paper_bgcolor="white", plot_bgcolor="white", template="none", height=520, title=None, margin={"t": 12}
        )
        config = {"displaylogo": False, "responsive": True}
        body = to_html(drawn, include_plotlyjs=k == 0, full_html=False, config=config)
        caption = html.escape(title.get("subtitle", {}).get("text", ""))
        heading = f"<strong>{html.escape(title.get('text', ''))}</strong> {caption}"
        parts.append(f"<p>{heading}</p>\n<p>{html.escape(words)}</p>\n{body}")
    return parts
