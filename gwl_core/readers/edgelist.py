"""Weighted edge lists: comma, semicolon, tab or space separated, header or not."""

from __future__ import annotations

from array import array
from itertools import islice

import numpy as np

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.direction import TypeColumn
from gwl_core.readers.header import is_number
from gwl_core.readers.layout import Layout, find_layout
from gwl_core.readers.phrases import at, line_list, shown, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import weight_column
from gwl_core.readers.sizes import without_sizes
from gwl_core.readers.table import SEPARATORS, Table, rank_separators


def read_edge_list(content: Content) -> EdgeRows:
    """The rows of an edge list; ids are kept as text, without surrounding spaces and quotation marks.

    Raises:
        InputError: naming the line of a row that is no edge, a weight that is no count, or mixed directions.
    """
    lines, size_notice = without_sizes(content.lines)
    table = Table(content.name, lines, rank_separators(lines)[0])
    layout = find_layout(table)
    walk = _Walk(content, table, layout)
    directed, reason = walk.kinds.finish()
    return EdgeRows(
        labels=tuple(walk.index),
        starts=np.frombuffer(walk.starts, dtype=np.int64),
        ends=np.frombuffer(walk.ends, dtype=np.int64),
        weights=np.frombuffer(walk.counts, dtype=np.float64),
        format=SEPARATORS[table.separator] + " edge list",
        directed=directed,
        direction_reason=reason,
        has_header=layout.has_header,
        has_weights=walk.weights.has_weights,
        notices=(
            *size_notice,
            *layout.notices,
            *table.comment_notice(),
            *walk.weights.finish(),
            *walk.kinds.notices,
            *walk.header_notices(),
        ),
    )


class _Walk:
    """One pass over the rows under a known layout, and what it gathers."""

    def __init__(self, content: Content, table: Table, layout: Layout) -> None:
        self.weights = weight_column(content, decimal_comma=table.separator in ";\t")
        self.kinds = TypeColumn(table.name)
        self.index: dict[str, int] = {}
        self.starts, self.ends, self.counts = array("q"), array("q"), array("d")
        records = table.records()
        self._header = next(records)[1] if layout.has_header else []
        self._nodes_in_header = [self._header[k].strip() for k in (layout.source, layout.target) if self._header]
        self._repeats: list[int] = []
        for line, cells in records:
            if cells == self._header:
                self._repeats.append(line)
            else:
                self._row(table, layout, line, cells)

    def _row(self, table: Table, layout: Layout, line: int, cells: list[str]) -> None:
        if len(cells) != layout.width:
            cells = _fitted(table, layout, line, cells)
        start, end = cells[layout.source].strip(), cells[layout.target].strip()
        if not start or not end:
            raise InputError(f"{at(table.name, line)}: a node id is empty; give both ends of the edge.")
        self.starts.append(self.index.setdefault(start, len(self.index)))
        self.ends.append(self.index.setdefault(end, len(self.index)))
        self.counts.append(1.0 if layout.weight is None else self.weights.read(cells[layout.weight], line))
        if layout.kind is not None:
            self.kinds.read(cells[layout.kind], line)

    def header_notices(self) -> list[str]:
        """Sentences about a header that looks like data, and about a first row that looks like a header."""
        notices = []
        nodes = [name for name in self._nodes_in_header if name in self.index]
        if nodes:
            notices.append(f"The first line was read as a header, although {values(nodes)} also occurs as a node.")
        if self._repeats:
            notices.append(f"The header occurs again and was left out ({line_list(self._repeats)}).")
        if not self._header and len(self.starts) > 2 and self.ends[0] == 1 and self._is_odd_first_row():
            said = f"The first row ({values(islice(self.index, 2))}) was read as an edge; "
            notices.append(said + "remove it if it is none, or name the columns source and target if it is a header.")
        return notices

    def _is_odd_first_row(self) -> bool:
        """Whether the first row has two words that no other row names, or the numbers of nodes and of other rows."""
        one, two = islice(self.index, 2)
        if is_number(one) or is_number(two):
            nodes = len(self.index)
            return two == str(len(self.starts) - 1) and one in (str(nodes), str(nodes - 1), str(nodes - 2))
        return sum(column.count(node) for column in (self.starts, self.ends) for node in (0, 1)) == 2


def _fitted(table: Table, layout: Layout, line: int, cells: list[str]) -> list[str]:
    """The cells of a row brought to the layout's width: missing optional cells are empty, attributes are one cell.

    Raises:
        InputError: for a row without both nodes or with more cells than columns.
    """
    if len(cells) > layout.width and cells[2].startswith("{") and cells[-1].endswith("}"):
        cells = [*cells[:2], table.separator.join(cells[2:])]
    while len(cells) > layout.width and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) > layout.width:
        raise InputError(_too_wide(table, layout, line, len(cells)))
    if len(cells) <= max(layout.source, layout.target):
        if len(cells) == 1 and len(cells[0].split()) > 1:
            how = SEPARATORS[table.separator]
            raise InputError(
                f"{at(table.name, line)}: {shown(cells[0])} is not {how}, as the file is; write its columns alike, or "
                "remove the line."
            )
        raise InputError(
            f"{at(table.name, line)}: only {len(cells)} column where an edge needs a source and a target "
            "(columns may be separated by tabs, semicolons, commas or spaces)."
            if len(cells) == 1
            else f"{at(table.name, line)}: {len(cells)} columns are too few for the header; give both ends of the edge."
        )
    return cells + [""] * (layout.width - len(cells))


def _too_wide(table: Table, layout: Layout, line: int, width: int) -> str:
    if layout.has_header:
        return f"{at(table.name, line)}: {width} columns under a header of {layout.width}; name or remove the rest."
    return (
        f"{at(table.name, line)}: {width} columns where an edge list has source, target and an optional weight; "
        "add a header that names source, target and weight, or put quotation marks around ids with separators in them."
    )
