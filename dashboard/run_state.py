"""One run inside its process: obeys commands, takes steps, describes itself in snapshots. Imports torch."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dashboard import exports
from dashboard.branches import Branch, Branches
from dashboard.faults import sentence
from dashboard.keeper import Keeper, history_bytes
from dashboard.keeping import kept_branches, large, measure_every, restored_runs, runs_message
from dashboard.lens import inspect_message
from dashboard.projection import LONGEST, PERPLEXITY
from dashboard.projector import Job, Projector
from dashboard.protocol import Message, pins_of, problem_of
from dashboard.reporter import Reporter
from dashboard.views import View, quick_view, rest_view
from gwl_core.errors import InputError
from gwl_core.pins import Pin
from gwl_core.problem import MatchingProblem
from gwl_core.result import Status
from gwl_core.settings import Config, Hyperparameters
from gwl_core.trajectory import Trajectory

_SETTLE = {"paused": 1.0, "ready": 1.0, "stopped": 0.3, "finished": 2.0}
"""Seconds that the t-SNE may go on after the solver came to rest."""
_STOPPED = Status("stopped", "Stopped; the matches are those of this step. Play goes on from here, Reset starts over.")
_ASKING = frozenset({"view", "projection", "inspect", "save", "export"})
"""Commands that leave the runs as they are."""


class RunState:
    """The run that a process serves.

    Args:
        post: takes messages for the page.
        free: whether the page has taken all earlier messages.
        wake: called from another thread when a picture of the embeddings is ready; `obey` a "frame" then.
    """

    def __init__(self, post: Callable[[Message], None], free: Callable[[], bool], wake: Callable[[], None]) -> None:
        self._projector = Projector(wake)
        self._problem: MatchingProblem | None = None
        self._branches = Branches()
        self._state = "empty"
        self._rest_status: Status | None = None
        self._until, self._outer = "end", 0
        self._past: int | None = None
        self._ahead: Hyperparameters | None = None
        self._kind, self._perplexity = "tsne", PERPLEXITY
        self._view: View | None = None
        self._pictured: object = None
        self._keeper = Keeper()
        self._tell = Reporter(post, free, self._keeper)

    @property
    def playing(self) -> bool:
        return self._state == "running"

    def obey(self, message: Message) -> None:
        """Act on one command, then report."""
        if message.kind == "frame":
            self._report(force=not self.playing)
            return
        values = message.values
        self._tell.error = None
        try:
            self._act(message)
        except InputError as error:
            self._tell.error = str(error)
            if message.kind in ("start", "reset"):
                self._state = "failed"
        except Exception as error:
            if message.kind not in _ASKING:
                raise
            self._say(error)  # the run itself is as it was
        finally:
            self._tell.done = int(values["id"])
        if message.kind not in _ASKING:
            self._keeper.keep(self._branches, now=True)
        self._report(force=True)

    def advance(self) -> None:
        """Take one step, and come to rest where the play under way ends."""
        run = self._run
        info = run.advance(measured=self._until == "inner" and not large(run.problem))
        if run.status.code != "running":
            self._rest("finished", None)
        elif self._until == "inner" or (self._until == "outer" and info.outer + 1 <= run.state.outer):
            self._rest("paused", None)
        self._keeper.keep(self._branches, now=not self.playing)
        self._report(force=not self.playing)

    def fail(self, error: Exception) -> None:
        """Come to rest after an error that no rule foresaw."""
        self._say(error)
        # The state is that of the last whole step: with one, Play tries again from there.
        begun = self._branches.active is not None and len(self._run.infos) > 0
        self._state = "paused" if begun and self.playing else "failed"
        self._tell.plain(self._state)

    def _say(self, error: Exception) -> None:
        sys.stderr.write("".join(traceback.format_exception(error)))
        self._tell.error = sentence(error)

    @property
    def _run(self) -> Trajectory:
        return self._branches.current.trajectory

    @property
    def _shown(self) -> int:
        return self._run.state.step if self._past is None else self._past

    def _act(self, message: Message) -> None:
        values = message.values
        match message.kind:
            case "start":
                self._branches.clear()
                self._begin(problem_of(message), values)
            case "reset" if self._problem is not None:
                self._begin(replace(self._problem, pins=pins_of(values)), values)
            case "pin":
                self._pin(pins_of(values))
            case "switch":
                self._branches.switch(int(values["number"]))
                self._show_active(None)
            case "rename":
                self._branches.rename(int(values["number"]), str(values["name"]))
            case "remove":
                self._branches.remove(int(values["number"]))
                self._tell.ghost_changed()
            case "play" | "step" | "inner_step":
                self._play(message.kind, values.get("fork_at"))
            case "pause":
                if self.playing:
                    self._rest("paused", None)
            case "stop":
                self._past = None
                if self._state in ("running", "paused", "ready"):
                    self._rest("stopped", _STOPPED)
            case "set":
                self._set(Hyperparameters(**values["hyperparameters"]))
            case "view":
                self._look(values["step"])
            case "projection":
                self._kind, self._perplexity = str(values["kind"]), float(values["perplexity"])
                self._draw()
            case "inspect":
                source, target = values["pair"]
                self._inspect(int(source), int(target), int(values["id"]))
            case "save":
                told = runs_message(self._branches, self._shown)
                self._tell.post(Message("saved", {**told.values, "id": int(values["id"])}, told.arrays))
            case "restore":
                problem = problem_of(Message("problem", values["problem"], message.arrays))
                self._take_up(*restored_runs(message, problem), int(values["shown"]))
            case "resume":
                self._take_up(*kept_branches(message), None)
            case "export":
                self._export(str(values["name"]), int(values["id"]))
            case unknown:
                raise InputError(f"{unknown!r} is not a command.")

    def _begin(self, problem: MatchingProblem, values: Mapping[str, Any]) -> None:
        self._problem = problem
        config, hyper = Config(**values["config"]), Hyperparameters(**values["hyperparameters"])
        run = Trajectory(problem, config, hyper, history_bytes(), measure_every(problem))
        self._branches.begin(run, str(values["preset"]))
        self._projector.forget()
        self._tell.start_over(0)
        self._past = self._ahead = None
        self._rest("ready", Status("ready", "Ready: press Play."))

    def _play(self, kind: str, fork_at: int | None) -> None:
        if fork_at is not None and int(fork_at) < self._run.state.step:
            at = int(fork_at)
            hyper = self._ahead or self._run.hyperparameters
            self._branches.fork(self._branches.holder(at).trajectory.fork(at, hyper), at)
            self._tell.start_over(at)
        run, self._past = self._run, None
        if self._ahead is not None and not run.done:
            run.set_hyperparameters(self._ahead)
        self._ahead = None
        if run.status.code != "running":
            self._rest("finished", None)
            return
        self._until = {"play": "end", "step": "outer", "inner_step": "inner"}[kind]
        self._state = "running"
        self._rest_status = None
        self._tell.play_begins(run.state.step)

    def _set(self, hyperparameters: Hyperparameters) -> None:
        """From the next step on: of a fork to come, where the run rests and the past is shown, or it is done."""
        if self.playing or (self._past is None and not self._run.done):
            self._run.set_hyperparameters(hyperparameters)
            self._ahead = None
        else:
            self._ahead = hyperparameters

    def _pin(self, pins: tuple[Pin, ...]) -> None:
        """Go on from the step shown, under other pins."""
        at = self._shown
        self._problem = replace(self._run.problem, pins=pins)
        self._branches.fork(self._branches.holder(at).trajectory.pinned(at, self._problem), at)
        self._tell.start_over(at)
        self._past = None
        self._play("play", None)

    def _look(self, step: int | None) -> None:
        last = self._run.state.step
        self._past = None if step is None or step >= last else max(self._branches.first_step, int(step))
        if not self.playing or self._past is not None:
            self._show_rest()

    def _rest(self, state: str, status: Status | None) -> None:
        self._state, self._rest_status = state, status or self._run.status
        self._show_rest()

    def _show_rest(self) -> None:
        step = self._shown
        holder = self._branches.holder(step).trajectory
        if large(holder.problem) and self._state != "finished":
            self._view = quick_view(holder, step)
        else:
            self._view = rest_view(holder, step, self._branches.current.preset, self._rest_status)
        self._draw()

    def _stale_picture(self) -> bool:
        """Whether the running solver's embeddings have moved on, or t-SNE has not, and the projector has time."""
        frame = self._projector.latest
        young = frame is None or (frame.kind == "tsne" and frame.age < LONGEST)
        return not self._projector.busy and (young or self._run.state.embeddings is not self._pictured)

    def _draw(self) -> None:
        self._pictured = self._run.state.embeddings
        view = self._view
        if view is None or view.source is None or view.target is None:
            return
        kind, cosine, rests = self._kind, self._run.config.kernel == "cosine", not self.playing
        seconds = _SETTLE.get(self._state, 0.5) if rests else 0.1
        self._projector.ask(Job(kind, view.source, view.target, cosine, self._perplexity, view.step, seconds, rests))

    def _inspect(self, source: int, target: int, number: int) -> None:
        problem = self._run.problem
        if not (0 <= source < problem.source.n_nodes and 0 <= target < problem.target.n_nodes):
            raise InputError("The pair to inspect is not in these graphs: choose another one.")
        if self._view is None or (self.playing and self._past is None):
            self._view = quick_view(self._run)
        view, holder = self._view, self._branches.holder(self._view.step).trajectory
        history = self._branches.pair_history(source, target, view.step)
        self._tell.post(inspect_message(holder, history, view, (source, target), number))

    def _take_up(self, branches: list[Branch], active: Branch, shown: int | None) -> None:
        self._branches.restore(branches, active)
        self._show_active(shown)

    def _show_active(self, shown: int | None) -> None:
        """Come to rest at a run that was made before, looking at a step of it."""
        run = self._run
        self._problem, self._ahead = run.problem, None
        self._projector.forget()
        self._tell.start_over(0)
        past = shown is not None and shown < run.state.step
        self._past = max(shown or 0, self._branches.first_step) if past else None
        if run.status.code != "running":
            self._rest("finished", None)
        else:
            self._rest("paused" if run.infos else "ready", None)

    def _export(self, name: str, number: int) -> None:
        view, run = self._view, self._run
        if view is None or view.result is None:
            view = rest_view(run, run.state.step, self._branches.current.preset, None)
        assert view.result is not None
        content = np.frombuffer(exports.content(name, view.result), dtype=np.uint8)
        self._tell.post(Message("export", {"id": number, "name": name}, {"content": content}))

    def _report(self, force: bool) -> None:
        if not force and not self._tell.due():
            return
        if self._branches.active is None:
            self._tell.plain(self._state)
            return
        start = time.monotonic()
        if self.playing and self._past is None:
            self._view = quick_view(self._run)
            if self._stale_picture():
                self._draw()
        assert self._view is not None
        busy = self.playing or self._projector.busy
        status = self._rest_status or self._run.status
        self._tell.report(self._branches, self._state, status, busy, self._view, self._projector.latest)
        self._tell.took(time.monotonic() - start)
