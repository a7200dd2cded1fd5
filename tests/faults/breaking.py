"""Breaking the process of a run for real: from outside, or by what only these tests start in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from dashboard.client import Run
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS

CONFIG = replace(PRESETS["gwd"].config, seed=3)
HYPER = replace(PRESETS["gwd"].hyperparameters, outer=200, inner=5000, tolerance=0.0)
"""Goes on for longer than any test."""

BREAKABLE = """
import ctypes, os, numpy as np
from dashboard import run_state, worker
act = run_state.RunState._act
def broken(self, message):
    how = message.values.get("name", "") if message.kind == "rename" else ""
    if how == "crash":
        ctypes.string_at(0)
    if how == "abort":
        os.abort()
    if how == "greedy":
        self.hoard = [np.ones(2**24) for _ in range(1000)]
    act(self, message)
run_state.RunState._act = broken
worker.main()
"""
"""The process of a run that breaks when a run is renamed to what is to happen."""


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def at_work(run: Run, problem: MatchingProblem, steps: int = 30) -> Run:
    """Play until some steps are taken and some of them are kept."""
    run.start("origin", problem, "gwd", CONFIG, HYPER)
    run.play()
    until(lambda: run.snapshot.last >= steps and run.snapshot.kept >= 1)
    return run
