"""A small load test of a real server; `python -m benchmarks load` is the large one."""

from __future__ import annotations

import pytest

from benchmarks.load import Queue, places_right, row


def test_runs_submitted_at_once_wait_their_turn_and_stay_apart() -> None:
    found = row(sessions=4, runs=3, cap=1, inner=40, nodes=24)
    assert found["finished"] == found["own_results"] == 3
    assert found["strays"] == found["errors"] == found["deaths"] == found["refusals"] == 0
    assert found["waited"] == 2
    assert found["places_right"]
    assert found["in_turn"]
    assert found["most_at_once"] <= 2  # the cap, and one that is just ending


FIRST = Queue(((0.0, 1), (4.0, 1)), 5.0)


def test_right_places_are_those_ahead_that_still_wait() -> None:
    second = Queue(((0.1, 2), (6.0, 1)), 8.0)
    third = Queue(((0.2, 3), (4.9, 2), (9.0, 1)), 12.0)  # heard sooner than the first page that the first had left
    assert places_right([FIRST, second, third])


@pytest.mark.parametrize(
    "places",
    [
        ((0.1, 3), (6.0, 1)),  # only one is ahead
        ((0.1, 1), (6.0, 1)),  # one is ahead
        ((0.1, 2), (6.0, 2)),  # it has left
        ((0.1, 2), (6.0, 1), (7.0, 2)),  # no place is lost again
        ((0.1, 2), (4.5, 0)),  # there is no such place
    ],
)
def test_wrong_places_are_seen(places: tuple[tuple[float, int], ...]) -> None:
    assert not places_right([FIRST, Queue(places, 8.0)])
