"""Work on the rows of a large matrix in blocks that fit in a core's cache, shared out over threads.

Passes over one block after another touch memory once, where one pass after another over the whole matrix would touch it
every time. A thread takes whole blocks, so threads wait for each other once a sweep and not once an operation.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import TypeVar

import torch
from torch import Tensor

Part = TypeVar("Part")
Result = TypeVar("Result")

BLOCK = 2**18
"""Entries of a block (measured: on one thread 2^16 to 2^18 are alike, on two the fewest operations are best)."""

_LEAST = 2**15
"""Entries of a block below which another thread is not worth waking."""

_STEP = 16
"""Rows of a block are a multiple of this, for whole vector registers in transposed products."""


_outside = threading.local()


@contextmanager
def alone() -> Iterator[None]:
    """Torch on one thread of this one, denormal numbers flushed to 0, so that only sweeps share work out.

    Threads that torch wakes for a single operation wait for each other at its end; on a busy machine that takes longer
    than the operation. Also a decorator; may be nested.
    """
    if getattr(_outside, "threads", 0):
        yield
        return
    _outside.threads = before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(before)
        _outside.threads = 0


def _threads() -> int:
    """How many threads torch has been given."""
    return getattr(_outside, "threads", 0) or torch.get_num_threads()


def row_blocks(matrix: Tensor) -> list[slice]:
    """The rows of an (n, m) matrix in blocks of nearly equal size; all of them at once on a device of its own."""
    n, m = matrix.shape
    if matrix.device.type != "cpu":
        return [slice(0, n)]
    blocks = max(math.ceil(n * m / BLOCK), min(_threads(), n * m // _LEAST), 1)
    size = max(_STEP, math.ceil(n / blocks / _STEP) * _STEP)
    return [slice(start, min(n, start + size)) for start in range(0, n, size)]


def sweep(work: Callable[[Part], Result], blocks: Sequence[Part]) -> list[Result]:
    """`work` of every block, in the order of the blocks, on as many threads as torch has been given.

    Results do not depend on which thread takes which block.
    """
    threads = min(_threads(), len(blocks))
    done: list[Result | None] = [None] * len(blocks)
    turn = count()

    def share() -> None:
        while (k := next(turn)) < len(blocks):
            done[k] = work(blocks[k])

    with alone():
        others = [_pool(threads - 1).submit(_quietly, share) for _ in range(threads - 1)]
        share()
        for other in others:
            other.result()
    return done  # type: ignore[return-value]


def together(parts: Sequence[Callable[[], Result]], device: torch.device, entries: int) -> list[Result]:
    """The results of some functions in their order, each of about as much work as passes over so many entries; one
    after another where that is not worth a thread."""
    if device.type != "cpu" or entries < _LEAST:
        return [part() for part in parts]
    return sweep(lambda part: part(), parts)


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="sweep", initializer=_single)


def _single() -> None:
    """A thread of the pool is alone for good."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    _outside.threads = 1


def _quietly(work: Callable[[], None]) -> None:
    with torch.no_grad():  # a state of the thread
        work()
