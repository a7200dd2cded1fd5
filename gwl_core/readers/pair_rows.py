"""Rows that pair a node of one graph with a node of another: columns, their order, and ids that fit neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NoReturn

from gwl_core.errors import InputError, OfferError
from gwl_core.graph import Graph
from gwl_core.readers.content import Content
from gwl_core.readers.foreign import refuse_foreign
from gwl_core.readers.header import WEIGHT_WORDS, find_roles, is_like_rows, normal
from gwl_core.readers.ids import Conversion, conversion
from gwl_core.readers.one_column import one_column
from gwl_core.readers.phrases import at, counted, line_list, listed, shown, values
from gwl_core.readers.table import Table, rank_separators


@dataclass(frozen=True)
class PairRow:
    """One row: ids as text, and a third cell or ""."""

    line: int
    source: str
    target: str
    weight: str = ""

    @property
    def turned(self) -> PairRow:
        return PairRow(self.line, self.target, self.source, self.weight)

    def fits(self, source: Graph, target: Graph) -> bool:
        return self.source in source.index and self.target in target.index


@dataclass(frozen=True)
class PairRows:
    """The rows that fit both graphs, how many rows there were, whether the columns were turned, and notices.

    convertible says that more rows would fit if their ids were spelled as the graphs do.
    """

    rows: list[PairRow]
    present: int
    swapped: bool
    decimal_comma: bool
    notices: list[str]
    convertible: bool = False


def read_pair_rows(
    content: Content, source: Graph, target: Graph, convert: bool = False, by_order: bool = False
) -> PairRows:
    """The pairs in a file, the columns taken in the order in which more rows fit the graphs.

    Args:
        convert: ids that fit no node are spelled as the node that they can only mean (case, spaces, decimals, leading
            zeros, a constant offset).
        by_order: a file of one column gives the match of the k-th node in its k-th line.

    Raises:
        InputError: for a file without pairs, a row without two ids, or if no row fits the graphs; an OfferError where
            `convert` or `by_order` would help.
    """
    refuse_foreign(content)
    table = _best_table(content, source, target)
    rows, named, notices = _rows(table, source, target, by_order)
    if not rows:
        raise InputError(f"{content.name} has no pairs: it is empty or has only a header; give one pair per line.")
    ways = [rows, [row.turned for row in rows]]
    if convert:
        ways = [_converted(way, source, target) for way in ways]
    straight, swapped = (sum(row.fits(source, target) for row in way) for way in ways)
    if not straight and not swapped:
        _refuse_all(content.name, rows, source, target)
    if convert:
        notices += _converted_notice(rows if straight >= swapped else [row.turned for row in rows], source, target)
    turned = ways[1]
    rows = ways[0]
    if swapped > straight:
        rows = turned
        notices.append(f"The columns were read as target, source: {swapped:,} of {len(rows):,} rows fit so.")
    elif swapped == straight and not named and _ends(rows) != _ends(turned):
        notices.append("The ids fit either way round; the first column was taken as the source.")
    fitting = [row for row in rows if row.fits(source, target)]
    notices += _left_out_notice(rows, source, target)
    convertible = not convert and bool(_advice(rows, source, target))
    return PairRows(fitting, len(rows), swapped > straight, table.separator in ";\t", notices, convertible)


def _converted(rows: Sequence[PairRow], source: Graph, target: Graph) -> list[PairRow]:
    """The rows with ids spelled as the graphs do."""
    of = [found.of if found else {} for _, _, found in _conversions(rows, source, target)]
    return [PairRow(r.line, of[0].get(r.source, r.source), of[1].get(r.target, r.target), r.weight) for r in rows]


def _conversions(rows: Sequence[PairRow], source: Graph, target: Graph) -> list[tuple[str, Graph, Conversion | None]]:
    return [(word, graph, conversion(ids, graph.index)) for word, graph, ids in _sides(rows, source, target)]


def _converted_notice(rows: Sequence[PairRow], source: Graph, target: Graph) -> list[str]:
    """A sentence for each column whose ids were spelled anew."""
    said = []
    for word, graph, found in _conversions(rows, source, target):
        if found:
            one, other = next(iter(found.of.items()))
            few = f"{counted(len(found.of), 'id')} of the {word} column"
            said.append(f"{few} spelled as {graph.name} does, as asked: {shown(one)} became {shown(other)}.")
    return said


def _ends(rows: Sequence[PairRow]) -> set[tuple[str, str]]:
    return {(row.source, row.target) for row in rows}


def _best_table(content: Content, source: Graph, target: Graph) -> Table:
    """The table at the separator under which most of the first rows name known nodes."""

    def fitting(table: Table) -> int:
        try:
            cells = [_stripped(cells) for _, cells in islice(table.records(), 50)]
        except InputError:
            return -1
        rows = [PairRow(0, *pair[:2]) for pair in cells if len(pair) > 1]
        return sum(row.fits(source, target) or row.turned.fits(source, target) for row in rows)

    return max((Table(content.name, content.lines, s) for s in rank_separators(content.lines)), key=fitting)


def _rows(table: Table, source: Graph, target: Graph, by_order: bool) -> tuple[list[PairRow], bool, list[str]]:
    """Every row of data in the columns' own order; whether a header names that order; notices."""
    records = [(line, _stripped(cells)) for line, cells in table.records()]
    notices = table.comment_notice()
    if records and all(len(cells) == 1 for _, cells in records):
        single = [(line, cells[0]) for line, cells in records]
        found, said = one_column(table.name, single, source, target, by_order)
        return [PairRow(*row) for row in found], True, [*notices, *said]
    one, two, weight, width, roles = 0, 1, 2, 3, None
    if records and _is_header([cells for _, cells in records], source, target):
        header = records.pop(0)[1]
        roles = find_roles(header)
        one, two = (roles.source, roles.target) if roles else (0, 1)
        weights = [k for k, cell in enumerate(header) if normal(cell) in WEIGHT_WORDS and k not in (one, two)]
        weight, width = (weights or [len(header)])[0], len(header)
        if not roles or not roles.certain:
            notices.append(f"The first line ({values(header)}) was read as a header.")
        others = [cell for k, cell in enumerate(header) if cell and k not in (one, two, weight)]
        if others:
            notices.append(f"{'Column' if len(others) == 1 else 'Columns'} {values(others)} ignored.")
    rows = []
    for line, cells in records:
        if len(cells) <= max(one, two) or not cells[one] or not cells[two]:
            raise InputError(f"{at(table.name, line)}: a pair needs a source and a target; give both or leave it out.")
        if len(cells) > width:
            raise InputError(f"{at(table.name, line)}: {len(cells)} columns are too many; give source and target only.")
        rows.append(PairRow(line, cells[one], cells[two], cells[weight] if weight < len(cells) else ""))
    return rows, roles is not None, notices


