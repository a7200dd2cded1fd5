"""Weighted edge lists: comma, semicolon, tab or space separated, header or not."""

from __future__ import annotations

from array import array

import numpy as np

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.direction import TypeColumn
from gwl_core.readers.layout import Layout, find_layout
from gwl_core.readers.phrases import at, line_list, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.table import SEPARATORS, Table, rank_separators
from gwl_core.readers.weights import WeightColumn

# Headers, comments and blank lines that are not held against a file when its lines are counted before reading.
_OTHER_LINES = 10_000


def read_edge_list(content: Content) -> EdgeRows:
    """The rows of an edge list; ids are kept as text, without surrounding spaces and quotation marks.

    Raises:
        InputError: naming the line of a row that is no edge, a weight that is no count, or mixed directions.
    """
    cap = 2 * content.limits.max_edges
    if len(content.lines) > cap + _OTHER_LINES:
        raise InputError(
            f"{content.name} has {len(content.lines):,} lines, over the cap of {cap:,} rows; give a smaller graph."
        )
    table = Table(content.name, content.lines, rank_separators(content.lines)[0])
    layout = find_layout(table) or Layout(0, 1, 2, None, 3, has_header=False)
    weights = WeightColumn(content.name, decimal_comma=table.separator in ";\t")
    kinds = TypeColumn(content.name)
    index: dict[str, int] = {}
    starts, ends, counts = array("q"), array("q"), array("d")
    records = table.records()
    header = next(records)[1] if layout.has_header else None
    repeated: list[int] = []
    for line, found in records:
        cells = found if len(found) == layout.width else _fitted(table, layout, line, found)
        if cells == header:
            repeated.append(line)
            continue
        start, end = cells[layout.source].strip(), cells[layout.target].strip()
        if not start or not end:
            raise InputError(f"{at(table.name, line)}: a node id is empty; give both ends of the edge.")
        starts.append(index.setdefault(start, len(index)))
        ends.append(index.setdefault(end, len(index)))
        counts.append(weights.read(cells[layout.weight], line) if layout.weight is not None else 1.0)
        if layout.kind is not None:
            kinds.read(cells[layout.kind], line)
    directed, reason = kinds.finish()
    reused = [name for k in (layout.source, layout.target) if header and (name := header[k].strip()) in index]
    notices = [*layout.notices, *table.comment_notice(), *weights.finish(), *kinds.notices]
    if reused:
        notices.append(f"The first line was read as a header, although {values(reused)} also occurs as a node.")
    if repeated:
        notices.append(f"The header occurs again and was left out ({line_list(repeated)}).")
    return EdgeRows(
        labels=tuple(index),
        starts=np.frombuffer(starts, dtype=np.int64),
        ends=np.frombuffer(ends, dtype=np.int64),
        weights=np.frombuffer(counts, dtype=np.float64),
        format=SEPARATORS[table.separator] + " edge list",
        directed=directed,
        direction_reason=reason,
        has_header=layout.has_header,
        has_weights=weights.has_weights,
        notices=tuple(notices),
    )


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
