"""Node lists: one id per line, or a table with an id column."""

from __future__ import annotations

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.foreign import refuse_foreign
from gwl_core.readers.header import NODE_WORDS, normal
from gwl_core.readers.phrases import at
from gwl_core.readers.table import Table


def read_node_list(content: Content) -> tuple[str, ...]:
    """The distinct ids of a node list, in order.

    A header is a first line with a cell such as id, node, label or name, the first of these words found naming the
    column; without one the first column counts. Only a tab, semicolon or comma in every line separates columns, so
    that an id may have spaces.

    Raises:
        InputError: for a list without ids or a line with an empty one.
    """
    refuse_foreign(content)
    table = Table(content.name, content.lines, _separator(content.lines))
    column = 0
    ids: dict[str, None] = {}
    for number, (line, cells) in enumerate(table.records()):
        names = [normal(cell) for cell in cells]
        if number == 0 and any(name in NODE_WORDS for name in names):
            column = min((NODE_WORDS.index(name), k) for k, name in enumerate(names) if name in NODE_WORDS)[1]
            continue
        label = cells[column].strip() if column < len(cells) else ""
        if not label:
            raise InputError(f"{at(content.name, line)}: the node id is empty; give one id per line.")
        ids[label] = None
    if not ids:
        raise InputError(f"{content.name} has no nodes: it is empty or has only a header; give one id per line.")
    return tuple(ids)


def _separator(lines: list[str]) -> str:
    """The separator in every line of data, or one that no line has."""
    data = [line for line in lines if line.strip() and line.lstrip()[0] not in "#%"]
    return next((s for s in "\t;," if all(s in line for line in data)), "\x1f")
