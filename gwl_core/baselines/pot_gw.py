"""Gromov-Wasserstein couplings by the POT library, at the observed costs and padded uniform marginals of `gwd`.

POT leaves ε to its user. Here it is ε = r·s, with s what a right match gains (`workspace.gain`), for every r of a
small grid; the run whose rounded coupling has the least discrepancy is kept. That needs no truth, and lets POT have
the scale that our own presets find by annealing. Rounding comes first because a blurred coupling has a higher
discrepancy than the matching it stands for, and one whose marginals are off a lower one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from gwl_core.baselines.pacing import waiting
from gwl_core.baselines.padding import from_coupling, permutation_discrepancy
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter, with_changes

GRIDS: Mapping[str, tuple[float, ...]] = {"PPA": (1.0, 4.0, 0.25), "PGD": (0.25, 0.125, 0.0625, 0.5)}
"""Values of r = ε/s by POT's name of the solver, the likeliest first; chosen where trials found each to work."""


_CHUNK = 10


@dataclass(frozen=True, eq=False)
class _Job:
    """What POT is given: padded costs, marginals, whether both costs are symmetric, and the scale s."""

    source_cost: np.ndarray
    target_cost: np.ndarray
    source: np.ndarray
    target: np.ndarray
    symmetric: bool
    gain: float

    @classmethod
    def of(cls, problem: MatchingProblem) -> _Job:
        from gwl_core.workspace import workspace

        space = workspace(problem, with_changes("gwd", {"device": "cpu"})[0])
        source, target = (operator.dense().numpy() for operator in (space.source_cost, space.target_cost))
        return cls(source, target, space.masses.source, space.masses.target, space.symmetric, space.gain)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self.source_cost, self.target_cost, self.source, self.target


def _entropic(
    solver: str, problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator
) -> Steps:
    from ot.gromov import entropic_gromov_wasserstein

    job = _Job.of(problem)
    ratios = GRIDS[solver] if settings["epsilon"] is None else (settings["epsilon"],)
    best, least = Outcome(np.zeros((problem.source.n_nodes, problem.target.n_nodes))), np.inf
    for done, ratio in enumerate(ratios):
        yield Progress(done / len(ratios), f"ε = {ratio:g} s", best if np.isfinite(least) else None)
        solve = partial(
            entropic_gromov_wasserstein, *job.arrays, loss_fun="square_loss", epsilon=ratio * job.gain,
            symmetric=job.symmetric, tol=settings["tolerance"], solver=solver, numItermax=settings["sinkhorn"],
            stopThr=1e-9, warn=False,
        )  # fmt: skip
        coupling = np.outer(job.source, job.target)
        for chunk in _chunks(settings["iterations"]):
            before = coupling
            told = done / len(ratios), f"ε = {ratio:g} s", best if np.isfinite(least) else None
            coupling = yield from waiting(partial(_quietly, partial(solve, G0=before, max_iter=chunk)), *told)
            if not np.linalg.norm(coupling - before) > settings["tolerance"]:  # at rest, or no longer a number
                break
        value = _rounded_discrepancy(job, coupling)
        if value < least:
            note = f"ε = {ratio:g} s had the least discrepancy of {len(ratios)} tried."
            best, least = _with_notice(from_coupling(problem, coupling), note), value
    return best if np.isfinite(least) else _with_notice(best, "No ε of the grid gave a finite coupling.")


def _conditional_gradient(
    problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator
) -> Steps:
    from ot.gromov import gromov_wasserstein

    job = _Job.of(problem)
    solve = partial(
        gromov_wasserstein, *job.arrays, loss_fun="square_loss", symmetric=job.symmetric,
        tol_rel=settings["tolerance"], tol_abs=settings["tolerance"],
    )  # fmt: skip
    coupling, spent = np.outer(job.source, job.target), 0
    for chunk in _chunks(settings["iterations"]):
        yield Progress(spent / settings["iterations"], "conditional gradient", from_coupling(problem, coupling))
        before = coupling
        coupling = yield from waiting(
            partial(_quietly, partial(solve, G0=before, max_iter=chunk)),
            spent / settings["iterations"], "conditional gradient", from_coupling(problem, before),
        )  # fmt: skip
        spent += chunk
        if not np.linalg.norm(coupling - before) > settings["tolerance"]:
            break
    return from_coupling(problem, coupling)


def _chunks(iterations: int) -> list[int]:
    """Iterations handed to POT at a time: it checks its own convergence every tenth, and cannot be stopped between."""
    return [_CHUNK] * (iterations // _CHUNK) + ([iterations % _CHUNK] if iterations % _CHUNK else [])


def _quietly(solve: Callable[[], Any]) -> np.ndarray:
    """POT warns of underflow at a small ε; whether the coupling is any good is judged by its discrepancy."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return np.asarray(solve())


def _rounded_discrepancy(job: _Job, coupling: np.ndarray) -> float:
    """That of the matching nearest to a coupling; infinite for one that lost its mass or is not finite."""
    if not np.isfinite(coupling).all() or abs(float(coupling.sum()) - 1) > 0.01:
        return np.inf
    columns = linear_sum_assignment(coupling, maximize=True)[1]
    return permutation_discrepancy(job.source_cost, job.target_cost, columns)


def _with_notice(outcome: Outcome, notice: str) -> Outcome:
    return Outcome(outcome.scores, outcome.slack_rows, outcome.slack_columns, notices=(notice,))


_COMMON = (
    Parameter("iterations", "int", live=False, low=1, high=100_000),
    Parameter("tolerance", "float", live=False, low=0, high=1),
)
_SETTINGS = (
    *_COMMON,
    Parameter("epsilon", "float", live=False, low=1e-4, high=1e4, optional="auto"),
    Parameter("sinkhorn", "int", live=False, low=1, high=100_000),
)
_DEFAULTS = {"iterations": 200, "tolerance": 1e-9, "epsilon": None, "sinkhorn": 100}

_POT = "Flamary et al., POT: Python Optimal Transport, JMLR 22(78), 2021."

PROXIMAL = Baseline(
    key="pot-proximal",
    title="Gromov-Wasserstein by proximal points (POT)",
    citation="Xu et al., Gromov-Wasserstein learning for graph matching and node embedding, ICML 2019; " + _POT,
    year=2019,
    uses=("topology", "weights"),
    cost="O(n³) an iteration",
    largest=2000,
    settings=_SETTINGS,
    defaults=_DEFAULTS,
    steps=partial(_entropic, "PPA"),
)

ENTROPIC = replace(
    PROXIMAL,
    key="pot-entropic",
    title="Entropic Gromov-Wasserstein (POT)",
    citation="Peyré, Cuturi, Solomon, Gromov-Wasserstein averaging of kernel and distance matrices, ICML 2016; " + _POT,
    year=2016,
    steps=partial(_entropic, "PGD"),
)

CONDITIONAL_GRADIENT = replace(
    PROXIMAL,
    key="pot-conditional-gradient",
    title="Gromov-Wasserstein by conditional gradient (POT)",
    citation="Vayer et al., Optimal transport for structured data with application on graphs, ICML 2019; " + _POT,
    largest=3000,
    settings=_COMMON,
    defaults={"iterations": 1000, "tolerance": 1e-9},
    steps=_conditional_gradient,
)
