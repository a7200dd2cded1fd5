"""How the player says that a run stands."""

from __future__ import annotations

from types import SimpleNamespace

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
