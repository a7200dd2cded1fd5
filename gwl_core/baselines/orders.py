"""Systems whose result depends on the order of the nodes: run in several orders, with the spread reported.

Such programs number nodes as their files of edges name them, so another order is that of a shuffled file: nodes in the
order in which shuffled edges name them, which puts hubs first. (On yeast with 5% more edges, the mean edge correctness
of HubAlign is 0.86 over orders drawn uniformly and 0.79 to 0.83 over shuffled files; 0.79 with its own program. NETAL
with 25% more: 0.66 to 0.68, 0.69 to 0.71; 0.735.)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import Any

import numpy as np

from gwl_core.baselines.protocol import Outcome, Progress, Steps, System
from gwl_core.graph import Graph
from gwl_core.metrics import edge_correctness
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

ORDERS = Parameter("orders", "int", live=False, low=1, high=1000)
"""How many orders of the nodes: the first is the one given, the others are those of shuffled lists of edges."""


def over_orders(system: System) -> System:
    """The same system run in `settings["orders"]` orders; the matching of most conserved edges is kept."""

    @wraps(system)
    def steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
        count = settings["orders"]
        found: list[np.ndarray] = []
        best, most = None, -1.0
        for done in range(count):
            yield Progress(done / count, _text("starting", done, count), best)
            shuffle = _Shuffle(problem, generator if done else None)
            run = system(shuffle.problem, settings, generator)
            while True:
                try:
                    told = next(run)
                except StopIteration as end:
                    outcome: Outcome = end.value
                    break
                kept = best if best is not None else shuffle.back(told.best)
                yield Progress((done + told.share) / count, _text(told.text, done, count), kept)
            matching = shuffle.restore(outcome.extract())
            found.append(matching)
            conserved = edge_correctness(matching, problem.source, problem.target) or 0.0
            if conserved > most:
                best, most = shuffle.back(outcome), conserved
        if best is None:
            raise ValueError("there is at least one order")
        return best if count == 1 else _with_spread(problem, best, found)

    return steps


class _Shuffle:
    """A problem with both graphs' nodes in another order, and the way back; without a generator as it was."""

    def __init__(self, problem: MatchingProblem, generator: np.random.Generator | None) -> None:
        self._plain = generator is None
        self._rows, self._columns = (
            np.arange(graph.n_nodes) if generator is None else of_shuffled_edges(graph, generator)
            for graph in (problem.source, problem.target)
        )
        self.problem = (
            problem
            if generator is None
            else MatchingProblem(_reordered(problem.source, self._rows), _reordered(problem.target, self._columns))
        )

    def restore(self, matching: np.ndarray) -> np.ndarray:
        """A matching in the order that the problem came in."""
        restored = np.full(len(self._rows), -1, dtype=np.int64)
        restored[self._rows] = np.where(matching >= 0, self._columns[matching], -1)
        return restored

    def back(self, outcome: Outcome | None) -> Outcome | None:
        """An outcome, if there is one, alike."""
        if outcome is None or self._plain:
            return outcome
        scores = None
        if outcome.scores is not None:
            scores = np.empty_like(outcome.scores)
            scores[np.ix_(self._rows, self._columns)] = outcome.scores
        return Outcome(scores=scores, matching=self.restore(outcome.extract()), notices=outcome.notices)


def of_shuffled_edges(graph: Graph, generator: np.random.Generator) -> np.ndarray:
    """(n,) nodes in the order in which the shuffled edges name them; isolated ones last."""
    rows, columns, _ = graph.edges
    named = generator.permutation(np.column_stack([rows, columns])).ravel()
    seen, first = np.unique(named, return_index=True)
    return np.concatenate([seen[np.argsort(first)], np.setdiff1d(np.arange(graph.n_nodes), seen)])


def _reordered(graph: Graph, order: np.ndarray) -> Graph:
    labels = tuple(graph.labels[i] for i in order)
    return Graph(labels, graph.weights[order][:, order], graph.directed, graph.name)


def _text(text: str, done: int, count: int) -> str:
    return text if count == 1 else f"order {done + 1} of {count}: {text}"


def _with_spread(problem: MatchingProblem, best: Outcome, found: list[np.ndarray]) -> Outcome:
    shares = [edge_correctness(matching, problem.source, problem.target) or 0.0 for matching in found]
    note = (
        f"Edge correctness over {len(found)} orders of the nodes: {min(shares):.3f} to {max(shares):.3f}, "
        f"mean {np.mean(shares):.3f}; the best is kept."
    )
    return Outcome(
        best.scores, best.slack_rows, best.slack_columns, best.matching, (*best.notices, note), tuple(found)
    )  # fmt: skip
