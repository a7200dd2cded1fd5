"""A small load test of a real server; `python -m benchmarks load` is the large one."""

from __future__ import annotations

from benchmarks.load import row


def test_runs_submitted_at_once_wait_their_turn_and_stay_apart() -> None:
    found = row(sessions=4, runs=3, cap=1, inner=40, nodes=24)
    assert found["finished"] == found["own_results"] == 3
    assert found["strays"] == found["errors"] == found["deaths"] == found["refusals"] == 0
    assert found["waited"] == 2
    assert found["places_right"]
    assert found["most_at_once"] <= 2  # the cap, and one that is just ending
