"""From a path or uploaded bytes to text with plain line ends."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from gwl_core.errors import InputError
from gwl_core.readers.packed import unpack
from gwl_core.readers.phrases import at, shown
from gwl_core.readers.report import Limits, Policies

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
_HEAD = 65_536


@dataclass(frozen=True, eq=False)
class Content:
    """A file's bytes under its display name; text is decoded when first asked for.

    Attributes:
        name: what to call the file in messages.
        data: its bytes, unpacked.
        suffix: the lower-case ending of the name that the bytes had, such as ".sif"; a hint, never a proof.
        packed: what the bytes were packed as, or "".
    """

    name: str
    data: bytes
    limits: Limits
    policies: Policies = Policies()
    suffix: str = ""
    packed: str = ""

    @cached_property
    def _mark(self) -> tuple[bytes, str, str]:
        return next((m for m in _MARKS if self.data.startswith(m[0])), (b"", "utf-8", "UTF-8"))

    @cached_property
    def encoding(self) -> str:
        """The encoding in words."""
        return "Latin-1 (Windows-1252)" if self._bad_byte is not None else self._mark[2]

    @cached_property
    def head(self) -> str:
        """The beginning of the text, whatever else is in the file."""
        mark, codec, _ = self._mark
        return _plain(self.data[len(mark) : _HEAD].decode(codec, "replace"))

    @cached_property
    def _bad_byte(self) -> int | None:
        """Where Latin-1 takes the place of UTF-8, as the user wished for text that has no mark and is not UTF-8."""
        if self.policies.encoding != "latin-1" or self._mark[0]:
            return None
        try:
            self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start
        return None

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """Sentences about how the bytes became text."""
        found = [f"The file was unpacked ({self.packed})."] if self.packed else []
        if self._bad_byte is not None:
            line = _plain(_windows(self.data[: self._bad_byte])).count("\n") + 1
            near = re.split(rb"[\s,;]", self.data[max(0, self._bad_byte - 20) : self._bad_byte])[-1]
            near += re.split(rb"[\s,;]", self.data[self._bad_byte : self._bad_byte + 20])[0]
            found.append(
                f"Text that is not UTF-8 was read as Latin-1 (Windows-1252): see whether {shown(_windows(near))} "
                f"in line {line} is spelled right."
            )
        return tuple(found)

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
        if self._bad_byte is not None:
            return _plain(_windows(body))
        try:
            text = body.decode(codec)
        except UnicodeDecodeError as error:
            line = _plain(body[: error.start].decode(codec, "ignore")).count("\n") + 1
            why = ", as its byte-order mark says it is; export it again, or save it as UTF-8."
            if not mark:
                why = (
                    " (often the file is Latin-1 or Windows-1252); choose Latin-1 as its encoding "
                    "(--encoding latin-1), or save the file as UTF-8."
                )
            byte = f"byte 0x{body[error.start]:02X} is not valid {label.split()[0]}"
            raise InputError(f"{at(self.name, line)}: {byte}{why}") from None
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
        count, cap = self.text.count("\n") + 1, 2 * self.limits.max_edges + self.limits.max_nodes
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


def _windows(data: bytes) -> str:
    """Text in Windows-1252, its five undefined bytes as in Latin-1."""
    return "".join(
        part.decode("latin-1") if k % 2 else part.decode("cp1252")
        for k, part in enumerate(re.split(rb"([\x81\x8d\x8f\x90\x9d])", data))
    )


def load(source: Path | bytes, name: str, limits: Limits, policies: Policies = Policies()) -> Content:
    """The content of a file or of bytes, unpacked if it is gzip or a zip of one file, within the size limit.

    Raises:
        InputError: for a file that is missing, not a regular file, unreadable, too large, or packed otherwise.
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
    content = Content(name, data, limits, policies, Path(name).suffix.lower())
    found = unpack(name, data, limits)
    if found is None:
        return content
    inner = found.inner or name.removesuffix(content.suffix)
    return replace(content, data=found.data, suffix=Path(inner).suffix.lower(), packed=found.how)
