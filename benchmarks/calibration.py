"""Is a match of confidence c right with probability c? On files that the confidence was not fitted on.

`python -m benchmarks.calibration --fit` fits the coefficients of `gwl_core.confidence` anew and prints them (minutes).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.calibration_data import FITTED_PAIRS, fit_problems
from benchmarks.problems import Loader, builtin_problems, file_problems
from benchmarks.report import Row, Table, as_text, progress
from gwl_core.confidence import FEATURES, confidence, evidence
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes

BINS = 10
QUICK: Mapping[str, Any] = {"rounds": 4, "outer": 2, "device": "cpu", "threads": 1}
FIT: Mapping[str, Any] = {"rounds": 4, "outer": 1, "inner": 150, "device": "cpu", "threads": 1}
PENALTY = 1e-3
"""Weight of the squared coefficients, of standardised features, beside the mean log-loss."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Matches whose truth is known: how sure, and whether right."""

    name: str
    sure: np.ndarray
    right: np.ndarray


def tables(quick: bool) -> Iterator[Table]:
    """Every held-out file (one small pair if quick)."""
    held = {key: load for key, load in builtin_problems().items() if key not in FITTED_PAIRS}
    held = {"vtlwavenet": held["vtlwavenet"]} if quick else held | dict(file_problems())
    yield from reliability([judged(name, load()) for name, load in held.items()])


def judged(name: str, problem: MatchingProblem, preset: str = "default", changes: Mapping[str, Any] = QUICK) -> Judged:
    """One run, and its matches of sources with a known target."""
    matching, coupling = _matched(problem, preset, changes)
    sure, target = confidence(problem, matching, coupling), _truth(problem)
    known = (matching >= 0) & (target >= 0)
    found = Judged(name, sure[known], matching[known] == target[known])
    progress(f"  {name}: calibration error {calibration_error(found.sure, found.right):.3f}")
    return found


def reliability(found: Sequence[Judged]) -> Iterator[Table]:
    """Calibration error by file, and the reliability table of all matches together."""
    yield Table(
        "Expected calibration error by held-out file, default preset (rounds 4, outer 2)",
        [
            {"data": one.name, "matches": len(one.sure), "confidence": float(one.sure.mean()),
             "right": float(one.right.mean()), "ece": calibration_error(one.sure, one.right),
             "target_met": calibration_error(one.sure, one.right) <= 0.1}
            for one in found
        ],
        (f"{BINS} bins of equal width; matches of sources whose target is known. Target: at most 0.10.",),
    )  # fmt: skip
    sure, right = (np.concatenate([getattr(one, name) for one in found]) for name in ("sure", "right"))
    yield Table("Reliability over these files", bins(sure, right))


def bins(sure: np.ndarray, right: np.ndarray) -> list[Row]:
    """Mean confidence, share right and number of matches in every bin that has any."""
    index = np.minimum((sure * BINS).astype(int), BINS - 1)
    rows: list[Row] = []
    for k in np.unique(index):
        here = index == k
        span = f"{k / BINS:.1f}–{(k + 1) / BINS:.1f}"
        means = {"confidence": float(sure[here].mean()), "right": float(right[here].mean())}
        rows.append({"bin": span, **means, "matches": int(here.sum())})
    return rows


def calibration_error(sure: np.ndarray, right: np.ndarray) -> float:
    """Mean over matches of |mean confidence − share right| of their bin."""
    gaps = (abs(row["confidence"] - row["right"]) * row["matches"] for row in bins(sure, right))
    return float(sum(gaps) / max(len(sure), 1))


def fit(problems: Mapping[str, Loader]) -> tuple[float, np.ndarray]:
    """Intercept and coefficients of the least penalised log-loss; a problem of k matches weighs √k. Deterministic."""
    parts = []
    for name, load in problems.items():
        problem = load()
        matching, _ = _matched(problem, "gwd", FIT)
        found, target = evidence(problem, matching), _truth(problem)
        known = target[found.rows] >= 0
        right = matching[found.rows] == target[found.rows]
        parts.append(
            (found.features[known], found.alike[known], right[known], np.full(known.sum(), known.sum() ** -0.5))
        )
        progress(f"  {name}: {right.mean():.2f} right")
    features, alike, right, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return fitted(features, alike, right, weight / weight.sum())


def fitted(features: np.ndarray, alike: np.ndarray, right: np.ndarray, weight: np.ndarray) -> tuple[float, np.ndarray]:
    """Logistic regression for chances that are divided by `alike`; weights sum to 1."""
    center, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    scaled = (features - center) / spread

    def loss(values: np.ndarray) -> float:
        chance = np.clip(1 / (1 + np.exp(-values[0] - scaled @ values[1:])) / alike, 1e-9, 1 - 1e-9)
        return float(-(weight * np.log(np.where(right, chance, 1 - chance))).sum() + PENALTY * (values[1:] ** 2).sum())

    best = minimize(loss, np.zeros(1 + scaled.shape[1]), method="L-BFGS-B").x
    coefficients = best[1:] / spread
    return float(best[0] - coefficients @ center), coefficients


def _matched(problem: MatchingProblem, preset: str, changes: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    from gwl_core.matching import one_to_one
    from gwl_core.trajectory import run

    result = run(problem, *with_changes(preset, changes), preset)
    return one_to_one(result.coupling, result.slack_rows, result.slack_columns), result.coupling


def _truth(problem: MatchingProblem) -> np.ndarray:
    """(n_s,) the true target of each source, −1 where it is not known."""
    target = np.full(problem.source.n_nodes, -1)
    if problem.truth is not None:
        target[problem.truth[:, 0]] = problem.truth[:, 1]
    return target


def main(argv: Sequence[str] | None = None, problems: Callable[[], Mapping[str, Loader]] = fit_problems) -> int:
    """The command of this benchmark alone."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibration", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="fit the coefficients instead of judging them")
    parser.add_argument("--quick", action="store_true", help="one small pair")
    given = parser.parse_args(argv)
    if given.fit:
        intercept, coefficients = fit(problems())
        print(f"INTERCEPT = {intercept:.3f}")
        for name, value in zip(FEATURES, coefficients, strict=True):
            print(f"{name}: {value:.3f}")
        return 0
    for table in tables(given.quick):
        print(as_text(table), end="\n\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
