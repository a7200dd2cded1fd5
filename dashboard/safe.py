"""A folder that outlives a run's process: what the run was up to its last keyframe, for the process that takes it up.

One folder a run, named by its number: `about.json` (settings, name, parent, pins), `infos.jsonl` (a line per step, only
ever appended to) and `<step>.npz` (a state, plain arrays). Every file but the second is put in place whole, and of the
second only lines up to the newest state count, so that an end at any moment leaves a folder that can be read. No torch.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

State = tuple[Mapping[str, Any], Mapping[str, np.ndarray]]
FOLDER = "GWL_KEEP"
"""The variable that tells a run's process its folder."""
_ABOUT, _INFOS, _SCALARS = "about.json", "infos.jsonl", "scalars"


@dataclass(frozen=True, eq=False)
class Kept:
    """One run as it was kept.

    Attributes:
        about: what was said of it, with "number" and "active".
        infos: one mapping per step, from step 1 to the newest state.
        frames: numbers of the kept states, by step.
        arrays: `<step>.<name>` of their tensors.
    """

    about: Mapping[str, Any]
    infos: Sequence[Mapping[str, Any]]
    frames: Sequence[Mapping[str, Any]]
    arrays: Mapping[str, np.ndarray]


class Safe:
    """Writes such a folder. A full disk is noted in `fault`, and never stops the run.

    Args:
        folder: None keeps nothing.
        budget: bytes of states; the first and the newest of each run stay in any case.
    """

    def __init__(self, folder: Path | None, budget: int) -> None:
        self._folder, self._budget = folder, budget
        self._said: dict[int, Mapping[str, Any]] = {}
        self._lines: dict[int, int] = {}
        self._frames: dict[int, dict[int, int]] = {}
        self.fault = ""

    def keep(self, about: Mapping[str, Any], infos: Sequence[Any], step: int, state: State) -> bool:
        """Keep a run's settings, the steps that are not kept yet, and its newest state.

        Args:
            about: has "number"; written where it differs from the last.
            infos: every step so far, as dataclass instances or mappings.
            step, state: the newest state: its numbers, and its arrays by name.

        Returns:
            Whether it is on the disk.
        """
        if self._folder is None:
            return False
        try:
            self._keep(self._folder, about, infos, step, state)
        except OSError as error:
            self.fault = error.strerror or "the disk does not take it"
            return False
        self.fault = ""
        return True

    def retain(self, numbers: Iterable[int]) -> None:
        """Forget all runs but these."""
        for number in set(self._frames) - set(numbers):
            for known in (self._said, self._lines, self._frames):
                known.pop(number, None)
            if self._folder is not None:
                shutil.rmtree(self._folder / str(number), ignore_errors=True)

    def _keep(
        self,
        root: Path,
        about: Mapping[str, Any],
        infos: Sequence[Any],
        step: int,
        state: tuple[Mapping[str, Any], Any],
    ) -> None:
        number = int(about["number"])
        folder = root / str(number)
        folder.mkdir(mode=0o700, exist_ok=True)
        frames = self._frames.setdefault(number, {})
        self._append(folder / _INFOS, number, infos)
        if step not in frames:
            scalars, arrays = state
            told = np.frombuffer(json.dumps(scalars).encode(), np.uint8)
            path = folder / f"{step}.npz"
            _put(path, lambda stream: np.savez(stream, allow_pickle=False, **{_SCALARS: told, **arrays}))
            frames[step] = path.stat().st_size
        if self._said.get(number) != about:
            _put(folder / _ABOUT, lambda stream: stream.write(json.dumps(about).encode()))
            self._said[number] = about
        self._thin(root)

    def _append(self, path: Path, number: int, infos: Sequence[Any]) -> None:
        known = self._lines.get(number, 0)
        new = infos[known:]
        if new or not known:
            lines = "".join(json.dumps(_plain(info)) + "\n" for info in new)
            before = path.stat().st_size if known else 0
            try:
                with path.open("ab" if known else "wb") as stream:
                    stream.write(lines.encode())
            except OSError:
                with contextlib.suppress(OSError):
                    os.truncate(path, before)  # half a line would spoil the next
                raise
            self._lines[number] = known + len(new)

    def _thin(self, root: Path) -> None:
        """Within the budget: every other state of the run that has most of them goes."""
        while sum(sum(frames.values()) for frames in self._frames.values()) > self._budget:
            number, frames = max(self._frames.items(), key=lambda item: len(item[1]))
            gone = sorted(frames)[1:-1][::2]
            if not gone:
                return
            for step in gone:
                (root / str(number) / f"{step}.npz").unlink(missing_ok=True)
                del frames[step]


def newest(folder: Path) -> int | None:
    """The step of the active run's newest state; None if nothing is kept there."""
    for part in _runs(folder):
        try:
            about = json.loads((part / _ABOUT).read_bytes())
        except (OSError, ValueError):
            continue
        if about.get("active"):
            return max((int(path.stem) for path in part.glob("*.npz")), default=None)
    return None


def read(folder: Path) -> list[Kept]:
    """Every run that is kept there.

    Raises:
        OSError, ValueError, KeyError: the folder is not such a one.
    """
    return [_read(part) for part in _runs(folder) if (part / _ABOUT).is_file() and any(part.glob("*.npz"))]


def _runs(folder: Path) -> list[Path]:
    return sorted((part for part in folder.glob("*") if part.name.isdecimal()), key=lambda part: int(part.name))


def _read(part: Path) -> Kept:
    frames: list[Mapping[str, Any]] = []
    arrays: dict[str, np.ndarray] = {}
    for path in sorted(part.glob("*.npz"), key=lambda path: int(path.stem)):
        with np.load(path, allow_pickle=False) as loaded:
            frames.append(json.loads(loaded[_SCALARS].tobytes()))
            arrays |= {f"{path.stem}.{name}": loaded[name] for name in loaded.files if name != _SCALARS}
    last = int(frames[-1]["step"])
    infos: list[Mapping[str, Any]] = []
    with (part / _INFOS).open("rb") as stream:
        for line in stream:
            if len(infos) == last:
                break
            infos.append(json.loads(line))
    return Kept(json.loads((part / _ABOUT).read_bytes()), infos, frames, arrays)


def _plain(info: Any) -> Mapping[str, Any]:
    known = dict(info if isinstance(info, Mapping) else vars(info))
    measures = known.get("measures")
    if measures is not None and not isinstance(measures, Mapping):
        known["measures"] = dict(vars(measures))
    return known


def _put(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """A whole file or none."""
    draft = path.with_suffix(".new")
    try:
        with draft.open("wb") as stream:
            write(stream)
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
