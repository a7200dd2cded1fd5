"""Node lists and attribute files: one id per line, or a table with an id column and others that describe the node."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.foreign import refuse_foreign
from gwl_core.readers.header import NODE_WORDS, normal
from gwl_core.readers.phrases import at, counted, line_list, values
from gwl_core.readers.table import Table

_SEPARATORS = "\t;,"
_NONE = "\x1f"
MAX_COLUMNS = 50
"""Attributes beyond these are left out, and named."""


@dataclass(frozen=True)
class NodeList:
    """The nodes that a file lists.

    Attributes:
        ids: distinct, in order.
        attributes: for each other column, by its name, a text for each id; "" where the file gives none.
        notices: sentences for the user.
    """

    ids: tuple[str, ...] = ()
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    def of(self, labels: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The attributes of a graph's nodes, "" for those not listed."""
        place = {label: k for k, label in enumerate(self.ids)}
        at_node = [place.get(label, -1) for label in labels]
        return {name: tuple(texts[k] if k >= 0 else "" for k in at_node) for name, texts in self.attributes.items()}


def read_node_list(content: Content) -> NodeList:
    """The distinct ids of a node list, in order, with what its other columns say of them.

    A header is a first line with a cell such as id, node, label or name, the first of these words found naming the
    column; without one the first column counts, and others are called column 2, column 3, …. Only a tab, semicolon or
    comma in every line, or around such a cell of the first, separates columns, so that an id may have spaces. Of an id
    that is listed again, the first row counts.

    Raises:
        InputError: for a list without ids, a line with an empty one, or one with more cells than the header.
    """
    refuse_foreign(content)
    table = Table(content.name, content.lines, _separator(content.lines))
    column, header = 0, list[str]()
    rows: dict[str, list[str]] = {}
    again: list[int] = []
    for number, (line, cells) in enumerate(table.records()):
        names = [normal(cell) for cell in cells]
        if number == 0 and any(name in NODE_WORDS for name in names):
            column = min((NODE_WORDS.index(name), k) for k, name in enumerate(names) if name in NODE_WORDS)[1]
            header = [cell.strip() for cell in cells]
            continue
        if header and len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
            raise InputError(
                f"{at(content.name, line)}: {len(cells)} columns under a header of {len(header)}; name or remove the "
                "rest."
            )
        label = cells[column].strip() if column < len(cells) else ""
        if not label:
            raise InputError(f"{at(content.name, line)}: the node id is empty; give one id per line.")
        if label in rows and rows[label] != cells:
            again.append(line)
        rows.setdefault(label, cells)
    if not rows:
        raise InputError(f"{content.name} has no nodes: it is empty or has only a header; give one id per line.")
    places = _columns(header, max(map(len, rows.values())), column)
    kept = places[:MAX_COLUMNS]
    attributes = {
        name: tuple(cells[k].strip() if k < len(cells) else "" for cells in rows.values()) for k, name in kept
    }
    notices = _notices(content.name, [n for _, n in places], again)
    return NodeList(tuple(rows), attributes, (*notices, *_uncut(content, table)))


def _columns(header: Sequence[str], width: int, ids: int) -> list[tuple[int, str]]:
    """Place and name of every column but that of the ids; every name once."""
    found: list[tuple[int, str]] = []
    taken: set[str] = set()
    for k in range(max(len(header), width)):
        name = header[k] if k < len(header) and header[k] else f"column {k + 1}"
        while name in taken:
            name += "_"
        taken.add(name)
        if k != ids:
            found.append((k, name))
    return found


def _notices(file: str, names: Sequence[str], again: Sequence[int]) -> tuple[str, ...]:
    said = []
    if names[:MAX_COLUMNS]:
        columns = "Column {} of {} describes" if len(names) == 1 else "Columns {} of {} describe"
        said.append(columns.format(values(names[:MAX_COLUMNS]), file) + " the nodes; matching does not use that.")
    if len(names) > MAX_COLUMNS:
        said.append(f"{counted(len(names) - MAX_COLUMNS, 'further column')} of {file} were left out.")
    if again:
        said.append(f"{file} lists ids again with other values ({line_list(again)}); the first row of each counts.")
    return tuple(said)


def _separator(lines: list[str]) -> str:
    """The separator in every line of data or of a header that names the ids, else one that no line has."""
    data = [line for line in lines if line.strip() and line.lstrip()[0] not in "#%"]
    every = next((s for s in _SEPARATORS if all(s in line for line in data)), None)
    headers = (s for s in _SEPARATORS if data and s in data[0] and {*map(normal, data[0].split(s))} & {*NODE_WORDS})
    return every or next(headers, _NONE)


def _uncut(content: Content, table: Table) -> list[str]:
    """A sentence about ids that have a separator in them, outside quotation marks, where other lines have none."""
    if table.separator != _NONE:
        return []
    lines = [re.sub(r'"[^"]*"', "", line) for line in content.lines if line.lstrip()[:1] not in ("#", "%")]
    whole = [line.strip() for line in lines if any(s in line.strip() for s in _SEPARATORS)]
    if not whole:
        return []
    return [
        f"{content.name}: {values(whole)} read as one id each, as not every line has that separator; "
        "if there are columns, give every line as many."
    ]
