"""Finished runs kept line by line in a file, so that a long benchmark goes on where it was ended."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.report import Row
from gwl_core.writers.strict_json import strict_json

_NAMES = ("data", "seed", "method", "cap")


class KeptRows:
    """Rows by data, seed, method and cap; without a path nothing is kept.

    A row says nothing of the code that made it: after a change of a method, take its lines out of the file.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._rows: dict[tuple[object, ...], Row] = {}
        if path is not None and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._hold(json.loads(line))

    def find(self, *key: object) -> Row | None:
        """The row of (data, seed, method, cap), if it was kept."""
        return self._rows.get(key)

    def add(self, row: Row) -> Row:
        """Keep a row, on disk at once."""
        self._hold(row)
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(strict_json(row) + "\n")
        return row

    def _hold(self, row: Row) -> None:
        self._rows[tuple(row[name] for name in _NAMES)] = row
