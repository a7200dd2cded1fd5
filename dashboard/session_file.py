"""A session in a file: a .zip of one JSON text and one .npz of plain arrays, with a version. Nothing in it can run.

What is read is checked here for size and form, and again by the constructors of graphs, settings and states.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.protocol import Message, problem_message, problem_of
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.writers.strict_json import strict_json

VERSION = 2
"""1 kept the active run only."""
KIND = "gwl-dashboard session"
_TEXT, _ARRAYS = "session.json", "arrays.npz"
MAX_FILE = 200_000_000
MAX_TEXT = 100_000_000
MAX_ARRAYS = 1_000_000_000
"""Bytes, unpacked."""
MAX_COUNT = 20_000
_KINDS = frozenset("biuf")
UNUSABLE = "{name} is not a session file of this program, or it is damaged: choose a .zip that was saved here."


@dataclass(frozen=True, eq=False)
class Saved:
    """The content of a session file.

    Attributes:
        page: what the page had chosen, plain values.
        problem: the graphs, with pins.
        runs: their trajectories, for the process that goes on with them (see `keeping`).
    """

    page: Mapping[str, Any]
    problem: MatchingProblem
    runs: Message


def pack(page: Mapping[str, Any], problem: MatchingProblem, runs: Message) -> bytes:
    """The file's bytes."""
    graphs = problem_message(problem)
    text = strict_json(
        {"kind": KIND, "version": VERSION, "page": page, "problem": graphs.values, "runs": runs.values}, indent=None
    )  # fmt: skip
    arrays = {f"problem/{k}": v for k, v in graphs.arrays.items()} | {f"runs/{k}": v for k, v in runs.arrays.items()}
    packed, whole = io.BytesIO(), io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **{k: np.asarray(v) for k, v in arrays.items()})
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr(_TEXT, text, zipfile.ZIP_DEFLATED)
        archive.writestr(_ARRAYS, packed.getvalue(), zipfile.ZIP_STORED)
    return whole.getvalue()


def unpack(content: bytes, name: str) -> Saved:
    """Read a file back.

    Raises:
        InputError: it is too large, of another version, or not such a file.
    """
    if len(content) > MAX_FILE:
        raise InputError(f"{name} is larger than {MAX_FILE // 10**6} MB, which a session file is not.")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            told = json.loads(_member(archive, _TEXT, MAX_TEXT, name))
            packed = _member(archive, _ARRAYS, MAX_FILE, name)
        if not isinstance(told, dict) or told.get("kind") != KIND:
            raise InputError(UNUSABLE.format(name=name))
        if told.get("version") not in (1, VERSION):
            raise InputError(
                f"{name} has version {str(told.get('version'))[:20]} of the session format; this program reads "
                f"versions 1 to {VERSION}."
            )
        arrays = _arrays(packed, name)
        if told["version"] == 1:
            told, arrays = _from_first(told, arrays)
        parts = {
            part: {key.split("/", 1)[1]: value for key, value in arrays.items() if key.startswith(f"{part}/")}
            for part in ("problem", "runs")
        }
        problem = problem_of(Message("problem", dict(told["problem"]), parts["problem"]))
        saved = Saved(dict(told["page"]), problem, Message("restore", dict(told["runs"]), parts["runs"]))
        active_run(saved.runs)
        return saved
    except InputError:
        raise
    except (
        zipfile.BadZipFile, ValueError, KeyError, TypeError, IndexError, EOFError, OSError, NotImplementedError,
        RuntimeError, OverflowError, RecursionError, StopIteration,
    ) as error:  # fmt: skip
        raise InputError(UNUSABLE.format(name=name)) from error


def active_run(runs: Message) -> Mapping[str, Any]:
    """What is said of the run that is shown."""
    return next(dict(run) for run in runs.values["runs"] if run["number"] == runs.values["active"])


def _from_first(
    told: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A file of version 1 as one of version 2: its run is the first, and the only one."""
    run = {
        **told["run"], "number": 1, "parent": None, "left_at": 0, "listed": True, "pins": told["problem"]["pins"],
    }  # fmt: skip
    runs = {"runs": [run], "active": 1, "shown": run["shown"]}
    moved = {key.replace("run/", "runs/1/", 1) if key.startswith("run/") else key: a for key, a in arrays.items()}
    return {**told, "runs": runs}, moved


def _member(archive: zipfile.ZipFile, member: str, most: int, name: str) -> bytes:
    """One file of the archive, never more than it may hold, whatever its header says."""
    with archive.open(member) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise InputError(f"{name} holds more than {most // 10**6} MB of {member}, which a session file does not.")
    return content


def _arrays(packed: bytes, name: str) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        sizes = [info.file_size for info in archive.infolist()]
    if len(sizes) > MAX_COUNT or sum(sizes) > MAX_ARRAYS:
        raise InputError(f"{name} holds more than {MAX_ARRAYS // 10**6} MB of arrays, which a session file does not.")
    with np.load(io.BytesIO(packed), allow_pickle=False) as loaded:
        arrays = {key: loaded[key] for key in loaded.files}
    if any(array.dtype.kind not in _KINDS for array in arrays.values()):
        raise InputError(UNUSABLE.format(name=name))
    return arrays
