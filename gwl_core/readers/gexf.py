"""GEXF (gexf.net), the format of Gephi: nodes with labels, weighted edges, direction."""

from __future__ import annotations

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.direction import TypeColumn
from gwl_core.readers.header import weight_rank
from gwl_core.readers.phrases import at, shown
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows
from gwl_core.readers.xml_events import Element, walk_xml, xml_root

_TYPES = {"mutual": "undirected"}


def is_gexf(content: Content) -> bool:
    return xml_root(content.head) == "gexf"


def read_gexf(content: Content) -> EdgeRows:
    """The graph of a GEXF file; nodes are called by their labels where all differ.

    Raises:
        InputError: for XML that is broken or declares entities, several graphs, a hierarchy of nodes, edges of mixed
            direction, or nodes declared twice or not at all.
    """
    return _Gexf(content).read()


class _Gexf:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._rows = Rows(content)
        self._kinds = TypeColumn(content.name, what="file")
        self._graph: Element | None = None
        self._weight_titles: dict[str, int] = {}  # attribute id → rank of its title as a weight
        self._declared: set[str] = set()
        self._defaults: dict[str, str] = {}  # attribute id → value of an edge that does not give it
        self._class = self._attribute = ""
        self._edges: list[tuple[str, str, str | None, int]] = []
        self._found: dict[str, str] = {}

    def read(self) -> EdgeRows:
        notices = walk_xml(self._content, self._start, self._end, frozenset({"default"}))
        if self._graph is None:
            raise InputError(f"{self._content.name} has no graph element; export the graph again.")
        weighted = any(weight is not None for _, _, weight, _ in self._edges)
        for start, end, weight, line in self._edges:
            self._rows.edge(start, end, (weight or "") if weighted else None, line)
        if self._graph.attributes.get("mode") == "dynamic":
            notices.append("The times of a dynamic graph were not used: every node and edge counts.")
        directed, reason = self._kinds.finish()
        notices += self._kinds.notices
        return self._rows.finish("GEXF", directed, reason, notices)

    def _start(self, element: Element) -> None:
        name, line, given = self._content.name, element.line, element.attributes
        match element.tag:
            case "graph":
                if self._graph is not None:
                    lines = (self._graph.line, line)
                    raise InputError(f"{at(name, lines)}: the file has more than one graph; keep the one to be read.")
                self._graph = element
            case "attributes":
                self._class = given.get("class", "")
            case "attribute" if self._class == "edge":
                self._attribute = given.get("id", "")
                self._declare(self._attribute, given.get("title", ""))
            case "node":
                if "node" in element.path:
                    raise InputError(f"{at(name, line)}: a node lies inside another; export a flat graph.")
                self._rows.node(given.get("id", ""), given.get("label", ""), line)
            case "edge":
                self._found = {}
                if len(self._edges) >= 2 * self._content.limits.max_edges:
                    raise InputError(f"{name} has over {2 * self._content.limits.max_edges:,} edges, the cap.")
                default = (self._graph.attributes.get("defaultedgetype") if self._graph else "") or "undirected"
                kind = (given.get("type") or default).strip().lower()
                self._kinds.read(_TYPES.get(kind, kind), line)
            case "attvalue" if "edge" in element.path:
                self._value(given.get("for", given.get("id", "")), given.get("value", ""), line)

    def _declare(self, key: str, title: str) -> None:
        rank = weight_rank(title)
        self._declared.add(key)
        if rank is not None:
            self._weight_titles[key] = rank

    def _value(self, key: str, value: str, line: int) -> None:
        """Of several values, as of other times, none is the weight. What is not declared goes by its id."""
        if key not in self._declared:
            self._declare(key, key)
        if key in self._weight_titles and self._found.get(key, value) != value:
            raise InputError(
                f"{at(self._content.name, line)}: the edge has a second value of {shown(key)}, its weight; keep one."
            )
        self._found[key] = value

    def _end(self, element: Element, text: str) -> None:
        if element.tag == "default" and self._class == "edge" and element.path[-1:] == ("attribute",):
            self._defaults[self._attribute] = text
        if element.tag != "edge":
            return
        ends = [element.attributes.get(side, "") for side in ("source", "target")]
        if not all(ends):
            raise InputError(f"{at(self._content.name, element.line)}: an edge needs a source and a target; give both.")
        found = self._defaults | self._found
        others = sorted((self._weight_titles[key], value) for key, value in found.items() if key in self._weight_titles)
        weight = element.attributes.get("weight", others[0][1] if others else None)
        self._edges.append((ends[0], ends[1], weight, element.line))
