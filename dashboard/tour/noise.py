"""Step 8: what noise leaves of the answer."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dashboard.figures.plain import Curve, curves
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.background import Background
from dashboard.lessons.noise import ALL, LEVELS, SEEDS, Trial, trial
from dashboard.lessons.pairs import right as right_matching
from dashboard.palette import GREEN, SKY, VERMILION
from dashboard.text import tour as words
from dashboard.tour import parts

RESULTS: Background[tuple[float, int], Trial] = Background(lambda key: trial(*key), ALL)


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """One pair as drawn, and the means over several."""
    seed = int(parts.kept("seed_8", 0))
    with left:
        noise = parts.scale("noise_8", words.NOISE, LEVELS, 0.4, show=parts.percent)
        parts.press("seed_8", words.OTHER_PAIR, _reseed, icon=":material/casino:")
    found = RESULTS.get((noise, seed)) or trial(noise, seed)
    problem = found.problem
    with left:
        better = found.discrepancy > found.true_discrepancy + 1e-9
        parts.found(found.correct == 1, words.ALL_FOUND, words.TRUE_IS_BETTER if better else words.AS_GOOD)
    truth = right_matching(problem)
    with right:
        parts.readings(
            (
                (words.NODE_CORRECTNESS, parts.percent(found.correct)),
                (words.UP_TO_SYMMETRY, parts.percent(found.symmetric)),
                (words.EDGE_CORRECTNESS, parts.percent(found.edges)),
                (words.DISCREPANCY, parts.number(found.discrepancy)),
                (words.OF_THE_TRUTH, parts.number(found.true_discrepancy)),
            )
        )
        columns = st.columns(2, gap="small")
        with columns[0]:
            n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
            order = np.concatenate([truth, np.setdiff1d(np.arange(n_t), truth)])
            figure = small_graphs(
                problem.source, problem.target, circle(n_s), circle(n_t, order), words.GRAPHS,
                words.NOISE_NOTE.format(added=n_t - n_s), matching=found.matching, truth=truth, compact=True,
            )  # fmt: skip
            parts.chart(figure, "noise_graphs", words.matches_alt(problem, found.matching, truth), height=380)
        with columns[1]:
            parts.until(RESULTS, lambda: _means(noise))


def _means(noise: float) -> None:
    """Means over SEEDS pairs at each level of noise, once all are there."""
    done = RESULTS.known
    known = {key: found for key in ALL if key in done and (found := RESULTS.get(key)) is not None}
    if len(known) < len(ALL):
        st.markdown(words.MEANS_COMING.format(done=len(known), all=len(ALL)))
        return
    means = {
        name: np.array([np.mean([getattr(known[q, s], name) for s in SEEDS]) for q in LEVELS])
        for name in ("correct", "symmetric", "edges")
    }
    lines = [
        Curve(words.EDGE_CORRECTNESS, means["edges"], VERMILION, "dot", "diamond"),
        Curve(words.UP_TO_SYMMETRY, means["symmetric"], SKY, "dash", "square"),
        Curve(words.NODE_CORRECTNESS, means["correct"], GREEN, "solid", "circle"),
    ]
    figure = curves(
        lines, words.MEANS, words.MEANS_NOTE.format(pairs=len(SEEDS)), words.NOISE_AXIS,
        x=np.array(LEVELS) * 100, shown=100 * noise, percent=True,
    )  # fmt: skip
    parts.chart(figure, "means", words.means_alt(means, LEVELS), height=380)


def _reseed() -> None:
    parts.keep("seed_8", (int(parts.kept("seed_8", 0)) + 1) % 1000)
