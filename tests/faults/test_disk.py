"""The disk is full: a device that really takes no more (/dev/full), under what a run keeps, exports and writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from dashboard import faults, safe
from dashboard.client import Run
from gwl_core.problem import MatchingProblem
from tests.faults.breaking import at_work, until

FULL = Path("/dev/full")


def test_a_run_goes_on_says_so_and_still_exports(problem: MatchingProblem, new_run: Callable[[], Run]) -> None:
    run = at_work(new_run(), problem)
    assert run.folder is not None
    infos = run.folder / "1" / "infos.jsonl"
    infos.unlink()
    infos.symlink_to(FULL)
    until(lambda: run.snapshot.kept_fault != "")
    assert run.snapshot.kept_fault == os.strerror(28)
    kept, seen = run.snapshot.kept, run.snapshot.last
    until(lambda: run.snapshot.last > seen)  # the run itself goes on
    assert run.snapshot.kept == kept
    run.pause()
    until(lambda: not run.busy)
    record = json.loads(run.export("run.json"))  # made in memory
    assert record["seed"] == 3
    assert run.export("matches.csv").count(b"\n") > 30
    infos.unlink()  # room again, but what was there is gone
    infos.write_bytes(b"")


def test_keeping_stops_whole_and_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    keeper = safe.Safe(tmp_path, 10**9)
    rows = [{"step": k, "measures": None} for k in range(1, 5)]
    about = {"number": 1, "active": True}
    assert keeper.keep(about, rows[:2], 2, ({"step": 2}, {}))
    lines = tmp_path / "1" / "infos.jsonl"
    aside = lines.rename(tmp_path / "aside")
    lines.symlink_to(FULL)
    assert not keeper.keep(about, rows[:3], 3, ({"step": 3}, {}))
    assert keeper.fault == os.strerror(28)
    assert safe.newest(tmp_path) == 2
    lines.unlink()
    aside.rename(lines)
    assert keeper.keep(about, rows, 4, ({"step": 4}, {}))
    assert keeper.fault == ""
    (kept,) = safe.read(tmp_path)
    assert [row["step"] for row in kept.infos] == [1, 2, 3, 4]
    assert [frame["step"] for frame in kept.frames] == [2, 4]


def test_a_half_written_line_and_a_draft_are_not_read(tmp_path: Path) -> None:
    keeper = safe.Safe(tmp_path, 10**9)
    keeper.keep({"number": 1, "active": True}, [{"step": 1}], 1, ({"step": 1}, {}))
    with (tmp_path / "1" / "infos.jsonl").open("ab") as stream:
        stream.write(b'{"step": 2, "obj')
    (tmp_path / "1" / "2.new").write_bytes(b"PK half")
    (kept,) = safe.read(tmp_path)
    assert [row["step"] for row in kept.infos] == [1]


def test_states_stay_within_their_budget_first_and_newest_included(tmp_path: Path) -> None:
    import numpy as np

    keeper = safe.Safe(tmp_path, 40_000)
    for step in range(50):
        keeper.keep({"number": 1, "active": True}, [], step, ({"step": step}, {"x": np.zeros(200)}))
    steps = sorted(int(path.stem) for path in (tmp_path / "1").glob("*.npz"))
    assert steps[0] == 0
    assert steps[-1] == 49
    assert 4 < len(steps) < 25
    assert sum(path.stat().st_size for path in (tmp_path / "1").glob("*.npz")) <= 40_000


def test_the_command_line_ends_with_one_sentence(tmp_path: Path, root: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "matches.csv").symlink_to(FULL)
    command = [sys.executable, "-m", "gwl_core", "align", "--pair", "geant", "--preset", "gwd", "--inner", "20",
               "--out", str(out)]  # fmt: skip
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert "No space left on device" in run.stderr.splitlines()[-1]


def test_an_export_that_meets_a_full_disk_says_so() -> None:
    assert "disk is full" in faults.sentence(OSError(28, os.strerror(28)))
