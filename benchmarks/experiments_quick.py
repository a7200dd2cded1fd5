"""Each of the paper's experiments at its quick size, from the command line: time, and time of a second call."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from benchmarks.report import Row, Table, progress
from gwl_core.experiments.registry import MODULES

ROOT = Path(__file__).parents[1]
BAR = 60.0
"""Seconds on two cores that a quick size may take."""


def tables(quick: bool) -> Iterator[Table]:
    """One experiment after another, each in a folder of its own; `quick` takes the tiny sizes."""
    size = "tiny" if quick else "quick"
    yield Table(
        f"The experiments at their {size} size",
        [row(key, size) for key in MODULES if key != "sweep"],
        [f"CPU seconds are those of all processes; on two cores they take about half, which must be below {BAR:.0f} s. "
         "The second call finds every trial finished; what it takes is the start of Python and the report."],
    )  # fmt: skip


def row(key: str, size: str) -> Row:
    """Two calls of one experiment."""
    with tempfile.TemporaryDirectory() as folder:
        first, wall, cpu = _call(key, size, folder)
        again, wall_again, cpu_again = _call(key, size, folder)
    progress(f"  {key}: {cpu:.0f} s of CPU")
    return {
        "experiment": key, "trials": first["total"], "CPU s": cpu, "wall s": wall, "below the bar": cpu / 2 < BAR,
        "again: reused": again["reused"], "again: CPU s": cpu_again, "again: wall s": wall_again,
    }  # fmt: skip


def _call(key: str, size: str, folder: str) -> tuple[Row, float, float]:
    """What the last line of progress said, wall seconds and CPU seconds."""
    command = [
        sys.executable, "-m", "gwl_core", "experiment", key, f"--{size}", "--out", folder, "--progress-json", "--json",
    ]  # fmt: skip
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    said: list[Row] = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    return said[-1], wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
