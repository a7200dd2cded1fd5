"""GraphML (graphml.graphdrawing.org): nodes, edges, keys for weights and labels, direction."""

from __future__ import annotations

from collections import Counter

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.direction import TypeColumn
from gwl_core.readers.header import normal, weight_rank
from gwl_core.readers.phrases import at, shown, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows
from gwl_core.readers.xml_events import Element, walk_xml, xml_root

_LABELS = ("label", "name")
_CONNECTED = {"true": "directed", "1": "directed", "false": "undirected", "0": "undirected"}


def is_graphml(content: Content) -> bool:
    return xml_root(content.head) == "graphml"


def read_graphml(content: Content) -> EdgeRows:
    """The one graph of a GraphML file. The edge key named weight (or value, count, …) gives the weights.

    Raises:
        InputError: for XML that is broken or declares entities, several graphs, nested graphs, hyperedges, edges of
            mixed direction, keys that are not declared, or nodes declared twice or not at all.
    """
    return _GraphML(content).read()


class _GraphML:
    def __init__(self, content: Content) -> None:
        self._content = content
        self._rows = Rows(content)
        self._kinds = TypeColumn(content.name, what="file")
        self._keys: dict[str, tuple[str, str]] = {}  # id → (for, name)
        self._defaults: dict[str, str] = {}
        self._edges: list[tuple[str, str, dict[str, str], int]] = []
        self._graph: Element | None = None
        self._data: dict[str, str] = {}
        self._names: dict[str, dict[str, str]] = {}  # node → label key's name → text
        self._others: Counter[str] = Counter()

    def read(self) -> EdgeRows:
        notices = walk_xml(self._content, self._start, self._end, frozenset({"data", "default"}))
        if self._graph is None:
            raise InputError(f"{self._content.name} has no graph element; export the graph again.")
        weight_keys = self._weight_keys()
        for start, end, data, line in self._edges:
            self._rows.edge(start, end, self._weight(weight_keys, data, line), line)
        ignored = [name for name in self._others if name not in {self._keys[key][1] for key in weight_keys}]
        if ignored:
            notices.append(f"Attributes {values(ignored)} of the file were not used.")
        directed, reason = self._kinds.finish()
        notices += self._kinds.notices
        return self._rows.finish("GraphML", directed, reason, notices)

    def _start(self, element: Element) -> None:
        name, line, given = self._content.name, element.line, element.attributes
        match element.tag:
            case "graph":
                if "graph" in element.path:
                    raise InputError(f"{at(name, line)}: a graph lies inside another; export a flat graph.")
                if self._graph is not None:
                    lines = (self._graph.line, line)
                    raise InputError(f"{at(name, lines)}: the file has more than one graph; keep the one to be read.")
                self._graph = element
            case "key":
                key = given.get("id", "")
                self._keys[key] = (given.get("for", "all"), given.get("attr.name", "") or key)
            case "node":
                self._data = {}
            case "edge":
                self._data = {}
                stated = given.get("directed", "").strip().lower()
                default = self._graph.attributes.get("edgedefault", "") if self._graph else ""
                self._kinds.read(_CONNECTED.get(stated, stated) or default, line)
            case "hyperedge":
                raise InputError(f"{at(name, line)}: the file has a hyperedge; give edges of two nodes each.")

    def _end(self, element: Element, text: str) -> None:
        parent, given = element.path[-1] if element.path else "", element.attributes
        match element.tag:
            case "default" if parent == "key":
                self._defaults[next(reversed(self._keys))] = text
            case "data" if parent in ("node", "edge"):
                self._put(parent, given.get("key", ""), text, element.line)
            case "node":
                self._node(given.get("id", ""), element.line)
            case "edge":
                self._edge(element)

    def _node(self, node: str, line: int) -> None:
        found = {normal(self._keys[key][1]): text for key, text in self._data.items() if key in self._keys}
        self._rows.node(node, next((found[k] for k in _LABELS if found.get(k)), ""), line)

    def _edge(self, element: Element) -> None:
        ends = [element.attributes.get(side, "") for side in ("source", "target")]
        if not all(ends):
            raise InputError(f"{at(self._content.name, element.line)}: an edge needs a source and a target; give both.")
        if len(self._edges) >= 2 * self._content.limits.max_edges:
            raise InputError(
                f"{self._content.name} has over {2 * self._content.limits.max_edges:,} edges, the cap; give fewer."
            )
        self._edges.append((ends[0], ends[1], self._data, element.line))

    def _put(self, parent: str, key: str, text: str, line: int) -> None:
        if key not in self._keys:
            if parent == "edge":
                raise InputError(
                    f"{at(self._content.name, line)}: the edge has data of key {shown(key)}, which is not declared; "
                    "declare it (a key element with attr.name) or leave the data out."
                )
            self._others[key] += 1
            return
        if key in self._data and parent == "edge":
            raise InputError(f"{at(self._content.name, line)}: the edge has key {shown(key)} twice; give it once.")
        self._data[key] = text
        name = self._keys[key][1]
        if parent == "edge" or normal(name) not in _LABELS:
            self._others[name] += 1

    def _weight_keys(self) -> list[str]:
        """The edge keys of the best weight word, in the order of declaration."""
        ranks = {
            key: rank
            for key, (kind, name) in self._keys.items()
            if kind in ("edge", "all") and (rank := weight_rank(name)) is not None
        }
        return [key for key, rank in ranks.items() if rank == min(ranks.values())]

    def _weight(self, keys: list[str], data: dict[str, str], line: int) -> str | None:
        if not keys:
            return None
        found = {data[key] for key in keys if data.get(key)}
        if len(found) > 1:
            raise InputError(f"{at(self._content.name, line)}: the edge has two weights, {values(found)}; keep one.")
        return found.pop() if found else next((self._defaults[key] for key in keys if key in self._defaults), "")
