"""GML, the graph modelling language: nested lists of keys and values."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.header import weight_rank
from gwl_core.readers.phrases import at, shown, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows

_START = re.compile(r"\s*(?:[#%][^\n]*\n\s*)*(?:(?:creator|version|comment)[ \t][^\n]*\n\s*)*graph\s*\[", re.IGNORECASE)
_TOKEN = re.compile(
    r'(?P<space>[^\S\n]+)|(?P<end>\n)|"(?P<string>[^"]*)"|(?P<open>\[)|(?P<close>\])|(?P<bare>[^\s\[\]"]+)'
)
_ENTITY = re.compile(r"&#?\w+;", re.ASCII)
_DEEPEST = 32


@dataclass
class _List:
    """An open list: its key, the line of its start, and the scalars found in it so far."""

    key: str
    line: int
    found: dict[str, str] = field(default_factory=dict)


def is_gml(content: Content) -> bool:
    return _START.match(content.head) is not None


def read_gml(content: Content) -> EdgeRows:
    """The one graph of a GML file; nodes are called by their labels where all differ. Weights are the edges' `weight`,
    `value`, ….; a graph that does not say `directed 1` is undirected.

    Raises:
        InputError: for brackets or strings that are not closed, several graphs, an id given twice or not at all.
    """
    return _Gml(content).read()


def _tokens(content: Content) -> Iterator[tuple[str, str, int]]:
    """(kind, text, line): kind is "string", "bare", "open" or "close"; comments are left out.

    Raises:
        InputError: for a string that is never closed.
    """
    text, position, line, fresh = content.text, 0, 1, True
    while position < len(text):
        if fresh and text[position] in "#%":
            position = text.find("\n", position)
            if position < 0:
                return
        match = _TOKEN.match(text, position)
        if match is None:
            raise InputError(f"{at(content.name, line)}: a quotation mark is opened and never closed; close it.")
        kind, position = match.lastgroup or "", match.end()
        if kind == "end":
            line, fresh = line + 1, True
        elif kind != "space":
            fresh = False
            found = match[kind]
            yield kind, _plain(found) if kind == "string" else found, line
            line += found.count("\n")


def _plain(text: str) -> str:
    """A string with its entities resolved; an ampersand without a semicolon is itself."""
    return _ENTITY.sub(lambda match: html.unescape(match[0]), text)


class _Gml:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._rows = Rows(content)
        self._graph: _List | None = None
        self._edges: list[tuple[dict[str, str], int]] = []
        self._ignored: dict[str, None] = {}

    def read(self) -> EdgeRows:
        self._walk()
        if self._graph is None:
            raise InputError(f"{self._content.name} has no graph; export it again.")
        weighted = self._weight_key()
        for found, line in self._edges:
            self._edge(found, weighted, line)
        ignored = [key for key in self._ignored if key != weighted]
        notices = [f"Attributes {values(ignored)} of the file were not used."] if ignored else []
        directed = self._graph.found.get("directed", "0")
        if directed not in ("0", "1"):
            raise InputError(f"{at(self._content.name, self._graph.line)}: directed is {shown(directed)}; give 0 or 1.")
        reason = "The file says directed 1." if directed == "1" else "GML is undirected unless it says directed 1."
        return self._rows.finish("GML", directed == "1", reason, notices)

    def _walk(self) -> None:
        name = self._content.name
        stack: list[_List] = []
        key, key_line = "", 0
        for kind, text, line in _tokens(self._content):
            if kind == "close":
                if not stack or key:
                    what = f"key {shown(key)} has no value" if key else "a bracket is closed that was not opened"
                    raise InputError(f"{at(name, line)}: {what}; export the graph again.")
                self._close(stack.pop(), [entry.key for entry in stack])
            elif not key:
                if kind != "bare":
                    raise InputError(f"{at(name, line)}: a value stands where a key is due; export the graph again.")
                key, key_line = text.lower(), line
            elif kind == "open":
                if len(stack) >= _DEEPEST:
                    raise InputError(f"{at(name, line)}: lists are nested too deeply for a graph; export it again.")
                stack.append(_List(key, key_line))
                self._open(stack)
                key = ""
            else:
                if stack:
                    self._put(stack[-1], key, text, line)
                key = ""
        if stack or key:
            line = stack[-1].line if stack else key_line
            raise InputError(f"{at(name, line)}: the file ends before this list is closed; it was cut short.")

    def _open(self, stack: list[_List]) -> None:
        newest = stack[-1]
        if newest.key != "graph":
            return
        if len(stack) > 1:
            raise InputError(f"{at(self._content.name, newest.line)}: a graph lies inside another; export a flat one.")
        if self._graph is not None:
            lines = (self._graph.line, newest.line)
            raise InputError(f"{at(self._content.name, lines)}: the file has more than one graph; keep one.")
        self._graph = newest

    def _put(self, entry: _List, key: str, text: str, line: int) -> None:
        if entry.key in ("node", "edge") and key in entry.found:
            raise InputError(f"{at(self._content.name, line)}: the {entry.key} has {shown(key)} twice; keep one.")
        entry.found[key] = text

    def _close(self, entry: _List, path: list[str]) -> None:
        if path != ["graph"]:
            return
        known = {"id", "label"} if entry.key == "node" else {"source", "target", "id"}
        if entry.key in ("node", "edge"):
            self._ignored.update(dict.fromkeys(key for key in entry.found if key not in known))
        if entry.key == "node":
            self._rows.node(entry.found.get("id", ""), entry.found.get("label", ""), entry.line)
        elif entry.key == "edge":
            if len(self._edges) >= 2 * self._content.limits.max_edges:
                raise InputError(
                    f"{self._content.name} has over {2 * self._content.limits.max_edges:,} edges, the cap."
                )
            self._edges.append((entry.found, entry.line))

    def _weight_key(self) -> str | None:
        """The edges' key that is the best word for a weight."""
        keys = {key for found, _ in self._edges for key in found}
        ranks = [(rank, key) for key in keys if (rank := weight_rank(key)) is not None]
        return min(ranks)[1] if ranks else None

    def _edge(self, found: dict[str, str], weighted: str | None, line: int) -> None:
        ends = [found.get(side, "") for side in ("source", "target")]
        if not all(ends):
            raise InputError(f"{at(self._content.name, line)}: an edge needs a source and a target; give both.")
        self._rows.edge(ends[0], ends[1], found.get(weighted, "") if weighted else None, line)
