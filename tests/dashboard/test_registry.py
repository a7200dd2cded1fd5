"""The runs of a server: found by token, capped, queued, closed when unused."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from dashboard import faults, registry
from dashboard.limits import limits
from dashboard.presence import Presence, Visitors
from dashboard.registry import Registry
from gwl_core.errors import InputError


class FakeRun:
    """A run without a process."""

    def __init__(self) -> None:
        self.used, self.launched, self.alive, self.busy = 0.0, False, True, True
        self.reason, self.forgotten = "", False

    def launch(self) -> None:
        self.launched = True

    def close(self, reason: str = faults.ENDED) -> None:
        self.alive, self.reason = False, reason

    def forget(self) -> None:
        self.alive, self.forgotten = False, True


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
def tabs() -> set[str]:
    """Tokens of the tabs that are open."""
    return set("abcdefgh")


GIVEN = replace(limits(), runs=2, rest_seconds=10, idle_seconds=100, grace_seconds=30, queue=100)


@pytest.fixture
def runs(clock: Clock, tabs: set[str]) -> Registry:
    return Registry(here=tabs.__contains__, given=GIVEN)


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
    assert second.reason == faults.ROOM
    assert runs.find("b") is second  # what it kept can be resumed


def test_nobody_waits_nobody_goes_until_long_after(runs: Registry, clock: Clock) -> None:
    run = runs.open("a")
    run.busy = False
    clock.now += 99
    runs.pump()
    assert run.alive
    clock.now += 2
    runs.pump()
    assert run.reason == faults.IDLE


def test_a_working_run_is_never_closed_while_its_tab_is_open(runs: Registry, clock: Clock) -> None:
    run = runs.open("a")
    clock.now += 10_000
    runs.pump()
    assert run.alive


def test_a_closed_tab_ends_its_run_after_the_grace_and_loses_it_much_later(
    runs: Registry, clock: Clock, tabs: set[str]
) -> None:
    run = runs.open("a")
    runs.pump()
    tabs.clear()
    clock.now += 29
    runs.pump()
    assert run.alive
    clock.now += 2
    runs.pump()
    assert run.reason == faults.AWAY
    assert runs._runs["a"] is run
    clock.now += 100
    runs.pump()
    assert "a" not in runs._runs
    assert run.forgotten


def test_a_reload_within_the_grace_keeps_the_run(runs: Registry, clock: Clock, tabs: set[str]) -> None:
    run = runs.open("a")
    for _ in range(5):
        tabs.clear()
        clock.now += 29
        runs.pump()
        tabs.add("a")
        runs.pump()
    assert run.alive


def test_a_page_that_left_the_queue_loses_its_place(runs: Registry, clock: Clock, tabs: set[str]) -> None:
    for token in "abcd":
        runs.open(token)
    tabs.remove("c")
    clock.now += 29
    assert runs.place("d") == 2
    clock.now += 2
    assert runs.place("d") == 1


def test_what_a_dead_run_kept_goes_when_it_starts_anew_but_not_when_it_resumes(runs: Registry) -> None:
    first = runs.open("a")
    first.alive = False
    second = runs.open("a", resuming=True)
    assert not first.forgotten
    second.alive = False
    runs.open("a")
    assert second.forgotten


def test_one_visitor_has_only_so_many_at_work(clock: Clock, tabs: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    presence = Presence(lambda session: True)
    visitors = Visitors(presence, lambda: 2)
    monkeypatch.setattr(registry, "VISITORS", visitors)
    runs: Registry = Registry(here=presence.here, given=replace(GIVEN, runs=1))
    for number, token in enumerate("abc"):
        presence.note(token, f"session {number}", "one browser")
    presence.note("d", "session 9", "another")
    first = runs.open("a")
    runs.open("b")
    with pytest.raises(InputError, match="You have 2 runs at work or waiting in other tabs"):
        runs.open("c")
    assert runs.open("a") is first  # its own run is no other
    runs.open("d")
    first.busy = False  # a finished one is not at work
    runs.open("c")


def test_a_dead_process_is_replaced(runs: Registry) -> None:
    run = runs.open("a")
    run.alive = False
    again = runs.open("a")
    assert again is not run
    assert again.launched


def test_the_queue_has_an_end(clock: Clock, tabs: set[str]) -> None:
    runs: Registry = Registry(here=tabs.__contains__, given=replace(GIVEN, queue=1))
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


def test_a_process_that_cannot_be_started_closes_its_run_and_no_other(
    runs: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = runs.open("a")

    def full(run: FakeRun) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(FakeRun, "launch", full)
        second = runs.open("b")
    assert first.alive
    assert (second.alive, second.reason) == (False, faults.NOT_STARTED)
    assert runs.open("b").launched  # Play again


def test_a_spare_that_became_a_waiting_run_is_not_launched_past_the_cap(
    runs: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setattr(registry.threading, "Timer", lambda after, act: begun.append(act) or threading.Thread())
    runs.open("a")
    runs.warm()
    runs.open("b")  # takes the spare, and is launched
    runs.close("b")
    runs.warm()
    spare = runs._spare
    runs.open("c"), runs.open("d")
    assert runs._runs["c"] is spare
    waiting = [run for run in runs._runs.values() if not run.launched]
    for act in begun:
        act()
    assert [run for run in runs._runs.values() if not run.launched] == waiting
