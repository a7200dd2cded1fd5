"""What a baseline is: one function from a problem to scores or a matching, and what to say about it.

A baseline's `steps(problem, settings, generator)` is a Python generator. It yields `Progress` whenever a caller may
look, or stop for good, and returns an `Outcome`. It never sees the truth or the anchors, and leaves its inputs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from gwl_core.errors import InputError
from gwl_core.matching import check_injective, one_to_one
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a system found: scores, a matching, or both; a matching of its own goes before one from scores.

    Attributes:
        scores: (n_s, n_t), higher is better, 0 or less never matched.
        slack_rows, slack_columns: scores of leaving a target (k, n_t) or a source (n_s, k) unmatched, if it has them.
        matching: (n_s,) target indices, −1 for none, one-to-one, of a system that makes its own pairs.
        notices: sentences for the user.
        orders: the matching from every order of the nodes, of a system that was run in several.
    """

    scores: np.ndarray | None = None
    slack_rows: np.ndarray | None = None
    slack_columns: np.ndarray | None = None
    matching: np.ndarray | None = None
    notices: tuple[str, ...] = ()
    orders: tuple[np.ndarray, ...] = ()

    def extract(self) -> np.ndarray:
        """The matching; from scores by linear assignment with dummies, the same for every system."""
        if self.matching is not None:
            check_injective(self.matching)
            return self.matching
        if self.scores is None:
            raise ValueError("an outcome has scores or a matching")
        return one_to_one(self.scores, self.slack_rows, self.slack_columns)


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a run is.

    Attributes:
        share: 0 to 1.
        text: what is being done, a few words.
        best: what the run would return if it ended here, or None so far.
    """

    share: float
    text: str
    best: Outcome | None = None


Steps = Generator[Progress, None, Outcome]
System = Callable[[MatchingProblem, Mapping[str, Any], np.random.Generator], Steps]


@dataclass(frozen=True, eq=False)
class Baseline:
    """One row of the registry.

    Attributes:
        key: its name on the command line and in tables.
        title, citation, year: what to call it, and who proposed it when.
        uses: what it looks at, of "topology", "triangles", "weights" and "attributes".
        cost: how its work grows, n being the nodes of the larger graph.
        largest: most nodes in the larger graph; beyond it a run takes too long or too much memory to start.
        settings: what can be set, with its range; `defaults` has a value for each.
        steps: the system itself, see the module.
    """

    key: str
    title: str
    citation: str
    year: int
    uses: tuple[str, ...]
    cost: str
    largest: int
    settings: tuple[Parameter, ...]
    defaults: Mapping[str, Any]
    steps: System

    def checked(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The defaults with some values changed.

        Raises:
            InputError: a name that is no setting of this system, or a value outside its range.
        """
        rows = {row.name: row for row in self.settings}
        unknown = sorted(set(settings) - set(rows))
        if unknown:
            raise InputError(f"{unknown[0]!r} is not a setting of {self.key}; it has {', '.join(rows) or 'none'}.")
        return {name: row.check(settings.get(name, self.defaults[name])) for name, row in rows.items()}

    def start(self, problem: MatchingProblem, settings: Mapping[str, Any], seed: int = 0) -> Steps:
        """A run, to be driven by the caller; `align` drives it to its end.

        Raises:
            InputError: settings that do not hold, or a problem above the size limit.
        """
        values = self.checked(settings)
        nodes = max(problem.source.n_nodes, problem.target.n_nodes)
        if nodes > self.largest:
            raise InputError(
                f"{self.title}: too large for this method: its limit is {self.largest} nodes, "
                f"and the larger graph has {nodes}."
            )
        blind = replace(problem, truth=None, anchors=None)
        return self.steps(blind, values, np.random.default_rng(seed))


@dataclass(frozen=True, eq=False)
class Alignment:
    """A finished run of a baseline: its one-to-one matching, what it came from, and the seconds it took."""

    matching: np.ndarray
    outcome: Outcome
    seconds: float
    notices: tuple[str, ...] = field(default_factory=tuple)


def align(
    baseline: Baseline,
    problem: MatchingProblem,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Alignment:
    """Run a baseline to its end and extract its matching; seconds leave the extraction out.

    Raises:
        InputError: see `Baseline.start`.
    """
    begun = perf_counter()
    steps = baseline.start(problem, settings or {}, seed)
    while True:
        try:
            progress = next(steps)
        except StopIteration as end:
            outcome: Outcome = end.value
            seconds = perf_counter() - begun
            return Alignment(outcome.extract(), outcome, seconds, outcome.notices)
        if on_progress is not None:
            on_progress(progress)
