"""`python -m benchmarks [NAME …] [--quick] [--out DIR]`: run benchmarks, print their tables, keep them as JSON.

All but the soak run unless some are named; `soak --minutes 30` watches the page for as long as it says.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks import (
    accuracy_files,
    accuracy_pairs,
    accuracy_synthetic,
    aligners,
    calibration,
    contact_logs,
    embeddings_help,
    experiments_quick,
    gamma_grid,
    growth,
    large,
    load,
    paper_preset,
    soak,
    speed,
    tick,
)
from benchmarks.report import Table, as_text, entry, keep, progress

Benchmark = Callable[[bool], Iterator[Table]]

BENCHMARKS: Mapping[str, Benchmark] = {
    "accuracy_synthetic": accuracy_synthetic.tables,
    "accuracy_pairs": accuracy_pairs.tables,
    "accuracy_files": accuracy_files.tables,
    "aligners": aligners.tables,
    "calibration": calibration.tables,
    "embeddings_help": embeddings_help.tables,
    "paper_preset": paper_preset.tables,
    "speed": speed.tables,
    "gamma_grid": gamma_grid.tables,
    "growth": growth.tables,
    "large": large.tables,
    "contact_logs": contact_logs.tables,
    "experiments_quick": experiments_quick.tables,
    "tick": tick.tables,
    "load": load.tables,
}

SOAK = "soak"
"""Takes half an hour, so that it runs only where it is named."""


def main(argv: Sequence[str] | None = None, benchmarks: Mapping[str, Benchmark] = BENCHMARKS) -> int:
    """Run the named benchmarks, or all, in the order they are registered in; 0 at the end."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help=", ".join([*benchmarks, SOAK]) + f"; all but {SOAK} unless given"
    )
    parser.add_argument("--quick", action="store_true", help="fewer seeds, sizes and repeats")
    parser.add_argument("--minutes", type=float, default=soak.MINUTES, help="how long the soak takes")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("results"), help="where bench.json goes")
    arguments = parser.parse_args(argv)
    known = {**benchmarks, SOAK: lambda quick: soak.tables(1 if quick else arguments.minutes)}
    unknown = sorted(set(arguments.names) - set(known))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}: choose from {', '.join(known)}")
    for name, tables in known.items():
        if name not in (arguments.names or benchmarks):
            continue
        progress(f"{name} …")
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
        start = perf_counter()
        found = []
        for table in tables(arguments.quick):
            print(as_text(table), end="\n\n", flush=True)
            found.append(table)
        keep(arguments.out / "bench.json", name, entry(found, perf_counter() - start, load, arguments.quick))
    return 0


if __name__ == "__main__":
    sys.exit(main())
