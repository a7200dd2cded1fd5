"""Runs as plain values and arrays, and back: for a session file or a safe. For a run's process; imports torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dashboard.branches import LONGEST_NAME, Branch, Branches
from dashboard.protocol import Message, pins_of, pins_values, problem_of
from dashboard.safe import Safe, read
from gwl_core.embedding import AdamState, Embeddings
from gwl_core.errors import InputError
from gwl_core.keyframes import state_bytes
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures
from gwl_core.search import Best
from gwl_core.settings import Config, Hyperparameters
from gwl_core.solver import init
from gwl_core.state import State, StepInfo
from gwl_core.trajectory import MEASURE_EVERY, Event, Trajectory

ACTIVE_BYTES = 60_000_000
"""Of the kept states of the run that is shown; its first, its newest and the one shown are always in the file."""
ALL_BYTES = 150_000_000
"""Of all kept states. Other runs share what is left; one whose first and newest state find no room is left out."""
_SCALARS = ("step", "outer", "inner", "epoch", "phase", "progress", "change", "settled", "inner_total", "round",
            "best_round")  # fmt: skip
_PHASES = ("coupling", "polish", "embedding", "averaging", "done")


def runs_message(branches: Branches, shown: int) -> Message:
    """All runs with their histories, as far as a file has room.

    Args:
        shown: the step of the active run that is looked at, kept as it is.
    """
    active = branches.active
    assert active is not None
    states = _states(branches, shown)
    kept = [branch for branch in branches.all if branch in states]
    arrays: dict[str, np.ndarray] = {}
    for branch in kept:
        for state in states[branch]:
            name = f"{branch.number}/{state.step}"
            arrays |= {f"{name}.{part}": _plain(tensor) for part, tensor in _tensors(state).items()}
    runs = [_values(branch, branch.parent in states, states[branch]) for branch in kept]
    return Message("runs", {"runs": runs, "active": active.number, "shown": shown}, arrays)


def _states(branches: Branches, shown: int) -> dict[Branch, list[State]]:
    """The states to keep of each run that finds room: first the line of the active one, then the newest ones."""
    active = branches.active
    assert active is not None
    line = [active]
    while line[-1].parent is not None:
        line.append(line[-1].parent)
    others = [*line[1:], *(b for b in reversed(branches.all) if b not in line)]
    found = {active: active.trajectory.keyframes(ACTIVE_BYTES, shown)}
    room = ALL_BYTES - sum(map(state_bytes, found[active]))
    share = room // max(1, len(others))
    for branch in others:
        run = branch.trajectory
        if room < 2 * state_bytes(run.state):
            continue
        found[branch] = run.keyframes(share, run.state.step)
        room -= sum(map(state_bytes, found[branch]))
    return found


def _values(branch: Branch, with_parent: bool, states: Sequence[State]) -> dict[str, Any]:
    """All that is no array. Steps before a fork stand with the run it was forked from, if that is kept."""
    run, left_at = branch.trajectory, branch.left_at if with_parent else 0
    about = _about(branch) | ({} if with_parent else {"parent": None, "left_at": 0})
    infos = [asdict(info) for info in run.infos[left_at:]]
    return {**about, "infos": infos, "frames": [_scalars(state) for state in states]}


def _about(branch: Branch) -> dict[str, Any]:
    """Everything but steps and states."""
    run = branch.trajectory
    return {
        "number": branch.number, "name": branch.name, "preset": branch.preset, "listed": branch.listed,
        "parent": None if branch.parent is None else branch.parent.number, "left_at": branch.left_at,
        "pins": pins_values(run.problem.pins), "config": asdict(run.config),
        "settings": [[step, asdict(hyper)] for step, hyper in run.settings],
        "events": [[event.step, event.text] for event in run.events], "seconds": run.seconds,
    }  # fmt: skip


def restored_runs(message: Message, problem: MatchingProblem) -> tuple[list[Branch], Branch]:
    """The runs of a `runs_message` and the active one of them.

    Raises:
        InputError: what it says does not fit the graphs.
    """
    made: dict[int, Branch] = {}
    try:
        for values in message.values["runs"]:
            number, parent = int(values["number"]), values["parent"]
            if number in made or number < 1:
                raise ValueError(number)
            before = None if parent is None else made[int(parent)]
            earlier = [] if before is None else before.trajectory.infos[: int(values["left_at"])]
            infos = [*earlier, *map(_info, values["infos"])]
            made[number] = _branch(values, infos, message.arrays, f"{number}/", problem, before)
        return list(made.values()), made[int(message.values["active"])]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InputError("The session file's run does not fit its graphs, so it cannot be shown.") from error


def _branch(
    values: Mapping[str, Any],
    infos: list[StepInfo],
    arrays: Mapping[str, np.ndarray],
    prefix: str,
    problem: MatchingProblem,
    parent: Branch | None,
) -> Branch:
    left_at = int(values["left_at"])
    own = replace(problem, pins=pins_of(values))
    config = Config(**values["config"])
    settings = [(int(step), Hyperparameters(**hyper)) for step, hyper in values["settings"]]
    model = init(own, config, settings[0][1])
    frames = [_state(frame, arrays, prefix, model) for frame in values["frames"]]
    events = [Event(int(step), str(text)) for step, text in values["events"]]
    if not frames or left_at < 0 or [i.step for i in infos] != list(range(1, frames[-1].step + 1)):
        raise InputError("The session file's history has gaps, so its run cannot be shown.")
    run = Trajectory.restored(own, config, settings, frames, infos, events, measure_every(problem))
    run.seconds = float(values["seconds"])
    name = str(values["name"])[:LONGEST_NAME]
    return Branch(int(values["number"]), name, run, str(values["preset"]), parent, left_at, bool(values["listed"]))


def measure_every(problem: MatchingProblem) -> int:
    """Steps between measures: none but at the end of a phase where one takes longer than a pause or a stop may."""
    return 10**9 if large(problem) else MEASURE_EVERY


def large(problem: MatchingProblem) -> bool:
    """Whether a one-to-one matching takes longer than a pause or a stop may: only the end of the run gets one."""
    return problem.source.n_nodes * problem.target.n_nodes > 1500**2


def keep(safe: Safe, branches: Branches) -> bool:
    """Put the newest state of every run where the end of this process cannot take it; whether the active one's is."""
    done = False
    safe.retain(branch.number for branch in branches.all)
    for branch in branches.all:
        run, active = branch.trajectory, branch is branches.active
        arrays = {name: _plain(tensor) for name, tensor in _tensors(run.state).items()}
        about = _about(branch) | {"active": active}
        kept = safe.keep(about, run.infos, run.state.step, (_scalars(run.state), arrays))
        done = done or (kept and active)
    return done


