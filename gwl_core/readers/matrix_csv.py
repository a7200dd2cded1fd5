"""Adjacency matrices as delimited text: names along one or two sides, or bare numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.header import find_roles, is_number
from gwl_core.readers.matrix_rows import check_entries, matrix_rows
from gwl_core.readers.phrases import at, shown, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.table import SEPARATORS, Table

_FEWEST_BARE = 4  # three columns may be source, target and weight


def is_matrix(content: Content) -> bool:
    """Whether the text is a table of numbers with a name for every row, or with as many rows as columns (4 or more)."""
    return _find(content) is not None


def read_matrix(content: Content) -> EdgeRows:
    """The graph of a matrix: entry (i, j) is the weight from node i to node j, 0 or nothing for no edge.

    Raises:
        InputError: naming the row of an entry that is no count, and for a matrix that is not square.
    """
    found = _find(content)
    if found is None:
        raise InputError(f"{content.name} is no matrix; give an edge list.")
    table, corner, named = found
    records = list(table.records())
    header = [cell.strip() for cell in records.pop(0)[1]] if corner is not None else []
    while header and len(header) > 1 and not header[-1]:
        header.pop()
    columns = header[corner:] if corner is not None else []
    rows, matrix = _numbers(table, records, len(columns) or len(records), named)
    labels, order = _labels(content, rows, columns, len(matrix))
    matrix, notices = check_entries(content, labels, matrix[order])
    places = np.nonzero(matrix)
    kind = f"{SEPARATORS[table.separator]} adjacency matrix"
    return matrix_rows(
        content, labels, (places[0].astype(np.int64), places[1].astype(np.int64)), matrix[places], kind,
        notices=(*table.comment_notice(), *notices),
    )  # fmt: skip


def _find(content: Content) -> tuple[Table, int | None, bool] | None:
    """The table, where the names of its first line begin (None without such a line), and whether rows have names."""
    for separator in SEPARATORS:
        table = Table(content.name, content.lines, separator)
        try:
            first = [[cell.strip() for cell in cells] for _, cells in islice(table.records(), 2)]
        except InputError:
            continue
        if len(first) < 2 or len(first[1]) < 2:
            continue
        found = _shape(table, first[0], first[1])
        if found is not None:
            return table, *found
    return None


def _shape(table: Table, header: list[str], row: list[str]) -> tuple[int | None, bool] | None:
    """(where names begin, whether rows have names) by the first two lines, or None for no matrix."""
    roles = find_roles(header)
    if roles and roles.certain:
        return None
    numbers = all(not cell or is_number(cell) for cell in row[1:])
    if len(header) >= 2 and not header[0] and row[0] and (numbers or row[0] in header):
        return 1, True
    if len(row) >= 3 and numbers and _names_rows(table, header[len(header) - len(row) + 1 :], len(row) - len(header)):
        return (1 if len(header) == len(row) else 0), True
    if len(row) < _FEWEST_BARE or not numbers or not is_number(row[0]) or len(header) != len(row):
        return None
    bare = all(map(is_number, header))
    if _count(table) - (not bare) != len(row) or any(map(is_number, header)) != bare:
        return None
    return (None if bare else 0), False


def _names_rows(table: Table, names: Sequence[str], missing: int) -> bool:
    """Whether the first cells of the rows are exactly the names in the first line (whose corner may be missing)."""
    if missing not in (0, 1) or len(set(names)) < len(names) or len(names) < 2:
        return False
    rows = (cells[0].strip() for _, cells in islice(table.records(), 1, len(names) + 2))
    return sorted(rows) == sorted(names)


def _count(table: Table) -> int:
    return sum(1 for _ in table.records())


def _numbers(
    table: Table, records: list[tuple[int, list[str]]], width: int, named: bool
) -> tuple[list[str], np.ndarray]:
    """Names of the rows ([] without) and the (rows, width) numbers."""
    names = []
    matrix = np.zeros((len(records), width))
    if len(records) != width:
        raise InputError(
            f"{table.name} is a matrix of {len(records):,} rows and {width:,} columns; a graph needs as many of both."
        )
    for k, (line, cells) in enumerate(records):
        entries = cells[1:] if named else cells
        while len(entries) > width and not entries[-1].strip():
            entries.pop()
        if len(entries) != width:
            raise InputError(
                f"{at(table.name, line)}: {len(entries)} numbers in a matrix of {width} columns; give all."
            )
        if named:
            names.append(cells[0].strip())
        matrix[k] = _row(table, line, entries)
    return names, matrix


def _row(table: Table, line: int, entries: list[str]) -> np.ndarray | list[float]:
    cells = [cell.strip() or "0" for cell in entries]
    if table.separator in ";\t" and any("," in cell for cell in cells):
        cells = [cell.replace(",", ".") for cell in cells]
    try:
        return np.array([_number(cell) for cell in cells])
    except ValueError as error:
        raise InputError(
            f"{at(table.name, line)}: entry {shown(str(error))} is no number; give numbers of 0 or more."
        ) from None


def _number(cell: str) -> float:
    """The number in a cell; ValueError with the cell's text if there is none."""
    try:
        return float("x" if "_" in cell else cell)
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
