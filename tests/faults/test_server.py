"""The server's own end, and places with other clocks and languages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.load import workers
from benchmarks.server import dashboard
from dashboard.safe import FOLDER


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_when_the_server_ends(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGTERM removes the folder too; after SIGKILL the next server does."""
    import asyncio

    from benchmarks.visitors import Visitor

    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    # Odd places: a language with a decimal comma, a day ahead of most, and half an hour beside the hours.
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("TZ", "Pacific/Chatham")
    limits = tmp_path / "limits.toml"
    limits.write_text("runs = 2\n", encoding="utf-8")

    async def play(url: str, pid: int) -> set[int]:
        async with Visitor(url, "pair=geant&preset=gwd&inner=5000&outer=30&tolerance=0&projection=pca") as visitor:
            await visitor.press("Play")
            await visitor.until(lambda: any("transport update" in text for text in visitor.texts))
            started = set(workers(pid))
            os.kill(pid, number)
            return started

    with dashboard(limits) as server:
        pid = server.pid
        started = asyncio.run(play(server.url, pid))
        assert started
        deadline = time.monotonic() + 60
        while (alive(pid) or any(map(alive, started))) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not alive(pid)
        assert not any(map(alive, started))
        events = [json.loads(line) for line in server.log if line.startswith("{")]
    assert "server ready" in [event["event"] for event in events]
    assert all(event["time"].endswith("+00:00") for event in events)
    left = list(temporary.glob("gwl-server-*"))
    if number == signal.SIGTERM:
        assert left == []
        told = [event["event"] for event in events]
        # Threads of their own tell that the processes, ended by then, are gone.
        assert set(told[told.index("server ended") + 1 :]) <= {"run process ended"}
    else:
        assert len(left) == 1
        code = "from dashboard import temporary; print(temporary.root())"
        made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert made.stdout.strip().startswith(str(temporary))
        assert list(temporary.glob("gwl-server-*")) == []  # the old one is gone, and so is that of the short one


def test_the_folder_is_private(tmp_path: Path) -> None:
    code = (
        "import os\nfrom dashboard import temporary\n"
        "for folder in (temporary.root(), temporary.new_folder()):\n    print(oct(os.stat(folder).st_mode & 0o777))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["0o700", "0o700"]
    assert FOLDER not in os.environ
