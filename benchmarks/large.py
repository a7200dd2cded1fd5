"""Graphs beyond what a dense coupling can hold: correctness, time by phase and memory of the sparse mode.

Every size runs in a process of its own, whose peak memory is then that of the size: `python -m benchmarks.large NODES
[plain]` prints one row as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.problems import file_problems, permuted, same_labels, without_edges
from benchmarks.report import Row, Table, progress
from gwl_core.datasets.synthetic import knn
from gwl_core.large.finish import finish, run
from gwl_core.large.plan import estimate
from gwl_core.large.solver import prepare, states
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes
from gwl_core.writers.strict_json import strict_json

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = with_changes("default", {"scale": "sparse"})


def tables(quick: bool) -> Iterator[Table]:
    """K-NN pairs by size, and the files beside the repository, where the dense solver's figures are known."""
    sizes = (2000,) if quick else (500, 2000, 5000, 10_000, 50_000)
    notes = (
        "K-NN graphs of mean degree 8 with Poisson(10) weights against the same without 5% of its edges, permuted and "
        "relabelled; 'weights: one' gives every edge weight 1.",
        "CPU seconds, which a busy machine changes least: prepare_cpu: features, coarse match, first candidates; "
        "anneal_cpu, polish_cpu: iterations; finish_cpu: measures, symmetries. seconds: wall time of all four; "
        "planned_*: what is said before the run.",
    )
    rows = [measured(nodes, True) for nodes in sizes] + [measured(nodes, False) for nodes in sizes[:4] if nodes > 500]
    yield Table("Large graphs, sparse mode", rows, notes)
    if not quick:
        files = [file_row(name, make()) for name, make in file_problems().items()]
        yield Table("The sparse mode on the files beside the repository", files)


def pair(nodes: int, weighted: bool, seed: int = 0) -> MatchingProblem:
    """A K-NN graph without 5% of its edges as the source, the whole one permuted as the target."""
    graph = knn(nodes, 0, np.random.default_rng(seed), mean_degree=8).source
    if not weighted:
        graph = replace(graph, weights=graph.adjacency)
    return permuted(same_labels(without_edges(graph, 0.05, seed), graph), seed)


def measured(nodes: int, weighted: bool) -> Row:
    """`row` in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.large", str(nodes), *([] if weighted else ["plain"])]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    progress(f"  {nodes} nodes: done")
    found: Row = json.loads(done.stdout)
    return found


def row(nodes: int, weighted: bool) -> Row:
    """A run, its phases timed."""
    problem = pair(nodes, weighted)
    plan = estimate(problem, *SETTINGS)
    progress(f"  {plan.text}")
    began, last = perf_counter(), process_time()
    space = prepare(problem, *SETTINGS)
    spent = {"prepare": process_time() - last, "annealing": 0.0, "polish": 0.0}
    iterations, phase, last = 0, "annealing", process_time()
    for state in states(space):
        spent[phase] += process_time() - last
        iterations += phase == "annealing" and state.step > 0
        phase, last = state.phase, process_time()
    result = finish(space, state, "default", began)
    return {
        "nodes": nodes,
        "weights": "counts" if weighted else "one",
        "source_edges": problem.source.n_edges,
        "target_edges": problem.target.n_edges,
        "node_correctness": result.measures.node_correctness_one_to_one,
        "edge_correctness": result.measures.edge_correctness,
        "iterations": iterations,
        "prepare_cpu": spent["prepare"],
        "anneal_cpu": spent["annealing"],
        "polish_cpu": spent["polish"],
        "finish_cpu": process_time() - last,
        "seconds": result.seconds,
        "peak_mb": peak_mb(),
        "planned_s": plan.seconds,
        "planned_mb": plan.bytes / 1e6,
    }


def file_row(name: str, problem: MatchingProblem) -> Row:
    """A run on a pair of files."""
    measures, seconds = (result := run(problem, *SETTINGS)).measures, result.seconds
    return {
        "pair": name,
        "nodes": problem.source.n_nodes,
        "node_correctness": measures.node_correctness_one_to_one,
        "symmetry_aware": measures.node_correctness_symmetry_aware,
        "edge_correctness": measures.edge_correctness,
        "unmatched": measures.unmatched,
        "seconds": seconds,
    }


def peak_mb() -> float:
    """Largest resident memory so far, in MB; the unit of ru_maxrss is a matter of the platform."""
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    print(strict_json(row(int(sys.argv[1]), "plain" not in sys.argv[2:])))
