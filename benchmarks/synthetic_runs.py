"""Runs on the paper's synthetic graphs, one per seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.report import progress
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.problem import MatchingProblem
from gwl_core.result import Result
from gwl_core.settings import with_changes

GRAPHS: Mapping[str, Callable[[int, float, np.random.Generator], MatchingProblem]] = {
    "K-NN": knn,
    "BA, m = 2": lambda nodes, noise, rng: barabasi_albert(nodes, noise, rng, 2),
    "BA, m = 5": lambda nodes, noise, rng: barabasi_albert(nodes, noise, rng, 5),
}


def synthetic_runs(
    preset: str, graphs: str, nodes: int, noise: float, seeds: Iterable[int], changes: Mapping[str, Any]
) -> list[Result]:
    """A run for every seed, which is that of the graphs and of the run."""
    from gwl_core.trajectory import run

    results = []
    for seed in seeds:
        problem = GRAPHS[graphs](nodes, noise, np.random.default_rng(seed))
        config, hyperparameters = with_changes(preset, {"seed": seed, **changes})
        results.append(run(problem, config, hyperparameters, preset))
        told = ", ".join(f"{name} {value}" for name, value in changes.items())
        progress(f"  {graphs}, {nodes} nodes, {preset} {told}, noise {noise}, seed {seed}: {results[-1].seconds:.1f} s")
    return results


def correctness(results: Sequence[Result], kind: str) -> list[float]:
    """Node correctness of each run: "coupling", "embedding", "one_to_one", "symmetry_aware"; empty without any."""
    values = [getattr(result.measures, f"node_correctness_{kind}") for result in results]
    return [value for value in values if value is not None]
