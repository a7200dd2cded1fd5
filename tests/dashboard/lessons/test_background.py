"""Work beside the page: it fills by itself, what is asked for comes next, and a failure ends it quietly."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from dashboard.lessons.background import Background
from dashboard.lessons.warm import Warm


def until(condition: Callable[[], bool], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_table_fills_once_asked_for_and_what_is_wanted_comes_next() -> None:
    order: list[int] = []
    gate = threading.Event()

    def work(key: int) -> int:
        gate.wait(10)
        order.append(key)
        return key**2

    table = Background(work, range(6))
    assert not table.complete
    assert table.get(0) is None
    until(lambda: threading.active_count() > 1)
    assert table.get(5) is None
    gate.set()
    until(lambda: table.complete)
    assert sorted(order) == list(range(6))
    assert order.index(5) <= 1
    assert table.get(3) == 9
    assert table.known == frozenset(range(6))
    table.close()


def test_a_failure_leaves_the_rest_unknown() -> None:
    def work(key: int) -> int:
        if key == 1:
            raise ValueError("no")
        return key

    table = Background(work, range(3))
    table.get(0)
    until(lambda: table.complete)
    assert table.known == {0}


def test_modules_are_loaded_once_and_waited_for() -> None:
    warm = Warm("json", "decimal")
    assert not warm.ready
    warm.wait()
    assert warm.ready
    warm.start()
    assert warm.ready
