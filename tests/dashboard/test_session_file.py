"""Session files: a run that goes on in another process as it was, and files that are not what they say."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dashboard import keeping, session_file
from dashboard.branches import Branches
from dashboard.client import Run
from dashboard.session_file import Saved, pack, unpack
from dashboard.snapshot import Snapshot
from gwl_core.datasets.synthetic import knn
from gwl_core.errors import InputError
from gwl_core.keyframes import state_bytes
from gwl_core.pins import SAME, Pin
from gwl_core.settings import PRESETS
from gwl_core.trajectory import Trajectory

PROBLEM = knn(16, 0.3, np.random.default_rng(1))
CONFIG = replace(PRESETS["default"].config, dim=4)
HYPER = replace(PRESETS["default"].hyperparameters, outer=1, inner=15, epochs=4, rounds=2)
PIN = Pin(1, 2, SAME, True)


@pytest.fixture(scope="module")
def process() -> Iterator[Run]:
    run = Run()
    run.launch()
    yield run
    run.close()


@pytest.fixture(scope="module")
def other() -> Iterator[Run]:
    """Another process, that takes up one saved session after the other."""
    run = Run()
    run.launch()
    yield run
    run.close()


def rest(run: Run, seconds: float = 60) -> Snapshot:
    deadline = time.monotonic() + seconds
    while run.busy:
        assert time.monotonic() < deadline, list(run.log)
        time.sleep(0.02)
    return run.snapshot


@pytest.fixture(scope="module")
def saved(process: Run) -> tuple[bytes, Snapshot]:
    """A run that a pin has turned at step 9, looked at in its past."""
    process.start("origin", PROBLEM, "default", CONFIG, HYPER)
    for _ in range(9):
        process.play("inner_step")
        rest(process)
    process.pin((PIN,))
    rest(process)
    process.look_at(14)
    looked = rest(process)
    return pack({"query": {"pair": "upload"}}, replace(PROBLEM, pins=(PIN,)), process.save()), looked


def same(one: Snapshot, other: Snapshot) -> None:
    assert (one.shown, one.last, one.measures) == (other.shown, other.last, other.measures)
    for name in ("coupling", "matching", "confidence", "history"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_run_comes_back_as_it_was(process: Run, other: Run, saved: tuple[bytes, Snapshot]) -> None:
    content, before = saved
    read = unpack(content, "session.zip")
    assert read.page == {"query": {"pair": "upload"}}
    assert read.problem.source.labels == PROBLEM.source.labels
    assert read.problem.pins == (PIN,)
    try:
        number = other.restore("elsewhere", read.problem, read.runs)
        assert other.wait(number, 60), list(other.log)
        after = rest(other)
        assert after.error is None
        same(after, before)
        assert other.settings == ("default", CONFIG, HYPER)
        assert after.branches == before.branches
        # The end, and a step between two keyframes, are those of the run that was saved.
        for step in (None, 12):
            process.look_at(step)
            other.look_at(step)
            same(rest(other), rest(process))
    finally:
        process.look_at(14)
        rest(process)


def test_every_run_comes_back_with_its_name_and_its_past(
    process: Run, other: Run, saved: tuple[bytes, Snapshot]
) -> None:
    _, before = saved
    names = ["First try", "Run 2: 1 pinned"]
    process.wait(process.rename(1, names[0]), 60)
    assert process.pins == (PIN,)
    read = unpack(pack({}, replace(PROBLEM, pins=(PIN,)), process.save()), "session.zip")
    try:
        other.wait(other.restore("elsewhere", read.problem, read.runs), 60)
        assert [b["name"] for b in rest(other).branches] == names
        assert rest(other).branches == rest(process).branches
        np.testing.assert_array_equal(rest(other).ghost, rest(process).ghost)
        for step in (4, None):  # one of the first run, before the pin turned it
            process.look_at(step)
            other.look_at(step)
            same(rest(other), rest(process))
        process.switch(1)
        other.switch(1)
        same(rest(other), rest(process))
        assert other.settings == process.settings
        assert other.pins == process.pins == ()
        # Both go on alike, to the same end.
        for run in (process, other):
            run.play()
            assert rest(run).state == "finished"
        np.testing.assert_array_equal(rest(other).coupling, rest(process).coupling)
    finally:
        process.switch(2)
        process.look_at(14)
        assert rest(process).shown == before.shown


def test_runs_that_find_no_room_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    branches = Branches()
    branches.begin(Trajectory(PROBLEM, CONFIG, HYPER), "default")
    for turn in range(3):
        for _ in range(4):
            branches.active.trajectory.advance()
        if turn < 2:
            at = branches.active.trajectory.state.step
            branches.fork(branches.active.trajectory.fork(at - 1, HYPER), at - 1)
    one = state_bytes(branches.active.trajectory.state)
    monkeypatch.setattr(keeping, "ACTIVE_BYTES", 3 * one)
    for room, numbers in ((99 * one, [1, 2, 3]), (6 * one, [2, 3]), (3 * one, [3])):
        monkeypatch.setattr(keeping, "ALL_BYTES", room)
        told = keeping.runs_message(branches, 99)
        assert [run["number"] for run in told.values["runs"]] == numbers
        runs, active = keeping.restored_runs(told, PROBLEM)
        assert [run.number for run in runs] == numbers
        assert active.trajectory.state.step == branches.active.trajectory.state.step
        assert len(active.trajectory.infos) == active.trajectory.state.step
        assert (runs[0].parent, runs[0].left_at) == (None, 0)


def test_a_file_of_the_first_version_is_still_read(other: Run) -> None:
    read = unpack(Path(__file__).with_name("session_v1.zip").read_bytes(), "session_v1.zip")
    assert read.problem.pins == (PIN,)
    other.wait(other.restore("elsewhere", read.problem, read.runs), 60)
    found = rest(other)
    assert (found.error, found.shown, found.last, found.state) == (None, 5, 10, "finished")
    assert [branch["name"] for branch in found.branches] == ["Run 2: 1 pinned"]
    assert found.measures is not None
    assert found.measures.gw_discrepancy == pytest.approx(0.10364189914503574)
    assert other.pins == (PIN,)


def altered(content: bytes, change: Callable[[dict], None]) -> bytes:
    """The file with another text in it."""
    whole = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(whole, "w") as new:
        told = json.loads(old.read("session.json"))
        change(told)
        new.writestr("session.json", json.dumps(told))
        new.writestr("arrays.npz", old.read("arrays.npz"))
    return whole.getvalue()


def test_what_is_no_session_file_is_told(saved: tuple[bytes, Snapshot], monkeypatch: pytest.MonkeyPatch) -> None:
    content, _ = saved
    for broken in (b"", b"PK\x03\x04 no", content[: len(content) // 2]):
        with pytest.raises(InputError, match="is not a session file"):
            unpack(broken, "x.zip")
    with pytest.raises(InputError, match="version 7"):
        unpack(altered(content, lambda told: told.update(version=7)), "x.zip")
    with pytest.raises(InputError, match="is not a session file"):
        unpack(altered(content, lambda told: told.update(kind="else")), "x.zip")
    with pytest.raises(InputError, match="is not a session file"):
        unpack(altered(content, lambda told: told["problem"]["source"].pop("labels")), "x.zip")
    monkeypatch.setattr(session_file, "MAX_TEXT", 1000)
    with pytest.raises(InputError, match=r"more than 0 MB of session\.json"):
        unpack(content, "x.zip")


def test_objects_that_would_run_code_are_refused(saved: tuple[bytes, Snapshot]) -> None:
    content, _ = saved
    evil, whole = io.BytesIO(), io.BytesIO()
    np.savez(evil, **{"problem/source.data": np.array([{"a": 1}], dtype=object)})
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(whole, "w") as new:
        new.writestr("session.json", old.read("session.json"))
        new.writestr("arrays.npz", evil.getvalue())
    with pytest.raises(InputError, match="is not a session file"):
        unpack(whole.getvalue(), "x.zip")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda read: read.runs.arrays.update({next(k for k in read.runs.arrays if "coupling" in k): np.ones((2, 2))}),
        lambda read: read.runs.values["runs"][0]["infos"].pop(3),
        lambda read: read.runs.values["runs"][1]["infos"].pop(0),
        lambda read: read.runs.values["runs"][1]["config"].update(dim=7),
        lambda read: read.runs.values["runs"][1]["frames"][0].update(phase="elsewhere"),
        lambda read: read.runs.values["runs"][1].update(frames=[]),
        lambda read: read.runs.values["runs"][1].update(parent=2),
        lambda read: read.runs.values["runs"].reverse(),
        lambda read: read.runs.values["runs"][1].update(pins=[{"source": 99, "target": 0}]),
    ],
)
def test_a_run_that_does_not_fit_is_refused_in_a_sentence(
    process: Run, other: Run, saved: tuple[bytes, Snapshot], spoil: Callable[[Saved], None]
) -> None:
    content, before = saved
    read = unpack(content, "session.zip")
    spoil(read)
    other.wait(other.restore("elsewhere", read.problem, read.runs), 60)
    assert other.snapshot.error is not None
    assert "session file" in other.snapshot.error
    assert other.alive
    assert rest(process).shown == before.shown
