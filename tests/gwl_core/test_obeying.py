"""Every method hears Stop and its cap within two seconds, in the middle of its work.

What is measured is CPU time, so that a busy machine fails no test; on a quiet one it is the time that a user waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from time import process_time
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from gwl_core.comparison import MethodRun, method_keys, run_method
from gwl_core.datasets.synthetic import barabasi_albert
from gwl_core.problem import MatchingProblem

SOON, ALLOWED = 0.3, 2.0
"""Seconds until a stop or cap, and what a method may take to hear it."""
MANY = {"orders": 1000}
LONGER: Mapping[str, Mapping[str, Any]] = {
    "graal": MANY, "mi-graal": MANY, "hubalign": MANY, "netal": MANY,
    "gwd": {"inner": 5000}, "gwd-paper": {"inner": 5000},
    "lrsa": {"iterations": 50, "width": 20}, "isorank": {"iterations": 10_000, "tolerance": 0.0},
    "faq": {"tolerance": 1e-12, "iterations": 10_000}, "pot-conditional-gradient": {"iterations": 100_000},
    "pot-proximal": {"iterations": 100_000}, "pot-entropic": {"iterations": 100_000},
}  # fmt: skip
"""Settings that keep a fast method at work: for four seconds and more where these tests are slow, as there are machines
with five times the speed."""
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
    problem = pair(NODES.get(key, 400))
    begun = process_time()
    with threadpool_limits(1):
        row = run_method(problem, key, settings=LONGER.get(key), **more)
    return row, process_time() - begun


@pytest.fixture(scope="module", autouse=True)
def _libraries_loaded() -> None:
    """What is imported once is no method's time."""
    import ot.gromov  # noqa: F401
    import pyfglt.fglt  # noqa: F401

    import gwl_core.trajectory  # noqa: F401


@pytest.mark.parametrize("key", method_keys())
def test_stop_is_heard(key: str) -> None:
    begun = process_time()
    row, seconds = timed(key, should_stop=lambda: process_time() - begun > SOON)
    assert row.status == "stopped", f"over after {seconds:.2f} s: give it more to do"
    assert seconds < SOON + ALLOWED


@pytest.mark.parametrize("key", method_keys())
def test_the_cap_is_heard(key: str) -> None:
    row, seconds = timed(key, cap=SOON)
    assert row.status == "cut short", f"over after {seconds:.2f} s: give it more to do"
    assert seconds < SOON + ALLOWED
