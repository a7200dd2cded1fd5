"""Work on the rows of a large matrix in blocks that fit in a core's cache, shared out over threads.

Passes over one block after another touch memory once, where one pass after another over the whole matrix would touch it
every time. A thread takes whole blocks, so threads wait for each other once a sweep and not once an operation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import count
from typing import TypeVar

import torch
from torch import Tensor

Result = TypeVar("Result")

BLOCK = 2**17
"""Entries of a block (measured: 2^16 to 2^18 are alike)."""

_LEAST = 2**15
"""Entries of a block below which another thread is not worth waking."""

_STEP = 16
"""Rows of a block are a multiple of this, for whole vector registers in transposed products."""


def row_blocks(matrix: Tensor) -> list[slice]:
    """The rows of an (n, m) matrix in blocks of nearly equal size; all of them at once on a device of its own."""
    n, m = matrix.shape
    if matrix.device.type != "cpu":
        return [slice(0, n)]
    blocks = max(math.ceil(n * m / BLOCK), min(torch.get_num_threads(), n * m // _LEAST), 1)
    size = max(_STEP, math.ceil(n / blocks / _STEP) * _STEP)
    return [slice(start, min(n, start + size)) for start in range(0, n, size)]


def sweep(work: Callable[[slice], Result], blocks: Sequence[slice]) -> list[Result]:
    """`work` of every block, in the order of the blocks, on as many threads as torch has been given.

    Results do not depend on which thread takes which block. Within a block torch computes on one thread and flushes
    denormal numbers to 0.
    """
    threads = min(torch.get_num_threads(), len(blocks))
    done: list[Result | None] = [None] * len(blocks)
    turn = count()

    def share() -> None:
        while (k := next(turn)) < len(blocks):
            done[k] = work(blocks[k])

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    try:
        others = [_pool(threads - 1).submit(_quietly, share) for _ in range(threads - 1)]
        share()
        for other in others:
            other.result()
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(before)
    return done  # type: ignore[return-value]


@lru_cache(maxsize=4)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="sweep", initializer=_single)


def _single() -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


def _quietly(work: Callable[[], None]) -> None:
    with torch.no_grad():  # a state of the thread
        work()
