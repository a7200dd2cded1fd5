"""Numbers shown for a state, recomputed with plain NumPy."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from gwl_core.graph import Graph
from gwl_core.measure import finish, measure, split
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes
from gwl_core.solver import init, step
from gwl_core.state import State
from gwl_core.trajectory import run
from gwl_core.workspace import workspace


def random_graph(n: int, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    weights = rng.poisson(3, (n, n)) * (rng.uniform(size=(n, n)) < 0.5)
    np.fill_diagonal(weights, 0)
    return Graph.from_matrix(weights, directed=True)


PAIR = MatchingProblem(random_graph(6, 0), random_graph(4, 1), truth=np.array([[0, 0], [1, 1], [2, 3]]))
SMALL: dict[str, Any] = {"inner": 5, "outer": 2, "epochs": 3, "dim": 4, "alpha": "constant:0.3"}


def square(source: np.ndarray, target: np.ndarray, coupling: np.ndarray) -> float:
    """Σ (c^s_ij − c^t_kl)² T_ik T_jl."""
    rows, columns = coupling.sum(1), coupling.sum(0)
    return (
        rows @ source**2 @ rows + columns @ target**2 @ columns - 2 * ((source @ coupling @ target.T) * coupling).sum()
    )


def reached(steps: int, **changes: Any) -> tuple[State, Any, Any]:
    config, hyper = with_changes("default", {**SMALL, **changes})
    state = init(PAIR, config, hyper)
    for _ in range(steps):
        state, _ = step(PAIR, config, hyper, state)
    return state, config, hyper


@pytest.mark.parametrize("regularizer", ["mean", "sum"])
@pytest.mark.parametrize("kernel", ["cosine", "rbf"])
def test_objective_is_the_mixed_value_plus_beta_r(kernel: str, regularizer: str) -> None:
    state, config, hyper = reached(11, kernel=kernel, regularizer=regularizer)
    found, space = measure(PAIR, config, hyper, state), workspace(PAIR, config)
    assert state.embeddings is not None
    x, y = state.embeddings.source, state.embeddings.target
    k_s, k_t, k_st = space.kernel.within(x).numpy(), space.kernel.within(y).numpy(), space.kernel.cross(x, y).numpy()
    c_s, c_t = space.source_cost.dense().numpy(), space.target_cost.dense().numpy()
    coupling, alpha = state.coupling.numpy(), 0.3
    padded = np.ones((6, 6))
    padded[:4, :4] = k_t
    np.fill_diagonal(padded, 0)
    cross = np.ones((6, 6))
    cross[:, :4] = k_st
    reduce = np.mean if regularizer == "mean" else np.sum
    regular = reduce((k_s - c_s) ** 2) + reduce((k_t - c_t[:4, :4]) ** 2)
    mixed = square((1 - alpha) * c_s + alpha * k_s, (1 - alpha) * c_t + alpha * padded, coupling)
    assert found.gw_discrepancy == pytest.approx(square(c_s, c_t, coupling), abs=1e-12)
    assert found.wasserstein == pytest.approx((k_st * coupling[:, :4]).sum(), abs=1e-12)
    assert found.regularizer == pytest.approx(regular, rel=1e-12)
    assert found.objective == pytest.approx(mixed + alpha * (cross * coupling).sum() + 10 * regular, rel=1e-12)


def test_without_embeddings_the_objective_is_the_discrepancy() -> None:
    config, hyper = with_changes("gwd", {"inner": 20})
    found = run(PAIR, config, hyper).measures
    assert found.objective == found.gw_discrepancy
    assert found.wasserstein is None
    assert found.regularizer is None
    assert found.node_correctness_embedding is None


def test_without_truth_there_is_no_node_correctness() -> None:
    config, hyper = with_changes("default", SMALL)
    found = run(replace(PAIR, truth=None), config, hyper).measures
    assert found.node_correctness_coupling is None
    assert found.node_correctness_embedding is None
    assert found.node_correctness_one_to_one is None
    assert found.node_correctness_symmetry_aware is None
    assert found.edge_correctness is not None


@pytest.mark.parametrize("swap", [False, True])
def test_a_padded_coupling_is_split_into_real_block_and_slack(swap: bool) -> None:
    pair = MatchingProblem(PAIR.target, PAIR.source) if swap else PAIR
    real, rows, columns = split(pair, np.arange(36.0).reshape(6, 6))
    assert real.shape == ((4, 6) if swap else (6, 4))
    assert (rows.size, columns.size) == ((12, 0) if swap else (0, 12))
    assert (rows if swap else columns).shape == ((2, 6) if swap else (6, 2))


def test_a_state_on_the_way_can_be_measured_and_finished() -> None:
    for steps in (0, 1, 5, 6, 8, 9):
        state, config, hyper = reached(steps)
        result = finish(PAIR, config, hyper, state)
        assert result.status.code == "running"
        assert result.measures.marginal_error < 1e-9
        assert np.isfinite(result.measures.objective)
        assert result.inner_iterations == min(steps, 5) + max(0, steps - 8)


def test_a_coupling_that_is_not_finite_has_no_discrepancy() -> None:
    state, config, hyper = reached(3)
    broken = replace(state, coupling=state.coupling * torch.nan)
    assert np.isnan(measure(PAIR, config, hyper, broken).gw_discrepancy)
    assert finish(PAIR, config, hyper, broken).status.code == "diverged"


def test_a_perfect_match_is_at_zero_without_a_sign() -> None:
    rng = np.random.default_rng(0)
    for seed in range(5):
        graph, order = random_graph(7, seed), rng.permutation(7)
        copy = Graph.from_matrix(graph.weights.toarray()[np.ix_(order, order)], directed=True)
        config, hyper = with_changes("gwd", {"inner": 60})
        start = torch.zeros(7, 7).double()
        start[order, torch.arange(7)] = 1 / 7
        state = replace(init(MatchingProblem(graph, copy), config, hyper, start), phase="done")
        found = finish(MatchingProblem(graph, copy), config, hyper, state).measures
        assert str(found.gw_discrepancy) == str(abs(found.gw_discrepancy))
        assert str(found.objective) == str(abs(found.objective))
        assert found.gw_discrepancy < 1e-15
        assert found.edge_correctness == 1


@pytest.mark.parametrize(
    ("changes", "heard"), [({}, True), ({"start": "product"}, False), ({"embeddings": True}, True)]
)
def test_anchors_that_had_no_part_are_told(changes: dict[str, Any], heard: bool) -> None:
    graph = Graph.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "d", 2)])
    problem = MatchingProblem(graph, graph, anchors=sparse.csr_array(np.eye(4)))
    notices = run(problem, *with_changes("gwd", {"outer": 1, "inner": 3, **changes})).notices
    assert any("anchors had no part" in notice for notice in notices) != heard


def test_matches_chosen_among_equals_are_told() -> None:
    path = Graph.from_edges([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)])
    problem = MatchingProblem(path, path)
    plain, searched = (run(problem, *with_changes(preset, {"outer": 1})) for preset in ("gwd", "default"))
    assert plain.notices[0].startswith("4 of 4 matches were chosen among targets that the coupling does not tell apart")
    assert searched.notices == ()
    assert searched.measures.edge_correctness == 1.0
