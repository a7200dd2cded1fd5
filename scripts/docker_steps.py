"""Carry out the Dockerfile's steps without Docker: python scripts/docker_steps.py

In a temporary folder, with a fresh environment, the files that .dockerignore lets in are copied, each RUN line is run,
the CMD is started as a user without rights to the program's files, and the HEALTHCHECK must pass. Three things differ
from a build: the environment is a venv, not an image's Python; useradd is only recorded; and without $TORCH_BACKEND
the lock's own PyTorch is installed. uv reads its settings from the environment ($UV_FIND_LINKS, …), as always.
Takes a few minutes; the exit status is 0 if everything passed.
"""

from __future__ import annotations

import contextlib
import fnmatch
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.lint_dockerfile import ROOT, Step, steps

_USER = 10001
_HEALTHY_SECONDS = 90


def context(root: Path) -> list[Path]:
    """The files, relative to `root`, that .dockerignore lets into the build; the last rule that fits a file decides."""
    lines = (root / ".dockerignore").read_text().splitlines()
    rules = [line.strip().rstrip("/") for line in lines if line.strip() and not line.startswith("#")]
    tops = [root / rule[1:] for rule in rules if rule.startswith("!")]
    files = {path for top in tops for path in ([top] if top.is_file() else top.rglob("*")) if path.is_file()}
    return sorted(path.relative_to(root) for path in files if not _ignored(path.relative_to(root), rules))


def _ignored(path: Path, rules: list[str]) -> bool:
    parts = [path, *path.parents][:-1]
    ignored = False
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        anywhere = rule.removeprefix("!").startswith("**/")
        if any(fnmatch.fnmatch(part.name if anywhere else part.as_posix(), pattern) for part in parts):
            ignored = not rule.startswith("!")
    return ignored


def carried_out(text: str) -> list[str]:
    """The RUN lines as they are run here: into the venv on PATH, with PyTorch's build only where one is asked for."""
    backend = os.environ.get("TORCH_BACKEND", "")
    commands = []
    for step in steps(text):
        if step.word == "RUN":
            command = step.rest.replace("uv pip install --system", 'uv pip install --python "$VIRTUAL_ENV"')
            commands.append(command if backend else command.replace('--torch-backend="$TORCH_BACKEND" ', ""))
    return commands


def _environment(folder: Path) -> dict[str, str]:
    tools = folder / "tools"
    tools.mkdir()
    (tools / "useradd").write_text(f'#!/bin/sh\necho "$@" > "{folder}/useradd"\n')
    (tools / "useradd").chmod(0o755)
    venv = folder / "venv"
    home = folder / "home"
    home.mkdir(mode=0o777)
    home.chmod(0o777)
    path = os.pathsep.join([str(tools), str(venv / "bin"), os.environ["PATH"]])
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    return {
        **kept, "PATH": path, "VIRTUAL_ENV": str(venv), "HOME": str(home),
        "PYTHONUNBUFFERED": "1", "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip


def _python() -> str:
    """A Python that the image's user may run: this one, unless it lies in somebody's closed folder."""
    for place in (Path(sys.executable).resolve(), *map(Path, ("/usr/local/bin/python3", "/usr/bin/python3"))):
        if place.is_file() and all(parent.stat().st_mode & 0o001 for parent in (place, *place.parents)):
            return str(place)
    raise SystemExit("No Python was found that other users may run; install one for all.")


def _list(step: Step) -> list[str]:
    found: list[str] = json.loads(step.rest[step.rest.index("[") :])
    return found


def _port(command: list[str], old: str, new: str) -> list[str]:
    return [part.replace(old, new) for part in command]


def _serve(found: list[Step], app: Path, environment: dict[str, str]) -> None:
    """Start CMD as the image's user on a free port, and wait until HEALTHCHECK passes.

    Raises:
        RuntimeError: it ended or did not get healthy.
    """
    named = {step.word: step for step in found}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    old = named["EXPOSE"].rest
    serve, check = (_port(_list(named[word]), old, port) for word in ("CMD", "HEALTHCHECK"))
    # Where this process is root's, the program is not: its own files are then not its to change.
    lowered: dict[str, Any] = {"user": _USER, "group": _USER, "extra_groups": []} if os.getuid() == 0 else {}
    process = subprocess.Popen(serve, cwd=app, env=environment, start_new_session=True, **lowered)
    try:
        deadline = time.monotonic() + _HEALTHY_SECONDS
        while subprocess.run(check, cwd=app, env=environment, stderr=subprocess.DEVNULL, check=False).returncode:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the server did not get healthy.")
            time.sleep(0.5)
        print(f"healthy on port {port}, as user {_USER if os.getuid() == 0 else os.getuid()}", flush=True)
    finally:
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
            raise RuntimeError("the server did not end at SIGTERM.")


def main() -> int:
    text = (ROOT / "Dockerfile").read_text()
    found = steps(text)
    with tempfile.TemporaryDirectory(prefix="docker-steps-") as place:
        folder = Path(place)
        folder.chmod(0o755)
        app = folder / "app"
        files = context(ROOT)
        for path in files:
            (app / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, app / path)
        size = sum((app / path).stat().st_size for path in files)
        print(f"context: {len(files)} files, {size / 1e6:.1f} MB", flush=True)
        environment = _environment(folder)
        subprocess.run([_python(), "-m", "venv", environment["VIRTUAL_ENV"]], check=True)
        try:
            for command in carried_out(text):
                start = time.monotonic()
                print("RUN", command, flush=True)
                subprocess.run(["/bin/bash", "-euc", command], cwd=app, env=environment, check=True)
                print(f"    {time.monotonic() - start:.0f} s", flush=True)
            if not (folder / "useradd").is_file():
                raise RuntimeError("no user was made.")
            _serve(found, app, environment)
        except (subprocess.CalledProcessError, RuntimeError) as error:
            print(f"failed: {error}")
            return 1
    print("Every step of the Dockerfile passed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
