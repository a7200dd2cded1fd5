"""Runs the trials of an experiment, keeps each as it finishes, and never runs a finished one again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from gwl_core import __version__
from gwl_core.errors import InputError
from gwl_core.experiments.backends import Outcome, opened
from gwl_core.experiments.fingerprint import code_version, trial_key
from gwl_core.experiments.protocol import Experiment, Plan, Row
from gwl_core.experiments.store import Store
from gwl_core.experiments.work import Task

MAX_FAILURES = 5
"""Trials that may fail before a run is given up: one bad trial must not cost a night, a broken set-up must not take
a night to show."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        done: finished trials, the reused ones included.
        reused: those that were finished before this run.
        failed: trials that ended with an error.
        left: seconds until the end, or None while unknown.
        workers: trials that run at a time.
    """

    done: int
    reused: int
    total: int
    failed: int
    left: float | None
    workers: int


@dataclass(frozen=True)
class Run:
    """The finished trials of a plan, in the plan's order, and sentences on those that failed."""

    rows: tuple[Row, ...]
    failures: tuple[str, ...]
    reused: int


def tasks_of(experiment: Experiment, plan: Plan) -> list[Task]:
    """The plan's trials with their keys; repeated ones once."""
    module, function = experiment.run_trial.__module__, experiment.run_trial.__name__
    code = code_version(module)
    keys = {trial_key(experiment.key, parameters, code): parameters for parameters in plan.trials}
    return [Task(key, module, function, parameters, code) for key, parameters in keys.items()]


def store_of(experiment: Experiment, folder: Path) -> Store:
    """Where the finished trials of an experiment are kept."""
    return Store(folder / "trials" / f"{experiment.key}.jsonl")


def run(
    experiment: Experiment,
    plan: Plan,
    folder: Path,
    scheduler: str | None = None,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_row: Callable[[Sequence[Row]], None] = lambda _: None,
) -> Run:
    """Run what is not finished yet.

    Args:
        folder: keeps finished trials, in trials/<experiment>.jsonl.
        scheduler, workers: where to run, see `backends.opened`.
        on_progress: told at the start and after every trial.
        on_row: given all rows so far after every trial.

    Raises:
        InputError: bad options met in a trial, a lost or unreachable scheduler, a full disk, or more than
            MAX_FAILURES failed trials. Finished trials are kept in every case.
    """
    tasks, store = tasks_of(experiment, plan), store_of(experiment, folder)
    kept = store.rows()
    rows = {task.key: kept[task.key] for task in tasks if task.key in kept}
    # Keys are hashes: in their order large and small trials mix, which makes the time left a fair guess.
    waiting = sorted((task for task in tasks if task.key not in rows), key=lambda task: task.key)
    reused, failures = len(rows), list[str]()

    def tell(start: float, count: int) -> None:
        fresh = len(rows) - reused
        left = (monotonic() - start) / fresh * (len(tasks) - len(rows) - len(failures)) if fresh else None
        on_progress(Progress(len(rows), reused, len(tasks), len(failures), left, count))

    tell(monotonic(), 0)
    if waiting:
        with opened(scheduler, 1 if experiment.alone else workers, len(waiting)) as backend:
            start = monotonic()
            for outcome in backend.outcomes(waiting, plan.data):
                row = _taken(outcome, failures)
                if row is not None:
                    task = outcome[0]
                    store.append(_line(experiment, task, row))
                    rows[task.key] = row
                    on_row(list(rows.values()))
                tell(start, backend.workers)
    return Run(tuple(rows[task.key] for task in tasks if task.key in rows), tuple(failures), reused)


def _taken(outcome: Outcome, failures: list[str]) -> Row | None:
    """The row of a trial that ended well; otherwise its failure is noted."""
    task, result = outcome
    if isinstance(result, InputError):
        raise result
    if isinstance(result, Exception):
        failures.append(f"{_name(task)}: {type(result).__name__}: {_first_line(result)}")
        if len(failures) > MAX_FAILURES:
            raise InputError(
                f"More than {MAX_FAILURES} trials failed, the last at {failures[-1]}; finished trials are kept."
            )
        return None
    values, seconds = result
    return Row(task.parameters, values, seconds)


def _name(task: Task) -> str:
    return ", ".join(f"{name} {value}" for name, value in task.parameters.items())


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:200]


def _line(experiment: Experiment, task: Task, row: Row) -> dict[str, object]:
    return {
        "key": task.key,
        "experiment": experiment.key,
        "code": task.code,
        "version": __version__,
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": row.seconds,
        "parameters": dict(row.parameters),
        "values": dict(row.values),
    }
