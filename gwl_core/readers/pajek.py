"""Pajek networks (.net): numbered vertices with labels, then arcs, edges, lists of neighbours or a matrix."""

from __future__ import annotations

import re

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.phrases import at, shown
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows

_START = re.compile(r"\s*(?:[#%][^\n]*\n\s*)*(?:\*network\b[^\n]*\n\s*)?(?:%[^\n]*\n\s*)*\*vertices\b", re.IGNORECASE)
_VERTEX = re.compile(r'\s*(\d+)(?:\s+(?:"(.*?)"(?=\s|$)|(\S+)))?', re.ASCII)
_SECTIONS = {
    "*arcs": "arcs", "*edges": "edges", "*arcslist": "arcs list", "*edgeslist": "edges list", "*matrix": "matrix",
}  # fmt: skip


def is_pajek(content: Content) -> bool:
    return _START.match(content.head) is not None


def read_pajek(content: Content) -> EdgeRows:
    """The network of a Pajek file: *Arcs are directed, *Edges are not. Vertices are called by their labels where each
    has one of its own.

    Raises:
        InputError: naming the line of what is no vertex or edge, for arcs mixed with edges, and for several networks.
    """
    return _Pajek(content).read()


class _Pajek:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._rows = Rows(content)
        self._labels: dict[int, str] = {}
        self._n = -1
        self._section = ""
        self._row = 0
        self._first: dict[bool, int] = {}  # directed → line of the first such edge
        self._relations = 0
        self._notices: list[str] = []

    def read(self) -> EdgeRows:
        for number, line in enumerate(self._content.lines, 1):
            text = line.strip()
            if not text or text.startswith("%") or (text.startswith("#") and not self._section):
                continue
            if text.startswith("*"):
                self._start(text, number)
            elif self._section == "vertices":
                self._vertex(text, number)
            elif self._section != "network":
                self._edges(text.split(), number)
        self._check_rows(len(self._content.lines))
        self._declare()
        if len(self._first) == 2:
            lines = sorted(self._first.values())
            raise InputError(
                f"{at(self._content.name, lines)}: arcs (directed) and edges (undirected) are mixed; "
                "give all as *Arcs or all as *Edges."
            )
        if self._relations > 1:
            self._notices.append("The edges of several relations were taken together.")
        directed = next(iter(self._first), None)
        reason = {True: "The file gives *Arcs.", False: "The file gives *Edges.", None: ""}[directed]
        return self._rows.finish("Pajek", directed, reason, self._notices)

    def _start(self, text: str, line: int) -> None:
        self._check_rows(line)
        name, words = self._content.name, text.split()
        word = words[0].lower()
        if word == "*network":
            if self._n >= 0:
                raise InputError(f"{at(name, line)}: a second network begins; keep one network in the file.")
            self._section = "network"
        elif word == "*vertices":
            if self._n >= 0:
                raise InputError(f"{at(name, line)}: a second network begins; keep one network in the file.")
            if len(words) < 2 or not re.fullmatch(r"\d{1,9}", words[1], re.ASCII):
                raise InputError(f"{at(name, line)}: the number of vertices is missing; write *Vertices 34.")
            self._n = int(words[1])
            if self._n > self._content.limits.max_nodes:
                raise InputError(
                    f"{at(name, line)}: {self._n:,} vertices, over the cap of {self._content.limits.max_nodes:,}; "
                    "give a smaller graph."
                )
            if len(words) > 2:
                self._notices.append("The two modes of the network were read as one set of nodes.")
            self._section = "vertices"
        elif word in _SECTIONS and self._n >= 0:
            self._declare()
            self._section, self._row = _SECTIONS[word], 0
            self._relations += len(words) > 1
        else:
            raise InputError(
                f"{at(name, line)}: section {shown(words[0])} is not part of a network; keep *Vertices with *Arcs or "
                "*Edges."
            )

    def _vertex(self, text: str, line: int) -> None:
        match = _VERTEX.match(text)
        number = int(match[1]) if match and len(match[1]) < 10 else 0
        if not match or not 1 <= number <= self._n:
            raise InputError(
                f"{at(self._content.name, line)}: {shown(text)} is no vertex; "
                f"give a number from 1 to {self._n} and a label."
            )
        if number in self._labels:
            raise InputError(f"{at(self._content.name, line)}: vertex {number} is given twice; give it once.")
        self._labels[number] = (match[2] if match[2] is not None else match[3]) or ""

    def _declare(self) -> None:
        """Nodes in the order of their numbers, once all are known."""
        if self._rows.n_nodes:
            return
        some = any(self._labels.values())
        for number in range(1, self._n + 1):
            label = self._labels.get(number, "")
            self._rows.node(str(number), label or (str(number) if some else ""), number)

    def _edges(self, words: list[str], line: int) -> None:
        directed = self._section in ("arcs", "arcs list", "matrix")
        self._first.setdefault(directed, line)
        if self._section == "matrix":
            self._matrix_row(words, line)
            return
        if len(words) < 2:
            raise InputError(f"{at(self._content.name, line)}: an edge needs two vertices; give both.")
        if self._section.endswith("list"):
            for word in words[1:]:
                self._edge(words[0], word, None, line)
        else:
            self._edge(words[0], words[1], words[2] if len(words) > 2 else "", line)

    def _edge(self, start: str, end: str, weight: str | None, line: int) -> None:
        ends = [word.lstrip("-") if self._section.endswith("list") else word for word in (start, end)]
        self._rows.edge(ends[0], ends[1], weight, line)

    def _check_rows(self, line: int) -> None:
        if self._section == "matrix" and self._row != self._n:
            raise InputError(
                f"{at(self._content.name, line)}: the matrix ends after {self._row} of {self._n} rows; give all."
            )

    def _matrix_row(self, words: list[str], line: int) -> None:
        self._row += 1
        if self._row > self._n or len(words) != self._n:
            raise InputError(
                f"{at(self._content.name, line)}: row {self._row} of the matrix has {len(words)} numbers where the "
                f"file has {self._n} vertices; give a square matrix."
            )
        for column, word in enumerate(words, 1):
            if word.strip("0."):
                self._rows.edge(str(self._row), str(column), word, line)
