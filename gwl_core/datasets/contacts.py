"""Logs of who contacted whom, as in the VAST Challenge 2018 MC3: read in pieces, never held whole."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from gwl_core.errors import InputError

CALL, EMAIL = 0, 1
"""Types of contact (Etype); 2 is a purchase, 3 a meeting."""
MAX_ID = 2**31
_PIECE = 8 * 2**20
_PENDING = 2_000_000
"""Pairs that may wait before equal ones are added up: bounds the memory."""
_NAMES = {
    "source": ("source", "x1", "from"),
    "type": ("etype", "x2", "type"),
    "destination": ("destination", "dest", "x3", "to"),
    "time": ("time", "x4", "timestamp"),
}


@dataclass(frozen=True, eq=False)
class Contacts:
    """How often each person contacted each other one through one channel.

    Attributes:
        sources, destinations: (k,) person numbers, int64; every ordered pair once, sorted.
        counts: (k,) contacts of the pair, int64, 1 or more.
        rows: log rows that were counted; skipped: rows of other types.
    """

    sources: np.ndarray
    destinations: np.ndarray
    counts: np.ndarray
    rows: int = 0
    skipped: int = 0


def read_contacts(path: Path, kind: int, piece: int = _PIECE) -> Contacts:
    """Count the contacts of one type in a log.

    The log is comma-separated, plain or gzip: source, type, destination, time (seconds), all whole numbers. With a
    header line the columns are found by name (Source, Etype, Dest or Destination, Time; or X1 to X4) among others;
    without one they are the first four. Memory grows with the number of different pairs, not with the rows.

    Raises:
        InputError: an unreadable or truncated file, missing columns, a row that is not whole numbers, no row of the
            type: names file and line.
    """
    counter = _Counter()
    skipped = 0
    with _opened(path) as stream:
        layout = _Layout.of(path, stream)
        line = layout.first_line
        for text in _pieces(path, stream, layout.first_row, piece):
            values = layout.fast(text)
            if values is None:
                values = layout.careful(text, line)
            mine = values[1] == kind
            skipped += int(np.count_nonzero(~mine))
            sources, destinations = values[0][mine], values[2][mine]
            _check_ids(path, sources, destinations)
            counter.add(sources * MAX_ID + destinations)
            line += text.count(b"\n")
    keys, counts = counter.total()
    if not len(keys):
        raise InputError(f"{path} has no contact of type {kind}: give a log whose Etype column has it.")
    return Contacts(keys // MAX_ID, keys % MAX_ID, counts, int(counts.sum()), skipped)


def contacts_of(sources: np.ndarray, destinations: np.ndarray, counts: np.ndarray) -> Contacts:
    """Contacts from pairs in any order; repeated ones add up."""
    counter = _Counter()
    counter.add(np.asarray(sources, dtype=np.int64) * MAX_ID + destinations, np.asarray(counts, dtype=np.int64))
    keys, total = counter.total()
    return Contacts(keys // MAX_ID, keys % MAX_ID, total, int(total.sum()))


class _Counter:
    """Counts keys that arrive in pieces."""

    def __init__(self) -> None:
        self._keys = [np.empty(0, dtype=np.int64)]
        self._counts = [np.empty(0, dtype=np.int64)]
        self._pending = 0

    def add(self, keys: np.ndarray, counts: np.ndarray | None = None) -> None:
        if counts is None:
            keys, counts = np.unique(keys, return_counts=True)
        self._keys.append(keys)
        self._counts.append(counts)
        self._pending += len(keys)
        if self._pending > max(_PENDING, len(self._keys[0])):
            self.total()

    def total(self) -> tuple[np.ndarray, np.ndarray]:
        keys, counts = np.concatenate(self._keys), np.concatenate(self._counts)
        self._keys, self._counts = [], []
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], counts[order]
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.empty(0, dtype=np.int64)
        keys, counts = keys[starts], np.add.reduceat(counts, starts) if len(starts) else counts
        self._keys, self._counts, self._pending = [keys], [counts], 0
        return keys, counts


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The file's content, unpacked if it is gzip; reading errors as a sentence."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if not packed:
                yield raw
                return
            with gzip.GzipFile(fileobj=raw) as unpacked:
                yield cast(BinaryIO, unpacked)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is a gzip file that is cut short or damaged: copy or download it again.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); check the path.") from error


def _pieces(path: Path, stream: BinaryIO, first: bytes, piece: int) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time, each ending in a line break."""
    rest = first
    while text := stream.read(piece):
        text = rest + text
        end = text.rfind(b"\n") + 1
        rest = text[end:]
        if len(rest) > 2**20:
            raise InputError(f"{path} has a line of more than a megabyte: this is not a log of contacts.")
        if end:
            yield text[:end].replace(b"\r", b"")
    if rest.strip():
        yield rest.replace(b"\r", b"") + (b"" if rest.endswith(b"\n") else b"\n")


