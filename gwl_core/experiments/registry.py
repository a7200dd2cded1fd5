"""The experiments by name: the modules are imported when asked for, so that a list of them costs nothing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from gwl_core.errors import InputError
from gwl_core.experiments.protocol import Experiment

MODULES: Mapping[str, str] = {
    "synthetic": "gwl_core.experiments.synthetic",
    "convergence": "gwl_core.experiments.convergence",
    "proximal": "gwl_core.experiments.proximal",
    "communication": "gwl_core.experiments.communication",
    "recommendation": "gwl_core.experiments.recommendation",
    "sensitivity": "gwl_core.experiments.sensitivity",
    "runtime": "gwl_core.experiments.runtime",
    "sweep": "gwl_core.experiments.sweep",
}
"""Key → module that has EXPERIMENT, in the order in which they are listed."""


def find(key: str) -> Experiment:
    """The experiment of that name; raises InputError for an unknown one."""
    if key not in MODULES:
        raise InputError(f"There is no experiment {key!r}: choose one of {', '.join(MODULES)}.")
    experiment: Experiment = import_module(MODULES[key]).EXPERIMENT
    return experiment


def everything() -> tuple[Experiment, ...]:
    """All experiments, in order."""
    return tuple(find(key) for key in MODULES)
