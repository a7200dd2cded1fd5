"""Files that are refused by their content, whatever their name says."""

from __future__ import annotations

import pickletools
import re

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.packed import ZIP
from gwl_core.readers.phrases import shown
from gwl_core.readers.xml_events import xml_root

_NOT_READ = "which is not read here"
_PICKLES = "pickles are not read because loading one can run code"
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"BZh", f"bzip2-compressed, {_NOT_READ}"),
    (b"\xfd7zXZ\x00", f"xz-compressed, {_NOT_READ}"),
    (b"\x28\xb5\x2f\xfd", f"zstandard-compressed, {_NOT_READ}"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7z archive, {_NOT_READ}"),
    (b"\x89HDF", f"an HDF5 file, {_NOT_READ}"),
    (b"PAR1", f"a Parquet file, {_NOT_READ}"),
    (b"SQLite format 3\0", f"an SQLite database, {_NOT_READ}"),
    (b"\xd0\xcf\x11\xe0", f"an old Excel or Word file, {_NOT_READ}"),
    (b"MATLAB 5.0", f"a MATLAB file, {_NOT_READ}"),
    (b"%PDF-", f"a PDF document, {_NOT_READ}"),
    (b"\x89PNG", f"an image, {_NOT_READ}"),
    (b"\xff\xd8\xff", f"an image, {_NOT_READ}"),
)
_LANGUAGES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(r"\s*(?:" + pattern + ")", re.IGNORECASE), label)
    for pattern, label in (
        (r"\{\s*[\"'}]|\[\s*(?:[\[{]|\"[^\"\n]*\"\s*,)", "JSON"),
        (r"\{\\rtf", "an RTF document"),
        (r"%%MatrixMarket\b", "a MatrixMarket file"),
        (r"(?:[#%][^\n]*\n\s*)*\*(?:vertices|network)\b", "a Pajek file"),
        (r"LEDA\.GRAPH\b", "a LEDA graph"),
        (r"nodedef\s*>", "GDF"),
        (r"(?:[#%][^\n]*\n\s*)*(?:(?:creator|version)[ \t][^\n]*\n\s*)*graph\s*\[", "GML"),
        (r"version https://git-lfs\b", "a Git LFS pointer"),
        (r"(?:strict\s+)?(?:di)?graph\b[^\n\[{]*\{", "a Graphviz file"),
    )
)
# Opcodes that open a container, and those that name a class or function.
_CONTAINERS = {"MARK", "EMPTY_DICT", "EMPTY_LIST", "EMPTY_TUPLE", "EMPTY_SET"}
_GLOBALS = {"GLOBAL", "INST"}
_SCANNED = 100_000


def binary_kind(content: Content) -> str | None:
    """What the file is, and why that is not read, if it is known to be binary and no array."""
    if is_pickle(content.data):
        return f"a Python pickle; {_PICKLES}"
    return next((label for mark, label in _SIGNATURES if content.data.startswith(mark)), None)


def language_kind(content: Content) -> str | None:
    """The same for text in a language of its own: XML, JSON, GML, …"""
    if xml_root(content.head) is not None:
        return f"XML ({_root(content)}), {_NOT_READ}"
    return next((f"{label}, {_NOT_READ}" for pattern, label in _LANGUAGES if pattern.match(content.head)), None)


def _root(content: Content) -> str:
    root = "html" if re.match(r"\s*<!doctype\s+html", content.head, re.IGNORECASE) else xml_root(content.head) or ""
    return {"graphml": "GraphML", "gexf": "GEXF", "html": "HTML"}.get(root, shown(root) if root else "of some kind")


def refuse_graph(content: Content) -> None:
    """Raise InputError, without showing any of the content, if the file is of a kind that no reader takes."""
    kind = binary_kind(content) or language_kind(content)
    if kind:
        raise InputError(
            f"{content.name} is {kind}; export the graph as GraphML, GEXF, GML, Pajek or a text edge list (CSV or TSV)."
        )


def refuse_foreign(content: Content) -> None:
    """The same where rows of text are due: every format with a language of its own is refused, arrays too."""
    kind = binary_kind(content) or language_kind(content)
    if content.data.startswith((b"\x93NUMPY", ZIP)):
        kind = f"a file of NumPy arrays, {_NOT_READ}"
    if kind:
        raise InputError(f"{content.name} is {kind}; export a text table (CSV or TSV) as for an edge list instead.")


def is_pickle(data: bytes) -> bool:
    """Whether the bytes are a pickle of any protocol, also when cut short; nothing is loaded or run.

    Protocols 0 and 1 have no signature, so opcodes are walked. Text reaches STOP only by accident ("0.5" does), so
    a stop before the end counts only after a class name or a memo entry, which take whole lines of the right shape.
    """
    if data[:1] == b"\x80":
        return True
    if data.startswith((ZIP, b"\x93NUMPY")):
        return False
    names: list[str] = []
    memo = False
    try:
        for opcode, argument, position in pickletools.genops(data[:_SCANNED]):
            if not names and opcode.stack_before:
                return False
            names.append(opcode.name)
            memo = memo or opcode.name in ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE")
            if opcode.name in _GLOBALS and not re.fullmatch(r"[\w.]+ [\w.]+", str(argument)):
                return False
            if opcode.name == "STOP":
                ends = not data[(position or 0) + 1 :].strip()
                return len(names) > 1 and (ends or memo or bool(_GLOBALS & set(names)))
    except (ValueError, IndexError, UnicodeDecodeError, OverflowError, MemoryError, DeprecationWarning):
        pass
    return memo and len(names) > 2 and bool(_CONTAINERS & set(names))
