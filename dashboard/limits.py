"""The limits of this server, from one file: `limits.toml`, or the one that GWL_LIMITS names. Read once."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from gwl_core.errors import InputError
from gwl_core.limits import cores
from gwl_core.readers import Limits as FileLimits

STANDARD = Path(__file__).with_name("limits.toml")
FILE = "GWL_LIMITS"
_OVERRIDES = {"runs": "GWL_MAX_RUNS", "comparisons": "GWL_MAX_COMPARISONS"}

RANGES: Mapping[str, tuple[int, int]] = {
    "upload_mb": (1, 4_000), "nodes": (2, 100_000), "edges": (1, 50_000_000), "memory_mb": (600, 4_000_000),
    "history_mb": (1, 100_000), "runs": (0, 1_000), "comparisons": (0, 1_000), "experiments": (1, 100),
    "runs_per_visitor": (1, 1_000), "queue": (0, 10_000), "method_seconds": (1, 1_000_000),
    "rest_seconds": (1, 86_400), "idle_seconds": (10, 604_800), "grace_seconds": (1, 86_400),
}  # fmt: skip
"""Least and greatest value of every limit. A process needs about 500 MB before it has a graph."""


@dataclass(frozen=True)
class Limits:
    """What the server gives; `limits.toml` says what each is, in which unit, and the standard values."""

    upload_mb: int
    nodes: int
    edges: int
    memory_mb: int
    history_mb: int
    runs: int
    comparisons: int
    experiments: int
    runs_per_visitor: int
    queue: int
    method_seconds: int
    rest_seconds: int
    idle_seconds: int
    grace_seconds: int

    @property
    def files(self) -> FileLimits:
        """How large an uploaded graph may be."""
        return FileLimits(self.upload_mb * 1_000_000, self.nodes, self.edges)

    @property
    def history_bytes(self) -> int:
        return self.history_mb * 1_000_000

    @property
    def environment(self) -> dict[str, str]:
        """What the process of a run is told: its memory, its history, and how many share the cores.

        The share does not follow the load: sums depend on the number of threads in their last digits, so that a
        result would depend on who else is there.
        """
        return {
            "GWL_MEMORY_MB": str(self.memory_mb), "GWL_HISTORY_MB": str(self.history_mb),
            "GWL_THREADS_SHARE": str(self.runs),
        }  # fmt: skip


def load(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits of a file, over the standard ones.

    Args:
        path: a TOML file; None for the one that GWL_LIMITS names, if it does.

    Raises:
        InputError: the file cannot be read, or a value breaks its rule.
    """
    named = environment.get(FILE, "")
    path = path or (Path(named) if named else None)
    values = _read(STANDARD) | (_read(path) if path else {})
    for name, variable in _OVERRIDES.items():
        if environment.get(variable):
            values[name] = _number(environment[variable], variable, name)
    limits = Limits(**values)
    return replace(
        limits, runs=limits.runs or max(2, cores()), comparisons=limits.comparisons or max(1, cores() // 2)
    )  # fmt: skip


@cache
def limits() -> Limits:
    """The limits of this server."""
    return load()


def _read(path: Path) -> dict[str, int]:
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): correct {FILE}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} is not a TOML file ({error}): correct it as dashboard/limits.toml shows.") from error
    known = {field.name for field in fields(Limits)}
    for name in told:
        if name not in known:
            raise InputError(f"{path} sets {name!r}, which is no limit: take one of {', '.join(sorted(known))}.")
    return {name: _number(value, str(path), name) for name, value in told.items()}


def _number(value: Any, where: str, name: str) -> int:
    low, high = RANGES[name]
    if isinstance(value, str) and value.isdecimal() and value.isascii():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{where} sets {name} to {value!r}: give a whole number from {low} to {high}.")
    return value
