"""The process of one experiment: `python -m dashboard.experiment_worker NAME …`.

It is `python -m gwl_core experiment NAME …`, except that it ends with its stdin, so that it cannot outlive the server.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

from dashboard.fence import fence


def main() -> int:
    # Told of the end like by Ctrl-C: finished trials are kept, workers are ended.
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    fence()
    from gwl_core.cli import main as command

    return command(["experiment", *sys.argv[1:]])


def _end_with_stdin() -> None:
    while os.read(0, 1024):  # not sys.stdin: a thread that waits in its buffer aborts the interpreter's exit
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
