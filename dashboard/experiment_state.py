"""What a session has chosen on the Experiments page, and the run and the results that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import cast

import streamlit as st

from dashboard.experiment_run import EXPERIMENTS, ExperimentRun
from gwl_core.errors import InputError
from gwl_core.experiments.output import REPORT, Stored, read_report, result_folder
from gwl_core.experiments.protocol import Experiment, Request
from gwl_core.experiments.registry import MODULES, find
from gwl_core.experiments.session import default_folder
from gwl_core.settings import PARAMETER

_SIZES = ("quick", "paper", "tiny")


@dataclass(frozen=True)
class Choice:
    """Which experiment, how large, from which seed, and its whole-number options that were set."""

    key: str = next(iter(MODULES))
    size: str = "quick"
    seed: int = 0
    options: Mapping[str, int] = field(default_factory=dict)

    @property
    def request(self) -> Request:
        return Request(self.size, self.seed, {name: str(value) for name, value in sorted(self.options.items())})

    @property
    def arguments(self) -> list[str]:
        """What follows `python -m gwl_core experiment`."""
        size = [] if self.size == "paper" else [f"--{self.size}"]
        options = [part for name, value in sorted(self.options.items()) for part in (f"--{name}", str(value))]
        return [self.key, *size, "--seed", str(self.seed), *options]

    @property
    def folder(self) -> Path:
        return result_folder(default_folder(), self.key, self.request)


def current() -> Choice:
    """The choice, made from the URL when the session is new."""
    if "experiment_choice" not in st.session_state:
        st.session_state["experiment_choice"] = _from_url()
    return cast(Choice, st.session_state["experiment_choice"])


def _from_url() -> Choice:
    """What the URL names, as far as it can be used."""
    query = st.query_params
    choice = Choice()
    if query.get("experiment") in MODULES:
        choice = replace(choice, key=query["experiment"])
    if query.get("size") in _SIZES:
        choice = replace(choice, size=query["size"])
    try:
        return replace(choice, seed=PARAMETER["seed"].check(query.get("first_seed", 0)))
    except InputError:
        return choice


def put(choice: Choice) -> None:
    st.session_state["experiment_choice"] = choice


def write_url(choice: Choice) -> None:
    query = {"experiment": choice.key, "size": choice.size, "first_seed": str(choice.seed)}
    if {key: st.query_params[key] for key in st.query_params} != query:
        st.query_params.from_dict(query)


def experiment(choice: Choice) -> Experiment:
    return find(choice.key)


def run() -> ExperimentRun | None:
    """This session's run, whatever it is of."""
    return EXPERIMENTS.find(st.session_state["token"])


def start() -> None:
    """Run the choice; what is finished is not run again."""
    choice = current()
    found = EXPERIMENTS.open(st.session_state["token"])
    if not found.busy:
        found.begin(choice, [*choice.arguments, "--out", str(default_folder())])


def stop() -> None:
    found = run()
    if found is not None:
        found.stop()


@lru_cache(maxsize=64)
def trial_count(key: str, size: str, seed: int, options: tuple[tuple[str, int], ...]) -> int:
    """Trials of a choice."""
    return len(find(key).plan(Choice(key, size, seed, dict(options)).request).trials)


def results(choice: Choice) -> Stored | None:
    """The report of the choice, as far as it is finished."""
    path = choice.folder / REPORT
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        return None
    return _read(path, stamp)


@lru_cache(maxsize=16)
def _read(path: Path, stamp: int) -> Stored | None:
    return read_report(path)
