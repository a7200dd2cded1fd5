"""Step 3: one proximal step in four stages, and what more Sinkhorn passes would do."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import streamlit as st

from dashboard.figures.matrix import matrix
from dashboard.figures.plain import Curve, curves
from dashboard.lessons.one_step import Stages, error_by_passes, stages, stepped
from dashboard.lessons.pairs import FIVE, shuffled
from dashboard.lessons.transport import Small, small
from dashboard.palette import BLUE
from dashboard.text import tour as words
from dashboard.text.phrases import plural
from dashboard.tour import parts

GAMMAS = (0.02, 0.05, 0.1, 0.2, 0.5)
_MOST = 12


@lru_cache(maxsize=1)
def case() -> Small:
    """Five nodes, one heavy edge."""
    return small(shuffled(FIVE, 1))


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """The stage picked and the one before it, and the error left after J passes."""
    held = case()
    taken, coupling = parts.kept("path_3", (0, held.product))
    with left:
        gamma = parts.scale("gamma_3", words.GAMMA, GAMMAS, 0.05)
        passes = int(parts.slider("passes_3", words.PASSES, 1, _MOST, 1, 1))
        stage = parts.choice("stage", words.STAGE, words.STAGES, "cost")
        with st.container(horizontal=True):
            parts.press("step_3", words.TAKE_STEP, _go, 1, icon=":material/redo:")
            parts.press("steps_3", words.TAKE_FIVE, _go, 5, icon=":material/fast_forward:")
            parts.press("again_3", words.AGAIN, _restart, icon=":material/restart_alt:", disabled=taken == 0)
        sharp = float(coupling.max(1).min() * len(coupling))
        steps = plural(taken, "step", "steps")
        parts.found(sharp > 0.99, words.STEPS_DONE.format(steps=steps), words.STEPS_SO_FAR.format(steps=steps))
    found = stages(held, coupling, gamma)
    errors = error_by_passes(held, coupling, gamma, _MOST)
    with right:
        parts.readings(
            (
                (words.STEPS_TAKEN, str(taken)),
                (words.DISCREPANCY, parts.number(held.discrepancy(coupling))),
                (words.LEAST_SURE, parts.percent(sharp)),
                (words.ERROR_AFTER.format(passes=passes), parts.number(float(errors[passes - 1]))),
            )
        )
        st.markdown(words.STAGE_WORDS[stage])
        columns = st.columns(2, gap="small")
        for column, name in zip(columns, words.SHOWN_STAGES[stage], strict=True):
            with column:
                _stage(held, found, name)
        parts.chart(
            curves(
                [Curve(words.ERROR, errors, BLUE, symbol="circle")], words.ERROR, words.ERROR_NOTE, words.PASSES,
                x=np.arange(1, _MOST + 1), shown=passes,
            ),
            "errors", words.ERROR_ALT.format(first=parts.number(errors[0]), last=parts.number(errors[-1]), most=_MOST),
            height=230,
        )  # fmt: skip


def _stage(held: Small, found: Stages, name: str) -> None:
    masses = (held.source.numpy(), held.target.numpy())
    sources, targets = held.problem.source.labels, held.problem.target.labels
    values = getattr(found, name)
    title, caption = words.STAGE_TITLES[name]
    figure = matrix(
        values, sources, targets, title, caption, top=None if name in ("cost", "kernel") else float(masses[0].max()),
        masses=None if name == "cost" else masses,
    )  # fmt: skip
    parts.chart(figure, f"stage_{name}", words.table_alt(title, values, sources, targets))


def _go(steps: int) -> None:
    taken, coupling = parts.kept("path_3", (0, case().product))
    for _ in range(steps):
        coupling = stepped(case(), coupling, parts.kept("gamma_3", 0.05), int(parts.kept("passes_3", 1)))
    parts.keep("path_3", (taken + steps, coupling))


def _restart() -> None:
    parts.keep("path_3", (0, case().product))
