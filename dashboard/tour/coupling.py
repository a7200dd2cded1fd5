"""Step 1: what a coupling is."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dashboard.figures.matrix import matrix
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.couplings import between, swapped
from dashboard.lessons.pairs import FOUR, shuffled
from dashboard.text import tour as words
from dashboard.tour import parts
from gwl_core.matching import by_coupling

_PROBLEM = shuffled(FOUR, 3)
_START = (0, 1, 2, 3)


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """The table, the two graphs, and who goes where."""
    matching = np.array(parts.kept("matching_1", _START))
    sources, targets = _PROBLEM.source.labels, _PROBLEM.target.labels
    with left:
        sureness = parts.slider("sureness", words.SURENESS, 0.0, 1.0, 0.6, 0.05)
        parts.destinations("to_1", sources, targets, matching, _move)
    coupling = between(matching, sureness)
    read = by_coupling(coupling)
    with left:
        if (read < 0).all():
            parts.found(False, "", words.NOTHING_READ)
        else:
            pairs = ", ".join(f"{sources[i]} → {targets[j]}" for i, j in enumerate(read))
            parts.found(sureness == 1, words.MATCHING_READ.format(pairs=pairs), words.LIKELY_READ.format(pairs=pairs))
    n = len(matching)
    mass = np.full(n, 1 / n)
    with right:
        columns = st.columns(2, gap="small")
        with columns[0]:
            parts.chart(
                matrix(coupling, sources, targets, words.COUPLING, words.COUPLING_NOTE, top=1 / n, masses=(mass, mass)),
                "coupling", words.coupling_alt(coupling, sources, targets), clicked=_move,
            )  # fmt: skip
        with columns[1]:
            figure = small_graphs(
                _PROBLEM.source, _PROBLEM.target, circle(n), circle(n), words.GRAPHS, words.MASS_LINES,
                coupling=coupling,
            )  # fmt: skip
            parts.chart(figure, "coupling_graphs", words.graphs_alt(_PROBLEM))


def _move(cell: tuple[int, int]) -> None:
    matching = np.array(parts.kept("matching_1", _START))
    parts.keep("matching_1", tuple(swapped(matching, *cell).tolist()))