def kept_branches(message: Message) -> tuple[list[Branch], Branch]:
    """The runs that an earlier process kept in the folder that a "resume" command names, and the active one of them.

    Raises:
        InputError: they cannot be read, or do not fit the graphs.
    """
    problem = problem_of(Message("problem", message.values["problem"], message.arrays))
    made: dict[int, Branch] = {}
    active: list[Branch] = []
    try:
        for one in read(Path(message.values["folder"])):  # by number, so that a parent comes before its forks
            about = {**one.about, "frames": one.frames}
            parent = None if about["parent"] is None else made.get(int(about["parent"]))
            branch = _branch(about, [*map(_info, one.infos)], one.arrays, "", problem, parent)
            made[branch.number] = branch
            active += [branch] if about["active"] else []
    except (OSError, KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError("What was kept of this run cannot be read: press Reset to start again.") from error
    if len(active) != 1:
        raise InputError("Nothing of this run was kept yet: press Play to start again.")
    return list(made.values()), active[0]


def _scalars(state: State) -> dict[str, Any]:
    """Numbers of a state; what is infinite is None."""
    known = {name: getattr(state, name) for name in _SCALARS}
    known["adam"] = None if state.adam is None else state.adam.count
    known["best"] = None if state.best is None else [state.best.score, state.best.discrepancy, state.best.name]
    return known


def _tensors(state: State) -> dict[str, Tensor]:
    found = {"coupling": state.coupling, "log_scaling": state.log_scaling, "generator": state.generator}
    if state.embeddings is not None and state.adam is not None:
        for name, pair in (("x", state.embeddings), ("m", state.adam.first), ("v", state.adam.second)):
            found |= {f"{name}_source": pair.source, f"{name}_target": pair.target}
    if state.best is not None:
        found["best"] = state.best.matching
    return found


def _plain(tensor: Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy()


def _state(frame: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str, model: State) -> State:
    """A state whose tensors have the shapes and types of the model's, a fresh start of the same problem."""
    step = int(frame["step"])
    expected = _tensors(model)
    got: dict[str, Tensor] = {}
    for name, like in expected.items():
        array = arrays[f"{prefix}{step}.{name}"]
        if array.shape != tuple(like.shape) or not np.isfinite(array).all():
            raise ValueError(name)
        got[name] = torch.tensor(array).to(device=like.device, dtype=like.dtype)
    if (got["coupling"] < 0).any() or frame["phase"] not in _PHASES:
        raise ValueError("coupling")
    best = None
    if frame["best"] is not None:
        matching = np.asarray(arrays[f"{prefix}{step}.best"]).astype(np.int64)
        if sorted(matching.tolist()) != list(range(len(model.coupling))):
            raise ValueError("best")
        score, discrepancy, name = frame["best"]
        best = Best(torch.from_numpy(matching), float(score), float(discrepancy), str(name))
    embeddings = adam = None
    if model.embeddings is not None:
        pairs = [Embeddings(got[f"{name}_source"], got[f"{name}_target"]) for name in ("x", "m", "v")]
        embeddings, adam = pairs[0], AdamState(pairs[1], pairs[2], int(frame["adam"]))
    numbers = {name: int(frame[name]) for name in _SCALARS if name not in ("phase", "progress", "change")}
    change = float("inf") if frame["change"] is None else float(frame["change"])
    return State(
        **numbers, phase=str(frame["phase"]), progress=float(frame["progress"]), change=change,
        coupling=got["coupling"], log_scaling=got["log_scaling"], generator=got["generator"],
        embeddings=embeddings, adam=adam, best=best,
    )  # fmt: skip


def _info(values: Mapping[str, Any]) -> StepInfo:
    known = dict(values)
    measures = known.pop("measures")
    return StepInfo(**known, measures=None if measures is None else Measures(**measures))
