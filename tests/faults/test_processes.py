"""A run's process is killed, crashes or runs out of memory: what is said, what is kept, and how the run goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dashboard.client import Run
from dashboard.keeper import KEEP_SECONDS
from dashboard.limits import limits
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from tests.faults.breaking import at_work, until


def resumed(old: Run, new_run: Callable[[], Run]) -> Run:
    """The run, taken up by another process."""
    run = new_run()
    assert run.wait(run.resume(old), 120), list(run.log)
    assert run.snapshot.error is None
    return run


def lost(before: Run, after: Run) -> int:
    """Steps that the page had seen and that are gone; all others are as they were."""
    kept = after.snapshot.last
    assert after.snapshot.history.shape[0] == kept
    same = min(kept, len(before.snapshot.history))
    np.testing.assert_array_equal(after.snapshot.history[:same], before.snapshot.history[:same])
    assert after.problem is before.problem
    assert after.settings == before.settings
    return max(0, before.snapshot.last - kept)


def check(run: Run, new_run: Callable[[], Run], words: str) -> None:
    """Wait for the end of a run at work, then go on with it: nothing but the steps since the last keyframe is gone."""
    until(lambda: not run.alive)
    known = run.snapshot.kept
    assert words in run.ending
    assert f"up to step {run.kept} are kept: press Resume" in run.ending
    assert run.resumable
    assert run.was_playing
    assert run.snapshot.coupling is not None  # the last picture stays
    after = resumed(run, new_run)
    assert after.snapshot.last >= known
    assert lost(run, after) <= run.snapshot.last - known
    assert not run.resumable  # its folder has changed hands
    done = after.snapshot.last
    after.play()
    until(lambda: after.snapshot.last > done)
    assert after.wait(after.pause(), 60)
    assert after.wait(after.look_at(1), 60)  # the past is there too
    assert after.snapshot.shown == 1


def test_kill_9(problem: MatchingProblem, new_run: Callable[[], Run]) -> None:
    run = at_work(new_run(), problem)
    assert run.pid is not None
    os.kill(run.pid, signal.SIGKILL)
    check(run, new_run, "was ended by the system")


@pytest.mark.usefixtures("breakable")
def test_a_segmentation_fault_in_native_code(problem: MatchingProblem, new_run: Callable[[], Run]) -> None:
    run = at_work(new_run(), problem)
    run.rename(1, "crash")
    check(run, new_run, "crashed in native code (segmentation fault)")


@pytest.mark.usefixtures("breakable")
def test_memory_that_runs_out_ends_nothing(
    problem: MatchingProblem, new_run: Callable[[], Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(limits(), memory_mb=1_500)
    monkeypatch.setattr("dashboard.pipes.limits", lambda: small)
    run = at_work(new_run(), problem)
    before, pid = run.snapshot.last, run.pid
    assert run.wait(run.rename(1, "greedy"), 120)
    until(lambda: run.snapshot.error is not None)
    assert "Memory ran out (a run here may take 1,500 MB)" in str(run.snapshot.error)
    assert run.snapshot.state == "paused"
    assert (run.alive, run.pid) == (True, pid)
    run.play()
    until(lambda: run.snapshot.last > before)


def test_a_run_at_rest_loses_nothing_forks_included_and_not_by_a_second_death(
    problem: MatchingProblem, new_run: Callable[[], Run]
) -> None:
    run = at_work(new_run(), problem)
    run.pause()
    run.rename(1, "first try")
    run.set_hyperparameters(gamma=0.02)
    run.play("inner_step", fork_at=10)
    until(lambda: len(run.snapshot.branches) == 2 and not run.busy)
    matching = run.snapshot.matching
    assert run.pid is not None
    os.kill(run.pid, signal.SIGKILL)
    until(lambda: not run.alive)
    second = new_run()
    assert second.pid is not None
    os.kill(second.pid, signal.SIGSTOP)  # it ends before it has taken up anything
    second.resume(run)
    os.kill(second.pid, signal.SIGKILL)
    until(lambda: not second.alive)
    after = resumed(second, new_run)
    assert lost(run, after) == 0
    assert after.snapshot.branches == run.snapshot.branches
    np.testing.assert_array_equal(after.snapshot.matching, matching)
    assert after.wait(after.look_at(5), 60)  # a step of the run that it was forked from
    assert after.snapshot.shown == 5
    assert after.wait(after.switch(1), 60)
    assert after.snapshot.last == run.snapshot.branches[0]["steps"] > 10


def test_a_death_before_anything_is_kept_says_so(problem: MatchingProblem, new_run: Callable[[], Run]) -> None:
    run = new_run()
    assert run.pid is not None
    os.kill(run.pid, signal.SIGKILL)
    until(lambda: not run.alive)
    assert run.ending.endswith("the data and settings are kept: press Play to start again.")
    assert not run.resumable
    with pytest.raises(InputError, match="press Play"):
        Run().resume(run)


def test_keyframes_leave_the_process_at_least_every_few_seconds() -> None:
    assert KEEP_SECONDS <= 2.0
