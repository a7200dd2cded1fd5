"""Methods side by side on one problem: each run with a cap and a stop, and every measure of what it found.

A method is a preset of GWL ("gwl" is the default one) or a baseline. None is handed the truth, and a method that fails,
is cut short or refuses the problem leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import numpy as np

from gwl_core.baselines import BASELINES, Baseline, Outcome, Progress
from gwl_core.errors import InputError, MethodError
from gwl_core.memory import PeakMemory
from gwl_core.problem import MatchingProblem
from gwl_core.scorecard import Scorecard, scorecard
from gwl_core.settings import PRESETS, Config, Hyperparameters, with_changes

OWN: Mapping[str, str] = {("gwl" if preset == "default" else preset): preset for preset in PRESETS}
"""GWL's presets by their names as methods."""

TITLES = {
    "gwl": "GWL", "gwd": "GWL without embeddings", "paper": "GWL as printed", "gwd-paper": "GWD as printed",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class MethodRun:
    """One row of a comparison.

    Attributes:
        key, title: of the method.
        status: "done", "cut short" (by the cap), "stopped", "refused" or "failed".
        message: a sentence on how it ended.
        seconds: wall time of the method alone.
        memory: bytes it took at its peak beyond what was there before; None where the system does not say.
        matching: (n_s,) target indices, −1 for none; None if there is nothing to show.
        card: every measure of it.
        orders: the measures for every order of the nodes, of a method that was run in several.
        notices: sentences for the user.
    """

    key: str
    title: str
    status: str
    message: str
    seconds: float
    memory: int | None = None
    matching: np.ndarray | None = None
    card: Scorecard | None = None
    orders: tuple[Scorecard, ...] = ()
    notices: tuple[str, ...] = field(default_factory=tuple)


Tell = Callable[[str, Progress], None]
"""Told the method's key and how far it is."""


def method_keys() -> tuple[str, ...]:
    """Every method: GWL's presets, then the baselines."""
    return (*OWN, *BASELINES)


def method_title(key: str) -> str:
    """What to call a method."""
    return TITLES.get(key, key) if key in OWN else BASELINES[key].title


def check_methods(keys: Sequence[str]) -> tuple[str, ...]:
    """The same keys, each once.

    Raises:
        InputError: one that is no method, or none at all.
    """
    for key in keys:
        if key not in method_keys():
            raise InputError(f"{key!r} is not a method; the methods are {', '.join(method_keys())}.")
    if not keys:
        raise InputError(f"Name at least one method: {', '.join(method_keys())}.")
    return tuple(dict.fromkeys(keys))


def compare(
    problem: MatchingProblem,
    keys: Sequence[str],
    seed: int = 0,
    cap: float | None = None,
    on_progress: Tell | None = None,
    on_row: Callable[[MethodRun], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[MethodRun, ...]:
    """Run the methods one after the other, in their order.

    Args:
        seed: of every method.
        cap: seconds for each; one that takes longer is judged by the best it had.
        on_progress: told while a method runs, several times a second.
        on_row: handed every row as it is ready.
        should_stop: asked as often; True ends the method at hand and leaves out the rest.
        settings: changes of a method's settings, by key.

    Raises:
        InputError: a key that is no method.
    """
    rows = []
    for key in check_methods(keys):
        if should_stop is not None and should_stop():
            break
        row = run_method(problem, key, seed, cap, on_progress, should_stop, (settings or {}).get(key))
        rows.append(row)
        if on_row is not None:
            on_row(row)
    return tuple(rows)


def run_method(
    problem: MatchingProblem,
    key: str,
    seed: int = 0,
    cap: float | None = None,
    on_progress: Tell | None = None,
    should_stop: Callable[[], bool] | None = None,
    settings: Mapping[str, Any] | None = None,
    on_measuring: Callable[[], None] | None = None,
) -> MethodRun:
    """Run one method and measure what it found.

    Args:
        on_measuring: told when the method itself is over, and what is left is to measure its matching.

    Raises:
        InputError: a key that is no method.
    """
    check_methods([key])
    if key in OWN:
        import gwl_core.trajectory  # noqa: F401  its libraries are neither its time nor its memory
    title, memory, started = method_title(key), PeakMemory(), monotonic()
    told = on_progress or (lambda key, progress: None)
    try:
        outcome, status, message = _driven(
            _started(problem, key, seed, settings or {}), cap, should_stop, lambda progress: told(key, progress)
        )
    except InputError as error:
        return MethodRun(key, title, "refused", str(error), monotonic() - started)
    except MethodError as error:
        return MethodRun(key, title, "failed", str(error), monotonic() - started, memory.bytes)
    except Exception as error:  # noqa: BLE001  a row of its own; the other methods go on
        message = f"The method failed: {type(error).__name__}: {error}".rstrip(".") + "."
        return MethodRun(key, title, "failed", message, monotonic() - started, memory.bytes)
    seconds, peak = monotonic() - started, memory.bytes
    if on_measuring is not None:
        on_measuring()
    if outcome is None:
        return MethodRun(key, title, status, message + " It had no matching yet.", seconds, peak)
    matching = outcome.extract()
    return MethodRun(
        key, title, status, message, seconds, peak, matching,
        scorecard(problem, matching, outcome.scores),
        tuple(scorecard(problem, one) for one in outcome.orders),
        outcome.notices,
    )  # fmt: skip


def _driven(
    steps: Generator[Progress, None, Outcome],
    cap: float | None,
    should_stop: Callable[[], bool] | None,
    tell: Callable[[Progress], None],
) -> tuple[Outcome | None, str, str]:
    """Drive a run to its end, its cap or a stop: what it had, the status, and a sentence."""
    started, best = monotonic(), None
    try:
        while True:
            try:
                progress = next(steps)
            except StopIteration as end:
                return end.value, "done", "Done."
            best = progress.best if progress.best is not None else best
            tell(progress)
            if cap is not None and monotonic() - started > cap:
                return best, "cut short", f"Cut short after {cap:g} s; judged by the best it had."
            if should_stop is not None and should_stop():
                return best, "stopped", "Stopped; judged by the best it had."
    finally:
        steps.close()


def _started(
    problem: MatchingProblem, key: str, seed: int, settings: Mapping[str, Any]
) -> Generator[Progress, None, Outcome]:
    if key in OWN:
        return _own(replace(problem, truth=None), OWN[key], {"seed": seed, **settings})
    baseline: Baseline = BASELINES[key]
    return baseline.start(problem, settings, seed)


def _own(problem: MatchingProblem, preset: str, changes: Mapping[str, Any]) -> Generator[Progress, None, Outcome]:
    """A run of GWL behind the same protocol. Its anchors, if there are any, stay: they are input, not truth."""
    from gwl_core.large.plan import is_sparse

    config, hyperparameters = with_changes(preset, changes)
    if is_sparse(problem, config):
        return (yield from _own_sparse(problem, config, hyperparameters))
    # Imported here: it loads torch, which nothing above waits for.
    from gwl_core.measure import split, to_numpy
    from gwl_core.trajectory import Trajectory

    yield Progress(0.0, "starting")
    trajectory = Trajectory(problem, config, hyperparameters, budget_bytes=0, measure_every=10**9)
    reported = monotonic()
    while not trajectory.done:
        info = trajectory.advance()
        if monotonic() - reported >= 0.2:
            share = min(1.0, info.step / max(1, trajectory.total_steps_estimate))
            best = Outcome(*split(problem, to_numpy(trajectory.state.coupling)))
            yield Progress(share, f"outer {info.outer + 1}, {info.phase} {info.inner + 1}", best)
            reported = monotonic()
    result = trajectory.result(preset)
    return Outcome(result.coupling, result.slack_rows, result.slack_columns, notices=result.notices)


def _own_sparse(
    problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters
) -> Generator[Progress, None, Outcome]:
    """The sparse mode for large graphs; it has a matching at its end only."""
    from gwl_core.large.solver import prepare, states

    yield Progress(0.0, "sparse mode")
    space = prepare(problem, config, hyperparameters)
    for state in states(space):
        share = state.iteration / space.plan.iterations if state.phase == "annealing" else 1.0
        yield Progress(min(1.0, share), f"{state.phase} {state.iteration}")
    return Outcome(matching=state.matching, notices=space.notices)
