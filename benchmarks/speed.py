"""How fast is an inner iteration, and a whole run, beside POT's proximal solver and the paper's dense formulation?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from benchmarks.problems import FILES, file_problems, permuted, sparse_pair
from benchmarks.report import Row, Table, cores, progress
from gwl_core import matching, metrics
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import knn
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes

YEAST_TARGETS = {"POT float64 numpy": 8.0, "POT float32 torch": 5.0, "dense float64 torch": 4.0}
"""Times that an iteration must be faster than a rival's."""


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
    yield from yeast_tables(20 if quick else 60, 1 if quick else 5)
    repeats = 1 if quick else 3
    runs: tuple[tuple[str, Callable[[], MatchingProblem], str, float | None], ...] = (
        ("K-NN, 100 nodes", lambda: knn(100, 0.0, np.random.default_rng(0)), "paper", 3.0),
        ("celegans-adult", lambda: permuted(load_pair("celegans-adult")), "default", 20.0),
        ("celegans-adult", lambda: permuted(load_pair("celegans-adult")), "gwd", None),
    )
    rows = [run_row(name, load(), preset, target, repeats) for name, load, preset, target in runs]
    note = "Wall time of a run with its set-up, without imports and reading; the threads that a run takes by itself."
    yield Table(f"Whole runs, median of {repeats}", rows, (note,))


def yeast_tables(iterations: int, repeats: int) -> Iterator[Table]:
    """Two protein networks of 1004 nodes: an iteration against its targets, with embeddings, and time to a result."""
    load = file_problems().get("yeast 5%")
    if load is None:
        yield Table("Yeast", [], (f"Skipped: {FILES} is not there.",))
        return
    problem = load()
    rows = rival_rows(problem, iterations, cores(), repeats)
    own = rows[0]["iteration_ms"]
    for row in rows[1:]:
        row["iteration_ratio"] = row["iteration_ms"] / own
        row["target_met"] = row["iteration_ratio"] >= YEAST_TARGETS[row["method"]]
    note = "iteration_ratio: without the set-up of gwl_core; POT's set-up cannot be told apart and is small. Targets: "
    yield Table("Yeast, α = 0", rows, (note + ", ".join(f"{k} {v:g}" for k, v in YEAST_TARGETS.items()) + ".",))
    rows = [mixed_row(problem, precision, iterations) for precision in ("float64", "float32")]
    yield Table("Yeast, α = 0.1: dense costs", rows, ("As after the first epochs; iterations without their set-up.",))
    note = (
        "seconds to the best node correctness (by coupling) that POT's proximal solver has on its way; every 10 steps."
    )
    yield Table("Yeast, time to POT's best", [time_to_best(problem, 5 * iterations)], (note,))


def mixed_row(problem: MatchingProblem, precision: str, iterations: int) -> Row:
    """Median time of an iteration with embeddings as they start."""
    from gwl_core.solver import init, step

    changes = {"precision": precision, "alpha": "constant:0.1", "inner": iterations, "tolerance": 0.0, "rounds": 0}
    config, hyperparameters = with_changes("default", changes)
    state, times = init(problem, config, hyperparameters), []
    while state.phase == "coupling":
        start = perf_counter()
        state, _ = step(problem, config, hyperparameters, state)
        times.append(1000 * (perf_counter() - start))
    return {"precision": precision, "iteration_ms": float(np.median(times[1:])), "set_up_ms": times[0]}


def time_to_best(problem: MatchingProblem, iterations: int) -> Row:
    """Seconds of POT to its best node correctness, and of the gwd preset to as much; looking is not counted."""
    from benchmarks.rivals import Job, pot_steps
    from gwl_core.solver import init, step

    job = Job.of(problem, iterations, cores())
    best, theirs = 0.0, 0.0
    for seconds, coupling in pot_steps(job, every=10):
        if (found := _correct(problem, coupling)) > best:
            best, theirs = found, seconds
    config, hyperparameters = with_changes("gwd", {"device": "cpu"})
    start = perf_counter()
    state, spent, ours = init(problem, config, hyperparameters), 0.0, None
    spent = perf_counter() - start
    while ours is None and state.phase != "done":
        start = perf_counter()
        state, _ = step(problem, config, hyperparameters, state)
        spent += perf_counter() - start
        if state.step % 10 == 0 and _correct(problem, state.coupling.numpy()) >= best:
            ours = spent
    return {
        "best_of_pot": best,
        "pot_s": theirs,
        "gwl_core_s": ours,
        "steps": state.step,
        "ratio": None if ours is None else theirs / ours,
    }


def _correct(problem: MatchingProblem, coupling: np.ndarray) -> float:
    """Node correctness by coupling of a padded coupling."""
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    return metrics.node_correctness(matching.by_coupling(coupling[:n_s, :n_t].astype(np.float64)), problem.truth) or 0.0


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
