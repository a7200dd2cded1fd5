"""Starting and ending the process of a run, with a thread for each of its pipes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from dashboard.limits import limits

_ROOT = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "dashboard.worker")

Pump = Callable[["subprocess.Popen[bytes]", BinaryIO], None]


def environment(**more: str) -> dict[str, str]:
    """The environment of a process: it finds this package, and knows what it may take."""
    path = os.pathsep.join([str(_ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **limits().environment, **more}


def start(write: Pump, listen: Pump, keep_log: Pump, more: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a process; the three are called with it and its stdin, stdout and stderr, each in a thread of its own, so
    that a process that does not read or write never holds up a script.

    Args:
        more: for its environment.
    """
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, env=environment(**more),
    )  # fmt: skip
    for target, pipe in ((write, process.stdin), (listen, process.stdout), (keep_log, process.stderr)):
        threading.Thread(target=target, args=(process, pipe), daemon=True).start()
    return process


def reap(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was told to end, and end it if it does not."""
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
