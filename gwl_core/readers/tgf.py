"""TGF, the trivial graph format: a line for each node with its label, a line with #, a line for each edge."""

from __future__ import annotations

import re

from gwl_core.readers.content import Content
from gwl_core.readers.header import is_number
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows

_MARK = re.compile(r"\n[ \t]*#[ \t]*\n")


def is_tgf(content: Content) -> bool:
    """Whether one # stands alone, every line above begins with another id, and the lines below pair these ids.

    Where labels are the ids of other nodes, the lines above may be edges, and the # a comment.
    """
    if not _MARK.search(content.text):
        return False
    nodes, edges = _parts(content)
    ids = {words[0] for _, words in nodes}
    return (
        bool(edges)
        and len(ids) == len(nodes)
        and not any(words[-1] in ids and words[-1] != words[0] for _, words in nodes)
        and all(len(words) > 1 and words[0] in ids and words[1] in ids for _, words in edges)
    )


def read_tgf(content: Content) -> EdgeRows:
    """The graph of a TGF file; nodes are called by their labels where all differ. Edge labels are weights if each edge
    has a number for one.

    Raises:
        InputError: for weights that are no counts.
    """
    rows = Rows(content)
    nodes, edges = _parts(content)
    for line, words in nodes:
        rows.node(words[0], words[1] if len(words) > 1 else "", line)
    labelled = [words[2] for _, words in edges if len(words) > 2]
    weighted = len(labelled) == len(edges) and all(map(is_number, labelled))
    for line, words in edges:
        rows.edge(words[0], words[1], words[2] if weighted else None, line)
    unused = labelled and not weighted
    return rows.finish("TGF", notices=["The labels of the edges were not used."] if unused else [])


def _parts(content: Content) -> tuple[list[tuple[int, list[str]]], list[tuple[int, list[str]]]]:
    """(line, words) of the nodes, cut once, and of the edges, cut twice; no edges unless one # parts them."""
    lines = [(number, line.strip()) for number, line in enumerate(content.lines, 1) if line.strip()]
    marks = [k for k, (_, text) in enumerate(lines) if text == "#"]
    if len(marks) != 1:
        return [], []
    nodes, edges = lines[: marks[0]], lines[marks[0] + 1 :]
    return [(n, text.split(maxsplit=1)) for n, text in nodes], [(n, text.split(maxsplit=2)) for n, text in edges]
