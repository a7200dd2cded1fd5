"""Every preset at every γ on every file at hand: does anything break, warn, or say what is not so?

`python -m benchmarks.gamma_grid [--full NODES] [--files NAME …] [--out DIR]`: pairs of up to NODES nodes run to the
end, larger ones for 20 inner iterations an outer one. With `--full 1500` it takes some ten hours of one core, most of
them for the paper preset on 1,000 nodes: 6,000 iterations, 5 to 20 minutes a run.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.problems import FILES, Loader, builtin_problems, file_problems
from benchmarks.report import Row, Table, as_text, entry, keep, progress
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph
from gwl_core.result import Result
from gwl_core.settings import PRESETS, with_changes
from gwl_core.trajectory import Trajectory

GAMMAS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)
CASES = FILES.parent / "cases"
SHORT = {"inner": 20, "outer": 2, "epochs": 2, "rounds": 2}
FULL_NODES = 150


def tables(quick: bool) -> Iterator[Table]:
    """The cases and built-in pairs if quick; else all files."""
    yield from checked(FULL_NODES, case_problems() if quick else None)


def checked(full: int, problems: Mapping[str, Loader] | None = None) -> Iterator[Table]:
    """One row a pair and preset: its runs, and the γ at which something was not as it must be."""
    if problems is None:
        problems = {**case_problems(), **builtin_problems(), **file_problems(large=True)}
    rows: list[Row] = []
    for name, load in problems.items():
        problem = load()
        for preset in PRESETS:
            faults = [
                f"γ = {gamma:g}: {found}" for gamma in GAMMAS for found in faults_at(problem, preset, gamma, full)
            ]
            rows.append({"data": name, "preset": preset, "runs": len(GAMMAS), "faults": len(faults)})
            progress(f"  {name}, {preset}: {'; '.join(faults) or 'sound'}")
    total: Row = {"data": "all", "preset": "", "runs": 0, "faults": 0}
    for column in ("runs", "faults"):
        total[column] = sum(row[column] for row in rows)
    shortened = ", ".join(f"{name} {value}" for name, value in SHORT.items())
    limits = f"Pairs of more than {full} nodes: {shortened}, where the preset has more."
    yield Table("NaN, warnings and untrue statuses over γ", [*rows, total], (limits,))


def faults_at(problem: MatchingProblem, preset: str, gamma: float, full: int) -> list[str]:
    """What was wrong with one run; nothing if all is well, or if the settings are refused in a sentence."""
    config, hyper = with_changes(preset, {"gamma": gamma, "device": "cpu", "threads": 1})
    if max(problem.source.n_nodes, problem.target.n_nodes) > full:
        shorter = {k: v for k, v in SHORT.items() if getattr(hyper, k) is None or getattr(hyper, k) > v}
        config, hyper = with_changes(preset, {"gamma": gamma, "device": "cpu", "threads": 1} | shorter)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            run = Trajectory(problem, config, hyper, measure_every=10**9)
            while not run.done:
                run.advance()
            result = run.result(preset)
        except InputError:
            return []
        except Exception as error:  # noqa: BLE001 whatever it is, it is a fault to be listed
            return [f"{type(error).__name__}: {error}"]
    return [f"warned: {one.message}" for one in warned] + list(unsound(result))


def unsound(result: Result) -> Iterator[str]:
    """What a result says that is not so."""
    for name, value in asdict(result.measures).items():
        if value is not None and not np.isfinite(value):
            yield f"{name} is {value}"
    whole = np.block([[result.coupling, result.slack_columns]]) if result.slack_columns.size else result.coupling
    whole = np.vstack([whole, result.slack_rows]) if result.slack_rows.size else whole
    if not np.isfinite(whole).all() or whole.min(initial=0) < 0:
        yield "the coupling is not finite or negative"
    error = np.abs(whole.sum(1) - result.source_marginal).sum() + np.abs(whole.sum(0) - result.target_marginal).sum()
    if error > 1e-9:
        yield f"the marginals are off by {error:.1e}"
    last = result.history[-1] if result.history else {}
    moved = next((row["change"] for row in reversed(result.history) if row["phase"] != "embedding"), 0.0)
    code = result.status.code
    if code in ("diverged", "running", "stopped"):
        yield f"the status is {code}"
    if (
        code == "converged"
        and not result.status.message.startswith("Kept")
        and moved > max(1e-6, result.hyperparameters.tolerance)
    ):
        yield f"it says converged, but the last step moved {moved:.1e}"
    product = np.outer(result.source_marginal, result.target_marginal)
    if (code == "stuck at the symmetric start") != _is_product(whole, product):
        yield f"the status is {code}, but the coupling is{'' if _is_product(whole, product) else ' not'} the product"
    if not np.isfinite(last.get("objective", 0.0)):
        yield "the history holds a value that is not finite"


def _is_product(whole: np.ndarray, product: np.ndarray) -> bool:
    alone = min((product.sum(0) > 0).sum(), (product.sum(1) > 0).sum()) < 2  # one node: the product is all there is
    return not alone and bool(np.abs(whole - product).max(initial=0) <= 1e-6 * product.max(initial=0))


def case_problems(folder: Path = CASES) -> Mapping[str, Loader]:
    """Neighbouring readable graphs of every case, and each with itself; none where there is no such folder."""
    found: dict[str, Loader] = {}
    for case in sorted(folder.glob("*")):
        graphs = []
        for path in sorted(case.glob("*")):
            if "truth" in path.name or path.name in ("expected.json", "mapping.csv"):
                continue
            try:
                graphs.append((path, read_graph(path, name=path.name).graph))
            except InputError:
                continue
        for (one, source), (other, target) in [*pairwise(graphs), *((graph, graph) for graph in graphs)]:
            found[f"{case.name}: {one.name}, {other.name}"] = partial(MatchingProblem, source, target)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """The command of this benchmark alone."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gamma_grid", description=__doc__)
    parser.add_argument("--full", type=int, default=FULL_NODES, metavar="NODES")
    parser.add_argument("--files", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("results"))
    given = parser.parse_args(argv)
    begun = perf_counter()
    problems = {**case_problems(), **builtin_problems(), **file_problems(large=True)}
    chosen = {name: load for name, load in problems.items() if not given.files or name in given.files}
    found = list(checked(given.full, chosen))
    for table in found:
        print(as_text(table))
    keep(given.out / "bench.json", "gamma_grid", entry(found, perf_counter() - begun, None, False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
