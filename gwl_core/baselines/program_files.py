"""Graphs as the files that other programs read, and the pairs that they write."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from gwl_core.baselines.topology import Topology
from gwl_core.errors import MethodError

_PAIR = re.compile(r"\s*([^\s,;>]+?)\s*(?:->|[\s,;])\s*([^\s,;>]+)\s*")


def edge_list(graph: Topology, letter: str) -> str:
    """One edge a line, names separated by a tab; isolated nodes do not appear."""
    return "".join(f"{letter}{u}\t{letter}{v}\n" for u, v in zip(*(side.tolist() for side in graph.edges), strict=True))


def leda(graph: Topology, letter: str) -> str:
    """LEDA's .gw with string labels, nodes counted from 1, every edge once and undirected (−2)."""
    nodes = [f"|{{{letter}{u}}}|" for u in range(graph.n)]
    rows, columns = (side.tolist() for side in graph.edges)
    edges = [f"{u + 1} {v + 1} 0 |{{}}|" for u, v in zip(rows, columns, strict=True)]
    return "\n".join(["LEDA.GRAPH", "string", "short", "-2", str(graph.n), *nodes, str(len(edges)), *edges]) + "\n"


INPUTS: Mapping[str, Callable[[Topology, str], str]] = {"edges": edge_list, "leda": leda}
"""Writers by the name of the format; the file's nodes are named by the letter and their index."""


def read_pairs(title: str, text: str, smaller: int, larger: int) -> np.ndarray:
    """(smaller,) target of each node a0, a1, …, −1 for none, from `a -> b` or two columns, either way round.

    Empty lines and those that begin with # are passed over.

    Raises:
        MethodError: a line that is no pair, a node that was not in the files or comes twice, or no pair at all.
    """
    image = np.full(smaller, -1, dtype=np.int64)
    taken = np.zeros(larger, dtype=bool)
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _PAIR.fullmatch(line)
        if found is None:
            raise MethodError(f"{title}: line {number} of its output is no pair of nodes; check its settings.")
        names = found.groups()
        one, other = names if names[0].startswith("a") else names[::-1]
        i, j = _index(one, "a", smaller), _index(other, "b", larger)
        if i is None or j is None:
            raise MethodError(
                f"{title}: line {number} of its output names a node that is in neither graph; check its settings."
            )
        if image[i] >= 0 or taken[j]:
            raise MethodError(f"{title}: line {number} of its output matches a node a second time; check its settings.")
        image[i], taken[j] = j, True
    if not taken.any():
        raise MethodError(f"{title}: its output holds no pairs; check its settings.")
    return image


def _index(name: str, letter: str, count: int) -> int | None:
    """Of a node's name in a file; None for a name that was not in it."""
    digits = name[1:]
    if name[:1] != letter or not digits.isascii() or not digits.isdigit() or len(digits) > 9 or int(digits) >= count:
        return None
    return int(digits)
