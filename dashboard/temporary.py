"""The server's private folder for temporary files: nobody else can read it, and it is removed at the end.

What a killed server has left is removed by the next one: a lock tells a dead server's folder from a live one's.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

_PREFIX, _LOCK = "gwl-server-", "lock"
_held: list[int] = []


def new_folder() -> Path:
    """A fresh folder for one run."""
    return Path(tempfile.mkdtemp(dir=root()))


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


@cache
def root() -> Path:
    """The server's folder, made at the first call."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        _remove_if_left(left)
    made = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = os.open(made / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    _held.append(lock)
    atexit.register(remove, made)
    return made


def _remove_if_left(folder: Path) -> None:
    with contextlib.suppress(OSError):
        if folder.stat().st_uid != os.getuid() or folder.is_symlink():
            return
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(folder)
        finally:
            os.close(lock)
