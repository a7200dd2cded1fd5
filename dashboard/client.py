"""The page's handle of a run: sends commands to its process, keeps the newest snapshot, survives the process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from dashboard import protocol, text
from dashboard.link import Link
from dashboard.protocol import Message
from dashboard.runs import settings_of
from dashboard.session_file import active_run
from dashboard.snapshot import Merger, Snapshot
from gwl_core.errors import InputError
from gwl_core.pins import Pin
from gwl_core.problem import MatchingProblem
from gwl_core.result import Status
from gwl_core.settings import Config, Hyperparameters


class Run(Link):
    """A process that serves one browser session. Safe to use from several threads.

    Attributes:
        origin: what its graphs are to the page; compared for equality only.
        problem: what the process was last told to align, or None.
        settings: preset, Config and Hyperparameters it works with, or None before the first start.
        pins: those it works under.
        selected: the pair that its page marks.
        hello: what the process said of itself at its start.
        was_playing: whether it took steps when its process ended.
    """

    def __init__(self) -> None:
        super().__init__()
        self.origin: object = None
        self.problem: MatchingProblem | None = None
        self.settings: tuple[str, Config, Hyperparameters] | None = None
        self.selected: tuple[int, int] | None = None
        self.pins: tuple[Pin, ...] = ()
        self.hello: Mapping[str, Any] = {}
        self._merger = Merger()
        self._replies: dict[int, bytes] = {}
        self._answer: Message | None = None
        self._saved: Message | None = None
        self._sent, self._since = -1, 0
        self._wants_to_play = False
        self.was_playing = False

    @property
    def snapshot(self) -> Snapshot:
        return self._merger.snapshot

    @property
    def busy(self) -> bool:
        """Whether the snapshot will change without another command."""
        return self.alive and (self.snapshot.done < self._sent or self.snapshot.busy)

    @property
    def playing(self) -> bool:
        """Whether it takes steps, or will once it has caught up with its commands."""
        if not self.alive:
            return False
        return self._wants_to_play if self.snapshot.done < self._sent else self.snapshot.state == "running"

    def start(
        self, origin: object, problem: MatchingProblem, preset: str, config: Config, hyperparameters: Hyperparameters
    ) -> int:
        """Begin another run, of this problem, in the process. Every command returns the number to `wait` for."""
        self.origin, self.problem, self.settings = origin, problem, (preset, config, hyperparameters)
        self.pins = problem.pins
        message = protocol.problem_message(problem)
        with self._changed:  # what is still on its way is about other graphs
            self._merger, self._since, self._answer = Merger(), self._sent + 1, None
        return self._send("start", {**_written(*self.settings), **message.values}, message.arrays, plays=False)

    def reset(self, preset: str, config: Config, hyperparameters: Hyperparameters, pins: tuple[Pin, ...] = ()) -> int:
        """Go back to the start of the same problem, with these settings and pins."""
        self.settings, self.pins = (preset, config, hyperparameters), pins
        return self._send("reset", {**_written(*self.settings), "pins": protocol.pins_values(pins)}, plays=False)

    def pin(self, pins: tuple[Pin, ...]) -> int:
        """Go on from the step shown under these pins; the run so far stays as it is."""
        self.pins = pins
        return self._send("pin", {"pins": protocol.pins_values(pins)}, plays=True)

    def switch(self, number: int) -> int:
        """Show another run of these graphs, with its settings and pins."""
        summary = next((s for s in self.snapshot.branches if s["number"] == number), None)
        if summary is None:
            raise InputError("That run was deleted: choose another one.")
        self.settings, self.pins = settings_of(summary), protocol.pins_of(summary)
        return self._send("switch", {"number": number}, plays=False)

    def rename(self, number: int, name: str) -> int:
        return self._send("rename", {"number": number, "name": name})

    def remove(self, number: int) -> int:
        return self._send("remove", {"number": number})

    def set_hyperparameters(self, **changes: Any) -> int:
        """Change settings from the next step on."""
        assert self.settings is not None
        preset, config, hyperparameters = self.settings
        self.settings = (preset, config, replace(hyperparameters, **changes))
        return self._send("set", {"hyperparameters": asdict(self.settings[2])})

    def play(self, how: str = "play", fork_at: int | None = None) -> int:
        """Take steps: "play" to the end, "step" one outer iteration, "inner_step" one step.

        Args:
            fork_at: go on from this past step, with the hyperparameters of now, instead of from the newest.
        """
        return self._send(how, {"fork_at": fork_at}, plays=how != "inner_step")

    def pause(self) -> int:
        return self._send("pause", plays=False)

    def stop(self) -> int:
        return self._send("stop", plays=False)

    def look_at(self, step: int | None) -> int:
        """Show a past step; None follows the run."""
        return self._send("view", {"step": step})

    def project(self, kind: str, perplexity: float) -> int:
        return self._send("projection", {"kind": kind, "perplexity": perplexity})

    def export(self, name: str, timeout: float = 60.0) -> bytes:
        """The content of a result file, made by the process.

        Raises:
            InputError: the process is gone or too slow.
        """
        number = self._send("export", {"name": name})
        with self._changed:
            self._changed.wait_for(lambda: self.snapshot.done >= number or not self.alive, timeout)
            if number not in self._replies:
                raise InputError(self.snapshot.error or text.EXPORT_FAILED)
            return self._replies.pop(number)

    def inspect(self, pair: tuple[int, int]) -> int:
        """Ask about a pair at the step shown; `answer` has what came."""
        return self._send("inspect", {"pair": list(pair)})

    @property
    def answer(self) -> Message | None:
        """The last answer to `inspect`; its value "id" is the number of the question."""
        return self._answer

    def save(self, timeout: float = 60.0) -> Message:
        """The runs as a session file keeps them.

        Raises:
            InputError: the process is gone or too slow.
        """
        number = self._send("save")
        with self._changed:
            self._changed.wait_for(lambda: self.snapshot.done >= number or not self.alive, timeout)
            if self._saved is None or self._saved.values["id"] != number:
                raise InputError(self.snapshot.error or text.EXPORT_FAILED)
            saved, self._saved = self._saved, None
            return saved

    def restore(self, origin: object, problem: MatchingProblem, saved: Message) -> int:
        """Take up the runs that were saved, in place of the present ones."""
        active = active_run(saved)
        settings = (
            str(active["preset"]), Config(**active["config"]), Hyperparameters(**active["settings"][-1][1])
        )  # fmt: skip
        self.origin, self.problem, self.settings, self.pins = origin, problem, settings, problem.pins
        graphs = protocol.problem_message(problem)
        with self._changed:
            self._merger, self._since, self._answer = Merger(), self._sent + 1, None
        values = {**saved.values, "problem": graphs.values}
        return self._send("restore", values, {**graphs.arrays, **saved.arrays}, plays=False)

    def resume(self, old: Run) -> int:
        """Go on with the runs of a process that is no more, up to where it kept them; its folder is not needed then.

        Raises:
            InputError: it kept nothing.
        """
        folder = old.hand_over()
        if old.problem is None or old.settings is None or folder is None:
            raise InputError(old.ending or text.EXPORT_FAILED)
        self.before = folder
        self.origin, self.problem, self.settings, self.pins = old.origin, old.problem, old.settings, old.pins
        self.selected = old.selected
        graphs = protocol.problem_message(old.problem)
        with self._changed:
            self._merger, self._since, self._answer = Merger(), self._sent + 1, None
        values = {"problem": graphs.values, "folder": str(folder)}
        return self._send("resume", values, graphs.arrays, plays=False)

    def wait(self, number: int, timeout: float) -> bool:
        """Wait until a command has been acted on; False if it was not in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.snapshot.done >= number or not self.alive, timeout)

    def _send(
        self,
        kind: str,
        values: Mapping[str, Any] | None = None,
        arrays: Mapping[str, np.ndarray] | None = None,
        plays: bool | None = None,
    ) -> int:
        with self._sending:
            self.used = time.monotonic()
            self._wants_to_play = self.playing if plays is None else plays
            self._sent += 1
            self._outgoing.put(Message(kind, {**(values or {}), "id": self._sent}, arrays or {}))
            return self._sent

    def _take_end(self) -> None:
        self.was_playing = self.snapshot.state == "running"

    def _take_death(self) -> None:
        died = replace(self.snapshot, state="failed", busy=False, error=None, status=Status("stopped", self.ending))
        self._merger.snapshot = died

    def _take(self, message: Message) -> None:
        if message.kind == "snapshot" and message.values["done"] >= self._since:
            self._merger.merge(message)
            if self.before is not None and self.snapshot.kept >= 0:
                self.drop_before()
        elif message.kind == "export":
            self._replies[int(message.values["id"])] = message.arrays["content"].tobytes()
        elif message.kind == "saved":
            self._saved = message
        elif message.kind == "answer":
            self._answer = message
        elif message.kind == "hello":
            self.hello = message.values


def _written(preset: str, config: Config, hyperparameters: Hyperparameters) -> dict[str, Any]:
    return {"preset": preset, "config": asdict(config), "hyperparameters": asdict(hyperparameters)}