def _stripped(cells: Sequence[str]) -> list[str]:
    """The cells without surrounding spaces and without empty ones beyond the second."""
    found = [cell.strip() for cell in cells]
    while len(found) > 2 and not found[-1]:
        found.pop()
    return found


def _is_header(records: Sequence[Sequence[str]], source: Graph, target: Graph) -> bool:
    """Whether the first line is a header: it has the words of one and does not itself name a pair of nodes.

    Of nodes called "source" and "target" it is one if they occur again.
    """
    first = records[0]
    roles = find_roles(first)
    weighted = any(normal(cell) in WEIGHT_WORDS for cell in first[2:])
    if len(first) < 2 or not (roles or weighted):
        return False
    one, two = (roles.source, roles.target) if roles else (0, 1)
    ids = [row[k] for row in records[1:] for k in (one, two) if k < len(row)]
    certain = roles is not None and roles.certain
    row = PairRow(0, first[one], first[two])
    if row.fits(source, target) or row.turned.fits(source, target):
        return certain and (row.source in ids or row.target in ids)
    return certain or weighted or not is_like_rows(row.source, row.target, ids)


def _sides(rows: Sequence[PairRow], source: Graph, target: Graph) -> tuple[tuple[str, Graph, list[str]], ...]:
    """For source and target: the word, the graph, and the distinct ids in order."""
    return (
        ("source", source, list(dict.fromkeys(row.source for row in rows))),
        ("target", target, list(dict.fromkeys(row.target for row in rows))),
    )


def _advice(rows: Sequence[PairRow], source: Graph, target: Graph) -> list[str]:
    """What would make the ids fit, one phrase a side."""
    return [f"in the {word} column {found.phrase}" for word, _, found in _conversions(rows, source, target) if found]


def _left_out_notice(rows: Sequence[PairRow], source: Graph, target: Graph) -> list[str]:
    left_out = [row for row in rows if not row.fits(source, target)]
    if not left_out:
        return []
    parts = []
    for _, graph, ids in _sides(left_out, source, target):
        unknown = [label for label in ids if label not in graph.index]
        if unknown:
            parts.append(f"{values(unknown)} not in {graph.name}")
    text = f"{counted(len(left_out), 'row')} of unknown nodes left out ({line_list([r.line for r in left_out])}): "
    advice = _advice(rows, source, target)
    return [text + ", ".join(parts) + (f"; perhaps {listed(advice)}" if advice else "") + "."]


def _refuse_all(name: str, rows: Sequence[PairRow], source: Graph, target: Graph) -> NoReturn:
    """Raise for a file of which no row fits, with what would help."""
    text = f"{name}: 0 of {len(rows):,} rows match the nodes of {source.name} and {target.name}"
    advice = _advice(rows, source, target) or _advice([row.turned for row in rows], source, target)
    if advice:
        raise OfferError(f"{text}; {listed(advice)}, or have the ids converted so (--convert-ids).", "convert")
    examples = " and ".join(
        f"{shown(ids[0])} where {graph.name} has {shown(graph.labels[0])}"
        for _, graph, ids in _sides(rows, source, target)
    )
    raise InputError(f"{text} (it has {examples}); ids must be spelled the same.")
