"""Runs whose processes come to grief for real. Nothing that breaks them is in the product."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from dashboard import pipes
from dashboard.client import Run
from gwl_core.datasets.synthetic import knn
from gwl_core.problem import MatchingProblem
from tests.faults.breaking import BREAKABLE


@pytest.fixture(scope="module")
def problem() -> MatchingProblem:
    return knn(40, 0.2, np.random.default_rng(1))


@pytest.fixture
def breakable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "COMMAND", (sys.executable, "-c", BREAKABLE))


@pytest.fixture
def new_run() -> Iterator[Callable[[], Run]]:
    """Runs that are ended after the test, with what they kept."""
    made: list[Run] = []

    def make() -> Run:
        run = Run()
        made.append(run)
        run.launch()
        return run

    yield make
    for run in made:
        run.forget()
