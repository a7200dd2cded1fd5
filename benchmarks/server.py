"""The dashboard as `make run` starts it, on a free port, for benchmarks that look at it from outside."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Server:
    """A running dashboard.

    Attributes:
        url: its address.
        started: seconds until it answered.
        pid: its process, which leads a group of its own.
        log: the lines of its log so far; all of them once it has ended.
    """

    url: str
    started: float
    pid: int
    log: list[str]


@contextlib.contextmanager
def dashboard(limits: Path | None = None) -> Iterator[Server]:
    """A server, ended with all that it started.

    Args:
        limits: a file of limits in place of the usual ones, the variables that override them included.
    """
    environment = dict(os.environ)
    if limits is not None:
        environment = {name: value for name, value in environment.items() if not name.startswith("GWL_MAX")}
        environment["GWL_LIMITS"] = str(limits)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "streamlit", "run", "dashboard/app.py", f"--server.port={port}",
        "--server.address=127.0.0.1", "--server.headless=true",
    ]  # fmt: skip
    start = perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        env=environment,
    )  # fmt: skip
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True)
    reader.start()
    try:
        url = f"http://127.0.0.1:{port}"
        while True:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health"):
                break
            if process.poll() is not None or perf_counter() - start > 120:
                raise RuntimeError("the dashboard did not start; try `make run`: " + "".join(lines)[-500:])
            time.sleep(0.05)
        yield Server(url, perf_counter() - start, process.pid, lines)
    finally:
        process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join(10)
        if process.stdout is not None:
            process.stdout.close()
