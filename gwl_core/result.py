"""What a run ends with: plain arrays and numbers, no torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters


@dataclass(frozen=True)
class Status:
    """How a run stands.

    Attributes:
        code: running, converged, iteration limit, stuck at the symmetric start, diverged or stopped.
        message: one sentence that says what it means and what to do.
    """

    code: str
    message: str


@dataclass(frozen=True)
class Measures:
    """Every number shown for a state; None where it is not defined. Correctness values are fractions 0–1.

    gw_discrepancy is that of the observed costs; objective is the mixed value being minimised. Both, and
    marginal_error, refer to the padded coupling. node_correctness_* need truth; edge_correctness, ics and s3 refer
    to the one-to-one matching.
    """

    gw_discrepancy: float
    objective: float
    wasserstein: float | None
    regularizer: float | None
    marginal_error: float
    unmatched: int
    node_correctness_coupling: float | None = None
    node_correctness_embedding: float | None = None
    node_correctness_one_to_one: float | None = None
    node_correctness_symmetry_aware: float | None = None
    edge_correctness: float | None = None
    ics: float | None = None
    s3: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class RunResult:
    """What every run ends with.

    Attributes:
        source_marginal, target_marginal: marginals of the padded coupling.
        notices: sentences a user should see (values floored, nodes left out, γ raised, …).
    """

    problem: MatchingProblem
    config: Config
    hyperparameters: Hyperparameters
    preset: str
    source_marginal: np.ndarray
    target_marginal: np.ndarray
    status: Status
    measures: Measures
    outer_iterations: int
    inner_iterations: int
    seconds: float
    history: tuple[dict[str, Any], ...] = ()
    notices: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(RunResult):
    """The outcome of a run with a dense coupling.

    Attributes:
        coupling: (n_s, n_t) real block of T, float64.
        slack_rows: (k, n_t) rows of the dummy sources (k = max(0, n_t − n_s) when unmatched mass is on, else 0).
        slack_columns: (n_s, k) columns of the dummy targets. Never both non-empty.
        source_embedding, target_embedding: (n, D), or None without embeddings.
        cross_cost: (n_s, n_t) K(X_s, X_t), or None without embeddings.
    """

    coupling: np.ndarray
    slack_rows: np.ndarray
    slack_columns: np.ndarray
    source_embedding: np.ndarray | None
    target_embedding: np.ndarray | None
    cross_cost: np.ndarray | None


@dataclass(frozen=True, eq=False, kw_only=True)
class SparseResult(RunResult):
    """The outcome of a run in the sparse mode for large graphs.

    Attributes:
        coupling: (n_s, n_t) CSR, float64: the mass on the candidates that were kept.
        row_rest, column_rest: (n,) masses of the padded problem that no candidate holds, n = max(n_s, n_t), dummies
            last. The padded coupling is `coupling` plus their outer product over their sum, which meets the marginals;
            `gw_discrepancy` and `marginal_error` refer to it.
        matching: (n_s,) target of every source, −1 for none; one-to-one.
        tied: (n_s,) bool, sources for which another match is as good.
    """

    coupling: sparse.csr_array
    row_rest: np.ndarray
    column_rest: np.ndarray
    matching: np.ndarray
    tied: np.ndarray
