"""A sparse run from start to end, and its result: every reported value is that of the coupling that is written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from scipy import sparse

from gwl_core import metrics, symmetry
from gwl_core.costs import ObservedCost, observed_costs
from gwl_core.large.rounding import assign, filled
from gwl_core.large.scaling import without_excess
from gwl_core.large.solver import Space, State, prepare, states
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures, SparseResult, Status
from gwl_core.settings import Config, Hyperparameters


def run(
    problem: MatchingProblem,
    config: Config,
    hyperparameters: Hyperparameters,
    preset: str = "default",
    on_state: Callable[[Space, State], bool | None] | None = None,
) -> SparseResult:
    """A sparse run. `on_state` is told of every state, and ends the run there by returning True."""
    started = perf_counter()
    space = prepare(problem, config, hyperparameters)
    history = []
    for state in states(space):
        history.append(history_row(state))
        if on_state is not None and on_state(space, state):
            break
    return finish(space, state, preset, started, history)


def history_row(state: State) -> dict[str, Any]:
    """One flat row of the history table."""
    return {
        "step": state.step,
        "phase": state.phase,
        "iteration": state.iteration,
        "gamma": state.gamma,
        "change": state.change,
        "candidates": state.coupling.nnz,
    }


def finish(
    space: Space, state: State, preset: str, started: float, history: Sequence[Mapping[str, Any]] = ()
) -> SparseResult:
    """The result at any state; one that is not done is rounded to a matching first.

    Args:
        started: `perf_counter` at the start of the run.
    """
    problem, config = space.problem, space.config
    matching = state.matching
    if matching is None:
        matching = filled(space.edges, assign(state.coupling), space.plan.candidates, space.plan.threads)
    if not tells_apart(space):
        matching = np.full(space.shape[0], -1, dtype=np.int64)
    coupling, row_rest, column_rest = completed(state.coupling)
    n = len(row_rest)
    mass = np.full(n, 1 / n)
    swaps = [symmetry.find_symmetry(graph) for graph in (problem.source, problem.target)]
    aware = symmetry.symmetry_aware_correctness(matching, problem.truth, *swaps)
    measures = _measures(problem, config, coupling, row_rest, column_rest, matching, aware)
    return SparseResult(
        problem=problem,
        config=config,
        hyperparameters=space.hyperparameters,
        preset=preset,
        coupling=coupling,
        row_rest=row_rest,
        column_rest=column_rest,
        source_marginal=mass,
        target_marginal=mass,
        matching=matching,
        tied=symmetry.tied_matches(matching, *swaps),
        status=_status(space, state),
        measures=measures,
        outer_iterations=1,
        inner_iterations=state.step,
        seconds=perf_counter() - started,
        history=tuple(dict(row) for row in history),
        notices=_notices(space, coupling, matching),
    )


def tells_apart(space: Space) -> bool:
    """Whether there is anything to match by: edges on both sides, or known pairs."""
    both = space.problem.source.n_edges > 0 and space.problem.target.n_edges > 0
    return both or space.bonus is not None


def completed(coupling: sparse.csr_array) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """T in masses, 1/n a node with n = max(n_s, n_t), and what is left of every padded row and column, (n,) each."""
    n = max(coupling.shape)
    T = without_excess(coupling)
    rests = []
    for axis in (1, 0):
        rest = np.ones(n)
        sums = np.asarray(T.sum(axis=axis)).ravel()
        rest[: len(sums)] = np.maximum(1 - sums, 0)
        rests.append(rest / n)
    T.data = T.data / n
    return T, rests[0], rests[1]


def by_coupling(coupling: sparse.csr_array) -> np.ndarray:
    """(n_s,) argmax_j T_ij over the stored entries, the lowest index of equal ones; −1 for a row without any."""
    best = np.asarray(coupling.argmax(axis=1)).ravel()
    return np.where(np.diff(coupling.indptr) > 0, best, -1)


def discrepancy(
    source: ObservedCost,
    target: ObservedCost,
    coupling: sparse.csr_array,
    row_rest: np.ndarray,
    column_rest: np.ndarray,
) -> float:
    """⟨L(C_s, C_t, T), T⟩ under the square loss of T = P + r cᵀ/Σr, from sparse products alone.

    With C = b + D: Σ(C_s² μμᵀ) + Σ(C_t² ννᵀ) − 2⟨C_s T C_tᵀ, T⟩, whose last term splits by b and D, P and r cᵀ.

    Args:
        source, target: padded costs, (n, n), sparse deviations.
        coupling: P, (n_s, n_t).
        row_rest, column_rest: r and c, (n,); their sums are equal.
    """
    n = len(row_rest)
    P = coupling.copy()
    P.resize((n, n))
    total = float(row_rest.sum())
    D_s, D_t = sparse.csr_array(source.deviation), sparse.csr_array(target.deviation)
    mu = np.asarray(P.sum(axis=1)).ravel() + row_rest
    nu = np.asarray(P.sum(axis=0)).ravel() + column_rest
    b_s, b_t = source.background, target.background
    cross = b_s * b_t * float(mu.sum() * nu.sum())
    cross += b_s * float(mu.sum() * (nu @ (D_t @ nu))) + b_t * float(nu.sum() * (mu @ (D_s @ mu)))
    cross += float(((P @ D_t.T).multiply(D_s.T @ P)).sum())
    if total > 0:
        r, c = row_rest, column_rest / total
        cross += float((D_s @ r) @ (P @ (D_t @ c)) + (D_s.T @ r) @ (P @ (D_t.T @ c)))
        cross += float((r @ (D_s @ r)) * (c @ (D_t @ c)))
    squares = _mean_square(b_s, D_s, mu) + _mean_square(b_t, D_t, nu)
    return max(0.0, squares - 2 * cross)


def _mean_square(background: float, deviation: sparse.csr_array, mass: np.ndarray) -> float:
    """Σ_{ii'} (b + D_ii')² μ_i μ_i'."""
    change = deviation.copy()
    change.data = 2 * background * change.data + np.square(change.data)
    return float(background**2 * mass.sum() ** 2 + mass @ (change @ mass))


