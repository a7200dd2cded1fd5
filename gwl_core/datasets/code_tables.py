"""CSV tables of medical codes, compressed or not: chosen columns as text, row by row, never held whole."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from gwl_core.errors import InputError
from gwl_core.readers.phrases import listed, values

MAX_ROWS = 20_000_000
"""More than the largest of these tables has; a compressed file may hide any number."""

_GZIP = b"\x1f\x8b"


def rows_of(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line number and the named columns of every row, stripped; header names in upper or lower case.

    Raises:
        InputError: a file that is missing, cut short, not text, or without one of the columns; a row with a wrong
            number of fields.
    """
    if not path.is_file():
        raise InputError(f"{path.name} {'is not a file' if path.exists() else 'does not exist'}; check the path.")
    try:
        yield from _rows(path, columns)
    except EOFError:
        raise InputError(f"{path.name} is a gzip file that ends too early; download or copy it again.") from None
    except (gzip.BadGzipFile, zlib.error):
        raise InputError(f"{path.name} is a damaged gzip file; download or copy it again.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not UTF-8 text; save it as a UTF-8 CSV file.") from None
    except csv.Error as error:
        raise InputError(f"{path.name} is not a CSV table ({error}); save it as comma-separated text.") from None
    except OSError as error:
        raise InputError(f"{path.name} cannot be read ({error.strerror}); check its permissions.") from None


def _rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        stream = gzip.GzipFile(fileobj=raw) if packed else raw
        reader = csv.reader(io.TextIOWrapper(stream, encoding="utf-8-sig", newline=""))
        header = [name.strip().lower() for name in next(reader, [])]
        missing = [name for name in columns if name not in header]
        if missing:
            raise InputError(
                f"{path.name} has no column {listed(missing)}, only {values(header) if header else 'nothing'}; "
                f"give a table with the columns {listed(list(columns), len(columns))}."
            )
        places = [header.index(name) for name in columns]
        for count, row in enumerate(reader, 1):
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{path.name}, line {reader.line_num}: {len(row)} fields where the header has {len(header)}; "
                    "mend the row."
                )
            if count > MAX_ROWS:
                raise InputError(f"{path.name} has more than {MAX_ROWS:,} rows; give a smaller table.")
            yield reader.line_num, tuple(row[place].strip() for place in places)
