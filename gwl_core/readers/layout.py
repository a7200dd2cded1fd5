"""Where the two nodes, the weight and the direction stand in a table of edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gwl_core.errors import InputError
from gwl_core.readers.header import WEIGHT_WORDS, Roles, find_roles, is_like_rows, is_number, normal
from gwl_core.readers.phrases import at, values
from gwl_core.readers.table import Table


@dataclass(frozen=True)
class Layout:
    """Columns of an edge table; width is the most cells a row may have."""

    source: int
    target: int
    weight: int | None
    kind: int | None
    width: int
    has_header: bool
    notices: tuple[str, ...] = ()


# No header: source, target, optional weight.
PLAIN = Layout(0, 1, 2, None, 3, has_header=False)


def find_layout(table: Table) -> Layout:
    """The layout of a table.

    The first line is a header if it names source and target, or a weight behind the two nodes. A less certain one (u/v,
    node1/node2; words above numbers; a text above weights) is a header only if its names do not look like the rows'
    ids, with a notice. Otherwise the layout is PLAIN.

    Raises:
        InputError: for a table of nodes or a matrix with row names.
    """
    line, cells = next(table.records(), (0, []))
    cells = [cell.strip() for cell in cells]
    if not cells:
        return PLAIN
    names = [normal(cell) for cell in cells]
    roles = find_roles(cells)
    if (roles and roles.certain) or any(name in WEIGHT_WORDS for name in names[2:]):
        return _named(cells, names, roles)
    if len(cells) < 2:
        return PLAIN
    unnamed = not cells[0] and len(cells) > 2 and (len(cells) > 3 or not is_number(cells[2]))
    if unnamed or (roles is None and names[0] in ("id", "nodeid")):
        what = "matrix with row names" if unnamed else "table of nodes"
        raise InputError(f"{at(table.name, line)}: this looks like a {what}, not like edges; give an edge list.")
    if _is_header(table, cells, roles):
        layout = _named(cells, names, roles)
        said = f"Line {line} ({values(cells)}) was read as a header, not as an edge."
        return replace(layout, notices=(said, *layout.notices))
    return PLAIN


def _named(cells: Sequence[str], names: Sequence[str], roles: Roles | None) -> Layout:
    source, target = (roles.source, roles.target) if roles else (0, 1)
    rest = [k for k in range(len(names)) if k not in (source, target)]
    weights = sorted((WEIGHT_WORDS.index(names[k]), k) for k in rest if names[k] in WEIGHT_WORDS)
    # A third column under an unknown header is what a headerless third column is.
    weight = weights[0][1] if weights else (2 if roles is None and len(cells) == 3 else None)
    kind = next((k for k in rest if names[k] in ("type", "edgetype")), None)
    ignored = [cells[k] for k in rest if k not in (weight, kind) and cells[k]]
    notices = []
    if roles is None:
        notices.append(f"Columns {values(cells[:2])} were taken as source and target.")
    if ignored:
        hint = "" if weight is not None else "; name one weight to use it"
        columns = "Column" if len(ignored) == 1 else "Columns"
        notices.append(f"{columns} {values(ignored)} ignored{hint}.")
    return Layout(source, target, weight, kind, len(cells), has_header=True, notices=tuple(notices))


def _is_header(table: Table, cells: Sequence[str], roles: Roles | None) -> bool:
    """Whether an uncertain first line is a header, by what stands below it."""
    if roles:
        ids = _ids(table, roles.source, roles.target)
        return not is_like_rows(cells[roles.source], cells[roles.target], ids)
    if len(cells) > 3 or not cells[0] or not cells[-1] or cells[-1][0] == "{" or any(map(is_number, cells)):
        return False
    thirds = (row[2] for row in _rows(table) if len(row) > 2 and row[2].strip())
    below = thirds if len(cells) == 3 else _ids(table)
    return (
        is_number(next(below, "")) and all(map(is_number, below)) and not is_like_rows(cells[0], cells[1], _ids(table))
    )


def _rows(table: Table) -> Iterator[list[str]]:
    """The cells of every record but the first."""
    records = table.records()
    next(records, None)
    return (cells for _, cells in records)


def _ids(table: Table, source: int = 0, target: int = 1) -> Iterator[str]:
    """The node ids of every record but the first."""
    for cells in _rows(table):
        for k in (source, target):
            if k < len(cells):
                yield cells[k].strip()
