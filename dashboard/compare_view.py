"""What the Compare page's tables hold: finished methods and their agreement as data frames. No Streamlit here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dashboard.text import compare as text
from gwl_core.agreement import Agreement
from gwl_core.comparison import MethodRun
from gwl_core.difficulty import Difficulty
from gwl_core.problem import MatchingProblem
from gwl_core.scorecard import Scorecard

_LOW_IS_BEST = ("seconds", "memory")
_COUNTS = ("lccs_nodes", "lccs_edges")
_WORDS = ("title", "state", "spread", "note")


def short_names(runs: Sequence[MethodRun]) -> dict[str, str]:
    """What charts and narrow columns call methods: the title, or a shorter one."""
    return {run.key: _short(run) for run in runs}


def _short(run: MethodRun) -> str:
    return text.SHORT_TITLES.get(run.key, run.title)


def score_frame(problem: MatchingProblem, runs: Sequence[MethodRun]) -> pd.DataFrame:
    """One row per method, shares as fractions, None where a measure is not defined; without truth, no column of it."""
    frame = pd.DataFrame([_row(problem, run) for run in runs], columns=list(text.COLUMNS))
    measures = [name for name in frame if name not in _WORDS]
    frame[measures] = frame[measures].astype(float)
    gone = list(text.NEEDS_TRUTH) if problem.truth is None else []
    if not any(run.orders for run in runs):
        gone.append("spread")
    return frame.drop(columns=gone)


def _row(problem: MatchingProblem, run: MethodRun) -> dict[str, Any]:
    symbol, state = text.STATES[run.status]
    note = " ".join(([] if run.status == "done" else [run.message]) + list(run.notices))
    row: dict[str, Any] = {"title": _short(run), "state": f"{symbol} {state}", "note": note, "spread": _spread(run)}
    if run.card is None:
        return row  # its seconds are of nothing that could be best
    card, hits = run.card, run.card.hits or (None, None, None)
    return row | {
        "correct": _correct(card), "aware": card.symmetry_aware, "ec": card.edge_correctness, "ics": card.ics,
        "s3": card.s3, "lccs_nodes": card.lccs_nodes, "lccs_edges": card.lccs_edges, "mnc": card.mnc,
        "hits1": hits[0], "hits5": hits[1], "hits10": hits[2], "mrr": card.mrr,
        "seconds": run.seconds, "memory": None if run.memory is None else run.memory / 1e6,
    }  # fmt: skip


def _correct(card: Scorecard) -> float | None:
    return None if card.correctness is None else card.correctness.share


def accuracy(card: Scorecard, truth: bool) -> float | None:
    """The measure that charts show: node correctness, or edge correctness where no truth is known."""
    return _correct(card) if truth else card.edge_correctness


def _spread(run: MethodRun) -> str:
    values = [accuracy(card, card.correctness is not None) for card in run.orders]
    known = [value for value in values if value is not None]
    if not known:
        return ""
    return f"{100 * min(known):.1f}–{100 * max(known):.1f} % in {len(known)} orders"


def styled(frame: pd.DataFrame) -> Any:
    """The frame as it is shown: numbers as people write them, the best of each column with a star and in bold."""
    formats: dict[str, Callable[[float], str]] = {}
    best = {name: best_of(frame, name) for name in frame if name not in _WORDS}
    for name, value in best.items():
        formats[str(name)] = _writer(str(name), value)

    def bold(column: pd.Series[float]) -> list[str]:
        top = best.get(column.name)
        return ["font-weight: bold" if top is not None and value == top else "" for value in column]

    shown = frame.style.format(formats, na_rep=text.NOTHING)
    return shown.apply(bold, subset=list(best))


def best_of(frame: pd.DataFrame, name: Any) -> float | None:
    """The best value of a column; None where fewer than two rows have one, or all have the same."""
    values = frame[name].dropna()
    if len(values) < 2 or values.nunique() < 2:
        return None
    return float(values.min() if name in _LOW_IS_BEST else values.max())


def _writer(name: str, best: float | None) -> Callable[[float], str]:
    def write(value: float) -> str:
        if name in _COUNTS:
            number = f"{value:,.0f}"
        elif name == "seconds":
            number = f"{value:.2f}"
        elif name == "memory":
            number = f"{value:,.1f}"
        else:
            number = f"{value:.3f}" if name == "mrr" else f"{100 * value:.1f} %"
        return f"{number} {text.BEST}" if value == best else number

    return write


def found_by(runs: Sequence[MethodRun]) -> dict[str, np.ndarray]:
    """The matchings there are, by key."""
    return {run.key: run.matching for run in runs if run.matching is not None}


def shared_pairs(agreed: Agreement) -> np.ndarray:
    """(m, m) how many pairs two methods both found."""
    hits = agreed.found.astype(np.int64)
    return np.asarray(hits.T @ hits)


def chosen_pairs(agreed: Agreement, show: str) -> np.ndarray:
    """Rows of `agreed.pairs` to show: "differ", "all", "agreed", "by:k", "of:key", "only:key"; most votes first."""
    votes, m = agreed.votes, len(agreed.methods)
    kind, _, which = show.partition(":")
    if kind == "by":
        kept = votes == int(which)
    elif kind == "only":
        kept = (votes == 1) & agreed.found[:, agreed.methods.index(which)]
    elif kind == "of":
        kept = agreed.found[:, agreed.methods.index(which)]
    elif kind == "agreed":
        kept = votes == m
    else:
        kept = votes < m if kind == "differ" else np.ones(len(votes), dtype=bool)
    rows = np.flatnonzero(kept)
    return rows[np.argsort(-votes[rows], kind="stable")]


def telling_pair(problem: MatchingProblem, agreed: Agreement, key: str) -> tuple[int, int] | None:
    """The pair of a method to look at first: wrong, where truth is known, and of the fewest votes; None without one."""
    rows = chosen_pairs(agreed, f"of:{key}")
    if not len(rows):
        return None
    known = {} if problem.truth is None else dict(problem.truth.tolist())
    right = [known.get(i, -1 if known else j) == j for i, j in agreed.pairs[rows].tolist()]
    first = rows[np.lexsort((agreed.votes[rows], right))[0]]
    i, j = agreed.pairs[first].tolist()
    return i, j


def pair_frame(problem: MatchingProblem, agreed: Agreement, rows: np.ndarray, names: Mapping[str, str]) -> pd.DataFrame:
    """One row per pair: its labels, whether it is true, who found it and what the others say."""
    source, target = problem.source.labels, problem.target.labels
    known = {} if problem.truth is None else dict(problem.truth.tolist())
    said: dict[int, list[tuple[int, int]]] = {}
    for k, (i, _) in enumerate(agreed.pairs.tolist()):
        said.setdefault(i, []).append((k, int(agreed.votes[k])))
    made = []
    for k in rows.tolist():
        i, j = agreed.pairs[k].tolist()
        others = sorted(((votes, other) for other, votes in said[i] if other != k), reverse=True)
        made.append(
            {
                "source": source[i],
                "target": target[j],
                "verdict": verdict(known, i, j),
                "votes": int(agreed.votes[k]),
                "methods": ", ".join(names[key] for key in np.array(agreed.methods)[agreed.found[k]].tolist()),
                "others": ", ".join(f"{target[agreed.pairs[other][1]]} ({votes})" for votes, other in others),
            }
        )
    frame = pd.DataFrame(made, columns=list(text.PAIR_COLUMNS))
    return frame.drop(columns="verdict") if problem.truth is None else frame


def verdict(known: Mapping[int, int], source: int, target: int) -> str:
    """Whether a pair is true."""
    if source not in known:
        return text.UNKNOWN
    return text.RIGHT if known[source] == target else text.WRONG


def node_frame(problem: MatchingProblem, hard: Difficulty, order: np.ndarray) -> pd.DataFrame:
    """One row per source node, in this order."""
    source, target = np.array(problem.source.labels, object), np.array(problem.target.labels, object)

    def label(indices: np.ndarray, none: str) -> list[str]:
        return [target[j] if j >= 0 else none for j in indices.tolist()]

    frame = pd.DataFrame(
        {
            "source": source[order],
            "known": label(hard.known[order], ""),
            "right": hard.right[order],
            "favourite": label(hard.favourite[order], text.UNMATCHED),
            "alike": hard.alike[order],
            "choices": hard.choices[order],
        }
    )
    return frame.drop(columns=["known", "right"]) if problem.truth is None else frame


def hardest_first(hard: Difficulty, truth: bool) -> np.ndarray:
    """(n_s,) source nodes; those that the fewest methods match rightly (or alike) first, unknown ones last."""
    if not truth:
        return np.lexsort((-hard.choices, hard.alike))
    return np.lexsort((-hard.choices, hard.right, hard.known < 0))


def difficulty_counts(hard: Difficulty, methods: int, truth: bool) -> np.ndarray:
    """(methods + 1,) source nodes that 0, 1, … methods match rightly, of the known ones; without truth, alike."""
    values = hard.right[hard.known >= 0] if truth else hard.alike
    return np.bincount(values, minlength=methods + 1)
