"""A trial on a synthetic pair: section "Synthetic data"."""

from __future__ import annotations

import numpy as np

from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.experiments.protocol import Data, Parameters, Values
from gwl_core.experiments.trials.solve import measured, solve
from gwl_core.problem import MatchingProblem

KINDS = ("knn", "ba")


def problem_of(kind: str, nodes: int, noise: float, seed: int) -> MatchingProblem:
    """The pair of a seed: the same for every method, so that methods can be compared in pairs."""
    make = knn if kind == "knn" else barabasi_albert
    return make(nodes, noise, np.random.default_rng(seed))


def run_trial(parameters: Parameters, data: Data) -> Values:
    """Align one pair by one method; the noise is counted in the pair that was made."""
    p = dict(parameters)
    problem = problem_of(str(p["graph"]), int(p["nodes"]), float(p["noise"]), int(p["seed"]))  # type: ignore[arg-type]
    source, target = problem.source, problem.target
    result = solve(problem, str(p["method"]), str(p["settings"]), int(p["seed"]))  # type: ignore[arg-type]
    return {
        **measured(result),
        "added_nodes": target.n_nodes / source.n_nodes - 1,
        "added_edges": target.n_edges / source.n_edges - 1,
    }
