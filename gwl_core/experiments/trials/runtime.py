"""A trial of time: one run, its seconds by phase."""

from __future__ import annotations

from time import perf_counter, process_time
from typing import Any

from gwl_core.experiments.protocol import Data, Parameters, Values
from gwl_core.experiments.trials.solve import measured, settings_of
from gwl_core.experiments.trials.synthetic import problem_of

PHASES = ("set-up", "coupling", "polish", "embedding", "averaging", "measures")


def run_trial(parameters: Parameters, data: Data) -> Values:
    """Wall seconds of each phase, and processor seconds of all; two steps of a tiny pair come first, to warm up."""
    from gwl_core.trajectory import Trajectory  # torch

    p: dict[str, Any] = dict(parameters)
    config, hyper, preset = settings_of(p["method"], p["settings"], p["seed"], threads=p["threads"])
    warm = Trajectory(problem_of("knn", 8, 0.0, 0), config, hyper, budget_bytes=0, measure_every=10**9)
    warm.advance()
    warm.advance()
    problem = problem_of("knn", p["nodes"], p["noise"], p["seed"])
    spent = dict.fromkeys(PHASES, 0.0)
    begun, used = perf_counter(), process_time()
    trajectory = Trajectory(problem, config, hyper, budget_bytes=0, measure_every=10**9)
    spent["set-up"] = perf_counter() - begun
    while not trajectory.done:
        start = perf_counter()
        info = trajectory.advance()
        spent[info.phase] += perf_counter() - start
    start = perf_counter()
    result = trajectory.result(preset)
    spent["measures"] = perf_counter() - start
    return {
        **{f"{phase}_seconds": value for phase, value in spent.items()},
        "total_seconds": perf_counter() - begun,
        "processor_seconds": process_time() - used,
        "edges": problem.source.n_edges,
        **measured(result),
    }
