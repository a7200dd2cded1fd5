"""Both graphs as matrices of one size n = max(n_s, n_t), and back: shared by the systems that need it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from gwl_core.baselines.protocol import Outcome
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

ENTRIES = ("closeness", "adjacency", "counts")
"""What stands for an edge of weight w: w/(w+1), which is 1 less the observed cost of eq. (zipf); 1; or w itself."""


def padded_matrices(problem: MatchingProblem, entries: str) -> tuple[sparse.csr_array, sparse.csr_array]:
    """(n, n) matrices of source and target, zero diagonal; the smaller graph gets isolated dummies at its end."""
    n = max(problem.source.n_nodes, problem.target.n_nodes)
    return _padded(problem.source, entries, n), _padded(problem.target, entries, n)


def _padded(graph: Graph, entries: str, n: int) -> sparse.csr_array:
    matrix = sparse.csr_array(graph.adjacency if entries == "adjacency" else graph.without_loops, copy=True)
    if entries == "closeness":
        matrix.data = matrix.data / (matrix.data + 1)
    matrix.resize((n, n))
    return matrix


def from_permutation(problem: MatchingProblem, columns: np.ndarray) -> Outcome:
    """The outcome of an assignment of the padded nodes; a node assigned to a dummy is unmatched."""
    image = columns[: problem.source.n_nodes]
    return Outcome(matching=np.where(image < problem.target.n_nodes, image, -1))


def from_coupling(problem: MatchingProblem, coupling: np.ndarray) -> Outcome:
    """The outcome of an (n, n) coupling: its real block, and its dummies as slack."""
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    return Outcome(coupling[:n_s, :n_t], coupling[n_s:, :n_t], coupling[:n_s, n_t:])


def permutation_discrepancy(source: np.ndarray, target: np.ndarray, columns: np.ndarray) -> float:
    """⟨L(C_s, C_t, P), P⟩ of the square loss for P the permutation i → columns[i] at mass 1/n each."""
    return float(np.square(source - target[np.ix_(columns, columns)]).mean())
