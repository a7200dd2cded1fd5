"""Graphs written in every format that is read, by other people's writers where there are any."""

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Callable

import networkx as nx
import numpy as np
import scipy.io
from scipy import sparse

from gwl_core import Graph

AWKWARD = (
    "a b", 'q"q', "it's", "ünï 漢字", "<script>alert(1)</script>", "&amp;", "NA", "null", "nan", "true", "1E1", "10",
    "01", "1", "1.0", "9007199254740993", "9007199254740992", "=1+1", "+x", "@SUM(A1)", "-5", "a,b", "a;b", "#x", "%y",
    "{x}", "[x]", "*z", "]]>", "|{p}|", "\\n", "source", "weight",
)  # fmt: skip


def to_networkx(graph: Graph, multi: bool = False) -> nx.Graph:
    kind = nx.DiGraph if graph.directed else nx.Graph
    made = kind()
    made.add_nodes_from(graph.labels)
    rows, columns, weights = graph.edges
    for i, j, w in zip(rows, columns, weights, strict=True):
        made.add_edge(graph.labels[i], graph.labels[j], weight=float(w))
    return made


def _edges(graph: Graph) -> list[tuple[int, int, float]]:
    return [(int(i), int(j), float(w)) for i, j, w in zip(*graph.edges, strict=True)]


def graphml(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    nx.write_graphml_xml(to_networkx(graph), buffer)
    return buffer.getvalue()


def gexf(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    nx.write_gexf(to_networkx(graph), buffer)
    return buffer.getvalue()


def gml(graph: Graph) -> bytes:
    return "\n".join(nx.generate_gml(to_networkx(graph))).encode("utf-8")


def json_ids(graph: Graph) -> bytes:
    return json.dumps(nx.node_link_data(to_networkx(graph), edges="edges")).encode("utf-8")


def json_places(graph: Graph) -> bytes:
    data = {
        "directed": graph.directed,
        "nodes": [{"name": label, "group": 1} for label in graph.labels],
        "links": [{"source": i, "target": j, "value": w} for i, j, w in _edges(graph)],
    }
    return json.dumps(data).encode("utf-8-sig")


def cytoscape(graph: Graph) -> bytes:
    data = nx.cytoscape_data(to_networkx(graph))
    for node in data["elements"]["nodes"]:
        node["data"] = {"id": node["data"]["id"]}
    return json.dumps(data).encode("utf-8")


def pajek(graph: Graph) -> bytes:
    lines = [f"*Vertices {graph.n_nodes}"]
    lines += [f'{k} "{label}" 0.1 0.2 0.5' for k, label in enumerate(graph.labels, 1)]
    lines += ["*Arcs" if graph.directed else "*Edges", *(f"{i + 1} {j + 1} {w!r}" for i, j, w in _edges(graph))]
    return "\r\n".join(lines).encode("utf-8")


def leda(graph: Graph) -> bytes:
    lines = ["LEDA.GRAPH", "string", "double", "-1" if graph.directed else "-2", str(graph.n_nodes)]
    lines += [f"|{{{label}}}|" for label in graph.labels]
    edges = _edges(graph)
    lines += [str(len(edges)), *(f"{i + 1} {j + 1} 0 |{{{w!r}}}|" for i, j, w in edges)]
    return "\n".join(lines).encode("utf-8")


def sif(graph: Graph) -> bytes:
    """Without weights: SIF has none."""
    alone = [label for label, degree in zip(graph.labels, graph.degrees, strict=True) if not degree]
    rows = [f"{graph.labels[i]}\tinteracts with\t{graph.labels[j]}" for i, j, _ in _edges(graph)]
    return "\n".join([*rows, *alone]).encode("utf-8")


def matrix(graph: Graph, separator: str = ",") -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerow(["", *graph.labels])
    for label, row in zip(graph.labels, graph.weights.toarray().tolist(), strict=True):
        writer.writerow([label, *row])
    return buffer.getvalue().encode("utf-8")


def edge_list(graph: Graph) -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    writer.writerow(["source", "target", "weight"])
    writer.writerows((graph.labels[i], graph.labels[j], repr(w)) for i, j, w in _edges(graph))
    return buffer.getvalue().encode("utf-8")


def gzipped(graph: Graph) -> bytes:
    return gzip.compress(graphml(graph))


def zipped(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("some folder/graph.gml", gml(graph))
    return buffer.getvalue()


def mtx(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    scipy.io.mmwrite(
        buffer, sparse.coo_array(graph.weights), symmetry="general" if graph.directed else "symmetric", precision=17
    )
    return buffer.getvalue()


def mtx_dense(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    scipy.io.mmwrite(buffer, graph.weights.toarray(), symmetry="general", precision=17)
    return buffer.getvalue()


def npy(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.asfortranarray(graph.weights.toarray()), allow_pickle=False)
    return buffer.getvalue()


def npz(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    sparse.save_npz(buffer, sparse.csr_array(graph.weights))
    return buffer.getvalue()


def npz_coo(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    sparse.save_npz(buffer, sparse.coo_array(graph.weights))
    return buffer.getvalue()


def npz_labels(graph: Graph) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, adjacency=graph.weights.toarray(), labels=np.array(graph.labels))
    return buffer.getvalue()


LABELLED: dict[str, Callable[[Graph], bytes]] = {
    "GraphML": graphml, "GEXF": gexf, "GML": gml, "JSON of ids": json_ids, "JSON of places": json_places,
    "Cytoscape.js": cytoscape, "Pajek": pajek, "LEDA": leda, "SIF": sif, "matrix": matrix,
    "npz with labels": npz_labels, "gzip": gzipped, "zip": zipped, "edge list": edge_list,
}  # fmt: skip
"""Formats that name the nodes."""

NUMBERED: dict[str, tuple[Callable[[Graph], bytes], int]] = {
    "Matrix Market": (mtx, 1), "Matrix Market, dense": (mtx_dense, 1), "npy": (npy, 0), "npz": (npz, 0),
    "npz, coo": (npz_coo, 0),
}  # fmt: skip
"""Formats that only count them, and from where."""

FORBIDDEN = {"Pajek": '"\n', "LEDA": "\n", "SIF": "\t\n"}
"""Characters that labels cannot have there."""
