"""How the player says that a run stands."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from dashboard import player, text
from dashboard.client import Run
from dashboard.problems import load
from dashboard.session import DataChoice, Session
from dashboard.snapshot import Snapshot


@pytest.mark.parametrize(
    ("place", "said"),
    [(2, "You are 2nd in the queue"), (0, text.STARTING)],  # it was launched as it was asked for
)
def test_a_run_that_waits_has_a_place(place: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "RUNS", SimpleNamespace(place=lambda token: place, cap=1))
    monkeypatch.setattr(player.st, "session_state", {"token": "a"})
    monkeypatch.setattr(player.playing, "pending", lambda session: [])
    data = DataChoice("knn", nodes=8)
    assert player.status(load(data), Session(data), Run(), Snapshot()).startswith(said)


def test_a_step_of_the_past_has_its_own_figures_and_says_what_changed_settings_wait_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(player.playing, "pending", lambda session: [])
    data = DataChoice("knn", nodes=8)
    session = Session(data, past=3, fork=True)
    at = Snapshot(state="running", last=9, shown=3, alpha=0.25, gamma=0.5)
    for playing, said in ((True, text.FORK_RUNNING), (False, text.FORK)):
        run = SimpleNamespace(playing=playing, alive=True, launched=True, settings=None)
        status = player.status(load(data), session, cast(Run, run), at)
        assert status == f"Looking at step 3 of 9 (α 0.25, γ 0.5). {said}"
        thinned = player.status(load(data), session, cast(Run, run), replace(at, spacing=2))
        assert "every 2nd step is kept" in thinned


def test_settings_changed_while_looking_back_hold_for_the_run_that_is_returned_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[object] = []
    run = SimpleNamespace(
        alive=True, settings=(), snapshot=Snapshot(last=9), look_at=lambda step: told.append(step),
        set_hyperparameters=lambda: told.append("set"),
    )  # fmt: skip
    for past, step, expected in ((3, None, [None, "set"]), (3, 5, [5]), (None, None, [None])):
        told.clear()
        session = Session(past=past, fork=past is not None)
        fake = SimpleNamespace(
            run=lambda: run, current=lambda session=session: session, put=lambda now: None,
            settle=lambda found, number: None,
        )  # fmt: skip
        monkeypatch.setattr(player.playing, "state", fake)
        player.playing.look_at.__wrapped__(step)  # type: ignore[attr-defined]
        assert told == expected
