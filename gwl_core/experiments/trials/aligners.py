"""A trial of one of the systems that the paper's table "mc3" compares GWL with: one run, one order of the nodes."""

from __future__ import annotations

from collections.abc import Mapping
from time import process_time

from gwl_core.baselines import BASELINES, Outcome
from gwl_core.experiments.protocol import Value
from gwl_core.metrics import edge_correctness, node_correctness
from gwl_core.problem import MatchingProblem
from gwl_core.symmetry import find_symmetry, symmetry_aware_correctness

ALIGNERS: Mapping[str, str] = {
    "GAA": "gaa", "LRSA": "lrsa", "TAME": "tame", "GRAAL": "graal", "MI-GRAAL": "mi-graal", "MAGNA++": "magna++",
    "HubAlign": "hubalign", "NETAL": "netal",
}  # fmt: skip
"""The registry's keys by the names in the paper's table, in its order."""


def aligned(
    problem: MatchingProblem, system: str, seed: int, cap: float, generations: int | None = None
) -> dict[str, Value]:
    """One run: its correctness as fractions, and whether the cap cut it short.

    A system that depends on the order of the nodes runs in the given order alone: trials bring other orders.

    Args:
        system: of `ALIGNERS`.
        cap: CPU seconds, so that a busy machine cuts nobody short; then the best it had counts, if there is any.
        generations: of MAGNA++, the one system whose budget is free; None for its default.
    """
    baseline = BASELINES[ALIGNERS[system]]
    changes: dict[str, int] = {"orders": 1} if "orders" in baseline.defaults else {}
    if "generations" in baseline.defaults and generations is not None:
        changes["generations"] = generations
    begun, steps, best = process_time(), baseline.start(problem, changes, seed % 2**31), None
    capped = False
    while not capped:
        try:
            told = next(steps)
        except StopIteration as end:
            best = end.value
            break
        best = told.best or best
        capped = process_time() - begun > cap
    steps.close()
    return {**_correctness(problem, best), "status": "cut short" if capped else "done"}


def _correctness(problem: MatchingProblem, found: Outcome | None) -> dict[str, Value]:
    names = ("correct_one_to_one", "correct_symmetry_aware", "edge_correctness")
    if found is None:
        return dict.fromkeys(names)
    matching = found.extract()
    symmetries = find_symmetry(problem.source), find_symmetry(problem.target)
    values = (
        node_correctness(matching, problem.truth),
        symmetry_aware_correctness(matching, problem.truth, *symmetries),
        edge_correctness(matching, problem.source, problem.target),
    )
    return dict(zip(names, values, strict=True))
