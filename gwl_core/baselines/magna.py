"""MAGNA++: a genetic search over permutations, whose children lie halfway between their parents.

Vijayan, Saraph, Milenković 2015. A member is a permutation of the larger graph's nodes; its first n entries are the
images of the smaller one's. Fitness is the chosen measure of conserved edges. Every generation keeps its better half
and refills from two distinct parents drawn in proportion to fitness. The child of p and q is halfway along a shortest
way of transpositions from one to the other: of each cycle of r = q∘p⁻¹, half the elements are fixed from a random
point on and the rest closes into a shorter cycle. There is no mutation. The published size, 15,000 members and 2,000
generations, is out of reach while one waits; the defaults are a small budget.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from gwl_core.baselines.pacing import Pace
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Sides, direction_notice
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

MEASURES = ("S3", "EC", "ICS")


@dataclass(frozen=True, eq=False)
class _Landscape:
    """What fitness needs: both edge lists, the larger graph as a table, and the measure."""

    first: tuple[np.ndarray, np.ndarray]
    second: tuple[np.ndarray, np.ndarray]
    joined: np.ndarray
    n: int
    measure: str

    def fitness(self, members: np.ndarray) -> np.ndarray:
        """(k,) fitness of (k, n_larger) permutations."""
        conserved = self.joined[members[:, self.first[0]], members[:, self.first[1]]].sum(axis=1)
        if self.measure == "EC":
            return conserved / max(1, len(self.first[0]))
        if self.n == members.shape[1]:
            induced = np.full(len(members), len(self.second[0]))
        else:
            hit = np.zeros(members.shape, dtype=bool)
            np.put_along_axis(hit, members[:, : self.n], True, axis=1)
            induced = (hit[:, self.second[0]] & hit[:, self.second[1]]).sum(axis=1)
        whole = induced if self.measure == "ICS" else len(self.first[0]) + induced - conserved
        return conserved / np.maximum(1, whole)


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    sides = Sides.of(problem)
    small, large = sides.smaller, sides.larger
    landscape = _Landscape(small.edges, large.edges, large.adjacency.toarray() > 0, small.n, settings["measure"])
    size, generations = settings["population"], settings["generations"]
    yield Progress(0.0, "first generation")
    members = np.argsort(generator.random((size, large.n)), axis=1).astype(np.int32)
    fitness = np.concatenate([landscape.fitness(part) for part in np.array_split(members, -(-size // 50))])
    pace = Pace()
    for generation in range(generations):
        order = np.argsort(-fitness, kind="stable")
        members, fitness = members[order], fitness[order]
        kept = -(-size // 2)
        chances = fitness / fitness.sum() if fitness.sum() > 0 else np.full(size, 1 / size)
        children = []
        for _ in range(size - kept):
            one, other = _parents(chances, generator)
            children.append(halfway(members[one], members[other], generator))
            if pace.due:
                text = f"generation {generation + 1} of {generations}: {settings['measure']} {fitness[0]:.3f}"
                told = Outcome(matching=sides.matching(members[0, : small.n]))
                yield Progress(generation / generations, text, told)
        if children:
            members[kept:] = children
            parts = np.array_split(members[kept:], -(-len(children) // 50))
            fitness[kept:] = np.concatenate([landscape.fitness(part) for part in parts])
    best = members[int(fitness.argmax()), : small.n]
    return Outcome(matching=sides.matching(best), notices=direction_notice(problem))


def _parents(chances: np.ndarray, generator: np.random.Generator) -> tuple[int, int]:
    """Two different members by roulette."""
    bounds = np.cumsum(chances)
    one = other = int(np.searchsorted(bounds, generator.random() * bounds[-1], side="right"))
    for _ in range(100):
        if other != one:
            break
        other = int(np.searchsorted(bounds, generator.random() * bounds[-1], side="right"))
    last = len(chances) - 1
    one, other = min(one, last), min(other, last)
    return (one, other) if one != other else (one, (one + 1) % (last + 1))


def halfway(first: np.ndarray, second: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """The child of two permutations: on a shortest way of transpositions between them, halfway up to rounding.

    Odd cycles round their half up and down by turns.
    """
    inverse = np.empty_like(first)
    inverse[first] = np.arange(len(first), dtype=first.dtype)
    toward = second[inverse].tolist()  # r: the second parent's image where the first's is the index
    step = list(range(len(toward)))
    seen = [False] * len(toward)
    up = bool(generator.integers(2))
    for start, goal in enumerate(toward):
        if seen[start] or goal == start:
            continue
        cycle = []
        at = start
        while not seen[at]:
            seen[at] = True
            cycle.append(at)
            at = toward[at]
        half, odd = divmod(len(cycle) - 1, 2)  # of the transpositions that undo the cycle
        if odd:
            half += up
            up = not up
        turn = int(generator.integers(len(cycle)))
        cycle = cycle[turn:] + cycle[:turn]
        # The first half + 1 elements keep r's images but the last of them closes; the others rest.
        for here, there in pairwise(cycle[: half + 1]):
            step[here] = there
        step[cycle[half]] = cycle[0]
    return np.array(step, dtype=first.dtype)[first]


MAGNA = Baseline(
    key="magna++",
    title="MAGNA++",
    citation="Vijayan, Saraph, Milenković, MAGNA++: maximizing accuracy in global network alignment via both node and "
    "edge conservation, Bioinformatics 31(14), 2015.",
    year=2015,
    uses=("topology",),
    cost="O(population × generations × (n + |E_s|))",
    largest=5000,
    settings=(
        Parameter("population", "int", live=False, low=2, high=15_000),
        Parameter("generations", "int", live=False, low=1, high=10_000),
        Parameter("measure", "choice", live=False, choices=MEASURES),
    ),
    defaults={"population": 1000, "generations": 300, "measure": "S3"},
    steps=_steps,
)
