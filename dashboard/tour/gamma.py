"""Step 4: the paper's comparison of the proximal and the entropic method over γ and J."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dashboard.figures.common import Figure
from dashboard.figures.matrix import matrix
from dashboard.figures.plain import Curve, curves
from dashboard.lessons.background import Background
from dashboard.lessons.compare import ALL, GAMMAS, METHODS, PASSES, Cell, Outcome, outcomes, truth_discrepancy
from dashboard.palette import BLUE, VERMILION
from dashboard.text import tour as words
from dashboard.tour import parts

RESULTS: Background[Cell, dict[str, Outcome]] = Background(outcomes, ALL)
_LOOKS = {"proximal": (BLUE, "solid"), "entropic": (VERMILION, "dash")}


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """Controls; the charts look for results by themselves until all are there."""
    with left:
        gamma = parts.scale("gamma_4", words.GAMMA, GAMMAS, 0.1, show=lambda g: f"{g:g}")
        passes = parts.scale("passes_4", words.PASSES, PASSES, 1)
        st.markdown(words.METHODS_NOTE)
    cell = (gamma, passes)
    RESULTS.get(cell)
    with right:
        parts.until(RESULTS, lambda: _charts(cell))


def _charts(cell: Cell) -> None:
    found = RESULTS.get(cell)
    level = truth_discrepancy()
    columns = st.columns(2, gap="small")
    for column, method in zip(columns, METHODS, strict=True):
        with column:
            figure, alt = _grid(method, cell, level)
            parts.chart(figure, f"grid_{method}", alt, height=230, clicked=_pick)
    if found is None:
        st.markdown(words.COMING)
        return
    parts.readings(
        [
            (label.format(method=words.METHODS[method]), value)
            for method in METHODS
            for label, value in (
                (words.METHOD_DISCREPANCY, parts.number(float(found[method].discrepancy[-1]))),
                (words.METHOD_CORRECT, parts.percent(found[method].correct)),
            )
        ]
    )
    lines = [Curve(words.METHODS[m], found[m].discrepancy, *_LOOKS[m]) for m in METHODS]
    parts.chart(
        curves(lines, words.DISCREPANCY, words.STEPS_NOTE, words.STEP_AXIS, level=(level, words.TRUE_LEVEL)),
        "compare", words.compare_alt(cell, {m: float(found[m].discrepancy[-1]) for m in METHODS}, level), height=270,
    )  # fmt: skip


def _grid(method: str, cell: Cell, level: float) -> tuple[Figure, str]:
    """Final discrepancy by J and γ, where it is known yet."""
    values, known = np.full((len(PASSES), len(GAMMAS)), np.nan), RESULTS.known
    for r, passes in enumerate(PASSES):
        for c, gamma in enumerate(GAMMAS):
            if (gamma, passes) in known and (found := RESULTS.get((gamma, passes))):
                values[r, c] = found[method].discrepancy[-1]
    rows, columns = [f"J={p}" for p in PASSES], [f"γ={g:g}" for g in GAMMAS]
    marked = [(PASSES.index(cell[1]), GAMMAS.index(cell[0]))]
    title = words.METHODS[method].capitalize()
    figure = matrix(
        np.nan_to_num(values, nan=0.0), rows, columns, title, words.GRID_NOTE, top=0.4, marked=marked,
        hover="%{y}, %{x}: %{text}",
        texts=[["…" if np.isnan(v) else words.reached(v, level) for v in row] for row in values.tolist()],
    )  # fmt: skip
    return figure, words.grid_alt(title, values, PASSES, GAMMAS)


def _pick(at: tuple[int, int]) -> None:
    parts.keep("passes_4", PASSES[at[0]])
    parts.keep("gamma_4", GAMMAS[at[1]])
