"""Session files: a run that goes on in another process as it was, and files that are not what they say."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from dashboard import session_file
from dashboard.client import Run
from dashboard.session_file import Saved, pack, unpack
from dashboard.snapshot import Snapshot
from gwl_core.datasets.synthetic import knn
from gwl_core.errors import InputError
from gwl_core.pins import SAME, Pin
from gwl_core.settings import PRESETS

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


def test_a_run_comes_back_as_it_was(process: Run, saved: tuple[bytes, Snapshot]) -> None:
    content, before = saved
    read = unpack(content, "session.zip")
    assert read.page == {"query": {"pair": "upload"}}
    assert read.problem.source.labels == PROBLEM.source.labels
    assert read.problem.pins == (PIN,)
    other = Run()
    other.launch()
    try:
        number = other.restore("elsewhere", read.problem, read.run)
        assert other.wait(number, 60), list(other.log)
        after = rest(other)
        assert after.error is None
        same(after, before)
        assert other.settings == ("default", CONFIG, HYPER)
        # The end, and a step between two keyframes, are those of the run that was saved.
        for step in (None, 12):
            process.look_at(step)
            other.look_at(step)
            same(rest(other), rest(process))
    finally:
        other.close()
        process.look_at(14)
        rest(process)


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
        lambda read: read.run.arrays.update({next(k for k in read.run.arrays if "coupling" in k): np.ones((2, 2))}),
        lambda read: read.run.values["infos"].pop(3),
        lambda read: read.run.values["config"].update(dim=7),
        lambda read: read.run.values["frames"][0].update(phase="elsewhere"),
        lambda read: read.run.values.update(frames=[]),
    ],
)
def test_a_run_that_does_not_fit_is_refused_in_a_sentence(
    process: Run, saved: tuple[bytes, Snapshot], spoil: Callable[[Saved], None]
) -> None:
    content, before = saved
    read = unpack(content, "session.zip")
    spoil(read)
    other = Run()
    other.launch()
    try:
        other.wait(other.restore("elsewhere", read.problem, read.run), 60)
        assert other.snapshot.error is not None
        assert "session file" in other.snapshot.error
        assert other.alive
    finally:
        other.close()
    assert rest(process).shown == before.shown
