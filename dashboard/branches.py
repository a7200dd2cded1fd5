"""The runs of one pair of graphs that a session has made: forks and earlier runs, named, switched and removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dashboard.protocol import pins_values
from dashboard.snapshot import HISTORY
from dashboard.views import history_rows
from gwl_core.errors import InputError
from gwl_core.pins import SAME, Pin
from gwl_core.trajectory import PairHistory, Trajectory

MOST = 6
"""Runs that are kept; the oldest one without a fork goes first."""
_ASIDE_BYTES = 32_000_000
"""Memory for the keyframes of a run that was set aside."""
LONGEST_NAME = 40


@dataclass(eq=False)
class Branch:
    """One run.

    Attributes:
        number: tells it from others for as long as the graphs stay.
        parent, left_at: the run it was forked from, and the step after which it is its own.
        listed: False for a run that was removed, but that a fork still needs.
    """

    number: int
    name: str
    trajectory: Trajectory
    preset: str
    parent: Branch | None = None
    left_at: int = 0
    listed: bool = True


class Branches:
    """All runs of the present graphs, one of them the active one."""

    def __init__(self) -> None:
        self._all: list[Branch] = []
        self._made = 0
        self.active: Branch | None = None

    def clear(self) -> None:
        self._all, self._made, self.active = [], 0, None

    def restore(self, branches: Sequence[Branch], active: Branch) -> None:
        """Take up runs that were saved, in place of all there are."""
        self._all, self._made, self.active = list(branches), max(b.number for b in branches), active
        for branch in branches:
            if branch is not active:
                branch.trajectory.keep_within(_ASIDE_BYTES)

    @property
    def all(self) -> tuple[Branch, ...]:
        """Also those that only their forks need; a fork comes after the run that it was forked from."""
        return tuple(self._all)

    @property
    def listed(self) -> list[Branch]:
        return [branch for branch in self._all if branch.listed]

    def begin(self, trajectory: Trajectory, preset: str) -> Branch:
        """A run from the start. One that took no step leaves nothing to keep."""
        if self.active is not None and not self.active.trajectory.infos:
            self._all.remove(self.active)
        pins = pins_words(trajectory.problem.pins)
        return self._add(Branch(self._made + 1, f"Run {self._made + 1}{pins and ': ' + pins}", trajectory, preset))

    def fork(self, trajectory: Trajectory, step: int) -> Branch:
        """A run that goes on from a step of the active one, named after its pins where those are new."""
        parent = self.holder(step)
        reason = parent.name.split(":")[0] + f" from step {step}"
        if trajectory.problem.pins != parent.trajectory.problem.pins:
            reason = pins_words(trajectory.problem.pins) or "no pins"
        name = f"Run {self._made + 1}: {reason}"[:LONGEST_NAME]
        return self._add(Branch(self._made + 1, name, trajectory, parent.preset, parent, step))

    @property
    def current(self) -> Branch:
        """The active run.

        Raises:
            InputError: there is none.
        """
        if self.active is None:
            raise InputError("There is no run yet: press Play or Step to start one.")
        return self.active

    def holder(self, step: int) -> Branch:
        """The run in the active one's line that took a step."""
        branch = self.current
        while branch.parent is not None and step < branch.left_at:
            branch = branch.parent
        return branch

    @property
    def first_step(self) -> int:
        """The earliest step that can be looked at along the active run."""
        branch = self.active
        while branch is not None and branch.parent is not None:
            branch = branch.parent
        return 0 if branch is None else branch.trajectory.first_step

    def switch(self, number: int) -> Branch:
        """Make another run the active one."""
        found = self._find(number)
        if self.active is not None:
            self.active.trajectory.keep_within(_ASIDE_BYTES)
        found.trajectory.keep_within()
        self.active = found
        return found

    def rename(self, number: int, name: str) -> None:
        words = " ".join(name.split())[:LONGEST_NAME]
        if not words:
            raise InputError("A run needs a name: type at least one letter.")
        self._find(number).name = words

    def remove(self, number: int) -> None:
        """Take a run off the list; the active one stays."""
        branch = self._find(number)
        if branch is self.active:
            raise InputError("The run that is shown cannot be deleted: switch to another one first.")
        branch.listed = False
        self._sweep()

    def pair_history(self, source: int, target: int, until: int) -> PairHistory:
        """One entry of the coupling along the active run and the runs that it was forked from."""
        parts: list[PairHistory] = []
        branch, before = self.active, until + 1
        while branch is not None:
            part = branch.trajectory.pair_history(source, target, until)
            own = (part.steps < before) & (part.steps >= branch.left_at)
            parts.insert(0, PairHistory(part.steps[own], part.mass[own], part.best[own]))
            before = min(before, branch.left_at)
            branch = branch.parent
        return PairHistory(*(np.concatenate([getattr(p, name) for p in parts]) for name in ("steps", "mass", "best")))

    def ghost(self) -> np.ndarray:
        """(rows, len(HISTORY)) histories of the other runs, one after another: where the step falls, a run begins."""
        others = [history_rows(b.trajectory.infos) for b in self.listed if b is not self.active]
        return np.concatenate(others) if others else np.empty((0, len(HISTORY)))

    def summary(self) -> list[dict[str, Any]]:
        """For the page: every listed run with its settings and its last measures."""
        return [_summary(branch, branch is self.active) for branch in self.listed]

    def _add(self, branch: Branch) -> Branch:
        if self.active is not None:
            self.active.trajectory.keep_within(_ASIDE_BYTES)
        self._made += 1
        self._all.append(branch)
        self.active = branch
        while len(self.listed) > MOST:
            self.listed[0].listed = False
        self._sweep()
        return branch

    def _find(self, number: int) -> Branch:
        found = next((branch for branch in self.listed if branch.number == number), None)
        if found is None:
            raise InputError("That run was deleted: choose another one.")
        return found

    def _sweep(self) -> None:
        """Let go of runs that nobody needs any more."""
        while True:
            needed = {id(branch.parent) for branch in self._all}
            kept = [b for b in self._all if b.listed or b is self.active or id(b) in needed]
            if len(kept) == len(self._all):
                return
            self._all = kept


def _summary(branch: Branch, active: bool) -> dict[str, Any]:
    run = branch.trajectory
    measured = next((info.measures for info in reversed(run.infos) if info.measures), None)
    return {
        "number": branch.number, "name": branch.name, "active": active, "steps": run.state.step,
        "left_at": branch.left_at, "parent": None if branch.parent is None else branch.parent.number,
        "settings": {"preset": branch.preset, **asdict(run.config), **asdict(run.hyperparameters)},
        "pins": pins_values(run.problem.pins),
        "measures": None if measured is None else asdict(measured),
    }  # fmt: skip


def pins_words(pins: Sequence[Pin]) -> str:
    """How many pairs are pinned and how many forbidden, in words; nothing without pins."""
    same = sum(pin.kind == SAME for pin in pins)
    counts = ((same, "pinned"), (len(pins) - same, "forbidden"))
    return ", ".join(f"{count} {word}" for count, word in counts if count)
