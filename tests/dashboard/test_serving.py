"""What the server does once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

BEGIN = """
import gc
from streamlit import config
from dashboard.screens import align, compare, experiments, inspect, learn
from dashboard import serving
serving.begin()
print(gc.get_freeze_count() / (gc.get_freeze_count() + len(gc.get_objects())), config.get_option("runner.postScriptGC"))
"""


def test_no_session_waits_for_a_walk_through_all_that_is_loaded() -> None:
    """Streamlit collects all garbage after every tick: with the libraries in it, 10 runs at once took minutes."""
    done = subprocess.run([sys.executable, "-c", BEGIN], cwd=ROOT, capture_output=True, text=True, check=True)
    frozen, after_each = next(line for line in done.stdout.splitlines() if line.startswith("0.")).split()
    assert float(frozen) > 0.9
    assert after_each == "False"