def _measures(
    problem: MatchingProblem,
    config: Config,
    coupling: sparse.csr_array,
    row_rest: np.ndarray,
    column_rest: np.ndarray,
    matching: np.ndarray,
    aware: float | None,
) -> Measures:
    n = len(row_rest)
    costs = [cost.padded(n - cost.n, 0.0) for cost in observed_costs(problem, config)]
    value = discrepancy(costs[0], costs[1], coupling, row_rest, column_rest)
    rows = np.asarray(coupling.sum(axis=1)).ravel()
    columns = np.asarray(coupling.sum(axis=0)).ravel()
    error = float(
        np.abs(np.pad(rows, (0, n - len(rows))) + row_rest - 1 / n).sum()
        + np.abs(np.pad(columns, (0, n - len(columns))) + column_rest - 1 / n).sum()
    )
    counts = metrics.edge_counts(matching, problem.source, problem.target)
    return Measures(
        gw_discrepancy=value,
        objective=value,
        wasserstein=None,
        regularizer=None,
        marginal_error=error,
        unmatched=int((matching < 0).sum()),
        node_correctness_coupling=metrics.node_correctness(by_coupling(coupling), problem.truth),
        node_correctness_one_to_one=metrics.node_correctness(matching, problem.truth),
        node_correctness_symmetry_aware=aware,
        edge_correctness=counts.edge_correctness,
        ics=counts.ics,
        s3=counts.s3,
    )


def _status(space: Space, state: State) -> Status:
    if not np.isfinite(state.coupling.data).all():
        return Status("diverged", "The coupling is no longer finite; raise γ or leave it at auto.")
    if not tells_apart(space):
        return Status(
            "stuck at the symmetric start", "A graph has no edges, so nothing tells its nodes apart; give anchors."
        )
    if state.phase != "done":
        return Status("stopped", f"Stopped in the {state.phase} phase after {state.step} steps.")
    if state.settled:
        return Status(
            "converged", f"Converged: annealing came to rest after {state.step - state.iteration} iterations."
        )
    return Status("iteration limit", "All annealing iterations are done, and the matching was polished from there.")


def _notices(space: Space, coupling: sparse.csr_array, matching: np.ndarray) -> tuple[str, ...]:
    """What was done another way than in a dense run, and every node that was left out."""
    found = [space.plan.text, *space.notices]
    found.append(
        "The sparse mode has a solver of its own: of the settings, cost (for the reported values), γ, N, seed, threads "
        "and anchors apply, and no embeddings are learned."
    )
    for side, n, held in (
        ("source", space.shape[0], np.diff(coupling.indptr) > 0),
        ("target", space.shape[1], np.bincount(coupling.indices, minlength=space.shape[1]) > 0),
    ):
        if (without := n - int(held.sum())) > 0:
            found.append(f"{without} {side} nodes ended without a candidate.")
    left = int((matching < 0).sum()), space.shape[1] - int((matching >= 0).sum())
    if any(left):
        found.append(f"{left[0]} source and {left[1]} target nodes stay unmatched; run.json names them.")
    return tuple(found)
