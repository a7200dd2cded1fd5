"""A program as a child process in a folder of its own: looked after while it works, ended with all its children."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from gwl_core.baselines.pacing import PAUSE
from gwl_core.baselines.protocol import Progress
from gwl_core.errors import MethodError
from gwl_core.limits import cores

LARGEST_OUTPUT = 50_000_000
"""Bytes of output that are read."""
PRINTED = "-"
_NAMES = {"{source}": "source.txt", "{target}": "target.txt"}
_STDOUT, _STDERR = "printed.out", "printed.err"
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "TMPDIR", "SYSTEMROOT")
"""What of the environment a program is handed: nothing that may be secret."""


def run_program(
    title: str, command: Sequence[str], files: Mapping[str, str], output: str, timeout: float
) -> Generator[Progress, None, str]:
    """Run a command in a temporary folder and return what it wrote.

    Args:
        title: what to call it in errors.
        command: the program and its arguments, with {source} and {target} for the files.
        files: their contents, by place.
        output: name or pattern of the file it writes, or "-" for what it prints.
        timeout: seconds.

    Raises:
        MethodError: it cannot be started, takes too long, ends with another status than 0, or leaves no output.
    """
    with tempfile.TemporaryDirectory(prefix="gwl-aligner-") as name:
        folder = Path(name)
        for place, content in files.items():
            (folder / _NAMES[place]).write_text(content, encoding="ascii")
        filled = [_filled(part, folder) for part in command]
        with (folder / _STDOUT).open("wb") as out, (folder / _STDERR).open("wb") as err:
            process = _started(title, filled, folder, out.fileno(), err.fileno(), timeout)
            try:
                yield from _awaited(title, process, timeout)
            finally:  # also where the caller stops
                _end(process)
        if process.returncode != 0:
            raise MethodError(f"{title} ended with status {process.returncode}{_last_words(folder)}.")
        return _written(title, folder, output)


def _filled(part: str, folder: Path) -> str:
    for place, name in _NAMES.items():
        part = part.replace(place, str(folder / name))
    return part


def _started(
    title: str, command: list[str], folder: Path, out: int, err: int, timeout: float
) -> subprocess.Popen[bytes]:
    try:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
        )  # fmt: skip
    except OSError as error:
        raise MethodError(f"{title} cannot be started ({error.strerror}); check its path in the settings.") from None
    _limit(process.pid, timeout)
    return process


def _limit(pid: int, timeout: float) -> None:
    """Bound its CPU time: should this process be killed, nobody is left to look after it.

    All its threads count together, so that it is given the time on every core.
    """
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        most = (int(timeout) + 2) * cores()
        resource.prlimit(pid, resource.RLIMIT_CPU, (most, most))


def _awaited(title: str, process: subprocess.Popen[bytes], timeout: float) -> Generator[Progress, None, None]:
    began = monotonic()
    while True:
        seconds = monotonic() - began
        if seconds > timeout:
            raise MethodError(
                f"{title} took longer than {timeout:g} s and was ended; raise its timeout in the settings."
            )
        yield Progress(min(1.0, seconds / timeout), f"the program works, {seconds:.0f} s")
        with suppress(subprocess.TimeoutExpired):
            process.wait(PAUSE)
            return


def _end(process: subprocess.Popen[bytes]) -> None:
    """With its children: it leads a session of its own."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_words(folder: Path) -> str:
    """The last line that it printed as an error, shortened."""
    with (folder / _STDERR).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 4000))
        lines = stream.read().decode("utf-8", "replace").split("\n")
    last = next(filter(str.strip, reversed(lines)), "")
    said = "".join(c if c.isprintable() else " " for c in last).strip()[:200].rstrip(".")
    return f": {said}" if said else ""


def _written(title: str, folder: Path, output: str) -> str:
    own = {*_NAMES.values(), _STDOUT, _STDERR}
    found = [folder / _STDOUT] if output == PRINTED else [
        path for path in folder.glob(output) if path.name not in own and path.is_file() and not path.is_symlink()
    ]  # fmt: skip
    if not found:
        raise MethodError(f"{title} left no file {output} in its folder; check output in the settings.")
    path = max(found, key=lambda path: (path.stat().st_mtime_ns, path.name))
    if path.stat().st_size > LARGEST_OUTPUT:
        raise MethodError(f"{title} wrote more than {LARGEST_OUTPUT // 10**6} MB; check output in the settings.")
    return path.read_text(encoding="utf-8", errors="replace")
