"""How do time and memory grow with |V| and |E|?

Every size runs in a process of its own, whose peak memory is then that of the size: `python -m benchmarks.growth
NODES ATTACH STEPS [PRESET]` prints one row as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.problems import sparse_pair
from benchmarks.report import Row, Table, progress
from gwl_core.settings import with_changes
from gwl_core.writers.strict_json import strict_json

ROOT = Path(__file__).resolve().parents[1]


def tables(quick: bool) -> Iterator[Table]:
    """Sizes at 3 edges a node, then 1000 nodes (300 if quick) at more and more edges."""
    steps = 3 if quick else 10
    sizes = (200, 400) if quick else (200, 500, 1000, 1500, 2000)
    fixed, degrees = (300, (3, 30)) if quick else (1000, (3, 10, 30, 100))
    notes = (
        "Barabási–Albert graphs and permuted copies; default preset; medians over a few steps. iteration_ms at α = 0, "
        "mixed_iteration_ms with embeddings (dense costs), epoch_ms one embedding epoch.",
        "start_s: set-up and starting coupling. peak_mb: of the process; base_mb of it before the problem is there.",
    )
    yield Table("Growth with |V|", [measured(nodes, 3, steps) for nodes in sizes], notes)
    yield Table("Growth with |E|", [measured(fixed, attach, steps) for attach in degrees])
    large = (500, 1000) if quick else (2000, 4000, 8000)
    rows = [measured(nodes, 3, steps, "gwd") for nodes in large]
    note = "exponent: least squares of log on log |V|."
    yield Table("Growth with |V| of large graphs, gwd preset", [*rows, *fits(rows)], (note,))


def fits(rows: Sequence[Row]) -> list[Row]:
    """How time and memory of sizes grow, against the target."""
    sizes = [row["nodes"] for row in rows]
    powers = {
        "time of an iteration": exponent(sizes, [row["iteration_ms"] for row in rows]),
        "peak memory": exponent(sizes, [row["peak_mb"] - row["base_mb"] for row in rows]),
    }
    return [
        {"fitted": of, "exponent": power, "target": 2.2, "target_met": power <= 2.2} for of, power in powers.items()
    ]


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The power of |V| that fits best."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def measured(nodes: int, attach: int, steps: int, preset: str = "default") -> Row:
    """`row` in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.growth", *map(str, (nodes, attach, steps, preset))]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    progress(f"  {nodes} nodes, {attach} edges a node: done")
    found: Row = json.loads(done.stdout)
    return found


def row(nodes: int, attach: int, steps: int, preset: str = "default") -> Row:
    """Time a few steps of each kind, and read this process's peak memory."""
    from gwl_core.solver import init, step
    from gwl_core.workspace import workspace

    base = _peak_mb()
    problem = sparse_pair(nodes, attach)
    changes = {"outer": 2, "inner": steps, "epochs": steps, "tolerance": 0.0, "rounds": 0}
    config, hyperparameters = with_changes(preset, changes)
    start = perf_counter()
    state = init(problem, config, hyperparameters)
    started = perf_counter() - start
    times: dict[tuple[str, int], list[float]] = {}
    while state.phase != "done":
        kind = (state.phase, state.outer)
        start = perf_counter()
        state, _ = step(problem, config, hyperparameters, state)
        times.setdefault(kind, []).append(1000 * (perf_counter() - start))
    return {
        "nodes": nodes,
        "edges": problem.source.n_edges,
        "costs": type(workspace(problem, config).source_cost).__name__,
        "start_s": started,
        "precision": str(state.coupling.dtype).removeprefix("torch."),
        "iteration_ms": float(np.median(times["coupling", 0])),
        "mixed_iteration_ms": float(np.median(times["coupling", 1])) if config.embeddings else None,
        "epoch_ms": float(np.median(times["embedding", 0])) if config.embeddings else None,
        "base_mb": base,
        "peak_mb": _peak_mb(),
    }


def _peak_mb() -> float:
    """Largest resident memory so far, in MB; the unit of ru_maxrss is a matter of the platform."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    print(strict_json(row(*map(int, sys.argv[1:4]), *sys.argv[4:])))
