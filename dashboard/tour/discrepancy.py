"""Step 2: the four-index sum on three nodes, every term of it."""

from __future__ import annotations

from itertools import product

import numpy as np
import streamlit as st

from dashboard.figures.matrix import matrix
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.by_hand import Terms, terms
from dashboard.lessons.couplings import between, swapped
from dashboard.lessons.pairs import THREE, shuffled
from dashboard.lessons.transport import Small, small
from dashboard.text import tour as words
from dashboard.tour import parts
from gwl_core.losses import LOSSES

_PROBLEM = shuffled(THREE, 1)
_CASES = {loss: small(_PROBLEM, loss=loss) for loss in LOSSES}
_START = (0, 1, 2)
_FIRST = (1, 1)


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """The terms as a 9 × 9 table, the one picked spelt out, and their sum beside the library's value."""
    matching = np.array(parts.kept("matching_2", _START))
    sources, targets = _PROBLEM.source.labels, _PROBLEM.target.labels
    with left:
        parts.destinations("to_2", sources, targets, matching, _move)
        sureness = parts.slider("sureness_2", words.SURENESS, 0.0, 1.0, 1.0, 0.1)
        loss = parts.choice("loss", words.LOSS, words.LOSSES, "square")
    case = _CASES[loss]
    coupling = between(matching, sureness)
    found = terms(case, coupling, LOSSES[loss])
    value = case.discrepancy(coupling)
    with left:
        parts.found(value < 1e-9, words.ZERO_FOUND, words.ZERO_SOUGHT)
    with right:
        parts.readings(
            (
                (words.SUM_OF_TERMS, parts.number(found.total)),
                (words.BY_LIBRARY, parts.number(value)),
                (words.TERMS_THAT_COUNT, f"{int((found.values > 1e-12).sum())} / {found.values.size}"),
            )
        )
        columns = st.columns([0.58, 0.42], gap="small")
        with columns[0]:
            _table(found, value)
        with columns[1]:
            figure = small_graphs(
                _PROBLEM.source, _PROBLEM.target, circle(3), circle(3), words.GRAPHS, words.WEIGHTS_NOTE,
                coupling=coupling,
            )  # fmt: skip
            parts.chart(figure, "discrepancy_graphs", words.graphs_alt(_PROBLEM), height=220)
            _spelt(case, coupling, found)
    with right, st.expander(words.ALL_TERMS):
        _list(case, coupling, found)


def _table(found: Terms, value: float) -> None:
    sources, targets = _PROBLEM.source.labels, _PROBLEM.target.labels
    rows = ["".join(pair) for pair in product(sources, repeat=2)]
    columns = ["".join(pair) for pair in product(targets, repeat=2)]
    square = np.moveaxis(found.values, (0, 1, 2, 3), (0, 1, 2, 3)).reshape(9, 9)
    # A scale that stays: 9 terms share the mass of a matching, and no cost is above 1.
    figure = matrix(
        square, rows, columns, words.TERMS, words.TERMS_NOTE, top=max(float(square.max()), 0.02),
        marked=[parts.kept("term", _FIRST)],
    )  # fmt: skip
    parts.chart(figure, "terms", words.TERMS_ALT.format(value=parts.number(value)), height=400, clicked=_pick)


def _spelt(case: Small, coupling: np.ndarray, found: Terms) -> None:
    """The picked term with its numbers."""
    row, column = parts.kept("term", _FIRST)
    (i, j), (k, m) = divmod(row, 3), divmod(column, 3)
    sources, targets = _PROBLEM.source.labels, _PROBLEM.target.labels
    st.markdown(
        words.TERM.format(
            i=sources[i], j=sources[j], k=targets[k], m=targets[m], a=parts.number(case.costs[0][i, j]),
            b=parts.number(case.costs[1][k, m]), loss=parts.number(found.loss[i, j, k, m]),
            t=parts.number(coupling[i, k]), u=parts.number(coupling[j, m]),
            value=parts.number(found.values[i, j, k, m]),
        )
    )  # fmt: skip


def _list(case: Small, coupling: np.ndarray, found: Terms) -> None:
    sources, targets = _PROBLEM.source.labels, _PROBLEM.target.labels
    rows = []
    for i, j, k, m in product(range(3), repeat=4):
        numbers = (
            case.costs[0][i, j], case.costs[1][k, m], found.loss[i, j, k, m], coupling[i, k], coupling[j, m],
            found.values[i, j, k, m],
        )  # fmt: skip
        pairs = (f"{sources[i]} {sources[j]}", f"{targets[k]} {targets[m]}")
        rows.append(dict(zip(words.TERM_COLUMNS, (*pairs, *(float(v) for v in numbers)), strict=True)))
    st.dataframe(rows, hide_index=True, height=320)


def _move(cell: tuple[int, int]) -> None:
    matching = np.array(parts.kept("matching_2", _START))
    parts.keep("matching_2", tuple(swapped(matching, *cell).tolist()))


def _pick(cell: tuple[int, int]) -> None:
    parts.keep("term", cell)
