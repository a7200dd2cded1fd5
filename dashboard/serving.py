"""What the server does once, when its first page is drawn, and at its end."""

from __future__ import annotations

import atexit
import gc
import threading
from dataclasses import asdict

from streamlit import config

from dashboard import delivery, journal, temporary
from dashboard.experiment_run import EXPERIMENTS
from dashboard.limits import limits
from dashboard.registry import RUNS

_lock = threading.Lock()
_begun = False


def begin() -> None:
    """Set up the log, hold uploads to the limits, and see to it that no process is left at the end."""
    global _begun
    with _lock:
        if _begun:
            return
        _begun = True
    journal.set_up()
    # Streamlit's own setting, so that a browser is refused before it has sent the whole file.
    config.set_option("server.maxUploadSize", limits().upload_mb, "dashboard/limits.toml")
    delivery.deliver_whole()
    # What is loaded by now stays: a collection that walks it holds up every session for 60 to 200 ms.
    gc.collect()
    gc.freeze()
    temporary.root()
    atexit.register(end)
    journal.tell("server ready", **asdict(limits()))


def end() -> None:
    """End every process; they end with the server's pipes, whatever happens here."""
    RUNS.shut_down()
    EXPERIMENTS.shut_down()
    from dashboard.compare_registry import COMPARISONS

    COMPARISONS.shut_down()
    journal.tell("server ended")