@dataclass(frozen=True)
class _Layout:
    """Which columns there are, and how to read lines of them."""

    path: Path
    places: tuple[int, int, int, int]
    width: int
    first_row: bytes
    first_line: int

    @classmethod
    def of(cls, path: Path, stream: BinaryIO) -> _Layout:
        first = stream.readline(2**16)
        fields = _fields(first)
        if not fields:
            raise InputError(f"{path} is empty: a log of contacts has Source, Etype, Destination and time.")
        if fields[0].lstrip("-").isdigit() and len(fields) >= 4:
            return cls(path, (0, 1, 2, 3), len(fields), first, 1)
        names = [name.strip().strip('"').lower() for name in fields]
        found = [next((names.index(word) for word in words if word in names), -1) for words in _NAMES.values()]
        if min(found) < 0:
            raise InputError(
                f"{path}, line 1 has the columns {', '.join(fields)[:200]}, but a log of contacts needs Source, Etype, "
                "Destination and Time, or no header and these four in this order."
            )
        return cls(path, (found[0], found[1], found[2], found[3]), len(fields), b"", 2)

    def fast(self, text: bytes) -> np.ndarray | None:
        """(4, k) values of a piece that is plain digits and commas with the same columns everywhere; else None."""
        if text.translate(None, b"0123456789,\n"):
            return None
        raw = np.frombuffer(text, dtype=np.uint8)
        ends = np.flatnonzero(raw == 10)
        commas = np.searchsorted(np.flatnonzero(raw == 44), ends)
        if (np.diff(commas, prepend=0) != self.width - 1).any() or b",," in text or b",\n" in text or b"\n," in text:
            return None
        values = np.fromstring(text.replace(b"\n", b",")[:-1], dtype=np.int64, sep=",")
        if len(values) != len(ends) * self.width:
            return None
        return cast(np.ndarray, values.reshape(-1, self.width)[:, self.places].T)

    def careful(self, text: bytes, line: int) -> np.ndarray:
        """The same for any piece, row by row; `line` is the number of its first line."""
        rows = []
        for number, fields in enumerate(csv.reader(text.decode("utf-8", "replace").splitlines()), line):
            if not fields:
                continue
            try:
                rows.append([int(fields[place]) for place in self.places])
            except (ValueError, IndexError):
                raise InputError(
                    f"{self.path}, line {number} is {','.join(fields)[:100]!r}, but source, type, destination and time "
                    "must be whole numbers: mend or remove the line."
                ) from None
        return np.array(rows, dtype=np.int64).reshape(-1, 4).T


def _fields(line: bytes) -> list[str]:
    text = line.decode("utf-8-sig", "replace").strip()
    return next(csv.reader([text]), []) if text else []


def _check_ids(path: Path, *numbers: np.ndarray) -> None:
    for ids in numbers:
        if len(ids) and (ids.min() < 0 or ids.max() >= MAX_ID):
            raise InputError(f"{path} has a person number outside 0 to {MAX_ID - 1}: check the order of its columns.")
