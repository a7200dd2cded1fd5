"""Both graphs as GraphML and GEXF, with each node's match and its confidence as attributes, for Cytoscape and Gephi."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from gwl_core.graph import Graph
from gwl_core.matching import MatchedPair
from gwl_core.result import Result, SparseResult
from gwl_core.writers.tables import result_pairs

# What XML 1.0 cannot hold, escaped or not.
_ILLEGAL = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES = {"match": "string", "confidence": "double", "coupling": "double", "tied": "boolean"}
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class NodeValues:
    """What a node carries beside its label; a node without a match has none of it."""

    match: str
    confidence: float
    coupling: float
    tied: bool

    def items(self) -> Iterator[tuple[str, str]]:
        """Name and text of every value."""
        yield "match", xml_text(self.match)
        yield "confidence", repr(float(self.confidence))
        yield "coupling", repr(float(self.coupling))
        yield "tied", "true" if self.tied else "false"


def graph_files(result: Result | SparseResult, pairs: Sequence[MatchedPair] | None = None) -> dict[str, bytes]:
    """source.graphml, target.graphml, source.gexf and target.gexf.

    Node ids and labels are the graphs' own. Node attributes: match (label in the other graph), confidence (0–1),
    coupling and tied; absent for unmatched nodes; then what a node list said of the node. Edges have their weight.
    Characters that XML cannot hold are written
    as \\uXXXX.
    """
    found = result_pairs(result) if pairs is None else pairs
    source, target = result.problem.source, result.problem.target
    of_source = {p.source: NodeValues(target.labels[p.target], p.confidence, p.coupling, p.tied) for p in found}
    of_target = {p.target: NodeValues(source.labels[p.source], p.confidence, p.coupling, p.tied) for p in found}
    sides = (("source", source, of_source), ("target", target, of_target))
    return {f"{side}.graphml": graphml(graph, values) for side, graph, values in sides} | {
        f"{side}.gexf": gexf(graph, values) for side, graph, values in sides
    }


def graphs_zip(result: Result | SparseResult) -> bytes:
    """The four files of graph_files in one archive, the same bytes for the same result."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in graph_files(result).items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def graphml(graph: Graph, values: Mapping[int, NodeValues]) -> bytes:
    """A graph as GraphML; `values` by node index."""
    given = _given(graph)
    keys = "".join(
        f'  <key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n' for name, kind in _TYPES.items()
    )
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n',
        keys,
        '  <key id="label" for="node" attr.name="label" attr.type="string"/>\n',
        *(f'  <key id="{key}" for="node" attr.name={_quoted(name)} attr.type="string"/>\n' for key, name, _ in given),
        '  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n',
        f'  <graph edgedefault="{"directed" if graph.directed else "undirected"}">\n',
    ]
    names = xml_names(graph.labels)
    for i, name in enumerate(names):
        found = [("label", name), *(values[i].items() if i in values else ()), *_said(given, i)]
        data = "".join(f'<data key="{key}">{_text(text)}</data>' for key, text in found)
        parts.append(f"    <node id={_quoted(name)}>{data}</node>\n")
    for i, j, weight in _edges(graph):
        ends = f"source={_quoted(names[i])} target={_quoted(names[j])}"
        parts.append(f'    <edge {ends}><data key="weight">{weight!r}</data></edge>\n')
    parts.append("  </graph>\n</graphml>\n")
    return "".join(parts).encode("utf-8")


def gexf(graph: Graph, values: Mapping[int, NodeValues]) -> bytes:
    """A graph as GEXF 1.2; `values` by node index."""
    given = _given(graph)
    keys = "".join(f'      <attribute id="{k}" title="{k}" type="{kind}"/>\n' for k, kind in _TYPES.items())
    keys += "".join(f'      <attribute id="{k}" title={_quoted(name)} type="string"/>\n' for k, name, _ in given)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n',
        f'  <graph mode="static" defaultedgetype="{"directed" if graph.directed else "undirected"}">\n',
        f'    <attributes class="node">\n{keys}    </attributes>\n    <nodes>\n',
    ]
    names = xml_names(graph.labels)
    for i, name in enumerate(names):
        found = [*(values[i].items() if i in values else ()), *_said(given, i)]
        data = "".join(f'<attvalue for="{key}" value={_quoted(text)}/>' for key, text in found)
        parts.append(f"      <node id={_quoted(name)} label={_quoted(name)}><attvalues>{data}</attvalues></node>\n")
    parts.append("    </nodes>\n    <edges>\n")
    for k, (i, j, weight) in enumerate(_edges(graph)):
        ends = f"source={_quoted(names[i])} target={_quoted(names[j])}"
        parts.append(f'      <edge id="{k}" {ends} weight="{weight!r}"/>\n')
    parts.append("    </edges>\n  </graph>\n</gexf>\n")
    return "".join(parts).encode("utf-8")


def _given(graph: Graph) -> list[tuple[str, str, tuple[str, ...]]]:
    """Key, name and texts of what is known of the nodes; a name that a file here uses itself is marked."""
    own = {*_TYPES, "label", "id", "weight"}
    names = xml_names([f"{name} (given)" if name in own else name for name in graph.attributes])
    columns = zip(names, graph.attributes.values(), strict=True)
    return [(f"given{k}", name, texts) for k, (name, texts) in enumerate(columns)]


def _said(given: Sequence[tuple[str, str, tuple[str, ...]]], node: int) -> Iterator[tuple[str, str]]:
    """Key and text of what is known of a node."""
    return ((key, xml_text(texts[node])) for key, _, texts in given if texts[node])


def _edges(graph: Graph) -> Iterator[tuple[int, int, float]]:
    """Every edge once, then the self-loops."""
    for i, j, weight in zip(*graph.edges, strict=True):
        yield int(i), int(j), float(weight)
    for i, weight in enumerate(graph.weights.diagonal()):
        if weight:
            yield i, i, float(weight)


def xml_text(text: str) -> str:
    """The text with characters that XML cannot hold written as \\uXXXX."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def xml_names(labels: Sequence[str]) -> list[str]:
    """Distinct names for distinct labels."""
    names, taken = [], set(labels)
    for label in labels:
        name = xml_text(label)
        while name != label and name in taken:
            name += "_"
        taken.add(name)
        names.append(name)
    return names


def _quoted(text: str) -> str:
    return quoteattr(text)


def _text(text: str) -> str:
    return escape(text, {"\r": "&#13;"})
