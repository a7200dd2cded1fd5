"""An experiment of milliseconds, to try the engine with."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gwl_core.errors import InputError
from gwl_core.experiments.protocol import Data, Experiment, Parameters, Plan, Report, Request, Row, Values


def run_trial(parameters: Parameters, data: Data) -> Values:
    """A number from the seed. Every call leaves a mark in the folder, if one is given."""
    seed = int(parameters["seed"])  # type: ignore[arg-type]
    if parameters.get("marks"):
        (Path(str(parameters["marks"])) / f"{seed}-{time.time_ns()}").touch()
    time.sleep(float(parameters.get("seconds") or 0))
    if parameters.get("fails") == seed:
        raise ZeroDivisionError("as planned")
    if parameters.get("wrong") == seed:
        raise InputError("This trial cannot be used: leave it out.")
    if parameters.get("dies") and not (Path(str(parameters["dies"])) / "died").exists():
        (Path(str(parameters["dies"])) / "died").touch()
        os._exit(1)
    rng = np.random.default_rng(seed)
    return {"value": float(rng.random((40, 40)).dot(rng.random((40, 40))).sum()), "nan": float("nan")}


def experiment(count: int, **more: str | float) -> tuple[Experiment, Plan]:
    plan = Plan(tuple({"seed": seed, **more} for seed in range(count)))
    return Experiment("toy", "Toy", "For tests.", lambda request: plan, run_trial, summarise), plan


def summarise(rows: Sequence[Row]) -> Report:
    return Report((f"{len(rows)} rows",))


def request() -> Request:
    return Request("tiny")
