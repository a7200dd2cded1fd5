"""From a path or uploaded bytes to text with plain line ends."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gwl_core.errors import InputError
from gwl_core.readers.phrases import at
from gwl_core.readers.report import Limits

# UTF-32 before UTF-16, whose little-endian mark is a prefix of it.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8 with byte-order mark"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)

# Comments and blank lines that are not held against a file when its lines are counted before they are read.
_OTHER_LINES = 10_000
_LONGEST_LINE = 150_000


@dataclass(frozen=True, eq=False)
class Content:
    """A file's bytes under its display name; text is decoded when first asked for."""

    name: str
    data: bytes
    limits: Limits

    @cached_property
    def _mark(self) -> tuple[bytes, str, str]:
        return next((m for m in _MARKS if self.data.startswith(m[0])), (b"", "utf-8", "UTF-8"))

    @property
    def encoding(self) -> str:
        """The encoding in words."""
        return self._mark[2]

    @cached_property
    def text(self) -> str:
        """The decoded text, every line end (CRLF, CR) turned into a newline, inside quotes too.

        Raises:
            InputError: for NUL characters or bytes that are not valid in the encoding, naming the line.
        """
        mark, codec, label = self._mark
        body = self.data[len(mark) :]
        if codec == "utf-8" and b"\0" in body:
            raise InputError(
                f"{self.name} is not a text file: it has a NUL byte (binary data, or UTF-16 without a byte-order "
                "mark); save it as UTF-8 text."
            )
        try:
            text = body.decode(codec)
        except UnicodeDecodeError as error:
            line = _plain(body[: error.start].decode(codec, "ignore")).count("\n") + 1
            raise InputError(
                f"{at(self.name, line)}: byte 0x{body[error.start]:02X} is not valid {label.split()[0]} "
                "(often the file is Latin-1 or Windows-1252); save the file as UTF-8."
            ) from None
        if "\0" in text:
            raise InputError(f"{self.name} is not a text file: it has a NUL character; save it as UTF-8 text.")
        # A mark inside the text is left over from joined files.
        return _plain(text).replace("\n\ufeff", "\n")

    @cached_property
    def lines(self) -> list[str]:
        """Lines of the text; line n of the file is at n − 1.

        Raises:
            InputError: for more lines than the rows of a graph within the limits and some comments, or a line too long
                to be one.
        """
        count, cap = self.text.count("\n") + 1, 2 * self.limits.max_edges
        if count > cap + _OTHER_LINES:
            raise InputError(f"{self.name} has {count:,} lines, over the cap of {cap:,} rows; give a smaller file.")
        lines = self.text.split("\n")
        if re.fullmatch(r"sep=.?", lines[0], re.IGNORECASE):
            lines[0] = ""  # a note to spreadsheets; the separator is found by content
        if max(map(len, lines)) > _LONGEST_LINE:
            line = next(number for number, line in enumerate(lines, 1) if len(line) > _LONGEST_LINE)
            raise InputError(f"{at(self.name, line)}: the line is too long for an edge; give one edge per line.")
        return lines


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def load(source: Path | bytes, name: str, limits: Limits) -> Content:
    """The content of a file or of bytes, within the size limit.

    Raises:
        InputError: for a file that is missing, not a regular file, unreadable or too large.
    """
    if isinstance(source, bytes):
        size, data = len(source), source
    else:
        if not source.is_file():
            what = "is not a file" if source.exists() else "does not exist"
            raise InputError(f"{name} {what}; check the path.")
        size = source.stat().st_size
    if size > limits.max_bytes:
        raise InputError(f"{name} has {size:,} bytes, over the cap of {limits.max_bytes:,}; give a smaller file.")
    if not isinstance(source, bytes):
        try:
            data = source.read_bytes()
        except OSError as error:
            raise InputError(f"{name} cannot be read ({error.strerror}); check its permissions.") from None
    return Content(name, data, limits)
