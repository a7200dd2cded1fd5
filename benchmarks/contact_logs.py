"""Reading a log of contacts of ten million rows: time, and memory at the peak."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.report import Table

_CODE = """
import resource, sys, time
from pathlib import Path
from gwl_core.datasets.contacts import read_contacts
start = time.process_time()
contacts = read_contacts(Path(sys.argv[1]), 0)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(contacts.rows, len(contacts.counts), time.process_time() - start, peak)
"""


def tables(quick: bool) -> Iterator[Table]:
    """A generated log, read by a process of its own."""
    rows = 200_000 if quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls.csv"
        _write(path, rows, np.random.default_rng(0))
        run = subprocess.run([sys.executable, "-c", _CODE, str(path)], capture_output=True, text=True, check=True)
        counted, pairs, seconds, peak = run.stdout.split()
        yield Table(
            "Reading a log of contacts",
            [{"rows": int(counted), "MB": path.stat().st_size / 1e6, "pairs": int(pairs),
              "CPU seconds": float(seconds), "peak MB": float(peak)}],
            ["Memory grows with the pairs; the whole process with its libraries counts."],
        )  # fmt: skip


def _write(path: Path, rows: int, rng: np.random.Generator) -> None:
    """Calls among 640,000 people, a few of them busy, at growing times."""
    step = 500_000
    with path.open("w", encoding="ascii") as stream:
        for start in range(0, rows, step):
            size = min(step, rows - start)
            ends = np.minimum(rng.zipf(1.3, (size, 2)), 640_000)
            for (source, destination), second in zip(ends.tolist(), range(start, start + size), strict=True):
                stream.write(f"{source},0,{destination},{second}\n")
