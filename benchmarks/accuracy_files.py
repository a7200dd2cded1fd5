"""Presets and baselines on the same permuted graphs: how right are they, how long do they take, who is ahead?

`python -m benchmarks.accuracy_files [--quick] [--long] [--seeds N] [--cap SECONDS] [--files NAME …] [--methods NAME …]
[--keep FILE] [--out DIR]` runs a part of it, or with `--long` the power grid too; with `--keep`, runs that the file
holds are not run again.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter, process_time, thread_time
from typing import Any

from benchmarks.capped import Capped
from benchmarks.ceiling import ceilings
from benchmarks.kept_rows import KeptRows
from benchmarks.paired import behind, by_file, comparisons, standing
from benchmarks.problems import FILES, builtin_problems, file_problems
from benchmarks.report import Row, Table, as_text, entry, keep, progress
from gwl_core.baselines import BASELINES, Outcome, Progress
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS

METHODS = ("default", "gwd", *BASELINES)
SMALL = 500
"""Nodes up to which a file is run with every seed; larger ones with the first alone."""
TOLD_EVERY = 3.0
"""Seconds between two looks at what a baseline has on the way, should the cap cut it short."""


_STANDING = (
    "NC: one-to-one node correctness; sym.: the same up to symmetry; EC: edge correctness; means over seeds, then over",
    "files. first: files where no method has more NC; cut: runs ended by the cap; refused: too large for the method.",
)


def tables(quick: bool) -> Iterator[Table]:
    """Two small files and one seed if quick; else every file but the power grid, three seeds up to 500 nodes."""
    if quick:
        yield from compared(files=("geant", "vtlwavenet"), seeds=1, cap=5)
    else:
        yield from compared()


def compared(
    files: Sequence[str] = (),
    methods: Sequence[str] = METHODS,
    seeds: int = 3,
    cap: float = 120,
    large: bool = False,
    keep_in: Path | None = None,
) -> Iterator[Table]:
    """Every method on every named file (all if none is named), then how `default` stands against each peer."""
    rows: list[Row] = []
    kept = KeptRows(keep_in)
    with Capped() as worker:
        for seed in range(seeds):
            for name, load in ({**builtin_problems(seed), **file_problems(seed=seed, large=large)}).items():
                if files and name not in files:
                    continue
                problem = load()
                if seed and max(problem.source.n_nodes, problem.target.n_nodes) > SMALL:
                    continue
                rows += [
                    kept.find(name, seed, method, cap) or kept.add(capped_row(worker, name, problem, method, seed, cap))
                    for method in methods
                ]
    settings = f"1 thread each; a run is ended after {cap:g} s of CPU time and judged by the best it had, if any."
    notes = ["The seed is that of removed edges, permutation and run.", settings]
    if not file_problems():
        notes.append(f"Left out: there is no folder {FILES.parent.name}/{FILES.name} beside the repository.")
    yield Table("Runs", rows, notes)
    ceiling_note = (
        "Ceiling: the most to be expected of a method that cannot tell symmetric nodes apart, between colour "
        "refinement (low) and twins with pendant branches (high), means over seeds. Luck may beat it."
    )
    yield Table("Means over files, best node correctness first", standing(rows, methods), _STANDING)
    for measure in ("node_correctness", "symmetry_aware", "edge_correctness", "cpu_seconds"):
        told = (ceiling_note,) if measure == "node_correctness" else ()
        yield Table(f"{measure}: means over seeds (* cut short)", by_file(rows, methods, measure), told)
    if "default" in methods:
        yield Table(
            "default minus each peer, 95% intervals",
            comparisons(rows, "default", [method for method in methods if method != "default"]),
            ("Differences are paired by file and seed, averaged over the seeds of a file; the interval is Student's t",
             "over files; drawn: the same from drawing files, then seeds within a file, with replacement, 4,000 times.",
             "Runs cut short count with the best they had; runs without any result are left out."),
        )  # fmt: skip
        yield Table("Files where default is more than 0.01 below the best", behind(rows, "default"))


def capped_row(worker: Capped, name: str, problem: MatchingProblem, method: str, seed: int, cap: float) -> Row:
    """One run under the cap."""
    low, high = ceilings(problem)
    row: Row = {
        "data": name, "seed": seed, "method": method, "cap": cap,
        "nodes": f"{problem.source.n_nodes}/{problem.target.n_nodes}", "ceiling_low": low, "ceiling_high": high,
    }  # fmt: skip
    try:
        found, cut = worker.run(cap, work, method, problem, seed)
    except RuntimeError as error:
        found, cut = {"failed": str(error)}, False
    found = dict(found or {})
    found["refused"] = str(found.get("failed", "")).startswith(InputError.__name__)
    if cut:
        found["cpu_seconds"] = cap
    told = " cut short" if cut else " too large" if found["refused"] else ""
    progress(
        f"  {name}, seed {seed}, {method}: {found.get('node_correctness', float('nan')):.3f}, "
        f"{found.get('cpu_seconds', float('nan')):.1f} CPU s{told}"
    )
    return row | found | {"capped": cut}


def work(method: str, problem: MatchingProblem, seed: int, tell: Callable[[Callable[[], Row]], None]) -> Row:
    """A whole run in the process at hand; what a baseline has on the way is told. Measuring is not counted."""
    from benchmarks.rivals import limited_threads

    begun, aside = process_time(), 0.0

    def told(outcome: Outcome) -> None:
        nonlocal aside
        start = thread_time()
        tell(lambda: measured(problem, outcome.extract()))
        aside += thread_time() - start

    with limited_threads(1):
        run = _preset if method in PRESETS else _baseline
        matching, seconds = run(method, problem, seed, told)
        spent = process_time() - begun - aside
        return measured(problem, matching) | {"seconds": seconds, "cpu_seconds": spent}


def _preset(preset: str, problem: MatchingProblem, seed: int, told: Callable[[Outcome], None]) -> tuple[Any, float]:
    """Tells nothing: no preset comes near the cap."""
    from gwl_core.matching import one_to_one
    from gwl_core.settings import with_changes
    from gwl_core.trajectory import run

    config, hyperparameters = with_changes(preset, {"seed": seed, "device": "cpu", "threads": 1})
    result = run(problem, config, hyperparameters, preset)
    return one_to_one(result.coupling, result.slack_rows, result.slack_columns), result.seconds


def _baseline(key: str, problem: MatchingProblem, seed: int, told: Callable[[Outcome], None]) -> tuple[Any, float]:
    from gwl_core.baselines import align
    from gwl_core.baselines.pacing import Pace

    pace = Pace(TOLD_EVERY)

    def on_progress(progress: Progress) -> None:
        if progress.best is not None and pace.due:
            told(progress.best)

    found = align(BASELINES[key], problem, seed=seed, on_progress=on_progress)
    return found.matching, found.seconds


def measured(problem: MatchingProblem, matching: Any) -> Row:
    """One-to-one node correctness, the same up to symmetry, and edge correctness."""
    from gwl_core.metrics import edge_correctness, node_correctness
    from gwl_core.symmetry import find_symmetry, symmetry_aware_correctness

    symmetries = find_symmetry(problem.source), find_symmetry(problem.target)
    return {
        "node_correctness": node_correctness(matching, problem.truth),
        "symmetry_aware": symmetry_aware_correctness(matching, problem.truth, *symmetries),
        "edge_correctness": edge_correctness(matching, problem.source, problem.target),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """The command of this benchmark alone."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy_files", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two small files, one seed")
    parser.add_argument("--long", action="store_true", help="the power grid too (give a cap of many minutes)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--cap", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--files", nargs="*", default=[], metavar="NAME", help="built-in keys and names of files")
    parser.add_argument("--methods", nargs="*", default=METHODS, choices=(*PRESETS, *BASELINES), metavar="NAME")
    parser.add_argument("--keep", metavar="FILE", type=Path, help="finished runs, a line each")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("results"))
    given = parser.parse_args(argv)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    begun = perf_counter()
    found = []
    chosen: Mapping[str, Any] = {
        "files": given.files, "methods": given.methods, "seeds": given.seeds, "cap": given.cap, "large": given.long,
        "keep_in": given.keep,
    }  # fmt: skip
    for table in tables(True) if given.quick else compared(**chosen):
        print(as_text(table), end="\n\n", flush=True)
        found.append(table)
    keep(given.out / "bench.json", "accuracy_files", entry(found, perf_counter() - begun, load, given.quick))
    return 0


if __name__ == "__main__":
    sys.exit(main())
