"""What the page says and offers when the process of its run is gone; the processes are real."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import text
from dashboard.limits import limits
from dashboard.registry import RUNS, Registry

APP = str(Path(__file__).parents[2] / "dashboard" / "app.py")


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], AppTest]]:
    monkeypatch.setattr(RUNS, "warm", lambda: None)
    monkeypatch.setattr(RUNS, "_given", replace(limits(), runs=1, rest_seconds=1))

    def open_page() -> AppTest:
        app = AppTest.from_file(APP, default_timeout=120)
        query = {"pair": "knn", "nodes": "24", "preset": "gwd", "inner": "5000", "tolerance": "0", "projection": "pca"}
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    yield open_page
    RUNS.shut_down()


def press(app: AppTest, label: str) -> AppTest:
    button = next(b for b in app.button if b.label == label)
    assert not button.disabled
    app = button.click().run()
    assert not app.exception
    return app


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def run_of(app: AppTest) -> Any:
    return app.session_state["run"]


def status(app: AppTest) -> str:
    return app.main.markdown[0].value


def test_a_dead_run_is_said_in_one_sentence_and_resumed(visit: Callable[[], AppTest]) -> None:
    app = press(visit(), text.PLAY)
    run = run_of(app)
    until(lambda: run.snapshot.kept > 5)
    os.kill(run.pid, signal.SIGKILL)
    until(lambda: not run.alive)
    app = app.run()
    assert status(app) == run.ending
    assert status(app).count(". ") == 0
    before, known = run.snapshot.last, run.snapshot.kept
    kept_settings = app.session_state["session"].settings
    app = press(app, text.RESUME)
    again = run_of(app)
    assert again is not run
    until(lambda: again.snapshot.last > before)  # it was at work, so it goes on
    np.testing.assert_array_equal(again.snapshot.history[:known], run.snapshot.history[:known])
    assert app.session_state["session"].settings == kept_settings
    press(app, text.PAUSE)


def test_a_run_that_made_room_is_kept_whole_and_its_owner_waits_in_turn(visit: Callable[[], AppTest]) -> None:
    first = press(visit(), text.INNER)
    until(lambda: not run_of(first).busy)
    second = press(visit(), text.PLAY)
    until(lambda: RUNS.place(second.session_state["token"]) == 0)
    until(lambda: run_of(second).snapshot.last > 0)
    first = first.run()
    assert "made room for a waiting one and is kept up to step 1: press Resume" in status(first)
    first = press(first, text.RESUME)
    assert status(first.run()) == text.WAITING.format(place="1st", count="1 run is")
    press(second, text.STOP)
    until(lambda: run_of(first).launched)
    until(lambda: run_of(first).snapshot.state == "paused")
    assert run_of(first).snapshot.last == 1


def test_each_tab_has_its_own_run(visit: Callable[[], AppTest]) -> None:
    one, two = visit(), visit()
    tokens = {app.session_state["token"] for app in (one, two)}
    assert len(tokens) == 2
    assert all(len(token) == 22 for token in tokens)  # 128 random bits
    for app in (one, two):
        written = str(dict(app.query_params))
        assert not any(token in written for token in tokens)
    registry: Registry[Any] = RUNS
    assert registry.find("") is None
