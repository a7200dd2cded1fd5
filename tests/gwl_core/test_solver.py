"""The state machine: order of phases, live changes, determinism, untouched inputs, how a run ends."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from gwl_core import solver
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.outcome import is_stuck
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS, Config, Hyperparameters, with_changes
from gwl_core.solver import init, status, step
from gwl_core.state import State, StepInfo
from gwl_core.workspace import workspace


def random_graph(n: int, seed: int, directed: bool = True) -> Graph:
    rng = np.random.default_rng(seed)
    weights = rng.poisson(3, (n, n)) * (rng.uniform(size=(n, n)) < 0.5)
    np.fill_diagonal(weights, 0)
    weights[np.arange(n), (np.arange(n) + 1) % n] += 1
    return Graph.from_matrix(weights if directed else weights + weights.T, directed=directed)


def cycle(n: int) -> Graph:
    return Graph.from_edges([(str(i), str((i + 1) % n), 1.0) for i in range(n)])


PROBLEM = MatchingProblem(random_graph(5, 0), random_graph(6, 1))
SMALL: dict[str, Any] = {"rounds": 0, "inner": 4, "outer": 3, "epochs": 2, "batch_size": 3, "dim": 4}


def settings(preset: str = "default", **changes: Any) -> tuple[Config, Hyperparameters]:
    return with_changes(preset, {**SMALL, **changes})


def walk(
    config: Config, hyper: Hyperparameters, problem: MatchingProblem = PROBLEM, steps: int = 10**6
) -> tuple[State, list[StepInfo]]:
    state, infos = init(problem, config, hyper), []
    while state.phase != "done" and len(infos) < steps:
        state, info = step(problem, config, hyper, state)
        infos.append(info)
    return state, infos


def tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif is_dataclass(value):
        for item in fields(value):
            yield from tensors(getattr(value, item.name))


def same(a: State, b: State) -> bool:
    numbers = [(getattr(a, f.name), getattr(b, f.name)) for f in fields(State)]
    plain = all(x == y for x, y in numbers if isinstance(x, int | float | str))
    return plain and all(torch.equal(x, y) for x, y in zip(tensors(a), tensors(b), strict=True))


@pytest.mark.parametrize("preset", PRESETS)
def test_equal_seeds_give_the_same_run_bit_for_bit(preset: str) -> None:
    config, hyper = settings(preset, start="perturbed", seed=5)
    assert same(walk(config, hyper)[0], walk(config, hyper)[0])
    assert not same(walk(config, hyper)[0], walk(replace(config, seed=6), hyper)[0])


def test_equal_problems_give_the_same_run_bit_for_bit() -> None:
    config, hyper = settings()
    again = MatchingProblem(random_graph(5, 0), random_graph(6, 1))
    assert same(walk(config, hyper)[0], walk(config, hyper, again)[0])


@pytest.mark.parametrize("preset", PRESETS)
def test_a_step_never_changes_the_state_it_starts_from(preset: str) -> None:
    config, hyper = settings(preset)
    state = init(PROBLEM, config, hyper)
    while state.phase != "done":
        before = [t.clone() for t in tensors(state)]
        after, _ = step(PROBLEM, config, hyper, state)
        assert all(torch.equal(a, b) for a, b in zip(before, tensors(state), strict=True))
        assert not any(t.requires_grad for t in tensors(after))
        state = after


def test_the_paper_preset_runs_m_times_n_iterations_and_its_epochs_at_alpha_m_over_m() -> None:
    config, hyper = settings("paper")
    state, infos = walk(config, hyper)
    expected = []
    for m in range(3):
        expected += [("coupling", m, n) for n in range(4)] + [("embedding", m, e) for e in range(2)]
    assert [(i.phase, i.outer, i.inner) for i in infos] == expected
    assert [i.step for i in infos] == list(range(1, 19))
    assert [i.alpha for i in infos] == pytest.approx([m / 3 for m in range(3) for _ in range(6)], abs=1e-15)
    assert [k for k, i in enumerate(infos, 1) if i.ends_phase] == [4, 6, 10, 12, 16, 18]
    assert {i.gamma for i in infos} == {0.01}
    assert (state.phase, state.outer, state.step, state.inner_total, state.progress) == ("done", 3, 18, 12, 1.0)
    assert state.adam is not None
    assert state.adam.count == 3 * 2 * 2


def test_the_paper_preset_starts_every_outer_iteration_from_the_product_and_its_scaling() -> None:
    config, hyper = settings("paper")
    space, state = workspace(PROBLEM, config), init(PROBLEM, config, hyper)
    for _ in range(6):
        state, _ = step(PROBLEM, config, hyper, state)
    assert (state.outer, state.inner, state.phase) == (1, 0, "coupling")
    reset = replace(state, coupling=torch.outer(space.source, space.target), log_scaling=space.source.log())
    after, expected = (step(PROBLEM, config, hyper, s)[0] for s in (state, reset))
    assert torch.equal(after.coupling, expected.coupling)
    assert torch.equal(after.log_scaling, expected.log_scaling)


def test_the_default_carries_the_coupling_from_one_outer_iteration_to_the_next() -> None:
    config, hyper = settings(gamma=0.1, tolerance=0)
    state = init(PROBLEM, config, hyper)
    for _ in range(6):
        state, _ = step(PROBLEM, config, hyper, state)
    after, info = step(PROBLEM, config, hyper, state)
    assert info.change == pytest.approx(float((after.coupling - state.coupling).abs().sum()))


def test_the_paper_transport_is_algorithm_1_written_out() -> None:
    config, hyper = with_changes("gwd-paper", {"inner": 25, "sinkhorn": 2})
    costs, masses = [], []
    for graph in (PROBLEM.source, PROBLEM.target):
        weights = graph.weights.toarray()
        cost = 1 / (weights + 1)
        np.fill_diagonal(cost, 0)
        costs.append(cost)
        masses.append((weights.sum(0) + weights.sum(1)) / (2 * weights.sum()))
    (c_s, c_t), (mu_s, mu_t) = costs, masses
    coupling, a = np.outer(mu_s, mu_t), mu_s
    for _ in range(25):
        loss = (c_s**2 @ coupling.sum(1))[:, None] + (c_t**2 @ coupling.sum(0))[None, :] - 2 * c_s @ coupling @ c_t.T
        # A common constant of the exponent is taken up by b: it only keeps this reference within range.
        kernel = np.exp(-(loss - loss.min()) / 0.01) * coupling
        for _ in range(2):
            b = mu_t / (kernel.T @ a)
            a = mu_s / (kernel @ b)
        coupling = a[:, None] * kernel * b[None, :]
    state, _ = walk(config, hyper)
    np.testing.assert_allclose(state.coupling, coupling, atol=1e-9)
    assert coupling.max() > 1.5 * np.outer(mu_s, mu_t).max()


def test_gamma_applies_to_the_next_step() -> None:
    config, hyper = settings("gwd", gamma=0.1)
    state, _ = walk(config, hyper, steps=1)
    _, info = step(PROBLEM, config, replace(hyper, gamma=0.7), state)
    assert info.gamma == 0.7


def test_automatic_gamma_falls_geometrically_with_the_cost_scale() -> None:
    config, hyper = with_changes("gwd", {"inner": 5})
    _, infos = walk(config, hyper)
    gain = workspace(PROBLEM, config).gain
    gammas = np.array([i.gamma for i in infos])
    assert gammas[0] > gammas[-1]
    np.testing.assert_allclose(gammas[1:] / gammas[:-1], (gammas[-1] / gammas[0]) ** 0.25)
    assert 0.01 * gain < gammas[-1] < gammas[0] < 10 * gain


def test_the_gain_is_what_a_right_match_gains() -> None:
    pair = MatchingProblem(cycle(6), cycle(6))
    # (2/n) mean_i Σ_j S_ij²: every node has two neighbours, at cost 1/2 where others are at 1.
    assert workspace(pair, Config(cost="zipf")).gain == pytest.approx(2 / 6 * 2 * 0.25)


def test_the_gain_follows_the_unit_of_the_costs_and_ignores_rounding() -> None:
    matrix = cycle(6).weights.toarray()
    for unit in (1e-9, 1e9):
        scaled = Graph.from_matrix(matrix * unit)
        found = workspace(MatchingProblem(scaled, scaled), Config(cost="adjacency")).gain
        assert found == pytest.approx(2 / 6 * 2 * unit**2)
    flat = Graph.from_matrix(matrix * 1e-9)
    assert workspace(MatchingProblem(flat, flat), Config(cost="zipf")).gain == 1


@pytest.mark.parametrize("name", ["beta", "learning_rate", "batch_size", "alpha"])
def test_settings_of_the_embedding_apply_to_the_next_epoch(name: str) -> None:
    config, hyper = settings(alpha="constant:0.5")
    state, infos = walk(config, hyper, steps=4)
    assert state.phase == "embedding"
    value = {"beta": 99.0, "learning_rate": 0.5, "batch_size": 6, "alpha": "constant:0.1"}[name]
    (plain, _), (changed, info) = (step(PROBLEM, config, h, state) for h in (hyper, replace(hyper, **{name: value})))
    assert plain.embeddings is not None
    assert changed.embeddings is not None
    assert not torch.equal(plain.embeddings.source, changed.embeddings.source)
    assert info.alpha == (0.1 if name == "alpha" else 0.5)
    assert infos[-1].alpha == 0.5


def test_alpha_and_j_apply_to_the_next_inner_iteration() -> None:
    config, hyper = settings("gwd", gamma=0.1, outer=1, inner=50)
    state, _ = walk(config, hyper, steps=3)
    (_, few), (_, many) = (step(PROBLEM, config, h, state) for h in (hyper, replace(hyper, sinkhorn=50)))
    assert many.marginal_error < 0.1 * few.marginal_error
    config, hyper = settings(alpha="constant:0")
    state, _ = walk(config, hyper, steps=7)
    assert (state.outer, state.phase) == (1, "coupling")
    (zero, _), (one, _) = (step(PROBLEM, config, h, state) for h in (hyper, replace(hyper, alpha="constant:1")))
    assert not torch.equal(zero.coupling, one.coupling)


def test_n_below_the_current_iteration_ends_the_inner_loop() -> None:
    config, hyper = settings(inner=20)
    state, _ = walk(config, hyper, steps=10)
    after, info = step(PROBLEM, config, replace(hyper, inner=3), state)
    assert info.ends_phase
    assert after.phase == "embedding"


def test_fewer_epochs_end_the_embedding_phase() -> None:
    config, hyper = settings(epochs=9)
    state, _ = walk(config, hyper, steps=8)
    assert (state.phase, state.epoch) == ("embedding", 4)
    after, info = step(PROBLEM, config, replace(hyper, epochs=2), state)
    assert info.ends_phase
    assert (after.phase, after.outer) == ("coupling", 1)


@pytest.mark.parametrize("outer", [1, 2])
def test_m_no_greater_than_the_current_one_ends_the_run_after_it(outer: int) -> None:
    config, hyper = settings("paper", outer=5)
    state, _ = walk(config, hyper, steps=13)
    assert state.outer == 2
    shorter = replace(hyper, outer=outer)
    for _ in range(5):
        state, info = step(PROBLEM, config, shorter, state)
        assert info.outer == 2
    assert state.phase == "done"
    assert state.step == 18


def test_after_a_change_of_m_alpha_goes_on_from_where_it_is_to_one() -> None:
    config, hyper = settings("paper", outer=4, alpha="linear")
    state, infos = walk(config, hyper, steps=13)
    assert infos[-1].alpha == 0.5
    longer, alphas = replace(hyper, outer=7), [0.5]
    while state.phase != "done":
        state, info = step(PROBLEM, config, longer, state)
        alphas.append(info.alpha)
    assert list(dict.fromkeys(np.round(alphas, 12))) == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9], abs=1e-12)
    assert state.progress == 1


def test_a_quiet_inner_loop_ends_after_three_small_changes_unless_the_tolerance_is_zero() -> None:
    config, hyper = with_changes("gwd", {"gamma": 0.05, "inner": 300, "tolerance": 1e-7})
    _, infos = walk(config, hyper)
    assert len(infos) < 300
    assert [i.change < 1e-7 for i in infos[-4:]] == [False, True, True, True]
    _, infos = walk(config, replace(hyper, tolerance=0.0))
    assert len(infos) == 300


def test_changes_reported_are_l1_norms_and_errors_those_of_the_coupling() -> None:
    config, hyper = settings("gwd", outer=1)
    space, state = workspace(PROBLEM, config), init(PROBLEM, config, hyper)
    after, info = step(PROBLEM, config, hyper, state)
    assert info.change == pytest.approx(float((after.coupling - state.coupling).abs().sum()))
    rows = (after.coupling.sum(1) - space.source).abs().sum()
    columns = (after.coupling.sum(0) - space.target).abs().sum()
    assert info.marginal_error == pytest.approx(float(rows + columns))


def test_a_given_coupling_is_where_the_run_starts() -> None:
    config, hyper = settings("gwd")
    given = torch.eye(6).double() / 6
    assert torch.equal(init(PROBLEM, config, hyper, given).coupling, given)


def test_dummies_are_part_of_the_state_under_uniform_marginals_only() -> None:
    for changes, shape in (({}, (6, 6)), ({"unmatched": False}, (5, 6)), ({"marginals": "degree"}, (5, 6))):
        config, hyper = settings(**changes)
        state = init(PROBLEM, config, hyper)
        assert state.coupling.shape == shape
        assert state.embeddings is not None
        assert (state.embeddings.source.shape, state.embeddings.target.shape) == ((5, 4), (6, 4))


def test_status_tells_how_a_run_stands() -> None:
    config, hyper = with_changes("gwd", {"gamma": 0.05, "inner": 300})
    state = init(PROBLEM, config, hyper)
    assert status(PROBLEM, config, hyper, state).code == "running"
    done, _ = walk(config, hyper)
    assert status(PROBLEM, config, hyper, done).code == "converged"
    short = replace(hyper, inner=2)
    assert status(PROBLEM, config, short, walk(config, short)[0]).code == "iteration limit"
    broken = replace(done, coupling=done.coupling * torch.nan)
    assert status(PROBLEM, config, hyper, broken).code == "diverged"


def test_a_symmetric_pair_stops_at_once_and_says_what_to_do() -> None:
    pair = MatchingProblem(cycle(6), cycle(6))
    config, hyper = with_changes("gwd", {"start": "product"})
    state, infos = walk(config, hyper, pair)
    found = status(pair, config, hyper, state)
    assert len(infos) == 1
    assert found.code == "stuck at the symmetric start"
    assert "perturbed" in found.message


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_step_too_small_for_the_precision_is_not_a_standstill(precision: str) -> None:
    config, hyper = with_changes("gwd", {"start": "product", "gamma": 10.0, "inner": 5, "precision": precision})
    star = Graph.from_edges([("hub", str(k), 0.01) for k in range(5)])
    state, infos = walk(config, hyper, MatchingProblem(star, star))
    assert len(infos) == 5
    assert infos[0].change < 1e-5
    assert status(MatchingProblem(star, star), config, hyper, state).code == "converged"


def test_one_node_is_not_stuck() -> None:
    single = MatchingProblem(Graph.from_edges([], nodes=("a",)), PROBLEM.target)
    config, hyper = with_changes("gwd", {"unmatched": False, "gamma": 0.1})
    state, _ = walk(config, hyper, single)
    assert not is_stuck(workspace(single, config), state.coupling)
    assert status(single, config, hyper, state).code == "converged"


def test_a_finished_run_takes_no_step() -> None:
    config, hyper = settings("gwd")
    state, _ = walk(config, hyper)
    with pytest.raises(ValueError, match="done"):
        step(PROBLEM, config, hyper, state)


def test_what_cannot_be_run_is_refused_before_the_first_step(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Graph.from_edges([], nodes=("a", "b"))
    with pytest.raises(InputError, match="no edges"):
        init(MatchingProblem(empty, empty), *settings(marginals="degree"))
    huge = Graph.from_edges([], nodes=tuple(map(str, range(20_000))))
    with pytest.raises(InputError, match="20000 nodes needs about"):
        init(MatchingProblem(huge, empty), *settings())
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="cuda"):
        init(MatchingProblem(empty, empty), *settings(device="cuda"))


@pytest.mark.parametrize(
    "changes",
    [
        {"kernel": "rbf"}, {"loss": "kl"}, {"cost": "adjacency"}, {"method": "entropic"}, {"marginals": "degree"},
        {"gradient": "one-sided"}, {"start": "product"}, {"unmatched": False}, {"regularizer": "sum"},
    ],
)  # fmt: skip
def test_every_structural_setting_changes_the_run(changes: dict[str, Any]) -> None:
    plain, other = (walk(*settings(alpha="constant:0.5", **c))[0].coupling for c in ({}, changes))
    n_s, n_t = PROBLEM.source.n_nodes, PROBLEM.target.n_nodes
    assert not torch.equal(plain[:n_s, :n_t], other[:n_s, :n_t])


def test_an_entropic_run_of_single_passes_meets_its_marginals() -> None:
    config, hyper = with_changes("gwd", {"method": "entropic", "gamma": 0.2, "inner": 300, "tolerance": 0})
    _, infos = walk(config, hyper)
    assert infos[-1].marginal_error < 1e-6


def test_the_start_does_not_depend_on_the_threads_in_use_before() -> None:
    config, hyper = settings("gwd", threads=1)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        init(PROBLEM, config, hyper)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("phase", ["coupling", "embedding"])
def test_torch_wakes_no_thread_within_a_step(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its threads wait for each other at the end of every operation: on a busy machine, many times the work."""
    seen, own = [], getattr(solver, f"_{phase}_step")

    def watched(*given: Any) -> Any:
        seen.append(torch.get_num_threads())
        return own(*given)

    monkeypatch.setattr(solver, f"_{phase}_step", watched)
    config, hyper = settings(threads=2)
    before = torch.get_num_threads()
    try:
        walk(config, hyper)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert set(seen) == {1}
