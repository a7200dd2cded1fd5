"""Free memory between arrays that stay goes back to the system, now and then."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from dashboard import heap
from dashboard.heap import SECONDS, Trimmer


def resident() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE


def test_holes_go_back_to_the_system() -> None:
    arrays = [np.ones(60_000 // 8) for _ in range(4000)]  # small enough for the heap
    del arrays[::2]
    before = resident()
    Trimmer()()
    assert resident() < before - 0.7 * 2000 * 60_000
    assert len(arrays) == 2000


def test_it_does_so_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    now, calls = [0.0], list[int]()
    monkeypatch.setattr(heap.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(heap, "_malloc_trim", lambda: calls.append)
    trim = Trimmer()
    for seconds in (1.0, 2.0, SECONDS, SECONDS + 1.5, 2 * SECONDS):
        now[0] = seconds
        trim()
    assert calls == [0, 0]


def test_another_allocator_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap.ctypes, "CDLL", lambda _: object())
    Trimmer()()
