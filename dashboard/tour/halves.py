"""Step 5: one half of the gradient beside both."""

from __future__ import annotations

import streamlit as st

from dashboard.figures.matrix import matrix
from dashboard.figures.plain import Curve, curves
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.halves import STEPS, compare
from dashboard.lessons.pairs import right as right_matching
from dashboard.palette import BLUE, VERMILION
from dashboard.text import tour as words
from dashboard.tour import parts

GAMMAS = (0.02, 0.05, 0.1, 0.2)
_LOOKS = {"one-sided": (VERMILION, "dash"), "exact": (BLUE, "solid")}


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """Both couplings after some steps, the graphs, and both curves."""
    with left:
        edges = parts.choice("edges_5", words.EDGES, words.EDGE_KINDS, "as drawn")
        step = int(parts.slider("step_5", words.STEPS_TAKEN, 0, STEPS, 25, 1))
        gamma = parts.scale("gamma_5", words.GAMMA, GAMMAS, 0.05)
    found = compare(edges, gamma)
    problem = found.problem
    sources, targets = problem.source.labels, problem.target.labels
    with left:
        same = bool((found.paths["one-sided"].couplings[step] == found.paths["one-sided"].couplings[0]).all())
        parts.found(not same, words.ONE_HALF_MOVES, words.ONE_HALF_STAYS.format(step=step))
    with right:
        parts.readings(
            [
                (label.format(half=words.HALVES[name]), value)
                for name in _LOOKS
                for label, value in (
                    (words.HALF_DISCREPANCY, parts.number(float(found.paths[name].discrepancy[step]))),
                    (words.HALF_CORRECT, parts.percent(float(found.correct[name][step]))),
                )
            ]
        )
        columns = st.columns(2, gap="small")
        for column, name in zip(columns, _LOOKS, strict=True):
            with column:
                coupling = found.paths[name].couplings[step]
                title = words.HALVES[name].capitalize()
                figure = matrix(coupling, sources, targets, title, words.COUPLING_CELLS, top=1 / len(sources))
                parts.chart(figure, f"half_{name}", words.table_alt(title, coupling, sources, targets), height=270)
        columns = st.columns(2, gap="small")
        with columns[0]:
            truth = right_matching(problem)
            figure = small_graphs(
                problem.source, problem.target, circle(len(sources)), circle(len(targets), truth), words.GRAPHS,
                words.SAME_PLACES,
            )  # fmt: skip
            parts.chart(figure, "halves_graphs", words.graphs_alt(problem), height=270)
        with columns[1]:
            lines = [Curve(words.HALVES[n], found.paths[n].discrepancy, *_LOOKS[n]) for n in _LOOKS]
            parts.chart(
                curves(lines, words.DISCREPANCY, words.STEPS_NOTE, words.STEP_AXIS, shown=step), "halves",
                words.halves_alt({n: float(found.paths[n].discrepancy[step]) for n in _LOOKS}, step), height=270,
            )  # fmt: skip
