"""The runs of a server: found by token, capped, queued, closed when unused."""

from __future__ import annotations

import pytest

from dashboard import registry
from dashboard.registry import Registry
from gwl_core.errors import InputError


class FakeRun:
    """A run without a process."""

    def __init__(self) -> None:
        self.used, self.launched, self.alive, self.busy = 0.0, False, True, True

    def launch(self) -> None:
        self.launched = True

    def close(self) -> None:
        self.alive = False


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(registry, "Run", FakeRun)
    monkeypatch.setattr(registry, "time", clock)
    monkeypatch.setattr(Registry, "_tidy", lambda self: None)  # these tests do the janitor's rounds
    return clock


@pytest.fixture
def runs(clock: Clock) -> Registry:
    return Registry(cap=2, idle_seconds=100, yield_seconds=10)


def test_a_run_is_found_by_its_token_only(runs: Registry) -> None:
    run = runs.open("a")
    assert runs.open("a") is run
    assert runs.find("a") is run
    assert runs.find("b") is None


def test_beyond_the_cap_runs_wait_in_order(runs: Registry) -> None:
    opened = {token: runs.open(token) for token in "abcd"}
    assert [run.launched for run in opened.values()] == [True, True, False, False]
    assert [runs.place(token) for token in "abcd"] == [0, 0, 1, 2]
    runs.close("a")
    assert opened["c"].launched
    assert [runs.place(token) for token in "bcd"] == [0, 0, 1]


def test_a_waiting_run_gets_the_place_of_one_that_rests_unused(runs: Registry, clock: Clock) -> None:
    first, second, third = (runs.open(token) for token in "abc")
    second.busy = False
    clock.now += 5
    for token in "ac":
        runs.find(token)
    runs.pump()
    assert not third.launched
    clock.now += 6
    runs.find("c")
    runs.pump()
    assert third.launched
    assert not second.alive
    assert first.alive
    assert runs.find("b") is None


def test_nobody_waits_nobody_goes_until_long_after(runs: Registry, clock: Clock) -> None:
    run = runs.open("a")
    run.busy = False
    clock.now += 99
    runs.pump()
    assert run.alive
    clock.now += 2
    runs.pump()
    assert not run.alive


def test_a_working_run_is_never_closed(runs: Registry, clock: Clock) -> None:
    run = runs.open("a")
    clock.now += 10_000
    runs.pump()
    assert run.alive


def test_a_page_that_left_the_queue_loses_its_place(runs: Registry, clock: Clock) -> None:
    for token in "abcd":
        runs.open(token)
    clock.now += 8
    assert runs.place("d") == 2
    clock.now += 8
    assert runs.place("d") == 1
    assert runs.find("c") is None


def test_a_dead_process_is_replaced(runs: Registry) -> None:
    run = runs.open("a")
    run.alive = False
    again = runs.open("a")
    assert again is not run
    assert again.launched


def test_the_queue_has_an_end(runs: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_QUEUE_LENGTH", 1)
    for token in "abc":
        runs.open(token)
    with pytest.raises(InputError, match="try again"):
        runs.open("d")


def test_shutting_down_closes_all(runs: Registry) -> None:
    opened = [runs.open(token) for token in "abc"]
    runs.shut_down()
    assert not any(run.alive for run in opened)


def test_one_spare_is_kept_for_the_next_run(runs: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_SPARE_AFTER", 0.0)
    for _ in range(3):
        runs.warm()
    spare = runs._spare
    assert spare is not None
    assert runs.open("a") is spare
    assert spare.launched
    assert runs.open("b") is not spare
    runs.warm()  # both places are taken
    assert runs._spare is None
