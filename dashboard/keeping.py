"""A run as plain values and arrays, and back: what a file or a safe keeps of it. For a run's process; imports torch."""

from __future__ import annotations

from collections.abc import Mapping
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
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures
from gwl_core.search import Best
from gwl_core.settings import Config, Hyperparameters
from gwl_core.solver import init
from gwl_core.state import State, StepInfo
from gwl_core.trajectory import MEASURE_EVERY, Event, Trajectory

KEYFRAMES_BYTES = 60_000_000
"""Of all keyframes in a file; the first, the newest and the one shown are always in it."""
_SCALARS = ("step", "outer", "inner", "epoch", "phase", "progress", "change", "settled", "inner_total", "round",
            "best_round")  # fmt: skip
_PHASES = ("coupling", "polish", "embedding", "done")


def run_message(branch: Branch, shown: int) -> Message:
    """The run with its history; earlier runs that it was forked from stay out.

    Args:
        shown: the step looked at, kept as it is.
    """
    run = branch.trajectory
    arrays: dict[str, np.ndarray] = {}
    frames = []
    for state in run.keyframes(KEYFRAMES_BYTES, shown):
        frames.append(_scalars(state))
        arrays |= {f"{state.step}.{name}": _plain(tensor) for name, tensor in _tensors(state).items()}
    infos = [asdict(info) for info in run.infos]
    return Message("run", {**_about(branch), "shown": shown, "infos": infos, "frames": frames}, arrays)


def _about(branch: Branch) -> dict[str, Any]:
    """Everything but steps and states."""
    run = branch.trajectory
    return {
        "name": branch.name, "preset": branch.preset, "config": asdict(run.config),
        "settings": [[step, asdict(hyper)] for step, hyper in run.settings],
        "events": [[event.step, event.text] for event in run.events], "seconds": run.seconds,
    }  # fmt: skip


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
        about = _about(branch) | {
            "number": branch.number, "left_at": branch.left_at, "listed": branch.listed, "active": active,
            "parent": None if branch.parent is None else branch.parent.number, "pins": pins_values(run.problem.pins),
        }  # fmt: skip
        arrays = {name: _plain(tensor) for name, tensor in _tensors(run.state).items()}
        kept = safe.keep(about, run.infos, run.state.step, (_scalars(run.state), arrays))
        done = done or (kept and active)
    return done


def saved_branch(message: Message) -> Branch:
    """The run of a "restore" command: a `run_message` with its graphs."""
    values = message.values
    run = restored_run(message, problem_of(Message("problem", values["problem"], message.arrays)))
    return Branch(1, str(values["name"])[:LONGEST_NAME], run, str(values["preset"]))


def kept_branches(message: Message) -> list[Branch]:
    """The runs that an earlier process kept in the folder that a "resume" command names, the active one last.

    Raises:
        InputError: they cannot be read, or do not fit the graphs.
    """
    problem = problem_of(Message("problem", message.values["problem"], message.arrays))
    try:
        kept = read(Path(message.values["folder"]))
    except (OSError, ValueError, KeyError) as error:
        raise InputError("What was kept of this run cannot be read: press Reset to start again.") from error
    made: dict[int, Branch] = {}
    for one in kept:  # by number, so that a parent comes before its forks
        about = one.about
        values = {**about, "frames": one.frames, "infos": one.infos}
        own = replace(problem, pins=pins_of(about))
        run = restored_run(Message("run", values, one.arrays), own)
        run.seconds = float(about["seconds"])
        parent = None if about["parent"] is None else made.get(int(about["parent"]))
        number = int(about["number"])
        made[number] = Branch(
            number, str(about["name"]), run, str(about["preset"]), parent, int(about["left_at"]), bool(about["listed"])
        )
    active = [int(one.about["number"]) for one in kept if one.about["active"]]
    if not made or len(active) != 1:
        raise InputError("Nothing of this run was kept yet: press Play to start again.")
    return [branch for number, branch in made.items() if number not in active] + [made[active[0]]]


def restored_run(message: Message, problem: MatchingProblem) -> Trajectory:
    """The trajectory of a `run_message`.

    Raises:
        InputError: what it says does not fit the graphs.
    """
    values = message.values
    try:
        config = Config(**values["config"])
        settings = [(int(step), Hyperparameters(**hyper)) for step, hyper in values["settings"]]
        model = init(problem, config, settings[0][1])
        frames = [_state(frame, message.arrays, model) for frame in values["frames"]]
        infos = [_info(info) for info in values["infos"]]
        events = [Event(int(step), str(text)) for step, text in values["events"]]
        if not frames or [i.step for i in infos] != list(range(1, frames[-1].step + 1)):
            raise InputError("The session file's history has gaps, so its run cannot be shown.")
        return Trajectory.restored(problem, config, settings, frames, infos, events, measure_every(problem))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError("The session file's run does not fit its graphs, so it cannot be shown.") from error


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


def _state(frame: Mapping[str, Any], arrays: Mapping[str, np.ndarray], model: State) -> State:
    """A state whose tensors have the shapes and types of the model's, a fresh start of the same problem."""
    step = int(frame["step"])
    expected = _tensors(model)
    got: dict[str, Tensor] = {}
    for name, like in expected.items():
        array = arrays[f"{step}.{name}"]
        if array.shape != tuple(like.shape) or not np.isfinite(array).all():
            raise ValueError(name)
        got[name] = torch.tensor(array).to(device=like.device, dtype=like.dtype)
    if (got["coupling"] < 0).any() or frame["phase"] not in _PHASES:
        raise ValueError("coupling")
    best = None
    if frame["best"] is not None:
        matching = np.asarray(arrays[f"{step}.best"]).astype(np.int64)
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
