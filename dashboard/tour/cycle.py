"""Step 7: a cycle, its turns and mirror images, and what a solver can and cannot find."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dashboard.figures.plain import bars
from dashboard.figures.small_graphs import circle, small_graphs
from dashboard.lessons.cycle import PERFECT, Answer, all_discrepancies, case, classes, moved, solved
from dashboard.lessons.pairs import right as right_matching
from dashboard.text import tour as words
from dashboard.tour import parts

_SIZES = (3, 4, 5, 6)
_MOST_BARS = 8


def draw(left: st.delta_generator.DeltaGenerator, right: st.delta_generator.DeltaGenerator) -> None:
    """A matching of the reader's or the solver's, and the discrepancy of all there are."""
    with left:
        n = int(parts.choice("size_7", words.SIZE, {size: str(size) for size in _SIZES}, 5))
        marks = parts.choice("marks_7", words.MARKS, words.MARK_KINDS, "none")
        with st.container(horizontal=True):
            parts.press("turn_7", words.TURN, _turn, icon=":material/rotate_right:")
            parts.press("flip_7", words.MIRROR, _flip, icon=":material/flip:")
        with st.container(horizontal=True):
            parts.press("even_7", words.FROM_EVEN, _solve, False, icon=":material/play_arrow:")
            parts.press("chance_7", words.FROM_CHANCE, _solve, True, icon=":material/casino:")
    who, answer = _answer(n, marks)
    perfect = int((all_discrepancies(n, marks) < PERFECT).sum())
    with left:
        st.markdown(who)
        parts.found(
            answer.discrepancy < PERFECT,
            words.PERFECT.format(correct=parts.percent(answer.correct), count=perfect),
            words.NO_ANSWER if (answer.matching < 0).all() else words.IMPERFECT,
        )
    with right:
        kinds = len(np.unique(classes(n, marks)))
        parts.readings(
            (
                (words.DISCREPANCY, parts.number(answer.discrepancy)),
                (words.NODE_CORRECTNESS, parts.percent(answer.correct)),
                (words.PERFECT_MATCHINGS, f"{perfect} of {len(all_discrepancies(n, marks))}"),
                (words.KINDS, str(kinds)),
            )
        )
        columns = st.columns(2, gap="small")
        with columns[0]:
            _graphs(n, marks, answer)
        with columns[1]:
            _spectrum(n, marks)


def _graphs(n: int, marks: str, answer: Answer) -> None:
    problem = case(n, marks).problem
    truth = right_matching(problem)
    figure = small_graphs(
        problem.source, problem.target, circle(n), circle(n, truth), words.GRAPHS, words.KNOWN_PLACES,
        matching=answer.matching, truth=truth,
    )  # fmt: skip
    parts.chart(figure, "cycle_graphs", words.matches_alt(problem, answer.matching, truth), height=360)


def _spectrum(n: int, marks: str) -> None:
    values, counts = np.unique(np.round(all_discrepancies(n, marks), 6), return_counts=True)
    names = [parts.number(float(v)) for v in values[:_MOST_BARS]]
    counts = counts.astype(np.float64)
    if len(values) > _MOST_BARS:
        names[-1] = words.OR_MORE.format(value=names[-1])
        counts = np.append(counts[: _MOST_BARS - 1], counts[_MOST_BARS - 1 :].sum())
    figure = bars(counts, names, words.SPECTRUM, words.SPECTRUM_NOTE, words.DISCREPANCY)
    total = int(counts.sum())
    parts.chart(figure, "spectrum", words.SPECTRUM_ALT.format(total=total, zero=int(counts[0])), height=360)


def _answer(n: int, marks: str) -> tuple[str, Answer]:
    """What is on show, in words, and itself."""
    kind, value = parts.kept("shown_7", ("moved", (0, False)))
    if kind == "moved":
        turn, flip = value
        return words.moved(turn % n, flip), moved(n, marks, turn, flip)
    return words.SOLVED_FROM_EVEN if value is None else words.SOLVED_FROM_CHANCE.format(seed=value), solved(
        n, marks, value
    )


def _place() -> tuple[int, bool]:
    kind, value = parts.kept("shown_7", ("moved", (0, False)))
    return value if kind == "moved" else (0, False)


def _turn() -> None:
    turn, flip = _place()
    parts.keep("shown_7", ("moved", ((turn + 1) % int(parts.kept("size_7", 5)), flip)))


def _flip() -> None:
    turn, flip = _place()
    parts.keep("shown_7", ("moved", (turn, not flip)))


def _solve(chance: bool) -> None:
    if not chance:
        parts.keep("shown_7", ("solved", None))
        return
    seed = int(parts.kept("seed_7", 0)) + 1
    parts.keep("seed_7", seed)
    parts.keep("shown_7", ("solved", seed))
