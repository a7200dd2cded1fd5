"""Keeping a caller informed: how long a system may work before it looks up, and calls that cannot look up."""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Thread
from time import monotonic
from typing import TypeVar

from gwl_core.baselines.protocol import Outcome, Progress

PAUSE = 0.2
"""Seconds between two reports."""

T = TypeVar("T")


class Pace:
    """Says when a report is due, so that a fast loop does not report every turn."""

    def __init__(self, pause: float = PAUSE) -> None:
        self._pause, self._last = pause, monotonic()

    @property
    def due(self) -> bool:
        """Whether the pause is over; asking then begins the next."""
        if monotonic() - self._last < self._pause:
            return False
        self._last = monotonic()
        return True


def waiting(
    call: Callable[[], T], share: float, text: str, best: Outcome | None = None
) -> Generator[Progress, None, T]:
    """Report before and while one indivisible library call runs, then return its value; its errors are raised here.

    The call has a thread of its own. A caller who stops meanwhile is free at once; the thread ends by itself when the
    call does, so one call must stay short: an assignment, a few iterations.
    """
    yield Progress(share, text, best)
    result: list[T] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            result.append(call())
        except BaseException as error:  # noqa: BLE001  raised again below
            failure.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(PAUSE)
    while thread.is_alive():
        yield Progress(share, text, best)
        thread.join(PAUSE)
    if failure:
        raise failure[0]
    return result[0]
