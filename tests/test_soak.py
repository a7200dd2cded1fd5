"""The soak's arithmetic: ticks told apart on the wire, bars, and what may grow. The page itself it watches by hand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks import soak
from benchmarks.__main__ import main
from benchmarks.soak import MEMORIES, Ticks, resident, scheduled, verdicts


def minute(number: int, **memory: float) -> dict[str, float]:
    return {
        "minute": number,
        "long_ms": 300.0,
        "waiting": 0.5,
        **dict.fromkeys(MEMORIES, 100.0),
        **memory,
    }


def judged(*rows: dict[str, float]) -> dict[str, bool | None]:
    return {row["bar"]: row["met"] for row in verdicts(rows, [400_000], [100.0], [])}


def test_a_tick_is_all_that_comes_until_its_script_has_finished() -> None:
    element, end = ForwardMsg(), ForwardMsg()
    element.delta.new_element.text.body = "x" * 1000
    end.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    parts = [message.SerializeToString() for message in (element, element, end)]
    ticks = Ticks()
    for part in (*parts, parts[0]):
        ticks.frame(part)
    assert ticks.take() == [sum(map(len, parts))]
    ticks.frame(parts[2])
    assert ticks.take() == [len(parts[0]) + len(parts[2])]
    assert ticks.take() == []


def test_bars_are_met_or_not() -> None:
    rows = [minute(1), minute(2), minute(3)]
    good = verdicts(rows, [499_999, 10], [149.0], [199.0])
    assert {row["met"] for row in good} == {True}
    busy = [row | {"waiting": 0.3} for row in rows]
    bad = verdicts(busy, [500_000, 10], [100.0] * 9 + [400.0] * 9, [201.0])
    assert [row["met"] for row in bad[:4]] == [False, False, False, False]
    assert [row["met"] for row in verdicts(rows, [], [], [])[:3]] == [False, False, True]
    assert judged(rows[0], rows[1])["growth of heap_mb, %"] is None


@pytest.mark.parametrize("name", MEMORIES)
def test_what_grows_after_the_second_minute_is_told(name: str) -> None:
    early, bar = (minute(1), minute(2, **{name: 102.0})), f"growth of {name}, %"
    for most, met in ((107.0, True), (108.0, False)):
        late = [minute(k, **{name: value}) for k, value in ((3, 500.0), (4, most - 1), (5, most + 1), (6, most))]
        assert judged(*early, *late)[bar] is met


def test_memory_and_time_of_a_process() -> None:
    assert 20 < resident(os.getpid()) < 20_000
    assert resident(2**22 + 1) == 0
    assert scheduled(os.getpid())[0] > 0


def test_without_chromium_it_says_so_and_it_runs_only_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    (table,) = soak.tables(5)
    assert not table.rows
    assert main(["--out", str(tmp_path)], {}) == 0
    assert capsys.readouterr().out == ""
    assert main(["soak", "--minutes", "2", "--out", str(tmp_path)], {}) == 0
    told = capsys.readouterr().out
    assert "for 2 minutes" in told
    assert "CHROMIUM" in told
