"""What went wrong with a run's process, in one sentence that says what is kept and what to do."""

from __future__ import annotations

import errno
import os
import signal

from dashboard.fence import OUT_OF_MEMORY, for_memory

MEMORY = (
    "Memory ran out{limit}; the steps so far are kept: choose smaller graphs or a smaller D and press Reset, or press "
    "Play to try again."
)
DISK_FULL = "The server's disk is full, so the file could not be made; the run goes on and is kept: try again later."
INTERNAL = (
    "The solver stopped with an internal error ({kind}); data, settings and steps are kept: "
    "press Play to try again, or Reset."
)
_WHY = {
    -signal.SIGKILL: "was ended by the system, most often because memory ran out",
    -signal.SIGSEGV: "crashed in native code (segmentation fault)",
    -signal.SIGBUS: "crashed in native code (bus error)",
    -signal.SIGABRT: "crashed in native code (abort)",
    -signal.SIGFPE: "crashed in native code (arithmetic)",
    -signal.SIGILL: "crashed in native code (a processor instruction that this machine lacks)",
    -signal.SIGTERM: "was ended by the server",
    OUT_OF_MEMORY: "ended because memory ran out",
}
DIED = "The solver's process {why}; data, settings and the history up to step {step} are kept: press Resume to go on."
DIED_EARLY = "The solver's process {why}; the data and settings are kept: press Play to start again."
CLOSED = "This run {why} and is kept up to step {step}: press Resume to go on."
CLOSED_EARLY = "This run {why}: press Play to start again."
ROOM, IDLE, AWAY, ENDED, NOT_STARTED = (
    "made room for a waiting one",
    "was closed because it was not used for a while",
    "ended after its tab was closed",
    "was closed",
    "could not be started, as the server is short of memory or disk",
)
"""Why a run's process was closed."""


def sentence(error: Exception) -> str:
    """For an error that no rule foresaw, inside the process."""
    if for_memory(error):
        told = os.environ.get("GWL_MEMORY_MB", "")
        return MEMORY.format(limit=f" (a run here may take {int(told):,} MB)" if told.isdecimal() else "")
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return DISK_FULL
    return INTERNAL.format(kind=type(error).__name__)


def why(code: int) -> str:
    """What the exit status of a process says."""
    return _WHY.get(code, f"ended unexpectedly (status {code})")


def died(code: int, kept: int | None) -> str:
    """For the page, after the end of the process; `kept` is the newest step that is kept, None for none."""
    return DIED_EARLY.format(why=why(code)) if kept is None else DIED.format(why=why(code), step=kept)


def closed(reason: str, kept: int | None) -> str:
    """For the page, after its run was closed for one of the reasons above."""
    return CLOSED_EARLY.format(why=reason) if kept is None else CLOSED.format(why=reason, step=kept)
