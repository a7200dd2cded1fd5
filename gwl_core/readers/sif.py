"""SIF, Cytoscape's simple interaction format: source, kind of interaction, targets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.header import find_roles, is_number
from gwl_core.readers.phrases import at, counted, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows

_SAMPLE = 500
_KINDS = {
    "pp", "pd", "pr", "rc", "cr", "gl", "pm", "mp", "rp", "cc", "dp", "gd", "interacts", "interacts with", "ppi",
    "activates", "inhibits", "binds", "regulates", "controls-expression-of",
}  # fmt: skip


def is_sif(content: Content) -> bool:
    """Whether rows read 'source kind target …' and the kind never names a node.

    In a file not called .sif the third cell must be no number (or it is a weight), and kinds well known or few.
    """
    rows = [cells for _, cells in islice(_rows(content), _SAMPLE)]
    edges = [cells for cells in rows if len(cells) > 1]
    called = content.suffix == ".sif"
    if not edges or any(len(cells) < 3 for cells in edges) or _has_header(rows[0]):
        return False
    if not called and any(is_number(cells[2]) for cells in edges):
        return False
    kinds = Counter(cells[1] for cells in edges)
    nodes = {cells[0] for cells in rows} | {node for cells in edges for node in cells[2:]}
    attributes = any(cells[2].startswith("{") for cells in edges)  # of a networkx edge list: a b {'weight': 1}
    if nodes & kinds.keys() or (attributes and not called):
        return False
    return called or kinds.keys() <= _KINDS or (len(edges) > 2 and len(kinds) <= len(edges) // 3)


def _has_header(cells: list[str]) -> bool:
    roles = find_roles(cells)
    return roles is not None and roles.certain


def read_sif(content: Content) -> EdgeRows:
    """The rows of a SIF file: a row may have several targets, or a node alone.

    Raises:
        InputError: naming a row with two cells, or an empty node.
    """
    rows = Rows(content)
    edges, kinds = [], Counter[str]()
    known: dict[str, int] = {}
    for line, cells in _rows(content):
        if len(cells) == 2 or not all(cells):
            raise InputError(f"{at(content.name, line)}: a row needs a source, a kind and a target; give all three.")
        for node in (cells[0], *cells[2:]):
            if node not in known:
                known[node] = line
                rows.node(node, "", line)
        kinds.update(cells[1:2])
        edges += [(cells[0], target, line) for target in cells[2:]]
    for start, end, line in edges:
        rows.edge(start, end, None, line)
    notices = []
    if len(kinds) > 1:
        notices.append(f"{counted(len(kinds), 'kind')} of interaction ({values(kinds)}) were taken together.")
    return rows.finish("SIF", notices=notices)


def _rows(content: Content) -> Iterator[tuple[int, list[str]]]:
    """(line, cells): cut at tabs if the file has any, else at spaces."""
    tabs = "\t" in content.text
    for number, line in enumerate(content.lines, 1):
        cells = [cell.strip() for cell in line.rstrip().split("\t")] if tabs else line.split()
        if any(cells):
            yield number, cells
