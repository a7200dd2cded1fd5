"""What the curves show of a search: the candidate that is ahead in full, the beaten ones faint."""

import numpy as np

from dashboard.drawing import candidates
from dashboard.snapshot import HISTORY, PHASES


def history(rounds: list[float], values: list[float], outer: int = 0) -> np.ndarray:
    rows = np.full((len(rounds), len(HISTORY)), np.nan)
    rows[:, HISTORY.index("step")] = np.arange(1, len(rounds) + 1)
    rows[:, HISTORY.index("outer")] = outer
    rows[:, HISTORY.index("phase")] = PHASES.index("coupling")
    rows[:, HISTORY.index("round")] = rounds
    rows[:, HISTORY.index("gw_discrepancy")] = values
    return rows


def test_a_run_without_a_search_is_shown_whole() -> None:
    rows = history([np.nan] * 4, [4, 3, np.nan, 2])
    kept, beaten = candidates(rows, None, None)
    assert kept[:, HISTORY.index("step")].tolist() == [1, 2, 4]
    assert beaten is None


def test_the_leading_candidate_and_the_running_one_are_kept() -> None:
    kept, beaten = candidates(history([0, 0, 1, 1, 2, 2, 3], [5, 2, 5, 1, 5, 1, 4]), leader=1, running=3)
    np.testing.assert_array_equal(kept[:, HISTORY.index("round")], [1, 1, np.nan, 3])  # a line would cross round 2
    assert beaten is not None
    values = beaten[:, HISTORY.index("gw_discrepancy")].tolist()
    assert [value for value in values if value == value] == [5, 2, 5, 1]
    assert [value != value for value in values] == [False, False, True, False, False]  # a gap between the two


def test_a_search_ends_with_the_step_that_takes_the_best_back() -> None:
    rows = np.vstack([history([0, 0, 1, 1], [5, 2, 5, 2]), history([np.nan], [2])])
    kept, beaten = candidates(rows, leader=0, running=None)
    np.testing.assert_array_equal(kept[:, HISTORY.index("gw_discrepancy")], [5, 2, np.nan, 2, 2])
    assert beaten is not None
    assert beaten[:, HISTORY.index("gw_discrepancy")].tolist() == [5]


def test_what_follows_a_search_is_kept() -> None:
    rows = np.vstack([history([0, 0, 1, 1], [5, 2, 5, 1]), history([2, 2], [1, 1], outer=1)])
    kept, _ = candidates(rows, leader=1, running=None)
    assert kept[:, HISTORY.index("outer")].tolist() == [0, 0, 1, 1]
