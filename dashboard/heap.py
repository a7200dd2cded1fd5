"""Memory that the allocator holds in holes, given back to the system. Without effect where it is not glibc's."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable

SECONDS = 5.0
"""Between two times; one takes some 10 ms."""


class Trimmer:
    """Called at every step of a run, it lets go of free memory now and then.

    Arrays that stay, such as those of the history, lie among those that a step makes and drops. When they go they leave
    holes, into which nothing larger fits: a run of hours would take twice what it uses.
    """

    def __init__(self) -> None:
        self._trim, self._next = _malloc_trim(), 0.0

    def __call__(self) -> None:
        if time.monotonic() >= self._next:
            self._trim(0)
            self._next = time.monotonic() + SECONDS


def _malloc_trim() -> Callable[[int], object]:
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda _: None
    return found
