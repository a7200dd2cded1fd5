"""Snapshots: frames that carry only what changed add up to the whole."""

from dataclasses import asdict

import numpy as np

from dashboard.protocol import Message
from dashboard.snapshot import HISTORY, Merger
from gwl_core.result import Measures


def rows(first: int, last: int) -> np.ndarray:
    return np.repeat(np.arange(first, last + 1, dtype=float)[:, None], len(HISTORY), axis=1)


def frame(values: dict | None = None, **arrays: np.ndarray) -> Message:
    return Message("snapshot", values or {}, arrays)


def test_what_a_frame_leaves_out_stays() -> None:
    merger = Merger()
    coupling = np.ones((2, 3), np.float32)
    merger.merge(frame({"last": 1, "status": {"code": "running", "message": "m"}}, coupling=coupling))
    snapshot = merger.merge(frame({"last": 2}, points=np.zeros((5, 2), np.float32)))
    assert snapshot.last == 2
    assert snapshot.status.message == "m"
    assert snapshot.coupling is coupling
    assert merger.merge(frame({"cleared": ["coupling"]})).coupling is None


def test_measures_come_as_measures() -> None:
    measures = Measures(0.1, 0.2, None, None, 0.0, 3)
    merger = Merger()
    assert merger.merge(frame({"measures": asdict(measures)})).measures == measures
    assert merger.merge(frame({"measures": None})).measures is None


def test_history_grows_and_old_snapshots_keep_theirs() -> None:
    merger = Merger()
    seen = [merger.merge(frame(history=rows(k, k + 399))) for k in range(1, 4001, 400)]
    for count, snapshot in enumerate(seen, start=1):
        np.testing.assert_array_equal(snapshot.history[:, 0], np.arange(1, 400 * count + 1))


def test_a_fork_leaves_a_ghost_and_a_reset_none() -> None:
    merger = Merger()
    before = merger.merge(frame({"generation": 1}, history=rows(1, 10)))
    forked = merger.merge(frame({"generation": 2, "forked_at": 4}, history=rows(105, 107)))
    np.testing.assert_array_equal(forked.history[:, 0], [1, 2, 3, 4, 105, 106, 107])
    np.testing.assert_array_equal(forked.ghost[:, 0], np.arange(1, 11))
    np.testing.assert_array_equal(before.history[:, 0], np.arange(1, 11))
    reset = merger.merge(frame({"generation": 3, "forked_at": 0}))
    assert len(reset.history) == 0
    assert reset.ghost is None


def test_the_newest_step_is_live() -> None:
    merger = Merger()
    assert merger.merge(frame({"last": 5, "shown": 5})).live
    assert not merger.merge(frame({"shown": 4})).live
