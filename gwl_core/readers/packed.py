"""gzip, and zip archives of one file: unpacked in memory, up to the same cap as other files, and never to disk."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import NoReturn

from gwl_core.errors import InputError
from gwl_core.readers.phrases import counted, shown
from gwl_core.readers.report import Limits

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
_ENTRY = b"PK\x01\x02"
_MOST_ENTRIES = 1_000
_CHUNK = 1 << 20
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError,
    KeyError, IndexError, OverflowError,
)  # fmt: skip


@dataclass(frozen=True)
class Unpacked:
    """The bytes inside, the name they had there ("" for gzip), and what they were packed as."""

    data: bytes
    inner: str
    how: str


def unpack(name: str, data: bytes, limits: Limits) -> Unpacked | None:
    """What is inside gzip or a zip archive of one file; None for anything else, arrays in .npz included.

    Raises:
        InputError: for a damaged archive, one of several files, one with a password or packed twice, or more bytes
            inside than the cap.
    """
    if data.startswith(GZIP):
        found = Unpacked(_gunzip(name, data, limits.max_bytes), "", "gzip")
    elif data.startswith(ZIP):
        inside = _unzip(name, data, limits.max_bytes)
        if inside is None:
            return None
        found = inside
    else:
        return None
    if found.data.startswith((GZIP, ZIP)):
        raise InputError(f"{name} is packed twice; give the graph file itself, or packed once.")
    return found


def open_zip(name: str, data: bytes) -> zipfile.ZipFile:
    """A zip archive of few entries, its names checked to be no folder's; raises InputError if it is damaged."""
    if data.count(_ENTRY) > _MOST_ENTRIES:
        raise InputError(f"{name} is a zip archive of too many files; give one graph file.")
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        _damaged(name, "zip archive")


def read_entry(name: str, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, cap: int) -> bytes:
    """The bytes of one entry, whatever size it claims.

    Raises:
        InputError: if it is damaged, has a password, is packed in a way not read here, or holds more than cap bytes.
    """
    if entry.flag_bits & 1:
        raise InputError(f"{name} is a zip archive with a password; give it without one.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{name} is a zip archive packed in an unusual way; pack it with plain zip (deflate) or gzip.")
    try:
        with archive.open(entry) as file:
            inside = file.read(cap + 1)
    except _BROKEN:
        _damaged(name, "zip archive")
    if len(inside) > cap:
        _too_large(name, cap)
    return inside


def _unzip(name: str, data: bytes, cap: int) -> Unpacked | None:
    with open_zip(name, data) as archive:
        files = [
            e for e in archive.infolist() if not e.filename.endswith("/") and not e.filename.startswith("__MACOSX/")
        ]
        names = [entry.filename for entry in files]
        if names and all(inner.endswith(".npy") for inner in names):
            return None
        if any(inner.endswith("data.pkl") for inner in names):
            raise InputError(
                f"{name} is a zip archive that holds a Python pickle; pickles are not read because loading one can run "
                "code; export a text edge list (CSV or TSV) instead."
            )
        if "[Content_Types].xml" in names or "mimetype" in names:
            raise InputError(f"{name} is a spreadsheet or document; save it as CSV.")
        if len(files) != 1:
            few = ", ".join(shown(inner) for inner in names[:3])
            held = f"{counted(len(files), 'file')} ({few}{', …' if len(files) > 3 else ''})" if files else "no file"
            raise InputError(f"{name} is a zip archive of {held}; give one graph file.")
        return Unpacked(read_entry(name, archive, files[0], cap), names[0], f"zip archive of {shown(names[0])}")


def _gunzip(name: str, data: bytes, cap: int) -> bytes:
    parts, size, members = [], 0, 0
    rest: bytes = data
    try:
        while rest.startswith(GZIP):
            members += 1
            if members > _MOST_ENTRIES:
                raise InputError(f"{name} is gzip of too many parts; pack it again.")
            engine = zlib.decompressobj(31)
            while not engine.eof:
                part = engine.decompress(rest, _CHUNK)
                rest = engine.unconsumed_tail
                size += len(part)
                if size > cap:
                    _too_large(name, cap)
                if not part and not rest and not engine.eof:
                    _damaged(name, "gzip file")
                parts.append(part)
            rest = engine.unused_data
    except zlib.error:
        _damaged(name, "gzip file")
    return b"".join(parts)


def _too_large(name: str, cap: int) -> NoReturn:
    raise InputError(f"{name} unpacks to more than {cap:,} bytes, the cap; give a smaller file.")


def _damaged(name: str, what: str) -> NoReturn:
    raise InputError(f"{name} is a damaged {what}: it was cut short or changed; pack it again.") from None
