"""Whether a run keeps a sparse coupling, whether it can, and what it will cost: said before anything is computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.limits import cores, dense_bytes, memory_cap
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters

ITERATIONS = 50
"""Annealing iterations at most; N where it is less."""

WORK_CAP = 4e9
"""Multiplications that an iteration may take: the candidates per node are cut down to fit, never below LEAST."""

LEAST, MOST = 10, 40


@dataclass(frozen=True)
class Estimate:
    """What a sparse run is expected to cost.

    Attributes:
        candidates: target nodes kept per source node.
        iterations: annealing iterations at most.
        work: multiplications of one iteration at its widest support.
        seconds, bytes: of the whole run.
        text: one sentence for the user, with the node counts.
    """

    candidates: int
    iterations: int
    work: float
    threads: int
    seconds: float
    bytes: float
    text: str


def is_sparse(problem: MatchingProblem, config: Config) -> bool:
    """Whether the run keeps a sparse coupling: as `config.scale` says, or where a dense one would not fit."""
    if config.scale == "auto":
        return dense_bytes(problem, config) > memory_cap()
    return config.scale == "sparse"


def check_supported(problem: MatchingProblem, config: Config) -> None:
    """Refuse what only the dense solver does.

    Raises:
        InputError: the KL loss, the shortest-path cost, degree or given marginals, given costs.
    """
    for name, value, known in (
        ("loss", config.loss, ("square",)),
        ("cost", config.cost, ("zipf", "log", "rank", "adjacency")),
        ("marginals", config.marginals, ("uniform",)),
    ):
        if value not in known:
            raise InputError(
                f"The sparse mode for large graphs takes {name} {' or '.join(known)}, got {value}; "
                f"use --{name} {known[0]}, or --scale dense on smaller graphs."
            )
    given = (problem.source_cost, problem.target_cost, problem.source_marginal, problem.target_marginal)
    if any(part is not None for part in given):
        raise InputError("The sparse mode for large graphs takes no given costs or marginals; use scale dense.")


def estimate(problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters) -> Estimate:
    """The cost of a sparse run, from the degrees of the graphs alone (docs/scale.md says how it was fitted)."""
    source, target = problem.source, problem.target
    threads = config.threads or cores()
    per_candidate = _work_per_candidate(source, target)
    candidates = int(np.clip(WORK_CAP / per_candidate, LEAST, MOST if source.n_nodes <= 5000 else 30))
    candidates = min(candidates, target.n_nodes)
    iterations = min(hyperparameters.inner, ITERATIONS)
    work = candidates * per_candidate
    pairs = source.n_nodes * target.n_nodes * (1 if target.n_nodes <= 4000 else 1 / 8)
    nodes = max(source.n_nodes, target.n_nodes)
    seconds = 1 + SEARCH_SECONDS * pairs + iterations * work * WORK_SECONDS / threads + NODE_SECONDS * nodes
    memory = 4e8 + 3.5e4 * nodes + 100 * candidates * (source.n_edges + target.n_edges)
    text = (
        f"{source.n_nodes:,} source and {target.n_nodes:,} target nodes, {source.n_edges:,} and {target.n_edges:,} "
        f"edges: sparse coupling with up to {candidates} candidates a node (a dense one would need "
        f"{dense_bytes(problem, config) / 1e9:.0f} GB); at most about {_minutes(seconds)} and {memory / 1e9:.1f} GB "
        f"on {threads} thread{'s' if threads > 1 else ''}."
    )
    return Estimate(candidates, iterations, work, threads, seconds, memory, text)


SEARCH_SECONDS, WORK_SECONDS, NODE_SECONDS = 2e-8, 4e-8, 5e-4
"""Measured: a pair of nodes compared by features, one multiplication, and what every node costs otherwise."""


def _work_per_candidate(source: Graph, target: Graph) -> float:
    """Multiplications of an iteration per candidate: Σ over nodes of degree × degree of a like node, each way."""
    total = 0.0
    for axis in (0, 1) if source.directed or target.directed else (0,):
        degrees = [np.sort(np.asarray(g.adjacency.sum(axis=axis)).ravel())[::-1] for g in (source, target)]
        size = min(map(len, degrees))
        total += float((degrees[0][:size] * degrees[1][:size]).sum())
    return max(1.0, 1.5 * total)


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.0f} minutes"
