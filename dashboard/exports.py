"""Result files by name, as the page offers them and the command line writes them."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dashboard.figures.common import Figure
from gwl_core.errors import InputError
from gwl_core.result import Result


def content(name: str, result: Result) -> bytes:
    """The bytes of matches.csv, coupling.npz, embeddings.npz, history.csv, run.json, graphs.zip or references.bib.

    Raises:
        InputError: there is no such file, or the run has no embeddings.
    """
    from gwl_core import writers  # only a run's process makes these; the page starts faster without

    make = {
        "matches.csv": writers.matches_csv,
        "coupling.npz": writers.coupling_npz,
        "embeddings.npz": writers.embeddings_npz,
        "history.csv": writers.history_csv,
        "run.json": writers.run_json,
        "graphs.zip": writers.graphs_zip,
        "references.bib": writers.references_bib,
    }.get(name)
    if make is None:
        raise InputError(f"There is no file {name!r} to export.")
    made = make(result)
    if made is None:
        raise InputError("This run has no embeddings to export: its preset uses the transport only.")
    return made


def figures_html(figures: Sequence[tuple[Figure, str]], title: str) -> str:
    """Several figures, each with its description, as one HTML file that works offline (about 5 MB)."""
    import plotly.graph_objects as go
    from plotly.io import to_html

    parts = []
    for k, (figure, words) in enumerate(figures):
        drawn = go.Figure(figure)
        drawn.update_layout(paper_bgcolor="white", plot_bgcolor="white", template="none", height=520)
        body = to_html(
            drawn, include_plotlyjs=k == 0, full_html=False, config={"displaylogo": False, "responsive": True}
        )
        parts.append(f"<p>{html.escape(words)}</p>\n{body}")
    name = html.escape(title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{name}</title></head>\n'
        f'<body style="font-family:sans-serif"><h1 style="font-size:1.1rem">{name}</h1>\n' + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )  # fmt: skip
