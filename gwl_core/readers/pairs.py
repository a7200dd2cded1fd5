"""Lists of known pairs: truth for measuring, anchors as prior knowledge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.readers.content import Content
from gwl_core.readers.foreign import refuse_foreign
from gwl_core.readers.header import WEIGHT_WORDS, find_roles, is_like_rows, normal
from gwl_core.readers.ids import suggest_conversion
from gwl_core.readers.phrases import at, counted, line_list, listed, shown, values
from gwl_core.readers.report import AnchorsReport, TruthReport
from gwl_core.readers.table import Table, rank_separators
from gwl_core.readers.weights import WeightColumn


@dataclass(frozen=True)
class _Row:
    line: int
    source: str
    target: str
    weight: str

    @property
    def turned(self) -> _Row:
        return _Row(self.line, self.target, self.source, self.weight)


@dataclass(frozen=True)
class _Pairs:
    """Rows that name a node of each graph, and what was said about the others."""

    rows: list[_Row]
    present: int
    swapped: bool
    decimal_comma: bool
    notices: list[str]


def read_truth_pairs(content: Content, source: Graph, target: Graph) -> TruthReport:
    """The truth in a file; rows naming unknown nodes are left out, with a notice.

    Raises:
        InputError: if no row fits the graphs, or a source has two targets.
    """
    found = _read_pairs(content, source, target)
    first: dict[str, _Row] = {}
    repeats = []
    for row in found.rows:
        earlier = first.setdefault(row.source, row)
        if earlier.target != row.target:
            raise InputError(
                f"{at(content.name, (earlier.line, row.line))}: source {shown(row.source)} has two targets, "
                f"{shown(earlier.target)} and {shown(row.target)}; keep one."
            )
        if earlier is not row:
            repeats.append(row.line)
    notices = list(found.notices)
    if any(row.weight for row in found.rows):
        notices.append("Only the two columns of ids were used.")
    if repeats:
        notices.append(f"{counted(len(repeats), 'repeated row')} left out ({line_list(repeats)}).")
    shared = [t for t, times in Counter(row.target for row in first.values()).items() if times > 1]
    if shared:
        notices.append(f"{counted(len(shared), 'target')} given for more than one source: {values(shared)}.")
    pairs = np.array([(source.index[r.source], target.index[r.target]) for r in first.values()], dtype=np.int64)
    return TruthReport(pairs, found.present, len(pairs), tuple(notices), found.swapped)


def read_anchor_pairs(content: Content, source: Graph, target: Graph) -> AnchorsReport:
    """The anchors in a file: pairs with a count in an optional third column (1 where absent); repeated pairs add up.

    Raises:
        InputError: if no row fits the graphs, or a count is no finite number of 0 or more.
    """
    found = _read_pairs(content, source, target)
    column = WeightColumn(content.name, found.decimal_comma)
    weights = [column.read(row.weight, row.line) for row in found.rows]
    notices = [*found.notices, *column.finish()]
    ends = ([source.index[r.source] for r in found.rows], [target.index[r.target] for r in found.rows])
    matrix = sparse.coo_array((weights, ends), shape=(source.n_nodes, target.n_nodes), dtype=np.float64).tocsr()
    matrix.eliminate_zeros()
    if not matrix.nnz:
        raise InputError(f"{content.name}: every anchor has weight 0; give at least one a positive weight.")
    return AnchorsReport(matrix, found.present, len(found.rows), tuple(notices), found.swapped)


def _read_pairs(content: Content, source: Graph, target: Graph) -> _Pairs:
    refuse_foreign(content)
    table = _best_table(content, source, target)
    rows, notices = _rows(table, source, target)
    if not rows:
        raise InputError(f"{content.name} has no pairs: it is empty or has only a header; give one pair per line.")
    turned = [row.turned for row in rows]
    straight, swapped = (sum(_fits(row.source, row.target, source, target) for row in way) for way in (rows, turned))
    if not straight and not swapped:
        raise InputError(_why_none_fits(content.name, rows, source, target))
    if swapped > straight:
        rows = turned
        notices.append(f"The columns were read as target, source: {swapped:,} of {counted(len(rows), 'row')} fit so.")
    known = [row for row in rows if _fits(row.source, row.target, source, target)]
    notices += _unknown_notice(rows, source, target)
    return _Pairs(known, len(rows), swapped > straight, table.separator in ";\t", notices)


def _fits(one: str, other: str, source: Graph, target: Graph) -> bool:
    return one in source.index and other in target.index


def _best_table(content: Content, source: Graph, target: Graph) -> Table:
    """The table at the separator under which most of the first rows name known nodes."""

    def fitting(table: Table) -> int:
        try:
            rows = [[cell.strip() for cell in cells[:2]] for _, cells in islice(table.records(), 50)]
        except InputError:
            return -1
        pairs = [row for row in rows if len(row) == 2]
        return sum(_fits(a, b, source, target) or _fits(b, a, source, target) for a, b in pairs)

    return max((Table(content.name, content.lines, s) for s in rank_separators(content.lines)), key=fitting)


def _rows(table: Table, source: Graph, target: Graph) -> tuple[list[_Row], list[str]]:
    """Every row of data, its columns in the order of the header or of the file, and notices."""
    records = [(line, _stripped(cells)) for line, cells in table.records()]
    notices = table.comment_notice()
    one, two, weight, width = 0, 1, 2, 3
    if records and _is_header([cells for _, cells in records], source, target):
        header = records.pop(0)[1]
        roles = find_roles(header)
        one, two = (roles.source, roles.target) if roles else (0, 1)
        named = [k for k, cell in enumerate(header) if normal(cell) in WEIGHT_WORDS and k not in (one, two)]
        weight, width = (named or [len(header)])[0], len(header)
        if not roles or not roles.certain:
            notices.append(f"The first line ({values(header)}) was read as a header.")
    rows = []
    for line, cells in records:
        if len(cells) <= max(one, two) or not cells[one] or not cells[two]:
            raise InputError(f"{at(table.name, line)}: a pair needs a source and a target; give both or leave it out.")
        if len(cells) > width:
            raise InputError(f"{at(table.name, line)}: {len(cells)} columns are too many; give source and target only.")
        rows.append(_Row(line, cells[one], cells[two], cells[weight] if weight < len(cells) else ""))
    return rows, notices


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
    if _fits(first[one], first[two], source, target) or _fits(first[two], first[one], source, target):
        return roles is not None and roles.certain and (first[one] in ids or first[two] in ids)
    return (roles is not None and roles.certain) or weighted or not is_like_rows(first[one], first[two], ids)


def _sides(rows: Sequence[_Row], source: Graph, target: Graph) -> Iterator[tuple[str, Graph, dict[str, list[int]]]]:
    """For source and target: the word, the graph, and the lines of every id."""
    getters: tuple[tuple[str, Graph, Callable[[_Row], str]], ...] = (
        ("source", source, lambda row: row.source),
        ("target", target, lambda row: row.target),
    )
    for word, graph, get in getters:
        lines = defaultdict(list)
        for row in rows:
            lines[get(row)].append(row.line)
        yield word, graph, lines


def _advice(rows: Sequence[_Row], source: Graph, target: Graph) -> list[str]:
    """What would make the ids fit, one phrase a side."""
    phrases = []
    for word, graph, lines in _sides(rows, source, target):
        conversion = suggest_conversion(lines, graph.labels)
        if conversion:
            phrases.append(f"in the {word} column {conversion}")
    return phrases


def _unknown_notice(rows: Sequence[_Row], source: Graph, target: Graph) -> list[str]:
    left_out = [row for row in rows if not _fits(row.source, row.target, source, target)]
    if not left_out:
        return []
    parts = []
    for _, graph, lines in _sides(left_out, source, target):
        unknown = [label for label in lines if label not in graph.index]
        if unknown:
            parts.append(f"{values(unknown)} not in {graph.name}")
    text = f"{counted(len(left_out), 'row')} of unknown nodes left out ({line_list([r.line for r in left_out])}): "
    advice = _advice(rows, source, target)
    return [text + ", ".join(parts) + (f"; perhaps {listed(advice)}" if advice else "") + "."]


def _why_none_fits(name: str, rows: Sequence[_Row], source: Graph, target: Graph) -> str:
    text = f"{name}: 0 of {counted(len(rows), 'row')} match the nodes of {source.name} and {target.name}"
    advice = _advice(rows, source, target) or _advice([row.turned for row in rows], source, target)
    if advice:
        return f"{text}; {listed(advice)}."
    examples = " and ".join(
        f"{shown(next(iter(lines)))} where {graph.name} has {shown(graph.labels[0])}"
        for _, graph, lines in _sides(rows, source, target)
    )
    return f"{text} (it has {examples}); ids must be spelled the same."
