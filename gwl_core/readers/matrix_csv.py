"""Adjacency matrices as delimited text: names along one or two sides, or bare numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.header import WEIGHT_WORDS, Roles, find_roles, is_like_rows, is_number, normal
from gwl_core.readers.ids import spelling_key
from gwl_core.readers.matrix_rows import check_entries, matrix_rows
from gwl_core.readers.phrases import at, shown, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.table import SEPARATORS, Table

_FEWEST_BARE = 4  # three columns may be source, target and weight


@dataclass(frozen=True)
class _Shape:
    """A table read as a matrix: where the names of its first line begin (None without such a line), whether rows have
    names, and whether it may as well be three edges."""

    table: Table
    corner: int | None
    named: bool
    doubtful: bool = False


def is_matrix(content: Content) -> bool:
    """Whether the text is a table of numbers with a name for every row, or with as many rows as columns (4 or more)."""
    return _find(content) is not None


def read_matrix(content: Content) -> EdgeRows:
    """The graph of a matrix: entry (i, j) is the weight from node i to node j, 0 or nothing for no edge.

    Raises:
        InputError: naming the row of an entry that is no count, and for a matrix that is not square, or that may as
            well be a list of edges.
    """
    found = _find(content)
    if found is None:
        raise InputError(f"{content.name} is no matrix; give an edge list.")
    table, corner = found.table, found.corner
    records = list(table.records())
    if found.doubtful:
        raise InputError(
            f"{at(content.name, [line for line, _ in records])}: three rows of three numbers may be edges or a matrix; "
            "name the columns source, target and weight, or put the nodes' names above and before the matrix."
        )
    first, header = records.pop(0) if corner is not None else (0, [])
    header = [cell.strip() for cell in header]
    while header and len(header) > 1 and not header[-1]:
        header.pop()
    columns = header[corner:] if corner is not None else []
    rows, matrix = _numbers(table, records, columns, found.named)
    labels, order = _labels(content, rows, columns, len(matrix))
    matrix, notices = check_entries(content, labels, matrix[order])
    places = np.nonzero(matrix)
    kind = f"{SEPARATORS[table.separator]} adjacency matrix"
    return matrix_rows(
        content, labels, (places[0].astype(np.int64), places[1].astype(np.int64)), matrix[places], kind,
        notices=(*table.comment_notice(), *_shape_notice(found, first, header, matrix), *notices),
    )  # fmt: skip


def _shape_notice(found: _Shape, first: int, header: Sequence[str], matrix: np.ndarray) -> list[str]:
    """A sentence where the table may have been meant otherwise."""
    if header and all(map(is_number, header)) and len(header) == len(matrix) + 1:
        return [f"Line {first} ({values(header)}) was read as the names of the columns, not as a row of the matrix."]
    if found.named or not matrix.diagonal().any() or (matrix == matrix.T).all():
        return []
    return [f"As many rows as columns: the table was read as a matrix of {len(matrix):,} nodes, not as edges."]


def _find(content: Content) -> _Shape | None:
    for separator in SEPARATORS:
        table = Table(content.name, content.lines, separator)
        try:
            first = [[cell.strip() for cell in cells] for _, cells in islice(table.records(), 2)]
            found = _shape(table, first[0], first[1]) if len(first) > 1 and len(first[1]) > 1 else None
        except InputError:
            continue
        if found is not None:
            return found
    return None


def _shape(table: Table, header: list[str], row: list[str]) -> _Shape | None:
    """What the first two lines make of a table, or None for no matrix."""
    roles = find_roles(header)
    if roles and roles.certain:
        return None
    numbers = all(not cell or is_number(cell) for cell in row[1:])
    named = row[0] in header and not any(map(is_number, header))
    if len(header) > 2 and not header[0] and row[0] and (numbers or named):
        return _Shape(table, 1, named=True)
    if len(row) >= 3 and _names_rows(table, header, len(row)):
        return _Shape(table, 1 if len(header) == len(row) else 0, named=True)
    if not numbers or not is_number(row[0]) or len(header) != len(row):
        return None
    bare = all(map(is_number, header))
    if _count(table) - (not bare) != len(row) or any(map(is_number, header)) != bare:
        return None
    if len(row) < _FEWEST_BARE:
        hollow = len(row) == _FEWEST_BARE - 1 and bare and _is_hollow(table, header=False)
        return _Shape(table, None, named=False, doubtful=True) if hollow else None
    if not bare and _names_columns_of_edges(table, header, roles):
        return None
    return _Shape(table, None if bare else 0, named=False)


def _names_rows(table: Table, header: list[str], width: int) -> bool:
    """Whether the first line (whose corner may be missing) names the columns, and the rows go by the same names.

    So it is if the names are the same, and else if most are and most cells are numbers: then one of them is wrong. With
    a number among them they must be the same; and of two, one a number, they may be an edge's end and weight, unless
    both are numbers and a text stands in the corner.
    """
    names, missing = header[len(header) - width + 1 :], width - len(header)
    if missing not in (0, 1) or len(set(names)) < len(names) or len(names) < 2:
        return False
    with_numbers = any(map(is_number, names))
    text_in_corner = missing == 0 and not is_number(header[0])
    if with_numbers and width < _FEWEST_BARE and not (text_in_corner and all(map(is_number, names))):
        return False
    records = [[cell.strip() for cell in cells] for _, cells in islice(table.records(), 1, len(names) + 2)]
    rows = [cells[0] for cells in records]
    entries = [cell for cells in records for cell in cells[1:] if cell]
    numbers = sum(map(is_number, entries))
    if sorted(rows) == sorted(names) and numbers == len(entries):
        return True
    known = {spelling_key(name) for name in names}
    shared = sum(spelling_key(row) in known for row in rows)
    most = shared > 0 and 2 * shared >= max(len(rows), len(names)) and 2 * numbers > len(entries)
    return most and not with_numbers


def _names_columns_of_edges(table: Table, header: list[str], roles: Roles | None) -> bool:
    """Whether a first line above as many rows as columns rather names two nodes, a weight and more."""
    weighted = any(normal(name) in WEIGHT_WORDS for name in header[2:])
    if roles is None and not weighted:
        return False
    others = [name for k, name in enumerate(header) if roles and k not in (roles.source, roles.target)]
    alike = roles is None or is_like_rows(header[roles.source], header[roles.target], others)
    return not (alike and _is_hollow(table, header=True))


def _is_hollow(table: Table, header: bool) -> bool:
    """Whether every row has nothing or 0 on the diagonal."""
    rows = (cells for _, cells in islice(table.records(), int(header), None))
    return all(k < len(cells) and not cells[k].strip(" 0.") for k, cells in enumerate(rows))


def _count(table: Table) -> int:
    return sum(1 for _ in table.records())


def _numbers(
    table: Table, records: list[tuple[int, list[str]]], columns: Sequence[str], named: bool
) -> tuple[list[str], np.ndarray]:
    """Names of the rows ([] without) and the square matrix of numbers."""
    width = len(columns) or len(records)
    names = [cells[0].strip() for _, cells in records] if named else []
    if len(records) != width:
        raise InputError(
            f"{table.name} is a matrix of {len(records):,} rows and {width:,} columns"
            f"{_odd_one(names, columns, [line for line, _ in records])}; a graph needs as many of both."
        )
    matrix = np.zeros((width, width))
    for k, (line, cells) in enumerate(records):
        entries = cells[1:] if named else cells
        while len(entries) > width and not entries[-1].strip():
            entries.pop()
        if len(entries) != width:
            raise InputError(
                f"{at(table.name, line)}: {len(entries)} numbers in a matrix of {width} columns; give all."
            )
        matrix[k] = _row(table, line, entries)
    return names, matrix


def _odd_one(names: Sequence[str], columns: Sequence[str], lines: Sequence[int]) -> str:
    """The row without a column, or the column without a row, in brackets."""
    if not names or not columns:
        return ""
    extra = next((k for k, name in enumerate(names) if name not in set(columns)), None)
    if extra is not None:
        return f" (line {lines[extra]}: no column is called {shown(names[extra])})"
    lacking = [name for name in columns if name not in set(names)]
    return f" (no row is called {values(lacking)})" if lacking else ""


def _row(table: Table, line: int, entries: list[str]) -> np.ndarray | list[float]:
    cells = [cell.strip() or "0" for cell in entries]
    comma = table.separator in ";\t" and any("," in cell for cell in cells)
    try:
        return np.array([_number(cell, comma) for cell in cells])
    except ValueError as error:
        raise InputError(
            f"{at(table.name, line)}: entry {shown(str(error))} is no number; give numbers of 0 or more."
        ) from None


def _number(cell: str, comma: bool) -> float:
    """The number in a cell, with a decimal comma if so said; ValueError with the cell's text if there is none."""
    try:
        return float("x" if "_" in cell else cell.replace(",", ".") if comma else cell)
    except ValueError:
        raise ValueError(cell) from None


def _labels(content: Content, rows: list[str], columns: list[str], n: int) -> tuple[tuple[str, ...], np.ndarray]:
    """The nodes in the order of the columns, and the rows in that order."""
    if not rows and not columns:
        return tuple(str(k) for k in range(1, n + 1)), np.arange(n)
    if not rows or not columns:
        labels = tuple(rows or columns)
        _check_names(content, labels)
        return labels, np.arange(n)
    if sorted(rows) != sorted(columns):
        other = [name for name in rows if name not in set(columns)] or [n for n in columns if n not in set(rows)]
        raise InputError(
            f"{content.name}: the rows and columns of the matrix have different names (see {values(other or rows)}); "
            "give a square matrix with the same names on both sides."
        )
    _check_names(content, columns)
    position = {name: k for k, name in enumerate(rows)}
    return tuple(columns), np.array([position[name] for name in columns])


def _check_names(content: Content, names: Sequence[str]) -> None:
    if not all(names):
        raise InputError(f"{content.name}: a row or column of the matrix has no name; name each.")
