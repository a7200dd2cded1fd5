"""LEDA graphs (.gw), as SANA and the GRAAL family write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.phrases import at, shown
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows

_LABEL = re.compile(r"\|\{(.*)\}\|")
_NUMBERS = ("short", "int", "long", "float", "double", "bool")
_DIRECTIONS = {"-1": True, "-2": False}
_EDGE = re.compile(r"(\S+)\s+(\S+)(?:\s+(\S+))?(?:\s+(\|\{.*\}\|))?\s*$")


def is_leda(content: Content) -> bool:
    return re.match(r"\s*(?:#[^\n]*\n\s*)*LEDA\.GRAPH\b", content.head) is not None


def read_leda(content: Content) -> EdgeRows:
    """The graph of a LEDA file; the line that gives the direction (-1 or -2) may be absent, as in older files.

    Edge labels of a number type are weights, unless all are 0.

    Raises:
        InputError: naming the line of what is no node or edge, or where the file ends early.
    """
    lines = _Lines(content)
    lines.take("LEDA.GRAPH")
    lines.take("the type of nodes")
    _, edge_type = lines.take("the type of edges")
    line, text = lines.take("the number of nodes")
    directed = _DIRECTIONS.get(text)
    if directed is not None:
        line, text = lines.take("the number of nodes")
    n = _count(content, line, text, "nodes", content.limits.max_nodes)
    rows = Rows(content)
    nodes = []
    for number in range(1, n + 1):
        line, text = lines.take(f"node {number} of {n}")
        match = _LABEL.fullmatch(text)
        if not match:
            raise InputError(f"{at(content.name, line)}: {shown(text)} is no node; write |{{label}}|.")
        nodes.append((match[1], line))
    for number, (label, line) in enumerate(nodes, 1):
        rows.node(str(number), label, line)
    line, text = lines.take("the number of edges")
    edges = [
        _edge(content, *lines.take("an edge"))
        for _ in range(_count(content, line, text, "edges", 2 * content.limits.max_edges))
    ]
    weights = [weight for _, _, weight, _ in edges]
    weighted = edge_type.lower() in _NUMBERS and any(weight.strip("0.") for weight in weights)
    for start, end, weight, line in edges:
        rows.edge(start, end, weight if weighted else None, line)
    notices = []
    if any(weights) and not weighted:
        notices.append("The edges' labels are no weights (all 0, or text), so each edge counts 1.")
    rest = next(lines.rest, None)
    if rest is not None:
        raise InputError(f"{at(content.name, rest[0])}: the file goes on after its last edge; correct the counts.")
    reason = "" if directed is None else f"The file says {'-1, directed' if directed else '-2, undirected'}."
    return rows.finish("LEDA graph", directed, reason, notices)


class _Lines:
    """Lines with content, one at a time."""

    def __init__(self, content: Content) -> None:
        self._name = content.name
        self.rest: Iterator[tuple[int, str]] = (
            (number, line.strip())
            for number, line in enumerate(content.lines, 1)
            if line.strip() and not line.startswith("#")
        )

    def take(self, what: str) -> tuple[int, str]:
        found = next(self.rest, None)
        if found is None:
            raise InputError(f"{self._name} ends before {what}; it was cut short.")
        return found


def _count(content: Content, line: int, text: str, what: str, cap: int) -> int:
    if not re.fullmatch(r"\d{1,12}", text, re.ASCII):
        raise InputError(f"{at(content.name, line)}: {shown(text)} is no number of {what}; give a whole number.")
    if int(text) > cap:
        raise InputError(f"{at(content.name, line)}: {int(text):,} {what}, over the cap of {cap:,}; give fewer.")
    return int(text)


def _edge(content: Content, line: int, text: str) -> tuple[str, str, str, int]:
    """(start, end, label, line) of 'start end reversal |{label}|'."""
    match = _EDGE.match(text)
    if not match:
        raise InputError(f"{at(content.name, line)}: {shown(text)} is no edge; write start end 0 |{{}}|.")
    label = match[4] or ""
    return match[1], match[2], label[2:-2].strip(), line
