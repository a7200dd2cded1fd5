"""What a run's process says of one pair, of pins and of other runs, through its handle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from dashboard.client import Run
from dashboard.protocol import Message
from dashboard.runs import differing, settings_of
from dashboard.snapshot import Snapshot
from gwl_core.datasets.synthetic import knn
from gwl_core.pins import SAME, Pin
from gwl_core.settings import PRESETS

PROBLEM = knn(18, 0.3, np.random.default_rng(1))
CONFIG = replace(PRESETS["default"].config, dim=4)
HYPER = replace(PRESETS["default"].hyperparameters, outer=1, inner=15, epochs=3, rounds=2)


@pytest.fixture(scope="module")
def process() -> Iterator[Run]:
    run = Run()
    run.launch()
    yield run
    run.close()


@pytest.fixture
def run(process: Run) -> Run:
    """A run that has come to its end."""
    process.wait(process.start("origin", PROBLEM, "default", CONFIG, HYPER), 60)
    process.play()
    rest(process)
    return process


def rest(run: Run, seconds: float = 60) -> Snapshot:
    deadline = time.monotonic() + seconds
    while run.busy:
        assert time.monotonic() < deadline, list(run.log)
        time.sleep(0.02)
    return run.snapshot


def asked(run: Run, pair: tuple[int, int]) -> Message:
    number = run.inspect(pair)
    assert run.wait(number, 60), list(run.log)
    assert run.answer is not None
    assert run.answer.values["id"] == number
    return run.answer


def test_a_match_is_described(run: Run) -> None:
    snapshot = rest(run)
    assert snapshot.pairs is not None
    pair = int(snapshot.pairs.source[0]), int(snapshot.pairs.target[0])
    answer = asked(run, pair)
    values = answer.values
    assert values["match"] == pair[1]
    assert values["confidence"] == pytest.approx(float(snapshot.pairs.confidence[0]), rel=1e-6)
    assert values["would_be"] == pytest.approx(values["confidence"], rel=1e-6)
    assert values["sureness"]["mass"] == pytest.approx(float(snapshot.pairs.coupling[0]) * PROBLEM.target.n_nodes)
    assert snapshot.measures is not None
    assert values["terms"][0]["total"] == snapshot.measures.gw_discrepancy
    assert len(values["alternatives"]) == 5
    assert values["change"] == [0.0, 0]
    np.testing.assert_array_equal(answer.arrays["matching"], snapshot.matching)
    assert answer.arrays["steps"][-1] <= snapshot.last
    assert answer.arrays["mass"].shape == answer.arrays["best"].shape == answer.arrays["steps"].shape


def test_a_past_step_and_a_pair_that_does_not_exist(run: Run) -> None:
    run.wait(run.look_at(4), 60)
    answer = asked(run, (0, 3))
    assert answer.values["step"] == 4
    assert answer.arrays["steps"].tolist() == [0, 1, 2, 3, 4]
    number = run.inspect((0, 999))
    run.wait(number, 60)
    assert run.snapshot.error is not None
    assert "not in these graphs" in run.snapshot.error
    assert run.snapshot.state == "finished"


def test_a_firm_pin_is_kept_and_the_old_run_stays(run: Run) -> None:
    before = rest(run)
    assert before.matching is not None
    assert before.measures is not None
    target = int(next(j for j in range(PROBLEM.target.n_nodes) if j != before.matching[2]))
    run.pin((Pin(2, target, SAME, True),))
    after = rest(run)
    assert after.matching is not None
    assert after.matching[2] == target
    assert after.last > before.last
    np.testing.assert_array_equal(after.history[: before.last], before.history)
    np.testing.assert_array_equal(after.ghost, before.history)
    first, second = after.branches
    assert (first["active"], second["active"], second["left_at"]) == (False, True, before.last)
    assert list(differing(after.branches)) == ["pins"]
    # Back to the old run: it is as it was.
    run.wait(run.switch(int(first["number"])), 60)
    again = rest(run)
    assert again.measures == before.measures
    np.testing.assert_array_equal(again.matching, before.matching)
    assert again.last == len(again.history) == before.last
    assert run.pins == ()
    np.testing.assert_array_equal(again.ghost, after.history)


def test_runs_are_named_compared_and_removed(run: Run) -> None:
    rest(run)
    run.reset("default", CONFIG, replace(HYPER, beta=2.0))
    run.play()
    snapshot = rest(run)
    names = {int(b["number"]): b["name"] for b in snapshot.branches}
    assert list(names.values()) == ["Run 1", "Run 2"]
    assert differing(snapshot.branches) == {"beta": [10.0, 2.0]}
    assert settings_of(snapshot.branches[1]) == ("default", CONFIG, replace(HYPER, beta=2.0))
    run.wait(run.rename(1, "  before \n the change "), 60)
    assert run.snapshot.branches[0]["name"] == "before the change"
    run.wait(run.remove(2), 60)
    assert run.snapshot.error is not None  # it is the one shown
    run.wait(run.remove(1), 60)
    assert len(run.snapshot.branches) == 1
    assert run.snapshot.ghost is None


def test_the_oldest_runs_go_first(run: Run) -> None:
    rest(run)
    for seed in range(7):
        run.reset("default", replace(CONFIG, seed=seed), HYPER)
        run.play("inner_step")
        rest(run)
    branches = run.snapshot.branches
    assert len(branches) == 6
    assert branches[-1]["active"]
    assert [b["settings"]["seed"] for b in branches] == [1, 2, 3, 4, 5, 6]
