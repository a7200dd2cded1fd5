"""The end of a search: the right gradient, a free energy that falls, and a matching that respects what was decided."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy.special import xlogy

from gwl_core import likeliest, search
from gwl_core.graph import Graph
from gwl_core.pins import Pin
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, with_changes
from gwl_core.solver import init, step
from gwl_core.trajectory import Trajectory, run
from gwl_core.workspace import workspace

N_S, N_T = 9, 11


def noisy(seed: int = 0, directed: bool = True, n: int = N_S, extra: int = N_T - N_S) -> MatchingProblem:
    """Two graphs that share most counted interactions, each with some of its own; the target's last nodes are new."""
    rng = np.random.default_rng(seed)
    graphs = []
    common = rng.poisson(0.6, (n + extra, n + extra))
    for size in (n, n + extra):
        kept = rng.random(common.shape) < 0.85
        weights = np.where(kept, common, rng.poisson(0.6, common.shape))[:size, :size].astype(float)
        weights = weights if directed else np.triu(weights, 1) + np.triu(weights, 1).T
        np.fill_diagonal(weights, 0)
        ends = [(i, j) for i, j in zip(*np.nonzero(weights), strict=True) if directed or i < j]
        edges = [(f"v{i}", f"v{j}", weights[i, j]) for i, j in ends]
        graphs.append(Graph.from_edges(edges, directed=directed, nodes=[f"v{i}" for i in range(size)]))
    return MatchingProblem(*graphs, truth=np.column_stack([np.arange(n)] * 2))


def shares_of(n: int, seed: int = 0) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    return torch.as_tensor(sum(np.eye(n)[rng.permutation(n)] for _ in range(4)) / 4)


@pytest.mark.parametrize("directed", [True, False])
def test_gains_are_those_of_a_loop_over_pairs(directed: bool) -> None:
    problem = noisy(directed=directed)
    space = workspace(problem, Config())
    matching = torch.as_tensor(np.random.default_rng(1).permutation(N_T))
    found = likeliest.gains_of(space, matching)
    source, target = (likeliest.strengths(graph.without_loops, N_T) for graph in (problem.source, problem.target))
    odds = likeliest.log_odds(source, target[np.ix_(matching, matching)])
    centred = odds - odds[:, :1] - odds[:1] + odds[0, 0]
    shares = shares_of(N_T)
    expected = np.zeros((N_T, N_T))
    for i, j, k, m in np.ndindex(N_T, N_T, N_T, N_T):
        expected[i, j] += (centred[source[i, k], target[j, m]] + centred[source[k, i], target[m, j]]) * shares[k, m]
    np.testing.assert_allclose(found.quadratic(shares), expected, atol=1e-10)


def test_what_lies_on_each_other_by_chance_has_no_odds() -> None:
    source = np.repeat(np.arange(2), 500).reshape(-1, 1)
    target = np.tile(np.arange(2), 500).reshape(-1, 1)
    np.testing.assert_allclose(likeliest.log_odds(source, target), 0, atol=1e-12)
    sure = likeliest.log_odds(source, source)
    assert sure[0, 0] == pytest.approx(np.log(2), abs=0.01)
    assert sure[0, 1] < -5


def test_classes_are_by_weight_and_nothing_is_the_least() -> None:
    problem = noisy()
    weights = problem.source.weights.toarray()
    found = likeliest.strengths(problem.source.without_loops, N_T)
    assert (found[N_S:] == 0).all()
    found = found[:N_S, :N_S]
    assert ((found > 0) == (weights > 0)).all()
    order = np.argsort(weights, axis=None, kind="stable")
    assert (np.diff(found.ravel()[order]) >= 0).all()


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_step_lowers_the_free_energy_and_keeps_the_marginals(directed: bool, seed: int) -> None:
    space = workspace(noisy(seed, directed), Config())
    matching = torch.arange(N_T)
    coupling, scaling = search.softened(space, matching), torch.zeros(N_T, dtype=torch.float64)
    gains, last = likeliest.gains_of(space, matching), np.inf
    for _ in range(likeliest.MOST_STEPS):
        found = likeliest.average(space, matching, coupling, scaling)
        shares = (N_T * found.coupling).numpy()
        entropy = -float(xlogy(shares, shares).sum())
        quadratic = float((gains.quadratic(torch.as_tensor(shares)).numpy() * shares).sum())
        assert found.free_energy == pytest.approx(-(quadratic / 2 / likeliest.GAMMA + entropy) / N_T)
        assert found.free_energy <= last + 1e-12
        assert shares.min() >= 0
        np.testing.assert_allclose(shares.sum(0), 1, atol=1e-9)
        np.testing.assert_allclose(shares.sum(1), 1, atol=1e-9)
        coupling, scaling, last = found.coupling, found.log_scaling, found.free_energy
        if found.settled:
            break


def test_it_stands_where_one_graph_lies_within_the_other() -> None:
    problem = noisy()
    within = MatchingProblem(problem.source, problem.source)
    kept = Config()
    assert likeliest.applies(workspace(problem, kept), torch.arange(N_T))
    assert not likeliest.applies(workspace(within, kept), torch.arange(N_S))
    for config in (Config(likeliest=False), Config(cost="shortest-path"), Config(loss="kl")):
        assert not likeliest.applies(workspace(problem, config), torch.arange(N_T))


def test_a_run_ends_on_the_average_of_its_best_candidate() -> None:
    problem = noisy(n=16, extra=2)
    config, hyper = with_changes("default", {"inner": 30, "rounds": 4})
    trajectory = Trajectory(problem, config, hyper)
    phases = []
    while not trajectory.done:
        phases.append(trajectory.advance().phase)
        if phases[-1] == "averaging" and phases.count("averaging") == 1:
            middle = trajectory.state
    assert phases[-1] == "averaging"
    assert phases.index("averaging") == len(phases) - phases.count("averaging")
    best = trajectory.state.best
    assert best is not None
    assert float((middle.coupling - search.coupling_of(workspace(problem, config), best.matching)).abs().max()) > 0
    result = trajectory.result()
    assert result.measures.marginal_error < 1e-9
    assert result.status.code == "converged"
    assert result.outer_iterations == hyper.outer
    replayed = trajectory.state_at(middle.step)
    assert torch.equal(replayed.coupling, middle.coupling)
    without = run(problem, replace(config, likeliest=False), hyper)
    assert "averaging" not in {row["phase"] for row in without.history}


def test_what_is_fixed_stays_fixed() -> None:
    problem = noisy(n=16, extra=2)
    config, hyper = with_changes("default", {"inner": 30, "rounds": 4})
    pins = (Pin(0, 5, hard=True), Pin(3, 3, kind="apart", hard=True))
    result = run(replace(problem, pins=pins), config, hyper)
    matched = result.coupling.argmax(1)
    assert matched[0] == 5
    assert matched[3] != 3


def test_inputs_stay_as_they_were() -> None:
    problem = noisy()
    config, hyper = with_changes("default", {"inner": 30, "rounds": 2})
    before = problem.source.weights.toarray()
    state = init(problem, config, hyper)
    while state.phase != "averaging":
        state, _ = step(problem, config, hyper, state)
    coupling = state.coupling.clone()
    step(problem, config, hyper, state)
    assert torch.equal(state.coupling, coupling)
    assert (problem.source.weights.toarray() == before).all()
