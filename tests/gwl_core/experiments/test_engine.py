"""The engine: nothing finished is lost or run again, and every backend gives the same numbers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gwl_core.errors import InputError
from gwl_core.experiments import engine
from gwl_core.experiments.engine import Progress
from gwl_core.experiments.fingerprint import code_version, trial_key
from tests.gwl_core.experiments.toy import experiment

ROOT = Path(__file__).parents[3]


def values(run: engine.Run) -> list[object]:
    return [row["value"] for row in run.rows]


def test_finished_trials_are_never_run_again(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    told: list[Progress] = []
    toy, plan = experiment(4, marks=str(marks))
    first = engine.run(toy, plan, tmp_path, workers=1, on_progress=told.append)
    assert (told[0].done, told[-1].done, told[-1].left) == (0, 4, 0)
    again = engine.run(toy, plan, tmp_path, workers=1)
    assert values(again) == values(first)
    assert again.reused == 4
    larger, more = experiment(6, marks=str(marks))
    assert engine.run(larger, more, tmp_path, workers=1).reused == 4
    assert sorted(int(mark.name.split("-")[0]) for mark in marks.iterdir()) == [0, 1, 2, 3, 4, 5]


def test_rows_keep_the_order_of_the_plan_and_nan_is_none(tmp_path: Path) -> None:
    toy, plan = experiment(5)
    run = engine.run(toy, plan, tmp_path, workers=1)
    assert [row["seed"] for row in run.rows] == [0, 1, 2, 3, 4]
    assert all(row["nan"] is None for row in run.rows)


def test_a_failed_trial_is_told_and_costs_no_other(tmp_path: Path) -> None:
    toy, plan = experiment(3, fails=1)
    run = engine.run(toy, plan, tmp_path, workers=1)
    assert len(run.rows) == 2
    assert run.failures == ("seed 1, fails 1: ZeroDivisionError: as planned",)


def test_bad_input_met_in_a_trial_ends_the_run_and_keeps_the_rest(tmp_path: Path) -> None:
    toy, plan = experiment(6, wrong=3)
    with pytest.raises(InputError, match="cannot be used"):
        engine.run(toy, plan, tmp_path, workers=1)
    kept = len(engine.store_of(toy, tmp_path).rows())
    order = sorted(task.key for task in engine.tasks_of(toy, plan))
    wrong = next(task.key for task in engine.tasks_of(toy, plan) if task.parameters["seed"] == 3)
    assert kept == order.index(wrong)


CHILD = """
import sys
from pathlib import Path
from gwl_core.experiments import engine
from tests.gwl_core.experiments.toy import experiment
toy, plan = experiment(40, marks=sys.argv[1], seconds=0.05)
engine.run(toy, plan, Path(sys.argv[2]), workers=1)
"""


def test_kill_9_loses_no_finished_trial(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(marks), str(tmp_path)], cwd=ROOT)
    toy, plan = experiment(40, marks=str(marks), seconds=0.05)
    store, deadline = engine.store_of(toy, tmp_path), time.monotonic() + 60
    while len(store.rows()) < 5:
        assert time.monotonic() < deadline
        assert child.poll() is None
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    kept = store.rows()
    assert 5 <= len(kept) < 40
    run = engine.run(toy, plan, tmp_path, workers=1)
    assert run.reused == len(kept)
    assert len(run.rows) == 40
    started = [mark.name.split("-")[0] for mark in marks.iterdir()]
    # The one that was under way is all that is done twice.
    assert len(started) - len(set(started)) <= 1


def test_a_local_cluster_gives_the_serial_numbers_bit_for_bit(tmp_path: Path) -> None:
    toy, plan = experiment(8)
    serial = engine.run(toy, plan, tmp_path / "serial", workers=1)
    cluster = engine.run(toy, plan, tmp_path / "cluster", workers=2)
    assert values(cluster) == values(serial)


def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    toy, plan = experiment(8, dies=str(tmp_path))
    run = engine.run(toy, plan, tmp_path, workers=2)
    assert (tmp_path / "died").exists()
    assert len(run.rows) == 8
    assert not run.failures


def test_an_unreachable_scheduler_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gwl_core.experiments.backends._CONNECT_SECONDS", 0.5)
    toy, plan = experiment(1)
    with pytest.raises(InputError, match=r"scheduler tcp://127.0.0.1:1 cannot be reached"):
        engine.run(toy, plan, tmp_path, scheduler="tcp://127.0.0.1:1")


def test_keys_follow_parameters_and_code_in_any_order() -> None:
    key = trial_key("toy", {"a": 1, "b": 0.5}, "code")
    assert key == trial_key("toy", {"b": 0.5, "a": 1}, "code")
    others = [("toy", {"a": 2, "b": 0.5}, "code"), ("sweep", {"a": 1, "b": 0.5}, "code")]
    assert len({key, *(trial_key(*other) for other in others), trial_key("toy", {"a": 1, "b": 0.5}, "new")}) == 4


def test_the_code_version_sees_statements_and_not_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "gwl_core"
    package.mkdir()
    monkeypatch.setattr("gwl_core.experiments.fingerprint._ROOT", tmp_path)

    def version(first: str, second: str) -> str:
        (package / "first.py").write_text(first)
        (package / "second.py").write_text(second)
        code_version.cache_clear()
        return code_version("gwl_core.first")

    base = version("from gwl_core.second import two\n", "two = 2\n")
    assert version('"""Words."""\nfrom gwl_core.second import two  # more\n', "\n\ntwo = 2\n") == base
    assert version("from gwl_core.second import two\n", "two = 3\n") != base
    code_version.cache_clear()
