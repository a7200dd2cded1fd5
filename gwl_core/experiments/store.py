"""Finished trials on disk: one line of JSON each, appended whole, never changed."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gwl_core.errors import InputError
from gwl_core.experiments.protocol import Row
from gwl_core.writers.strict_json import strict_json


@dataclass(frozen=True)
class Store:
    """The finished trials of one experiment, in a file that several processes may read and append to."""

    path: Path

    def rows(self) -> dict[str, Row]:
        """Trial key → row. A line that a crash has cut short is passed over."""
        return {line["key"]: Row(line["parameters"], line["values"], line["seconds"]) for line in self._lines()}

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"{self.path} cannot be read ({error.strerror}); choose another folder.") from error
        for raw in text.splitlines():
            try:
                line = json.loads(raw)
            except ValueError:
                continue
            if isinstance(line, dict) and {"key", "parameters", "values", "seconds"} <= set(line):
                yield line

    def append(self, line: Mapping[str, Any]) -> None:
        """Add one finished trial; it is on disk when this returns.

        Raises:
            InputError: it cannot be written, as on a full disk. What was there before stays whole.
        """
        content = (strict_json(line, ascii_only=True) + "\n").encode("ascii")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self.path) as descriptor:
                _append(descriptor, content)
        except OSError as error:
            raise InputError(
                f"{self.path} cannot be written ({error.strerror}); the finished trials in it are kept: make room or "
                "choose another folder with --out, and run again."
            ) from error


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open for one writer at a time; the lock goes with the process if that is killed."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _append(descriptor: int, content: bytes) -> None:
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        content = b"\n" + content  # a writer was killed in the middle of a line
    try:
        written = os.write(descriptor, content)
        if written < len(content):
            raise OSError(28, "No space left on device")
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
