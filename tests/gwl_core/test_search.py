"""The search: Frank-Wolfe steps on the right objective, rounds in order, and never a look at the truth."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse
from scipy.optimize import quadratic_assignment
from threadpoolctl import threadpool_limits

from gwl_core import rounds, search
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.graph import Graph
from gwl_core.pins import Pin
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters, auto_rounds, with_changes
from gwl_core.solver import init, status, step
from gwl_core.state import State, StepInfo
from gwl_core.trajectory import Trajectory, run
from gwl_core.workspace import Workspace, workspace

QUICK = {"inner": 30, "outer": 1, "rounds": 8, "embeddings": False}


def noisy(n: int = 24, seed: int = 0) -> MatchingProblem:
    return knn(n, 0.3, np.random.default_rng(seed))


def walk(problem: MatchingProblem, config: Config, hyper: Hyperparameters) -> tuple[State, list[StepInfo]]:
    state, infos = init(problem, config, hyper), []
    while state.phase != "done":
        state, info = step(problem, config, hyper, state)
        infos.append(info)
    return state, infos


def random_coupling(space: Workspace, seed: int = 0) -> torch.Tensor:
    n = len(space.source)
    mixed = sum(np.eye(n)[np.random.default_rng(seed + k).permutation(n)] for k in range(5)) / (5 * n)
    return torch.as_tensor(mixed)


@pytest.mark.parametrize("loss", ["square", "kl"])
@pytest.mark.parametrize("seed", range(3))
def test_a_polish_step_never_raises_the_discrepancy_and_reports_it_truly(loss: str, seed: int) -> None:
    problem = noisy(seed=seed)
    space = workspace(problem, Config(loss=loss))
    coupling = random_coupling(space, seed)
    values = [search.relaxed(space).linearize(coupling).discrepancy]
    for _ in range(40):
        polished = search.polish(space, coupling)
        assert polished.discrepancy == pytest.approx(search.relaxed(space).linearize(polished.coupling).discrepancy)
        assert polished.change == pytest.approx(float((polished.coupling - coupling).abs().sum()))
        coupling = polished.coupling
        values.append(polished.discrepancy)
        np.testing.assert_allclose(coupling.sum(0), space.target, atol=1e-15)
        np.testing.assert_allclose(coupling.sum(1), space.source, atol=1e-15)
        if polished.settled:
            break
    assert polished.settled
    assert (np.diff(values) <= 1e-12).all()


@pytest.mark.parametrize("seed", range(4))
def test_polishing_ends_where_scipys_faq_ends_from_the_same_start(seed: int) -> None:
    rng = np.random.default_rng(seed)
    closeness = [m + m.T for m in (np.triu(rng.random((15, 15)), 1) for _ in range(2))]  # no ties between assignments
    labels = Graph.from_matrix(np.triu(np.ones((15, 15)), 1))
    problem = MatchingProblem(labels, labels, source_cost=2 - closeness[0], target_cost=2 - closeness[1])
    space = workspace(problem, Config())
    start = coupling = 0.5 * random_coupling(space, seed) + 0.5 * space.product
    while not (polished := search.polish(space, coupling)).settled:
        coupling = polished.coupling
    options = {"maximize": True, "tol": 1e-9, "maxiter": 100, "P0": (start * 15).numpy(), "rng": rng}
    reference = quadratic_assignment(*closeness, options=options)
    assert search.candidate(space, polished.coupling, "").matching.tolist() == reference.col_ind.tolist()


def test_the_diagonal_does_not_count_for_one_to_one_matchings() -> None:
    space = workspace(noisy(), Config())
    vertex = search.coupling_of(space, torch.randperm(len(space.source), generator=torch.Generator().manual_seed(0)))
    assert search.relaxed(space).linearize(vertex).discrepancy == pytest.approx(
        space.observed.linearize(vertex).discrepancy
    )


@pytest.mark.parametrize("seed", range(5))
def test_no_matching_lies_below_the_least_discrepancy(seed: int) -> None:
    problem = noisy(8, seed)
    space = workspace(problem, Config())
    generator = torch.Generator().manual_seed(seed)
    values = [
        space.observed.linearize(search.coupling_of(space, torch.randperm(len(space.source), generator=generator)))
        for _ in range(200)
    ]
    assert search.least_discrepancy(space) <= min(value.discrepancy for value in values) + 1e-15


@pytest.mark.parametrize("cost", ["zipf", "adjacency", "shortest-path"])
@pytest.mark.parametrize("nodes", [8, 120])
def test_the_least_discrepancy_pairs_all_entries_in_order(cost: str, nodes: int) -> None:
    space = workspace(barabasi_albert(nodes, 0.2, np.random.default_rng(0), 2), Config(cost=cost))
    source, target = (np.sort(c.dense().numpy(), axis=None) for c in (space.source_cost, space.target_cost))
    expected = np.square(source - target).sum() / len(space.source) ** 2
    assert search.least_discrepancy(space) == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_equal_graphs_reach_the_least_discrepancy_and_end_the_search() -> None:
    config, hyper = with_changes("default", {**QUICK, "rounds": 28})
    state, infos = walk(knn(20, 0.0, np.random.default_rng(3)), config, hyper)
    assert state.best is not None
    assert state.best.discrepancy == pytest.approx(0, abs=1e-15)
    assert max(info.round for info in infos) < 5


def test_rounds_follow_each_other_and_the_best_is_kept() -> None:
    config, hyper = with_changes("default", QUICK)
    problem = noisy(seed=4)
    state, infos = walk(problem, config, hyper)
    assert state.best is not None
    numbers = [info.round for info in infos]
    assert numbers == sorted(numbers)
    names = {info.round: info.candidate for info in infos}
    assert [names[k] for k in range(4)] == [kind.name for kind in (*rounds.STARTS, rounds.SMALL_KICKS[0])]
    first, _ = walk(problem, config, replace(hyper, rounds=1))
    assert first.best is not None
    assert state.best.score <= first.best.score
    space = workspace(problem, config)
    assert torch.equal(state.coupling, search.coupling_of(space, state.best.matching))
    assert status(problem, config, hyper, state).code == "converged"


def test_after_its_last_step_a_round_is_measured_at_its_candidate() -> None:
    config, hyper = with_changes("default", {**QUICK, "embeddings": False})
    unrelated = barabasi_albert(24, 0.3, np.random.default_rng(1), 3).target
    problem = MatchingProblem(noisy(seed=1).source, unrelated)
    trajectory = Trajectory(problem, config, hyper, measure_every=10**9)
    ends: dict[int, float] = {}
    while not trajectory.done:
        info = trajectory.advance()
        if info.phase == "polish" and info.ends_phase and info.measures is not None:
            ends[info.round] = info.measures.gw_discrepancy
    best = trajectory.state.best
    assert best is not None
    assert len(ends) > 3
    assert len(set(ends.values())) > 1
    assert min(ends.values()) == pytest.approx(best.discrepancy, abs=1e-12)
    assert ends[trajectory.state.best_round] == pytest.approx(best.discrepancy, abs=1e-12)


@pytest.mark.parametrize(("start", "name"), [("product", "product coupling"), ("perturbed", "perturbed coupling")])
def test_the_first_candidate_is_called_by_the_start_that_was_asked_for(start: str, name: str) -> None:
    config, hyper = with_changes("default", {**QUICK, "start": start, "rounds": 1})
    problem = noisy(seed=4)
    state, infos = walk(problem, config, hyper)
    assert infos[0].candidate == name
    assert name in status(problem, config, hyper, state).message


def test_the_convex_relaxation_is_left_out_where_one_step_would_take_long() -> None:
    config, hyper = with_changes("default", {"rounds": 8})
    small, large = (workspace(barabasi_albert(n, 0.0, np.random.default_rng(0), 2), config) for n in (50, 470))
    assert rounds.kind_of(small, hyper, 2) is rounds.STARTS[2]
    assert rounds.kind_of(large, hyper, 2) is rounds.KICKS[0]


def test_the_truth_plays_no_part() -> None:
    problem = noisy(seed=5)
    assert problem.truth is not None
    config, hyper = with_changes("default", QUICK)
    wrong = replace(problem, truth=problem.truth[:, [0, 1]][::-1].copy() * [1, 0] + [0, 1])
    states = [walk(p, config, hyper)[0] for p in (problem, replace(problem, truth=None), wrong)]
    assert all(torch.equal(states[0].coupling, other.coupling) for other in states[1:])


def test_equal_seeds_search_alike_bit_for_bit() -> None:
    config, hyper = with_changes("default", QUICK)
    one, other = (walk(noisy(seed=6), config, hyper)[0] for _ in range(2))
    assert torch.equal(one.coupling, other.coupling)
    assert torch.equal(one.generator, other.generator)


def test_the_convex_relaxation_does_not_depend_on_the_cores_of_the_machine() -> None:
    problem, (config, _) = load_pair("celegans-adult"), with_changes("default", {})
    space = workspace(problem, config)
    nobody = search.Best(torch.arange(len(space.source)), 0.0, 0.0, "")
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(rounds.begin(space, rounds.STARTS[2], nobody, torch.Generator()))
    assert torch.equal(*found)


def test_any_step_of_a_search_can_be_shown_again() -> None:
    config, hyper = with_changes("default", QUICK)
    trajectory = Trajectory(noisy(seed=7), config, hyper, budget_bytes=0)
    seen = {}
    while not trajectory.done:
        info = trajectory.advance()
        seen[info.step] = trajectory.state
    for k in list(seen)[::17]:
        assert torch.equal(trajectory.state_at(k).coupling, seen[k].coupling)


def test_more_mass_on_some_nodes_means_no_search() -> None:
    degree = with_changes("default", {"marginals": "degree"})
    assert rounds.count(workspace(noisy(), degree[0]), degree[1]) == 0
    sizes = with_changes("default", {"unmatched": False})
    assert rounds.count(workspace(noisy(), sizes[0]), sizes[1]) == 0
    plain = with_changes("gwd", {})
    assert rounds.count(workspace(noisy(), plain[0]), plain[1]) == 0


@pytest.mark.parametrize(("n", "expected"), [(1, 28), (300, 28), (1004, 5), (5000, 2)])
def test_automatic_rounds_fall_with_size(n: int, expected: int) -> None:
    assert auto_rounds(n) == expected


def test_a_graph_without_any_difference_between_nodes_stays_stuck_in_place_of_matching_by_order() -> None:
    cycle = Graph.from_edges([(str(i), str((i + 1) % 6), 1.0) for i in range(6)])
    config, hyper = with_changes("default", QUICK)
    state, _ = walk(MatchingProblem(cycle, cycle), config, hyper)
    assert status(MatchingProblem(cycle, cycle), config, hyper, state).code == "stuck at the symmetric start"


def test_anchors_hold_in_the_answer_of_a_search() -> None:
    cycle = Graph.from_edges([(str(i), str((i + 1) % 7), 1.0) for i in range(7)])
    anchors = sparse.csr_array(([9.0, 9.0], ([0, 1], [3, 4])), shape=(7, 7))
    problem = MatchingProblem(cycle, cycle, anchors=anchors)
    result = run(problem, *with_changes("default", QUICK))
    assert [int(result.coupling[i].argmax()) for i in range(7)] == [3, 4, 5, 6, 0, 1, 2]


@pytest.mark.parametrize("seed", [3, 4])
def test_one_wrong_anchor_leads_few_nodes_astray(seed: int) -> None:
    rng, n = np.random.default_rng(seed), 30
    common = rng.poisson(0.6, (n, n))
    graphs = [
        Graph.from_matrix(np.where(rng.random((n, n)) < 0.8, common, rng.poisson(0.6, (n, n))), directed=True)
        for _ in range(2)
    ]
    anchors = sparse.csr_array(([50.0], ([0], [5])), shape=(n, n))
    problem = MatchingProblem(*graphs, anchors=anchors, truth=np.column_stack([np.arange(n)] * 2))
    result = run(problem, *with_changes("default", {"embeddings": False, "outer": 1, "likeliest": False}))
    assert result.coupling[0].argmax() == 5
    assert result.measures.node_correctness_one_to_one >= 0.9


def test_a_better_start_is_found_where_the_plain_descent_fails() -> None:
    problem = barabasi_albert(50, 0.2, np.random.default_rng(2), 2)
    searched = run(problem, *with_changes("default", {"embeddings": False, "outer": 1})).measures
    plain = run(problem, *with_changes("gwd", {})).measures
    assert searched.gw_discrepancy < plain.gw_discrepancy
    assert searched.edge_correctness is not None
    assert searched.edge_correctness >= 0.99


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("preset", ["default", "gwd", "paper"])
def test_a_step_depends_on_the_state_alone_and_not_on_what_was_computed_before(preset: str, precision: str) -> None:
    small = {"inner": 12, "outer": 2, "epochs": 3, "precision": precision}
    config, hyper = with_changes(preset, small | ({"rounds": 5} if preset == "default" else {}))
    problem = noisy(40, seed=8)
    state = again = init(problem, config, hyper)
    while state.phase != "done":
        state, _ = step(problem, config, hyper, state)
        again, _ = step(problem, config, hyper, again)
        workspace.cache_clear()  # as another run beside this one, or a look at an earlier step, may do
        assert torch.equal(state.coupling, again.coupling)
    fresh = init(problem, config, hyper)
    while fresh.phase != "done":
        fresh, _ = step(problem, config, hyper, fresh)
    assert torch.equal(state.coupling, fresh.coupling)


def twins(n: int, rng: np.random.Generator, off: float) -> np.ndarray:
    """(n, n) symmetric 0/1 entries where 2k and 2k + 1 have the same ones to all others, and `off` to each other."""
    half = np.triu(rng.random((n // 2, n // 2)) < 0.4, 1)
    found = np.kron(half + half.T, np.ones((2, 2)))
    found[np.arange(0, n, 2), np.arange(1, n, 2)] = found[np.arange(1, n, 2), np.arange(0, n, 2)] = off
    return found


@pytest.mark.parametrize("kind", ["self-loops", "given costs"])
def test_a_diagonal_that_tells_nodes_apart_counts_in_the_search(kind: str) -> None:
    rng, n = np.random.default_rng(1), 12
    matrix, order = twins(n, rng, 0.0 if kind == "self-loops" else 1.0), rng.permutation(n)
    np.fill_diagonal(matrix, np.where(np.arange(n) % 2, 1.0 + np.arange(n), 0.0))
    other = matrix[np.ix_(np.argsort(order), np.argsort(order))]
    truth = np.column_stack([np.arange(n), order])
    graphs = (Graph.from_matrix(matrix), Graph.from_matrix(other))
    if kind == "self-loops":
        problem, loss = MatchingProblem(*graphs, truth), "kl"
    else:
        problem, loss = MatchingProblem(*graphs, truth, source_cost=matrix, target_cost=other), "square"
    result = run(problem, *with_changes("default", {**QUICK, "loss": loss}))
    assert result.measures.gw_discrepancy == pytest.approx(0, abs=1e-12)
    assert result.measures.node_correctness_symmetry_aware == 1.0


@pytest.mark.parametrize("loss", ["square", "kl"])
def test_a_candidates_discrepancy_is_that_of_the_costs(loss: str) -> None:
    rng, n = np.random.default_rng(0), 7
    loops = Graph.from_matrix(rng.poisson(0.8, (n, n)), directed=True)
    other = Graph.from_matrix(rng.poisson(0.8, (n + 2, n + 2)), directed=True)
    space = workspace(MatchingProblem(loops, other), Config(loss=loss, unmatched=True))
    found = search.candidate(space, random_coupling(space), "")
    vertex = search.coupling_of(space, found.matching)
    assert found.discrepancy == pytest.approx(space.observed.linearize(vertex).discrepancy)
    assert search.least_discrepancy(space) <= found.discrepancy + 1e-12


def test_a_forbidden_pair_carries_no_mass_in_any_round() -> None:
    problem = noisy(16)
    i, j = (int(k) for k in problem.truth[3])
    barred = replace(problem, pins=(Pin(i, j, "apart", hard=True),))
    config, hyper = with_changes("default", {**QUICK, "inner": 20})
    state, kinds = init(barred, config, hyper), set()
    while state.phase != "done":
        state, info = step(barred, config, hyper, state)
        kinds.add(info.candidate)
        assert info.phase != "coupling" or float(state.coupling[i, j]) < 1e-12
    assert "product coupling" in kinds
