"""The memory that a run's process may take, enforced by the system in the process itself."""

from __future__ import annotations

import os
import sys

OUT_OF_MEMORY = 3
"""Exit status of a process that ended itself for want of memory."""


def fence() -> None:
    """Hold this process, and those it starts, to GWL_MEMORY_MB of data each.

    What does not fit then fails here, where it is caught, instead of anywhere on the machine. Nothing happens where the
    variable is not set or the system has no such limit.
    """
    told = os.environ.get("GWL_MEMORY_MB", "")
    if told.isdecimal() and sys.platform == "linux":
        import resource

        most = int(told) * 1_000_000
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def for_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out: Python's, NumPy's or PyTorch's."""
    words = str(error)
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and ("can't allocate memory" in words or "out of memory" in words)
    )
