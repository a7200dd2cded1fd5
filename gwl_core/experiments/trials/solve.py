"""The paper's methods as presets, and a run of one of them on one thread."""

from __future__ import annotations

from typing import Any

from gwl_core.problem import MatchingProblem
from gwl_core.result import Result
from gwl_core.settings import Config, Hyperparameters, with_changes

METHODS = ("GWL-C", "GWL-R", "GWD")
"""Joint learning with cosine and RBF distances, and the coupling alone (section "Experiments")."""
FAMILIES = ("paper", "default")
"""The paper's settings as printed, and this library's."""


def settings_of(method: str, family: str, seed: int, **changes: Any) -> tuple[Config, Hyperparameters, str]:
    """Settings and preset of a method; one thread, so that sums do not depend on the machine's cores."""
    if method == "GWD":
        preset = "gwd-paper" if family == "paper" else "gwd"
    else:
        preset = "paper" if family == "paper" else "default"
        changes = {"kernel": "rbf" if method == "GWL-R" else "cosine", **changes}
    config, hyper = with_changes(
        preset, {"threads": 1, "device": "cpu", "scale": "dense", "seed": seed % 2**31, **changes}
    )
    return config, hyper, preset


def solve(problem: MatchingProblem, method: str, family: str, seed: int, **changes: Any) -> Result:
    """A whole run."""
    from gwl_core.trajectory import run  # torch

    config, hyper, preset = settings_of(method, family, seed, **changes)
    return run(problem, config, hyper, preset)


def measured(result: Result) -> dict[str, float | int | str | None]:
    """The numbers of a result that the experiments report; correctness as fractions."""
    found = result.measures
    return {
        "correct_by_coupling": found.node_correctness_coupling,
        "correct_by_embedding": found.node_correctness_embedding,
        "correct_one_to_one": found.node_correctness_one_to_one,
        "correct_symmetry_aware": found.node_correctness_symmetry_aware,
        "edge_correctness": found.edge_correctness,
        "discrepancy": found.gw_discrepancy,
        "unmatched": found.unmatched,
        "iterations": result.inner_iterations,
        "status": result.status.code,
    }
