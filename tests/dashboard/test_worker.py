"""The process of a run, through its handle: what it obeys, what it tells, how it ends."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from dashboard import projection
from dashboard.client import Run
from dashboard.snapshot import Snapshot
from gwl_core.datasets.synthetic import knn
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS

BASE = PRESETS["default"]
CONFIG = replace(BASE.config, dim=8)
HYPER = replace(BASE.hyperparameters, outer=2, inner=12, epochs=4)
LONG = replace(HYPER, outer=1000, inner=5000)


@pytest.fixture(scope="module")
def problem() -> MatchingProblem:
    return knn(24, 0.2, np.random.default_rng(1))


@pytest.fixture(scope="module")
def process() -> Iterator[Run]:
    """One process for all tests that leave it as they found it: starting one takes seconds."""
    run = Run()
    run.launch()
    yield run
    run.close()


@pytest.fixture
def run(process: Run, problem: MatchingProblem) -> Run:
    done(process, process.start("origin", problem, "default", CONFIG, HYPER))
    return process


def done(run: Run, number: int) -> Snapshot:
    assert run.wait(number, 60), list(run.log)
    return run.snapshot


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def finished(run: Run) -> Snapshot:
    until(lambda: not run.busy)
    return run.snapshot


def cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def test_it_imports_no_page_code(run: Run) -> None:
    loaded = set(run.hello["modules"])
    assert "torch" in loaded
    assert not loaded & {"streamlit", "plotly"}
    assert not any(name.startswith(("dashboard.screens", "dashboard.app", "dashboard.client")) for name in loaded)


def test_a_start_shows_the_first_state(run: Run, problem: MatchingProblem) -> None:
    snapshot = finished(run)
    assert (snapshot.state, snapshot.last, snapshot.shown) == ("ready", 0, 0)
    shape = (problem.source.n_nodes, problem.target.n_nodes)
    assert snapshot.coupling is not None
    assert snapshot.coupling.shape == shape
    assert snapshot.points is not None
    assert snapshot.points.shape == (sum(shape), 2)
    assert snapshot.pairs is not None


def test_inner_step_and_step(run: Run) -> None:
    assert done(run, run.play("inner_step")).last in (0, 1)
    snapshot = finished(run)
    assert (snapshot.state, snapshot.last, snapshot.phase) == ("paused", 1, "coupling")
    assert np.isfinite(snapshot.column("gw_discrepancy")).all()  # a point of the curves
    run.play("step")
    snapshot = finished(run)
    assert snapshot.state == "paused"
    assert (snapshot.phase, snapshot.outer) == ("embedding", 0)
    assert len(snapshot.history) == snapshot.last
    run.play("step")
    assert finished(run).state == "finished"


def test_the_end_is_that_of_the_library(run: Run, problem: MatchingProblem) -> None:
    from gwl_core import trajectory

    run.play()
    snapshot = finished(run)
    result = trajectory.run(problem, CONFIG, HYPER)
    assert snapshot.status == result.status
    assert snapshot.measures == result.measures
    np.testing.assert_array_equal(snapshot.coupling, result.coupling.astype(np.float32))
    assert snapshot.last == len(snapshot.history) == snapshot.estimate
    np.testing.assert_array_equal(snapshot.column("step"), np.arange(1, snapshot.last + 1))


def test_a_past_step_is_shown_as_it_was(run: Run) -> None:
    for _ in range(3):
        run.play("inner_step")
        kept = finished(run)
    run.play()
    end = finished(run)
    assert end.last > kept.last
    run.look_at(3)
    past = finished(run)
    assert (past.shown, past.last, past.live) == (3, end.last, False)
    assert past.measures == kept.measures
    np.testing.assert_array_equal(past.coupling, kept.coupling)
    np.testing.assert_array_equal(past.matching, kept.matching)
    assert past.points_step == 3
    run.look_at(None)
    assert finished(run).shown == end.last


def test_the_past_stands_still_while_the_run_goes_on(run: Run, problem: MatchingProblem) -> None:
    done(run, run.start("long", problem, "default", CONFIG, LONG))
    done(run, run.play())
    until(lambda: run.snapshot.last > 20)
    past = done(run, run.look_at(7))
    until(lambda: run.snapshot.last > past.last + 20)
    assert run.snapshot.shown == past.shown == 7
    assert run.snapshot.coupling is past.coupling
    assert run.playing
    done(run, run.look_at(None))
    until(lambda: run.snapshot.live)
    done(run, run.stop())


def test_a_change_in_the_past_forks(run: Run) -> None:
    run.play()
    trunk = finished(run)
    run.look_at(5)
    run.set_hyperparameters(gamma=0.5, inner=9)
    run.play("step", fork_at=5)
    branch = finished(run)
    assert branch.generation == trunk.generation + 1
    np.testing.assert_array_equal(branch.ghost, trunk.history)
    np.testing.assert_array_equal(branch.history[:5], trunk.history[:5])
    assert branch.column("gamma")[5] == 0.5
    assert branch.last < trunk.last
    run.look_at(2)
    assert finished(run).shown == 2
    run.play()
    assert finished(run).ghost is not None


def test_settings_apply_from_the_next_step(run: Run) -> None:
    run.play("inner_step")
    finished(run)
    run.set_hyperparameters(gamma=0.25)
    run.play("inner_step")
    assert finished(run).column("gamma")[-1] == 0.25
    assert run.settings is not None
    assert run.settings[2].gamma == 0.25


def test_reset_starts_over_with_other_settings(run: Run) -> None:
    run.play("step")
    finished(run)
    run.reset("default", replace(CONFIG, dim=3, seed=5), HYPER)
    snapshot = finished(run)
    assert (snapshot.state, snapshot.last, len(snapshot.history)) == ("ready", 0, 0)


def test_stop_acts_at_once_and_the_process_rests(run: Run, problem: MatchingProblem) -> None:
    done(run, run.start("long", problem, "default", CONFIG, LONG))
    done(run, run.play())
    until(lambda: run.snapshot.last > 50)
    asked = time.monotonic()
    snapshot = done(run, run.stop())
    assert time.monotonic() - asked < 2
    assert snapshot.status.code == "stopped"
    until(lambda: not run.busy)
    assert run.pid is not None
    time.sleep(0.5)
    before, last = cpu_ticks(run.pid), run.snapshot.last
    time.sleep(1)
    assert cpu_ticks(run.pid) == before
    assert run.snapshot.last == last


def test_snapshots_are_few_however_fast_the_steps(run: Run, problem: MatchingProblem) -> None:
    done(run, run.start("long", problem, "default", CONFIG, LONG))
    done(run, run.play())
    version, step = run.snapshot.version, run.snapshot.last
    time.sleep(2)
    assert 2 <= run.snapshot.version - version <= 10
    assert run.snapshot.last - step > 20
    assert len(run.snapshot.history) == run.snapshot.last
    done(run, run.pause())


def test_pca_and_back(run: Run) -> None:
    run.play("step")
    finished(run)
    run.project("pca", 30)
    assert finished(run).points_kind == "pca"
    run.project("tsne", 5)
    assert finished(run).points_kind == "tsne"


def test_exports_are_those_of_the_shown_step(run: Run) -> None:
    run.play()
    snapshot = finished(run)
    record = json.loads(run.export("run.json"))
    assert record["preset"] == "default"
    matches = run.export("matches.csv").decode().splitlines()
    assert matches[0].startswith("source,target,coupling,confidence")
    assert len(matches) - 1 == len(snapshot.pairs.source)
    steps = len(run.export("history.csv").decode().splitlines()) - 1
    run.look_at(4)
    finished(run)
    assert len(run.export("history.csv").decode().splitlines()) - 1 == 4 < steps
    for name in ("coupling.npz", "embeddings.npz"):
        assert run.export(name)[:2] == b"PK"


def test_without_embeddings_there_are_none_to_export(run: Run, problem: MatchingProblem) -> None:
    preset = PRESETS["gwd"]
    done(run, run.start("gwd", problem, "gwd", preset.config, replace(preset.hyperparameters, inner=5)))
    run.play()
    snapshot = finished(run)
    assert snapshot.points is None
    with pytest.raises(InputError, match="no embeddings"):
        run.export("embeddings.npz")


def test_an_impossible_command_is_one_sentence(run: Run) -> None:
    snapshot = done(run, run._send("dance"))
    assert snapshot.error == "'dance' is not a command."
    run.play("inner_step")
    assert finished(run).error is None


def test_large_graphs_get_no_one_to_one_matching_before_the_end(
    problem: MatchingProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard import keeping, run_state
    from dashboard.protocol import Message, problem_message

    for module in (keeping, run_state):
        monkeypatch.setattr(module, "large", lambda problem: True)
    told: list[Message] = []
    state = run_state.RunState(told.append, lambda: True, lambda: None)
    start = problem_message(problem)
    settings = {"id": 0, "preset": "default", "config": asdict(CONFIG), "hyperparameters": asdict(HYPER)}
    state.obey(Message("start", {**settings, **start.values}, start.arrays))
    state.obey(Message("step", {"id": 1}))
    while state.playing:
        state.advance()
    assert "coupling" in told[-1].arrays
    assert "pairs.source" not in told[-1].arrays
    state.obey(Message("play", {"id": 2}))
    while state.playing:
        state.advance()
    assert told[-1].values["state"] == "finished"
    assert "pairs.source" in told[-1].arrays


def test_a_start_with_other_graphs_shows_nothing_of_the_old_ones(run: Run) -> None:
    run.play()
    number = run.start("other", knn(30, 0.0, np.random.default_rng(2)), "default", CONFIG, HYPER)
    assert run.snapshot.coupling is None or run.snapshot.coupling.shape == (30, 30)
    snapshot = done(run, number)
    assert snapshot.coupling.shape == (30, 30)
    assert (snapshot.last, len(snapshot.history)) == (0, 0)


def test_a_start_that_cannot_be_is_one_sentence_and_the_next_works(run: Run, problem: MatchingProblem) -> None:
    cost = np.zeros((24, 24))
    bad = replace(problem, source_cost=cost - 1, target_cost=np.zeros((29, 29)))
    snapshot = done(run, run.start("bad", bad, "default", replace(CONFIG, loss="kl"), HYPER))
    assert snapshot.state == "failed"
    assert snapshot.error
    assert done(run, run.reset("default", CONFIG, HYPER)).error is None
    run.play("inner_step")
    assert finished(run).last == 1


def test_a_killed_process_leaves_a_sentence_and_the_last_picture(problem: MatchingProblem) -> None:
    run = Run()
    run.launch()
    done(run, run.start("origin", problem, "default", CONFIG, LONG))
    run.play()
    until(lambda: run.snapshot.last > 0)
    assert run.pid is not None
    os.kill(run.pid, signal.SIGKILL)
    until(lambda: not run.alive)
    assert run.ending == run.snapshot.status.message
    assert "ended by the system" in run.ending
    assert run.snapshot.coupling is not None
    assert not run.busy
    assert not run.playing
    with pytest.raises(InputError, match="does not answer"):
        run.export("run.json")


def test_commands_before_the_launch_are_kept_and_the_process_ends_with_its_page(problem: MatchingProblem) -> None:
    run = Run()
    run.start("origin", problem, "default", CONFIG, LONG)
    number = run.play()
    assert run.busy
    assert run.playing
    assert run.snapshot.state == "empty"
    run.launch()
    done(run, number)
    until(lambda: run.snapshot.last > 0)
    assert run._process is not None
    run.close()
    assert run._process.wait(5) == 0


def test_settings_touched_in_the_past_are_those_of_the_fork_alone(problem: MatchingProblem) -> None:
    from dashboard.protocol import Message, problem_message
    from dashboard.run_state import RunState

    told: list[Message] = []
    state = RunState(told.append, lambda: True, lambda: None)
    start = problem_message(problem)
    settings = {"id": 0, "preset": "default", "config": asdict(CONFIG), "hyperparameters": asdict(HYPER)}
    state.obey(Message("start", {**settings, **start.values}, start.arrays))

    def play(**values: int) -> None:
        state.obey(Message("play", {"id": 1, **values}))
        while state.playing:
            state.advance()

    play()
    first = state._run
    record = first.result()
    state.obey(Message("view", {"id": 2, "step": 5}))
    state.obey(Message("set", {"id": 3, "hyperparameters": asdict(replace(HYPER, beta=1000.0))}))
    play(fork_at=5)
    assert state._run is not first
    assert (state._run.hyperparameters.beta, first.hyperparameters.beta) == (1000.0, HYPER.beta)
    assert first.result().measures == record.measures
    assert first.events == []
    state.obey(Message("set", {"id": 4, "hyperparameters": asdict(HYPER)}))  # the fork is done: for one to come
    assert state._run.hyperparameters.beta == 1000.0


def test_a_picture_of_the_run_before_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard import projector

    gate, seen = threading.Event(), threading.Event()

    def frames(self: projector.Projector, job: projector.Job) -> Iterator[projection.Projection]:
        if job.step == 1:
            seen.set()
            gate.wait(20)
        yield projection.Projection(job.kind, None, job.step)

    monkeypatch.setattr(projector.Projector, "_frames_of", frames)
    picture = projector.Projector(lambda: None)
    job = projector.Job("pca", np.zeros((2, 2)), np.zeros((2, 2)), False, 5.0, 1, 0.0)
    picture.ask(job)
    assert seen.wait(20)
    picture.forget()
    shown: list[int] = []
    latest = property(lambda own: None, lambda own, frame: own is picture and shown.append(frame.step))
    monkeypatch.setattr(projector.Projector, "latest", latest, raising=False)
    picture.ask(replace(job, step=2))
    gate.set()
    until(lambda: not picture.busy)
    assert shown == [2]
