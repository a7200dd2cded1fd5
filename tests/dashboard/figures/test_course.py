"""The course of a pair: its share in percent, thick where it leads."""

from __future__ import annotations

import numpy as np

from dashboard.figures.course import course


def test_the_leading_stretches_are_told_apart() -> None:
    figure = course(np.array([0, 2, 4]), np.array([0.1, 0.5, 0.9]), np.array([False, True, True]), shown_step=2)
    share, leading = figure["data"]
    np.testing.assert_allclose(share["y"], [10, 50, 90])
    np.testing.assert_allclose(leading["y"], [np.nan, 50, 90])
    assert leading["line"]["width"] > share["line"]["width"]
    assert leading["line"]["color"] != share["line"]["color"]
    assert figure["layout"]["shapes"][0]["x0"] == 2


def test_one_step_is_a_point() -> None:
    assert course(np.array([3]), np.array([0.5]), np.array([True]))["data"][0]["mode"] == "markers"
