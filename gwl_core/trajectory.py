"""A run that remembers: every step's info, keyframe states within a memory budget, any past step, forks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
import torch

from gwl_core import rounds
from gwl_core.keyframes import Keyframes, state_bytes
from gwl_core.measure import finish, measure
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures, Result, Status
from gwl_core.resume import resumed
from gwl_core.settings import Config, Hyperparameters
from gwl_core.solver import epochs, init, status, step
from gwl_core.state import State, StepInfo
from gwl_core.workspace import workspace

MEASURE_EVERY = 10


@dataclass(frozen=True)
class Event:
    """A change made while running: the step after which it holds, and what changed in words."""

    step: int
    text: str


@dataclass(frozen=True, eq=False)
class PairHistory:
    """One pair over the steps of which the state was kept.

    Attributes:
        steps: (k,) ascending.
        mass: (k,) share of the source's mass that goes to the target.
        best: (k,) whether no other target gets more, and some get less.
    """

    steps: np.ndarray
    mass: np.ndarray
    best: np.ndarray

    @property
    def since(self) -> int | None:
        """The first of the last unbroken run of steps at which the target was the best; None if it is not now."""
        if not len(self.best) or not self.best[-1]:
            return None
        lost = np.flatnonzero(~self.best)
        return int(self.steps[lost[-1] + 1 if len(lost) else 0])


class Trajectory:
    """A run being made, step by step.

    Attributes:
        state: the newest state.
        hyperparameters: those in force.
        infos: one per step, from step 1 on; measures are taken every few steps and at the end of each phase.
        events: changes of hyperparameters.
        seconds: wall time of the solver up to the newest step, the preparation of the problem included.
    """

    def __init__(
        self,
        problem: MatchingProblem,
        config: Config,
        hyperparameters: Hyperparameters,
        budget_bytes: int = 256_000_000,
        measure_every: int = MEASURE_EVERY,
        state: State | None = None,
    ) -> None:
        started = perf_counter()
        self.problem, self.config, self.hyperparameters = problem, config, hyperparameters
        self.state = init(problem, config, hyperparameters) if state is None else state
        self.infos: list[StepInfo] = []
        self.events: list[Event] = []
        self.seconds = perf_counter() - started
        self._measure_every = measure_every
        self._first_step = self.state.step
        self._settings = [(self.state.step, hyperparameters)]
        self._budget = budget_bytes
        self._keyframes = Keyframes([self.state], budget_bytes)

    @property
    def status(self) -> Status:
        return status(self.problem, self.config, self.hyperparameters, self.state)

    @property
    def done(self) -> bool:
        return self.state.phase == "done"

    @property
    def total_steps_estimate(self) -> int:
        """Steps of the whole run if no inner loop ends early; falls as loops do."""
        hyper, state = self.hyperparameters, self.state
        if self.done:
            return state.step
        if state.phase == "averaging":
            return state.step + 1
        per_outer = hyper.inner + (epochs(self.problem, hyper) if self.config.embeddings else 0)
        within = state.inner if state.phase == "coupling" else hyper.inner + state.epoch
        ahead = max(1, hyper.outer - state.outer) * per_outer - within
        if state.outer == 0 and state.phase in ("coupling", "polish"):
            ahead += max(0, rounds.steps_ahead(workspace(self.problem, self.config), hyper, state.round) - hyper.inner)
        return state.step + max(1, ahead)

    def advance(self, measured: bool = False) -> StepInfo:
        """Take one step.

        Args:
            measured: whether its measures are taken whatever its number.
        """
        started = perf_counter()
        self.state, info = step(self.problem, self.config, self.hyperparameters, self.state)
        due = measured or info.ends_phase or info.step % self._measure_every == 0
        if due:
            measures = measure(self.problem, self.config, self.hyperparameters, self.state)
            info = replace(info, measures=measures)
        if info.event:
            self.events.append(Event(info.step, info.event))
        self.infos.append(info)
        self._keyframes.add(self.state)
        self.seconds += perf_counter() - started
        return info

    def set_hyperparameters(self, hyperparameters: Hyperparameters) -> None:
        """Use other hyperparameters from the next step on; the change is logged."""
        before, after = asdict(self.hyperparameters), asdict(hyperparameters)
        changed = [f"{name} {before[name]} → {after[name]}" for name in after if before[name] != after[name]]
        if changed:
            self.events.append(Event(self.state.step, ", ".join(changed)))
            self.hyperparameters = hyperparameters
            self._settings.append((self.state.step, hyperparameters))

    def hyperparameters_at(self, k: int) -> Hyperparameters:
        """The hyperparameters in force for the step after k."""
        return [hyper for start, hyper in self._settings if start <= k][-1]

    def state_at(self, k: int) -> State:
        """The state after step k, bit for bit: the keyframe before it, replayed.

        Raises:
            IndexError: k is not a step of this trajectory.
        """
        if not self._first_step <= k <= self.state.step:
            raise IndexError(f"step {k} is not between {self._first_step} and {self.state.step}")
        if k == self.state.step:
            return self.state
        state = self._keyframes.before(k)
        while state.step < k:
            state, _ = step(self.problem, self.config, self.hyperparameters_at(state.step), state)
        return state

    def pair_history(self, source: int, target: int, until: int) -> PairHistory:
        """One entry of the coupling over the keyframes up to a step.

        Args:
            source, target: node indices.
            until: the last step to look at.
        """
        kept = sorted(k for k in self._keyframes.states if k <= until)
        mass, best = np.zeros(len(kept)), np.zeros(len(kept), dtype=bool)
        n_t = self.problem.target.n_nodes
        for at, k in enumerate(kept):
            row = self._keyframes.states[k].coupling[source]
            total, entry = float(row.sum(dtype=torch.float64)), float(row[target])
            mass[at] = entry / total if total > 0 else 0.0
            best[at] = entry > 0 and entry >= float(row[:n_t].max()) and entry > float(row[:n_t].min())
        return PairHistory(np.array(kept, dtype=np.int64), mass, best)

    @property
    def settings(self) -> list[tuple[int, Hyperparameters]]:
        """The hyperparameters in force after each step at which they changed."""
        return list(self._settings)

    @property
    def first_step(self) -> int:
        """The earliest step that `state_at` knows."""
        return self._first_step

    def keyframes(self, budget_bytes: int, shown: int) -> list[State]:
        """Kept states by step, thinned to a budget; the first, the newest and one more step are among them."""
        always = {self._first_step, self.state.step, min(max(shown, self._first_step), self.state.step)}
        others = sorted(set(self._keyframes.states) - always)
        room = max(0, budget_bytes // state_bytes(self.state) - len(always))
        every = max(1, -(-len(others) // room)) if room else len(others) + 1
        return [self.state_at(k) for k in sorted({*always, *others[every - 1 :: every]})]

    @classmethod
    def restored(
        cls,
        problem: MatchingProblem,
        config: Config,
        settings: list[tuple[int, Hyperparameters]],
        keyframes: list[State],
        infos: list[StepInfo],
        events: list[Event],
        measure_every: int = MEASURE_EVERY,
    ) -> Trajectory:
        """A trajectory as it was; keyframes and settings by step, at least one of each."""
        made = cls(problem, config, settings[-1][1], measure_every=measure_every, state=keyframes[-1])
        made.infos, made.events = list(infos), list(events)
        made._settings, made._first_step = list(settings), keyframes[0].step
        made._keyframes = Keyframes(keyframes, made._budget)
        return made

    @property
    def spacing(self) -> int:
        """Steps from one keyframe to the next; grows when the memory for them runs short."""
        return self._keyframes.spacing

    def fork(self, k: int, hyperparameters: Hyperparameters) -> Trajectory:
        """A new trajectory that goes on from step k with other hyperparameters; this one stays as it is."""
        branch = Trajectory(
            self.problem,
            self.config,
            self.hyperparameters_at(k),
            self._budget,
            self._measure_every,
            state=self.state_at(k),
        )
        branch._follow(self, k)
        branch.set_hyperparameters(hyperparameters)
        return branch

    def pinned(self, k: int, problem: MatchingProblem) -> Trajectory:
        """A new trajectory that goes on from step k under the pins of `problem`, which else is this one's."""
        state = resumed(problem, self.config, self.hyperparameters, self.state_at(k))
        branch = Trajectory(problem, self.config, self.hyperparameters, self._budget, self._measure_every, state=state)
        branch._follow(self, k)
        branch.events.append(Event(k, f"goes on with {len(problem.pins)} pinned or forbidden pairs"))
        return branch

    def _follow(self, parent: Trajectory, k: int) -> None:
        """Take over what led to step k; of the time spent, the share of those steps."""
        self.infos = [info for info in parent.infos if info.step <= k]
        self.events = [event for event in parent.events if event.step <= k]
        self.seconds += parent.seconds * k / max(1, parent.state.step)

    def keep_within(self, budget_bytes: int | None = None) -> None:
        """Keep keyframes within another budget from now on; None is the one the trajectory was made with."""
        self._keyframes.room = self._budget if budget_bytes is None else budget_bytes
        self._keyframes.thin()

    @property
    def kept_bytes(self) -> int:
        """Memory of all keyframes, counting once what states share; above the budget only where two do not fit."""
        return self._keyframes.taken

    def result(self, preset: str = "default", notices: tuple[str, ...] = ()) -> Result:
        """The result at the newest state."""
        return finish(
            self.problem, self.config, self.hyperparameters, self.state, preset, self.seconds,
            [history_row(info) for info in self.infos],
            (*notices, *(f"Step {event.step}: {event.text}." for event in self.events)),
        )  # fmt: skip


def history_row(info: StepInfo) -> dict[str, Any]:
    """One flat row of the history table; None where nothing was measured."""
    row = dict(vars(info))
    measured = row.pop("measures")
    row["step_objective"] = row.pop("objective")
    return {**row, **{name: getattr(measured, name, None) for name in _MEASURED}}


_MEASURED = tuple(name for name in Measures.__dataclass_fields__ if name != "marginal_error")


def run(
    problem: MatchingProblem,
    config: Config,
    hyperparameters: Hyperparameters,
    preset: str = "default",
    on_step: Callable[[StepInfo], None] | None = None,
) -> Result:
    """A run from start to end. `on_step` is told of every step."""
    trajectory = Trajectory(problem, config, hyperparameters, budget_bytes=0, measure_every=10**9)
    while not trajectory.done:
        info = trajectory.advance()
        if on_step is not None:
            on_step(info)
    return trajectory.result(preset)
