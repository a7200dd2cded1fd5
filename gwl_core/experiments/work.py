"""One trial in whatever process runs it: the same thread count and the same code everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from time import perf_counter
from typing import Any

from threadpoolctl import threadpool_limits

from gwl_core.errors import InputError
from gwl_core.experiments.fingerprint import code_version
from gwl_core.experiments.protocol import Data, Parameters
from gwl_core.writers.strict_json import plain


@dataclass(frozen=True)
class Task:
    """A trial, ready to travel: its key, the module of its `run_trial`, the function's name, its parameters."""

    key: str
    module: str
    function: str
    parameters: Parameters
    code: str


def carry_out(task: Task, data: Data) -> tuple[dict[str, Any], float]:
    """Values (plain, NaN as None) and seconds of a trial.

    Sums depend on how threads share them out, so a trial has one thread wherever it runs.

    Raises:
        InputError: this process has other code than the one that made the plan.
    """
    if code_version(task.module) != task.code:
        raise InputError(
            "A worker runs another version of gwl_core than this one: give every worker the same version and run again."
        )
    run_trial = getattr(import_module(task.module), task.function)
    with threadpool_limits(1):
        start = perf_counter()
        values = plain(run_trial(task.parameters, data))
        return values, perf_counter() - start


def identity(data: Data) -> Data:
    """The shared inputs as a task of their own: should the worker that holds them die, another makes them again."""
    return data
