"""Runs on the paper's K-NN graphs, one per seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.report import progress
from gwl_core.datasets.synthetic import knn
from gwl_core.result import Result
from gwl_core.settings import with_changes


def knn_runs(preset: str, nodes: int, noise: float, seeds: Iterable[int], changes: Mapping[str, Any]) -> list[Result]:
    """A run for every seed, which is that of the graphs and of the run."""
    from gwl_core.trajectory import run

    results = []
    for seed in seeds:
        problem = knn(nodes, noise, np.random.default_rng(seed))
        config, hyperparameters = with_changes(preset, {"seed": seed, **changes})
        results.append(run(problem, config, hyperparameters, preset))
        told = ", ".join(f"{name} {value}" for name, value in changes.items())
        progress(f"  {preset} {told}, noise {noise}, seed {seed}: {results[-1].seconds:.1f} s")
    return results


def correctness(results: Sequence[Result], kind: str) -> list[float]:
    """Node correctness of each run, "coupling", "embedding" or "one_to_one"; empty where a run has none."""
    values = [getattr(result.measures, f"node_correctness_{kind}") for result in results]
    return [value for value in values if value is not None]
