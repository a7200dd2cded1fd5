"""Step 6: both graphs' nodes in one plane, and what α and β do to them."""

from __future__ import annotations

import streamlit as st

from dashboard.figures.plain import plane
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.manifold import case, learn
from dashboard.lessons.pairs import right as right_matching
from dashboard.text import tour as words
from dashboard.tour import parts

_SEEDS = 1000


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """The plane, and the matches that it gives."""
    seed = int(parts.kept("seed_6", 0))
    with left:
        alpha = parts.slider("alpha_6", words.ALPHA, 0.0, 1.0, 0.0, 0.1)
        beta = parts.slider("beta_6", words.BETA, 0.0, 2.0, 1.0, 0.25)
        parts.press("seed_6", words.OTHER_START, _reseed, icon=":material/casino:")
    found = learn(float(alpha), float(beta), seed)
    problem = case()[0].problem
    truth = right_matching(problem)
    sources, targets = problem.source.labels, problem.target.labels
    with left:
        collapsed = float(found.source.std()) < 0.2
        parts.found(
            found.correct == 1 and not collapsed,
            words.SHARED,
            words.COLLAPSED if collapsed else words.NOT_SHARED.format(correct=parts.percent(found.correct)),
        )
    with right:
        parts.readings(
            (
                (words.CORRECT_BY_EMBEDDING, parts.percent(found.correct)),
                (words.APART, f"{found.apart:.2f}"),
                (words.REGULARIZER, f"{found.regularizer:.2f}"),
                (words.WASSERSTEIN, f"{found.wasserstein:.2f}"),
            )
        )
        columns = st.columns([0.55, 0.45], gap="small")
        with columns[0]:
            figure = plane(found.source, found.target, sources, targets, truth, words.PLANE, words.PLANE_NOTE)
            parts.chart(
                figure, "plane", words.PLANE_ALT.format(apart=f"{found.apart:.2f}", pairs=len(sources)), height=420
            )
        with columns[1]:
            figure = small_graphs(
                problem.source, problem.target, circle(len(sources)), circle(len(targets), truth), words.GRAPHS,
                words.NEAREST_LINES, matching=found.matching, truth=truth,
            )  # fmt: skip
            parts.chart(figure, "plane_graphs", words.matches_alt(problem, found.matching, truth), height=420)


def _reseed() -> None:
    parts.keep("seed_6", (int(parts.kept("seed_6", 0)) + 1) % _SEEDS)
