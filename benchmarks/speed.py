"""How fast is an inner iteration, and a whole run, beside POT's proximal solver and the paper's dense formulation?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from benchmarks.problems import permuted, sparse_pair
from benchmarks.report import Row, Table, cores, progress
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import knn
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes


def tables(quick: bool) -> Iterator[Table]:
    """Equal iterations against the rivals, then whole runs against their targets."""
    sizes, iterations, repeats = ((100, 300), 20, 3) if quick else ((100, 300, 600), 100, 5)
    rows = [
        row
        for nodes in sizes
        for threads in sorted({1, cores()})
        for row in rival_rows(sparse_pair(nodes, noise=0.05), iterations, threads, repeats)
    ]
    notes = (
        "Barabási–Albert graphs, 5% noise, permuted; equal padded costs, marginals, product start, γ, J = 1.",
        f"{iterations} iterations; medians of {repeats} repeats, methods in turn. iteration_ms of gwl_core is without, "
        "total_s with its set-up.",
        "gwl_core also measures objective, change and marginal error at every iteration; the others do not.",
        "ratio: total time over that of gwl_core. difference: largest entry of |T − T of gwl_core|.",
    )
    yield Table("Proximal iterations on sparse graphs", rows, notes)
    repeats = 1 if quick else 3
    runs: tuple[tuple[str, Callable[[], MatchingProblem], str, float | None], ...] = (
        ("K-NN, 100 nodes", lambda: knn(100, 0.0, np.random.default_rng(0)), "paper", 3.0),
        ("celegans-adult", lambda: permuted(load_pair("celegans-adult")), "default", 20.0),
        ("celegans-adult", lambda: permuted(load_pair("celegans-adult")), "gwd", None),
    )
    rows = [run_row(name, load(), preset, target, repeats) for name, load, preset, target in runs]
    note = "Wall time of a run with its set-up, without imports and reading; the threads that a run takes by itself."
    yield Table(f"Whole runs, median of {repeats}", rows, (note,))


def rival_rows(problem: MatchingProblem, iterations: int, threads: int, repeats: int) -> list[Row]:
    """One row per method, timed in turn so that a busy moment does not fall on one alone."""
    from benchmarks.rivals import METHODS, Job, Timing, limited_threads

    job = Job.of(problem, iterations, threads)
    timings: dict[str, list[Timing]] = {name: [] for name in METHODS}
    with limited_threads(threads):
        for method in METHODS.values():  # the first call pays for imports and buffers
            method(replace(job, iterations=2))
        for _ in range(repeats):
            for name, method in METHODS.items():
                timings[name].append(method(job))
    own = timings["gwl_core"]
    reference, base = own[0].coupling, float(np.median([t.total for t in own]))
    rows = []
    for name, found in timings.items():
        total = float(np.median([t.total for t in found]))
        loop = float(np.median([t.total if t.loop is None else t.loop for t in found]))
        rows.append(
            {
                "nodes": problem.source.n_nodes,
                "edges": problem.source.n_edges,
                "threads": threads,
                "method": name,
                "iteration_ms": 1000 * loop / iterations,
                "total_s": total,
                "ratio": total / base,
                "difference": float(np.abs(found[0].coupling - reference).max()),
            }
        )
    progress(f"  {problem.source.n_nodes} nodes, {threads} threads: done")
    return rows


def run_row(name: str, problem: MatchingProblem, preset: str, target: float | None, repeats: int) -> Row:
    """Median wall time of a whole run, against its target in seconds."""
    from gwl_core.trajectory import run
    from gwl_core.workspace import workspace

    config, hyperparameters = with_changes(preset, {})
    seconds = []
    for _ in range(repeats):
        workspace.cache_clear()
        start = perf_counter()
        result = run(problem, config, hyperparameters, preset)
        seconds.append(perf_counter() - start)
        progress(f"  {name}, {preset}: {seconds[-1]:.1f} s")
    median = float(np.median(seconds))
    return {
        "data": name,
        "preset": preset,
        "seconds": median,
        "target_s": target,
        "target_met": None if target is None else median < target,
        "coupling": result.measures.node_correctness_coupling,
        "inner_iterations": result.inner_iterations,
    }
