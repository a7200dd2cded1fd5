"""Trajectories: any past step bit for bit, forks, the log of changes, history rows, the memory budget."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch

from gwl_core.graph import Graph
from gwl_core.keyframes import state_bytes
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures
from gwl_core.settings import with_changes
from gwl_core.state import State, StepInfo
from gwl_core.trajectory import Trajectory, run


def random_graph(n: int, seed: int) -> Graph:
    weights = np.random.default_rng(seed).poisson(0.8, (n, n))
    return Graph.from_matrix(weights + weights.T)


PAIR = MatchingProblem(random_graph(6, 0), random_graph(7, 1), truth=np.array([[0, 0]]))
SMALL: dict[str, Any] = {"inner": 6, "outer": 3, "epochs": 3, "batch_size": 3, "dim": 3, "gamma": 0.05}


def new(preset: str = "default", **arguments: Any) -> Trajectory:
    return Trajectory(PAIR, *with_changes(preset, SMALL), **arguments)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b)
    if is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    return bool(a == b)


def drive(trajectory: Trajectory, changes: bool = True) -> list[State]:
    """Run to the end, changing settings on the way; every state passed through, the first included."""
    seen = [trajectory.state]
    while not trajectory.done:
        k = trajectory.state.step
        if changes and k in (3, 8, 13):
            change = {3: {"gamma": 0.2}, 8: {"beta": 3.0, "epochs": 5}, 13: {"outer": 4, "inner": 4, "alpha": "linear"}}
            trajectory.set_hyperparameters(replace(trajectory.hyperparameters, **change[k]))
        trajectory.advance()
        seen.append(trajectory.state)
    return seen


@pytest.mark.parametrize("budget", [0, 30_000, 256_000_000])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_any_past_state_comes_back_bit_for_bit(preset: str, budget: int) -> None:
    trajectory = new(preset, budget_bytes=budget)
    seen = drive(trajectory)
    assert len(seen) > 25
    for k in (*range(len(seen) - 2, 0, -4), len(seen) - 1, 1, 0):
        assert same(trajectory.state_at(k), seen[k])
    assert trajectory.state is seen[-1]


@pytest.mark.parametrize("k", [-1, 10**6])
def test_a_step_that_was_never_taken_is_an_index_error(k: int) -> None:
    with pytest.raises(IndexError):
        new().state_at(k)


def keyframes(trajectory: Trajectory) -> int:
    return len(trajectory._keyframes.states)


def test_keyframes_stay_within_the_budget() -> None:
    budget = 5 * (8 * (49 + 7 + 3 * 13 * 3) + 5056)
    small, large = (new(budget_bytes=b) for b in (budget, 10**9))
    for trajectory in (small, large):
        while not trajectory.done:
            trajectory.advance()
            assert trajectory.kept_bytes <= budget or trajectory is large
    assert keyframes(large) == large.state.step + 1
    assert keyframes(small) > 1
    assert large.kept_bytes > 2 * budget
    large.keep_within(budget)
    assert large.kept_bytes <= budget
    small.keep_within(0)
    assert keyframes(small) <= 2
    assert same(small.state_at(17), large.state_at(17))


def test_what_keyframes_share_counts_once() -> None:
    trajectory = new()
    drive(trajectory)
    states = trajectory._keyframes.states.values()
    tensors = [t for s in states for t in (s.coupling, s.log_scaling, s.generator)]
    tensors += [state.best.matching for state in states if state.best is not None]
    tensors += [
        tensor
        for state in states
        for pair in (state.embeddings, *((state.adam.first, state.adam.second) if state.adam else ()))
        if pair is not None
        for tensor in (pair.source, pair.target)
    ]
    assert trajectory.kept_bytes == sum({t.data_ptr(): t.nbytes for t in tensors}.values())
    assert trajectory.kept_bytes < sum(map(state_bytes, states))


def test_changes_are_logged_with_the_step_after_which_they_hold() -> None:
    trajectory = new()
    drive(trajectory)
    assert [e.step for e in trajectory.events] == [3, 8, 13]
    assert trajectory.events[0].text == "gamma 0.05 → 0.2"
    assert trajectory.events[1].text == "beta 10.0 → 3.0, epochs 3 → 5"
    assert [trajectory.hyperparameters_at(k).gamma for k in (0, 2, 3, 20)] == [0.05, 0.05, 0.2, 0.2]
    assert "Step 3: gamma 0.05 → 0.2." in trajectory.result().notices
    trajectory.set_hyperparameters(replace(trajectory.hyperparameters))
    assert len(trajectory.events) == 3


def test_a_fork_goes_on_from_the_past_and_leaves_the_first_run_alone() -> None:
    trajectory = new()
    seen = drive(trajectory)
    end, infos = trajectory.state, list(trajectory.infos)
    branch = trajectory.fork(12, replace(trajectory.hyperparameters_at(12), gamma=1.0))
    assert same(branch.state, seen[12])
    assert branch.infos == infos[:12]
    assert [e.step for e in branch.events] == [3, 8, 12]
    assert branch.events[-1].text == "gamma 0.2 → 1.0"
    branch.advance()
    assert branch.infos[-1].gamma == 1.0
    assert not same(branch.state, seen[13])
    assert trajectory.state is end
    assert trajectory.infos == infos
    drive(branch, changes=False)
    assert same(branch.state_at(12), seen[12])
    with pytest.raises(IndexError):
        branch.state_at(11)


def test_a_fork_without_a_change_repeats_the_run() -> None:
    trajectory = new()
    seen = drive(trajectory, changes=False)
    branch = trajectory.fork(7, trajectory.hyperparameters)
    drive(branch, changes=False)
    assert same(branch.state, seen[-1])
    assert branch.events == []


def test_measures_are_taken_every_few_steps_and_at_the_end_of_each_phase() -> None:
    trajectory = new(measure_every=4)
    drive(trajectory, changes=False)
    for info in trajectory.infos:
        assert (info.measures is not None) == (info.ends_phase or info.step % 4 == 0)
    assert trajectory.infos[-1].measures is not None


def test_history_rows_are_flat_with_one_key_per_number() -> None:
    trajectory = new(measure_every=4)
    drive(trajectory, changes=False)
    history = trajectory.result().history
    keys = {f.name for f in fields(Measures)} | {f.name for f in fields(StepInfo)} - {"measures"} | {"step_objective"}
    assert {frozenset(row) for row in history} == {frozenset(keys)}
    assert [row["step"] for row in history] == list(range(1, trajectory.state.step + 1))
    assert all(isinstance(v, int | float | str | None) for row in history for v in row.values())
    assert history[0]["objective"] is None
    assert history[3]["objective"] is not None
    assert history[3]["step_objective"] == trajectory.infos[3].objective


def test_the_estimate_of_steps_is_exact_where_no_loop_ends_early_and_always_ahead() -> None:
    trajectory = Trajectory(PAIR, *with_changes("paper", SMALL))
    while not trajectory.done:
        assert trajectory.total_steps_estimate == 3 * (6 + 3)
        trajectory.advance()
    assert trajectory.total_steps_estimate == 27
    trajectory = Trajectory(PAIR, *with_changes("paper", SMALL))
    changes = {4: {"outer": 2}, 8: {"inner": 4}, 12: {"outer": 1}, 14: {"epochs": 1}}
    while not trajectory.done:
        change = changes.get(trajectory.state.step, {})
        trajectory.set_hyperparameters(replace(trajectory.hyperparameters, **change))
        assert trajectory.total_steps_estimate > trajectory.state.step
        trajectory.advance()
    assert trajectory.total_steps_estimate == trajectory.state.step == 15


def test_a_run_equals_its_trajectory_and_tells_of_every_step() -> None:
    told: list[StepInfo] = []
    result = run(PAIR, *with_changes("default", SMALL), on_step=told.append)
    trajectory = new()
    drive(trajectory, changes=False)
    np.testing.assert_array_equal(result.coupling, trajectory.result().coupling)
    assert [i.step for i in told] == [i.step for i in trajectory.infos]
    assert result.preset == "default"
    assert result.inner_iterations == sum(i.phase == "coupling" for i in told)
    assert result.outer_iterations == 3
    assert result.seconds > 0


def test_the_time_of_a_fork_is_that_of_all_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10**6))
    monkeypatch.setattr("gwl_core.trajectory.perf_counter", lambda: float(next(ticks)))  # a second whenever it is asked
    trajectory = new()
    assert trajectory.seconds == 1.0  # of the preparation
    for _ in range(9):
        trajectory.advance()
    assert trajectory.seconds == 10.0
    branch = trajectory.fork(6, trajectory.hyperparameters)
    before = branch.seconds
    assert 6 <= before <= 8
    branch.advance()
    assert branch.seconds == before + 1
    assert trajectory.pinned(6, PAIR).seconds == before
