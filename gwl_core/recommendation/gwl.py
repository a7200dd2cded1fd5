"""GWL and GWD on the graphs of codes: embeddings of diseases and procedures on one manifold, and their transport."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from gwl_core.datasets.admissions import Admissions
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.recommendation.task import matching_problem

SCALE = 3.0
"""What shares of admissions are multiplied by, to stand for counts in eq. (zipf)."""

EPOCHS = 300
"""Embedding epochs, shared out among the outer iterations: GWL and GWD train their embeddings equally long."""


@dataclass(frozen=True, eq=False)
class Joint:
    """Cross cost K(X_s, X_t) and coupling T, both (diseases, procedures)."""

    distances: np.ndarray
    coupling: np.ndarray


def learn_jointly(training: Admissions, kernel: str, dim: int, outer: int, seed: int, printed: bool = False) -> Joint:
    """GWL with C_st from the observed pairs; with one outer iteration GWD, whose embeddings follow the coupling.

    Args:
        printed: costs straight from the counts, as eq. (zipf) is printed. 1/(w + 1) tells one admission from none, but
            hardly twenty from two hundred; by default the counts are made comparable first, see `scaled`.
    """
    from gwl_core.settings import with_changes  # the solver loads torch
    from gwl_core.solver import init, step
    from gwl_core.workspace import workspace

    problem = matching_problem(training)
    problem = problem if printed else scaled(problem, training)
    changes = {"kernel": kernel, "dim": dim, "outer": outer, "epochs": EPOCHS // outer, "rounds": 0, "seed": seed}
    config, hyperparameters = with_changes("default", {**changes, "device": "cpu", "threads": 1})
    state = init(problem, config, hyperparameters)
    while state.phase != "done":
        state, _ = step(problem, config, hyperparameters, state)
    if state.embeddings is None:
        raise ValueError("the run has embeddings")
    space = workspace(problem, config)
    cross = space.kernel.cross(state.embeddings.source, state.embeddings.target)
    coupling = state.coupling[: problem.source.n_nodes, : problem.target.n_nodes]
    return Joint(cross.double().numpy(), coupling.double().numpy())


def scaled(problem: MatchingProblem, training: Admissions) -> MatchingProblem:
    """The same problem with comparable counts: what is common is not close to everything for that alone.

    Within a graph w_ij becomes SCALE·w_ij/√(n_i n_j), the cosine of two codes' admissions. Across, it becomes
    SCALE·max(0, w_ij − n_i n_j/N)/n_i, the share of a disease's admissions that have the procedure beyond what chance
    would bring, n being the admissions of a code and N all of them.
    """
    diseases, procedures = (
        np.maximum(np.asarray(rows.sum(axis=0)).ravel(), 1.0)
        for rows in (training.disease_rows, training.procedure_rows)
    )
    source, target = (
        Graph(graph.labels, _cosines(graph.weights, counts), name=graph.name)
        for graph, counts in ((problem.source, diseases), (problem.target, procedures))
    )
    if problem.anchors is None:
        return MatchingProblem(source, target)
    pairs = problem.anchors.tocoo()
    chance = diseases[pairs.row] * procedures[pairs.col] / len(training)
    beyond = SCALE * np.maximum(pairs.data - chance, 0.0) / diseases[pairs.row]
    return MatchingProblem(
        source, target, anchors=sparse.csr_array((beyond, (pairs.row, pairs.col)), shape=pairs.shape)
    )


def _cosines(weights: sparse.csr_array, counts: np.ndarray) -> sparse.csr_array:
    """SCALE·w_ij/√(n_i n_j), exactly symmetric."""
    pairs = weights.tocoo()
    values = SCALE * pairs.data / np.sqrt(counts[pairs.row] * counts[pairs.col])
    return sparse.csr_array((values, (pairs.row, pairs.col)), shape=pairs.shape)
