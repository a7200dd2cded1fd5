"""Files that are refused by their content, whatever their name says."""

from __future__ import annotations

import pickletools
import re

from gwl_core.errors import InputError
from gwl_core.readers.content import Content

_NOT_READ = "which this version does not read"
_PICKLES = "pickles are not read because loading one can run code"
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x93NUMPY", f"a NumPy array file and may hold a pickle; {_PICKLES}"),
    (b"PK\x03\x04", f"a zip archive (as xlsx, npz and pt files are) and may hold a pickle; {_PICKLES}"),
    (b"\x1f\x8b", f"gzip-compressed, {_NOT_READ}"),
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
        (r"<\?xml|<!DOCTYPE|<!--|<(?:graphml|gexf|xgmml|dynetml|html|svg|rdf:RDF)\b", "XML (GraphML, GEXF or HTML)"),
        (r"\{\s*[\"'}]|\[\s*(?:[\[{]|\"[^\"\n]*\"\s*,)", "JSON"),
        (r"\{\\rtf", "an RTF document"),
        (r"%%MatrixMarket\b", "a MatrixMarket file"),
        (r"(?:[#%][^\n]*\n\s*)*\*(?:vertices|network)\b", "a Pajek file"),
        (r"LEDA\.GRAPH\b", "a LEDA graph"),
        (r"(?:[#%][^\n]*\n\s*)*(?:(?:creator|version)[ \t][^\n]*\n\s*)*graph\s*\[", "GML"),
        (r"version https://git-lfs\b", "a Git LFS pointer"),
        (r"(?:strict\s+)?(?:di)?graph\b[^\n\[{]*\{", "a Graphviz file"),
    )
)
# Opcodes that open a container, and those that name a class or function.
_CONTAINERS = {"MARK", "EMPTY_DICT", "EMPTY_LIST", "EMPTY_TUPLE", "EMPTY_SET"}
_GLOBALS = {"GLOBAL", "INST"}
_SCANNED = 100_000


def foreign_kind(content: Content) -> str | None:
    """What the file is, and why that is not read, if it is known to be no delimited text.

    Raises:
        InputError: if it is neither a known binary format nor decodable text.
    """
    if is_pickle(content.data):
        return f"a Python pickle; {_PICKLES}"
    for signature, label in _SIGNATURES:
        if content.data.startswith(signature):
            return label
    for pattern, label in _LANGUAGES:
        if pattern.match(content.text):
            return f"{label}, {_NOT_READ}"
    return None


def refuse_foreign(content: Content) -> None:
    """Raise InputError, without showing any of the content, if the file is no delimited text."""
    kind = foreign_kind(content)
    if kind:
        raise InputError(f"{content.name} is {kind}; export a text edge list (CSV or TSV) instead.")


def is_pickle(data: bytes) -> bool:
    """Whether the bytes are a pickle of any protocol, also when cut short; nothing is loaded or run.

    Protocols 0 and 1 have no signature, so opcodes are walked. Text reaches STOP only by accident ("0.5" does), so
    a stop before the end counts only after a class name or a memo entry, which take whole lines of the right shape.
    """
    if data[:1] == b"\x80":
        return True
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
    except (ValueError, IndexError, UnicodeDecodeError, OverflowError, MemoryError):
        pass
    return memo and len(names) > 2 and bool(_CONTAINERS & set(names))
