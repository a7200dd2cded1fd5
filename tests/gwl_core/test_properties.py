"""What holds on every pair of graphs, found by random search."""

from dataclasses import asdict
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.result import Result
from gwl_core.settings import PRESETS, with_changes
from gwl_core.trajectory import run

UNBOUNDED = {"gw_discrepancy", "objective", "wasserstein", "regularizer", "marginal_error", "unmatched"}
CONVERGED: dict[str, Any] = {
    "start": "product", "sinkhorn": 150, "inner": 6, "gamma": 0.5, "tolerance": 0, "unmatched": False,
}  # fmt: skip


@st.composite
def matrices(draw: st.DrawFn, directed: bool, least: int = 2, most: int = 7) -> np.ndarray:
    """A weight matrix in which every node has an interaction (a cycle underneath)."""
    n, seed = draw(st.integers(least, most)), draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    weights = rng.poisson(3, (n, n)) * (rng.uniform(size=(n, n)) < draw(st.sampled_from([0.1, 0.4, 0.9])))
    weights[np.arange(n), (np.arange(n) + 1) % n] += 1
    np.fill_diagonal(weights, 0)
    return weights if directed else np.maximum(weights, weights.T)


@st.composite
def pairs(draw: st.DrawFn) -> MatchingProblem:
    directed = draw(st.booleans())
    source, target = (Graph.from_matrix(draw(matrices(directed)), directed=directed) for _ in range(2))
    truth = np.array([[0, 0], [1, 1]])
    return MatchingProblem(source, target, truth=truth)


def align(problem: MatchingProblem, preset: str = "gwd", **changes: Any) -> Result:
    return run(problem, *with_changes(preset, changes))


def padded(result: Result) -> np.ndarray:
    """The padded coupling, put together from the real block and the slack, of which only one kind is there."""
    if len(result.slack_rows):
        return np.vstack([result.coupling, result.slack_rows])
    return np.hstack([result.coupling, result.slack_columns])


@settings(max_examples=15)
@given(pairs(), st.sampled_from(["uniform", "degree"]), st.randoms(use_true_random=False))
def test_permuting_the_nodes_permutes_the_answer(problem: MatchingProblem, marginals: str, random: Any) -> None:
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    p, q = random.sample(range(n_s), n_s), random.sample(range(n_t), n_t)
    directed = problem.source.directed
    other = MatchingProblem(
        Graph.from_matrix(problem.source.weights.toarray()[np.ix_(p, p)], directed=directed),
        Graph.from_matrix(problem.target.weights.toarray()[np.ix_(q, q)], directed=directed),
    )
    plain, moved = (align(x, marginals=marginals, **CONVERGED).coupling for x in (problem, other))
    np.testing.assert_allclose(moved, plain[np.ix_(p, q)], atol=1e-6)


@settings(max_examples=15)
@given(pairs(), st.sampled_from(["uniform", "degree"]))
def test_swapping_the_graphs_transposes_the_answer(problem: MatchingProblem, marginals: str) -> None:
    swapped = MatchingProblem(problem.target, problem.source)
    plain, other = (align(x, marginals=marginals, **CONVERGED) for x in (problem, swapped))
    np.testing.assert_allclose(other.coupling, plain.coupling.T, atol=1e-6)
    assert abs(other.measures.gw_discrepancy - plain.measures.gw_discrepancy) < 1e-6


def zipf(graph: Graph, dummies: int) -> np.ndarray:
    n = graph.n_nodes
    cost = np.ones((n + dummies, n + dummies))
    cost[:n, :n] = 1 / (graph.weights.toarray() + 1)
    np.fill_diagonal(cost, 0)
    return cost


@given(pairs(), st.booleans(), st.sampled_from(["uniform", "degree"]), st.integers(0, 3))
def test_the_discrepancy_recomputed_from_the_exported_coupling_is_the_reported_one(
    problem: MatchingProblem, unmatched: bool, marginals: str, seed: int
) -> None:
    result = align(problem, inner=15, unmatched=unmatched, marginals=marginals, start="perturbed", seed=seed)
    coupling = padded(result)
    difference = (
        zipf(problem.source, len(result.slack_rows))[:, :, None, None]
        - zipf(problem.target, result.slack_columns.shape[1])[None, None]
    )
    value = np.einsum("ijkl,ik,jl->", difference**2, coupling, coupling)
    assert abs(value - result.measures.gw_discrepancy) < 1e-9
    error = np.abs(coupling.sum(1) - result.source_marginal).sum()
    error += np.abs(coupling.sum(0) - result.target_marginal).sum()
    assert abs(error - result.measures.marginal_error) < 1e-9


@settings(max_examples=40)
@given(
    pairs(), st.sampled_from(sorted(PRESETS)), st.sampled_from(["cosine", "rbf"]), st.sampled_from(["square", "kl"]),
    st.sampled_from(["proximal", "entropic"]), st.floats(-6, 1) | st.none(), st.integers(0, 5),
)  # fmt: skip
def test_every_result_is_finite_on_its_marginals_and_within_bounds(
    problem: MatchingProblem, preset: str, kernel: str, loss: str, method: str, log_gamma: float | None, seed: int
) -> None:
    gamma = None if log_gamma is None else 10**log_gamma
    result = align(
        problem, preset, kernel=kernel, loss=loss, method=method, gamma=gamma, seed=seed, inner=8, outer=2, epochs=2,
        dim=4, batch_size=3,
    )  # fmt: skip
    coupling = padded(result)
    assert result.status.code != "diverged"
    assert (coupling >= 0).all()
    assert abs(coupling.sum() - 1) < 1e-9
    np.testing.assert_allclose(coupling.sum(1), result.source_marginal, atol=1e-9)
    np.testing.assert_allclose(coupling.sum(0), result.target_marginal, atol=1e-9)
    for array in (result.source_embedding, result.target_embedding, result.cross_cost):
        assert array is None or np.isfinite(array).all()
    for name, value in asdict(result.measures).items():
        assert value is None or (0 <= value < np.inf if name in UNBOUNDED else 0 <= value <= 1), name
    assert all(v is None or np.isfinite(v) for row in result.history for v in row.values() if not isinstance(v, str))


@settings(max_examples=10)
@given(pairs(), st.integers(0, 2**31 - 1))
def test_the_same_seed_gives_the_same_result(problem: MatchingProblem, seed: int) -> None:
    small = {"inner": 6, "outer": 2, "epochs": 2, "dim": 4, "batch_size": 3, "start": "perturbed", "seed": seed}
    again = MatchingProblem(problem.source, problem.target, problem.truth)
    first, second = (align(p, "default", **small) for p in (problem, again))
    np.testing.assert_array_equal(first.coupling, second.coupling)
    np.testing.assert_array_equal(first.source_embedding, second.source_embedding)
    assert first.measures == second.measures


@settings(max_examples=8)
@given(matrices(directed=True, least=4), st.sampled_from(["uniform", "degree"]), st.integers(0, 10**6))
def test_a_relabelled_copy_is_found_again_edge_by_edge(weights: np.ndarray, marginals: str, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(weights))
    source, target = (Graph.from_matrix(w, directed=True) for w in (weights, weights[np.ix_(order, order)]))
    result = align(MatchingProblem(source, target), marginals=marginals)
    if result.status.code != "stuck at the symmetric start":
        assert result.measures.gw_discrepancy < 1e-6
        assert result.measures.edge_correctness == 1
