"""The pairs of a snapshot that a reader wants to go through. Pure."""

from __future__ import annotations

import numpy as np

from dashboard.figures.common import verdicts
from dashboard.snapshot import Snapshot
from gwl_core.problem import MatchingProblem

Pair = tuple[int, int]


def listed(problem: MatchingProblem, snapshot: Snapshot, name: str) -> list[Pair]:
    """Pairs of one kind.

    Args:
        name: all (surest first), unsure (least sure first), wrong, tied (surest first), or unmatched: sources without
            a match, each with the target that gets most of its mass.
    """
    if snapshot.matching is None or snapshot.coupling is None:
        return []
    matching = snapshot.matching
    if name == "unmatched":
        rows = np.flatnonzero(matching < 0)
        return [(int(i), int(snapshot.coupling[i].argmax())) for i in rows]
    sure = np.zeros(len(matching)) if snapshot.confidence is None else snapshot.confidence
    rows = np.flatnonzero(matching >= 0)
    about = verdicts(matching, problem.truth, tied(problem, snapshot))
    if name == "tied":
        rows = rows[tied(problem, snapshot)[rows]]
    if name == "wrong":
        rows = rows[[about[i] == "wrong" for i in rows]]
    order = rows[np.argsort(sure[rows] if name == "unsure" else -sure[rows], kind="stable")]
    return [(int(i), int(matching[i])) for i in order]


def tied(problem: MatchingProblem, snapshot: Snapshot) -> np.ndarray:
    """(n_s,) sources whose match is tied by symmetry; known at rest only."""
    found = np.zeros(problem.source.n_nodes, dtype=bool)
    if snapshot.pairs is not None:
        found[snapshot.pairs.source] = snapshot.pairs.tied
    return found


def verdict(problem: MatchingProblem, snapshot: Snapshot, pair: Pair) -> str:
    """What the truth says of a pair: a name of text.VERDICTS."""
    only = np.full(problem.source.n_nodes, -1)
    only[pair[0]] = pair[1]
    return verdicts(only, problem.truth, tied(problem, snapshot))[pair[0]]


def changed(before: np.ndarray | None, after: np.ndarray | None) -> tuple[int, int]:
    """(sources whose match changed, sources)."""
    if before is None or after is None or len(before) != len(after):
        return 0, 0
    return int((before != after).sum()), len(after)
