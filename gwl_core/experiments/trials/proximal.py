"""A trial of the proximal against the entropic iteration: as printed, with plain exponentials, or in the log domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gwl_core.costs import observed_costs
from gwl_core.experiments.protocol import Data, Parameters, Values
from gwl_core.experiments.trials.synthetic import problem_of
from gwl_core.marginals import marginals
from gwl_core.settings import with_changes

FORMS = ("printed", "log-domain")
Step = tuple[float, float]
"""Discrepancy and marginal error after an inner iteration."""


def run_trial(parameters: Parameters, data: Data) -> Values:
    """Inner iterations from the product coupling; the curve is kept at `steps`, up to the first value not finite."""
    p: dict[str, Any] = dict(parameters)
    run: Callable[[dict[str, Any]], Iterator[Step]] = _printed if p["form"] == "printed" else _log_domain
    values: list[float] = []
    error, broke = 0.0, None
    for number, (value, off) in enumerate(run(p), 1):
        if not (np.isfinite(value) and np.isfinite(off)):
            broke = number
            break
        values.append(value)
        error = off
    kept = [n for n in steps(p["inner"]) if n <= len(values)]
    settled = values[len(values) // 2 :]
    return {
        "steps": [float(n) for n in kept],
        "curve": [values[n - 1] for n in kept],
        "final": values[-1] if values else None,
        "lowest": min(values) if values else None,
        "spread": max(settled) - min(settled) if settled else None,
        "rises": max(0.0, float(np.max(np.diff(settled), initial=0.0))) if settled else None,
        "marginal_error": error if values else None,
        "broke": broke,
    }


def steps(inner: int) -> list[int]:
    """Iterations that a curve keeps: dense at first, then about 12 a decade, always the last."""
    found = np.unique(np.rint(np.geomspace(1, inner, max(2, int(12 * np.log10(max(inner, 2)))))).astype(int))
    return [int(n) for n in found]


def _printed(p: dict[str, Any]) -> Iterator[Step]:
    """Algorithm 2 as printed, square loss, in float64: G = exp(−C/γ) ⊙ T (proximal) or exp(−C/γ) (entropic).

    Nothing guards the exponentials, so that a γ too small for the costs shows as it would in the printed algorithm.
    """
    problem = problem_of("knn", p["nodes"], p["noise"], p["seed"])
    config, _ = with_changes("gwd-paper", {})
    first, second = (cost.dense() for cost in observed_costs(problem, config))
    masses = marginals(problem, config)
    mu, nu = masses.source, masses.target
    coupling, scaling = np.outer(mu, nu), mu.copy()
    with np.errstate(all="ignore"):
        cost = _cost(first, second, coupling)
        for _ in range(p["inner"]):
            kernel = np.exp(-cost / p["gamma"])
            if p["method"] == "proximal":
                kernel *= coupling
            for _ in range(p["sinkhorn"]):
                other = nu / (kernel.T @ scaling)
                scaling = mu / (kernel @ other)
            coupling = scaling[:, None] * kernel * other
            cost = _cost(first, second, coupling)
            error = np.abs(coupling.sum(0) - nu).sum() + np.abs(coupling.sum(1) - mu).sum()
            yield float((cost * coupling).sum()), float(error)


def _cost(first: np.ndarray, second: np.ndarray, coupling: np.ndarray) -> np.ndarray:
    """L(C_s, C_t, T) for the square loss."""
    rows, columns = coupling.sum(1), coupling.sum(0)
    return (first**2 @ rows)[:, None] + (second**2 @ columns)[None, :] - 2 * first @ coupling @ second.T


def _log_domain(p: dict[str, Any]) -> Iterator[Step]:
    """The same by this library's solver, which scales logarithms."""
    from gwl_core.trajectory import Trajectory  # torch

    config, hyper = with_changes("gwd-paper", {
        "threads": 1, "device": "cpu", "scale": "dense", "gamma": p["gamma"], "inner": p["inner"],
        "sinkhorn": p["sinkhorn"], "method": p["method"], "seed": p["seed"],
    })  # fmt: skip
    problem = problem_of("knn", p["nodes"], p["noise"], p["seed"])
    trajectory = Trajectory(problem, config, hyper, budget_bytes=0, measure_every=10**9)
    while not trajectory.done:
        info = trajectory.advance()
        yield info.objective, info.marginal_error
