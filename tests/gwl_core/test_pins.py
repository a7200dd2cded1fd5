"""Pins: what they cost, what contradicts, and that a run under them ends where they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gwl_core.datasets.synthetic import knn
from gwl_core.errors import InputError
from gwl_core.pins import APART, FIRM, SAME, Pin, check_pins, moved_onto, pin_cost, with_pin
from gwl_core.result import Result
from gwl_core.settings import PRESETS, with_changes
from gwl_core.trajectory import Trajectory, run
from gwl_core.writers import result_pairs

PROBLEM = knn(16, 0.3, np.random.default_rng(1))
SMALL = {
    "default": {"outer": 1, "inner": 30, "epochs": 3, "rounds": 3, "dim": 4},
    "gwd": {"inner": 60},
    "paper": {"outer": 3, "inner": 40, "epochs": 2, "dim": 4},
}


def test_contradictions_are_told() -> None:
    for pins, words in (
        ((Pin(0, 0), Pin(0, 0, APART)), "twice"),
        ((Pin(0, 0, SAME, True), Pin(0, 1, SAME, True)), "two partners"),
        ((Pin(0, 9),), "neither graph"),
        ((Pin(0, 0, "maybe"),), "same or apart"),
    ):
        with pytest.raises(InputError, match=words):
            check_pins(pins, (3, 3))


def test_a_new_pin_takes_the_place_of_what_it_contradicts() -> None:
    old = (Pin(0, 0, SAME, True), Pin(1, 1), Pin(2, 2, APART))
    assert with_pin(old, Pin(0, 1, SAME, True)) == (old[2], Pin(0, 1, SAME, True))
    assert with_pin(old, Pin(2, 2)) == (*old[:2], Pin(2, 2))
    assert with_pin(old, Pin(0, 1, APART, True)) == (*old, Pin(0, 1, APART, True))


def test_costs_of_pins() -> None:
    even = np.full(3, 1 / 3)
    cost = pin_cost([Pin(0, 1, SAME, True), Pin(2, 2), Pin(1, 0, APART)], even, even).toarray()
    np.testing.assert_array_equal(cost, [[FIRM, 0, FIRM], [1, FIRM, 0], [1, FIRM, 0]])
    # A source with more mass than the target cannot be barred from all others.
    uneven = pin_cost([Pin(0, 0, SAME, True)], np.array([0.8, 0.2]), even).toarray()
    np.testing.assert_array_equal(uneven, [[0, 0, 0], [FIRM, 0, 0]])


def test_a_matching_is_moved_by_exchanges() -> None:
    moved = moved_onto(np.array([0, 1, 2, 3]), [Pin(0, 2), Pin(3, 3, APART)])
    np.testing.assert_array_equal(moved, [2, 1, 0, 3])


@pytest.mark.parametrize("preset", SMALL)
@pytest.mark.parametrize("done", [False, True])
def test_a_run_goes_on_under_firm_pins(preset: str, done: bool) -> None:
    trajectory = Trajectory(PROBLEM, *with_changes(preset, SMALL[preset]))
    while not (trajectory.done if done else trajectory.state.step == 7):
        trajectory.advance()
    before = _matching(trajectory)
    i, j = 2, int(next(t for t in range(PROBLEM.target.n_nodes) if t not in before[2:4]))
    pins = (Pin(i, j, SAME, True), Pin(3, int(before[3]), APART, True)) if before[3] >= 0 else (Pin(i, j, SAME, True),)
    branch = trajectory.pinned(trajectory.state.step, replace(PROBLEM, pins=pins))
    assert branch.state.step == trajectory.state.step
    while not branch.done:
        branch.advance()
    after = _matching(branch)
    assert after[i] == j
    if len(pins) > 1:
        assert after[3] != before[3]
    assert branch.result().measures.marginal_error < 1e-9
    np.testing.assert_array_equal(_matching(trajectory), before)


def _matching(trajectory: Trajectory) -> np.ndarray:
    return _pairs(trajectory.result())


def _pairs(result: Result) -> np.ndarray:
    """(n_s,) the matching that the table shows."""
    found = np.full(result.problem.source.n_nodes, -1)
    for pair in result_pairs(result):
        found[pair.source] = pair.target
    return found


def test_a_soft_pin_is_a_cost_that_the_search_weighs() -> None:
    settings = with_changes("default", SMALL["default"])
    free = _pairs(run(PROBLEM, *settings))
    swapped = (Pin(4, int(free[5])), Pin(5, int(free[4])))
    under = run(replace(PROBLEM, pins=swapped), *settings)
    found = _pairs(under)
    # Whichever it keeps, the discrepancy that is reported stays that of the observed costs.
    assert found[4] in (free[4], free[5])
    kept = run(replace(PROBLEM, pins=(Pin(4, int(free[4])),)), *settings)
    assert _pairs(kept)[4] == free[4]


def test_no_pins_change_nothing() -> None:
    settings = with_changes("default", SMALL["default"])
    one, other = run(PROBLEM, *settings), run(replace(PROBLEM, pins=()), *settings)
    np.testing.assert_array_equal(one.coupling, other.coupling)


def test_a_run_from_the_start_obeys_firm_pins_in_every_preset() -> None:
    for preset in PRESETS:
        changes = SMALL.get(preset, {"inner": 40})
        result = run(replace(PROBLEM, pins=(Pin(0, 5, SAME, True),)), *with_changes(preset, changes))
        assert _pairs(result)[0] == 5, preset
