"""Every method hears Stop and its cap within two seconds, in the middle of its work.

What is measured is CPU time, in units of a piece of work that is done before: neither a busy machine nor a slow one
fails a test, and on a fast one a method is stopped as far into its work. A unit was 0.1 s where these were written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from time import process_time
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

from gwl_core.comparison import MethodRun, method_keys, run_method
from gwl_core.datasets.synthetic import barabasi_albert
from gwl_core.problem import MatchingProblem

SOON, ALLOWED = 3.0, 20.0
"""Units until a stop or cap, and what a method may take to hear it."""
MANY = {"orders": 1000}
LONGER: Mapping[str, Mapping[str, Any]] = {
    "graal": MANY, "mi-graal": MANY, "hubalign": MANY, "netal": MANY,
    "gwd": {"inner": 5000}, "gwd-paper": {"inner": 5000},
    "lrsa": {"iterations": 50, "width": 20}, "isorank": {"iterations": 10_000, "tolerance": 0.0},
    "faq": {"tolerance": 1e-12, "iterations": 10_000}, "pot-conditional-gradient": {"iterations": 100_000},
    "pot-proximal": {"iterations": 100_000}, "pot-entropic": {"iterations": 100_000},
}  # fmt: skip
"""Settings that keep a fast method at work, for 40 units and more."""
NODES = {
    "h-graal": 2600, "lrsa": 2600, "faq": 2200, "faq-convex": 600, "gaa": 800, "tame": 900,
    "pot-conditional-gradient": 1500,
}  # fmt: skip
"""Nodes where it takes more than 400 to keep it busy."""


@cache
def pair(nodes: int) -> MatchingProblem:
    return barabasi_albert(nodes, 0.1, np.random.default_rng(0), 4)


def timed(key: str, **more: Any) -> tuple[MethodRun, float]:
    """A run on one thread, and its CPU seconds."""
    begun = process_time()
    with threadpool_limits(1):
        row = run_method(problem_of(key), key, settings=LONGER.get(key), **more)
    return row, process_time() - begun


def problem_of(key: str) -> MatchingProblem:
    return pair(NODES.get(key, 400))


@pytest.fixture
def unit() -> float:
    """CPU seconds of a piece of work like that of the methods."""
    begun, costs = process_time(), np.random.default_rng(0).random((500, 500))
    for _ in range(3):
        linear_sum_assignment(costs)
    sum(k * k % 7 for k in range(500_000))
    return process_time() - begun


@pytest.fixture(scope="module", autouse=True)
def _libraries_loaded() -> None:
    """What is imported once is no method's time."""
    import ot.gromov  # noqa: F401
    import pyfglt.fglt  # noqa: F401

    import gwl_core.trajectory  # noqa: F401


@pytest.mark.parametrize("key", method_keys())
def test_stop_is_heard(key: str, unit: float) -> None:
    problem_of(key)  # to make it is no method's time
    begun = process_time()
    row, seconds = timed(key, should_stop=lambda: process_time() - begun > SOON * unit)
    assert row.status == "stopped", f"over after {seconds / unit:.1f} units: give it more to do"
    assert seconds < (SOON + ALLOWED) * unit


@pytest.mark.parametrize("key", method_keys())
def test_the_cap_is_heard(key: str, unit: float) -> None:
    problem_of(key)
    row, seconds = timed(key, cap=SOON * unit)
    assert row.status == "cut short", f"over after {seconds / unit:.1f} units: give it more to do"
    assert seconds < (SOON + ALLOWED) * unit
