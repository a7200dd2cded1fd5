"""A first line that gives the sizes of a graph in place of an edge: '16 58', or '16 16 58'."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SIZES = re.compile(r"\s*(?P<nodes>\d{1,9})[\s,;]+(?P<again>(?P=nodes)[\s,;]+)?(?P<edges>\d{1,9})\s*$", re.ASCII)
_CUT = re.compile(r"[\s,;]+")


def without_sizes(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines, one of sizes emptied, and a sentence if there was one.

    It is one if its last number is exactly that of the rows below (or of those cut by tabs) and names no node there (or
    it has three numbers and no row below has), and its first is not below the number of nodes there.
    """
    data = [k for k, line in enumerate(lines) if line.strip() and line.lstrip()[0] not in "#%"]
    match = _SIZES.match(lines[data[0]]) if len(data) > 1 else None
    if match is None or int(match["edges"]) not in (len(data) - 1, sum("\t" in lines[k] for k in data[1:])):
        return lines, []
    nodes = _nodes([lines[k] for k in data[1:]])
    pairs_only = match["again"] and all(len(_CUT.split(lines[k].strip())) == 2 for k in data[1:])
    if (match["edges"] in nodes and not pairs_only) or len(nodes) > int(match["nodes"]):
        return lines, []
    said = f"Line {data[0] + 1} ({lines[data[0]].strip()}) was read as the numbers of nodes and edges, not as an edge."
    rest = lines.copy()
    rest[data[0]] = ""
    return rest, [said]


def _nodes(rows: Sequence[str]) -> set[str]:
    return {node.strip('"') for row in rows for node in _CUT.split(row.strip(), maxsplit=2)[:2]}
