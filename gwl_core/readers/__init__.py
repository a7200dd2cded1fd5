"""Graph files in, in any of a dozen formats; truth, anchors and node lists; from a path or from uploaded bytes.

A format is one file with one Reader in READERS; the first whose `sniff` accepts the content reads it. The name of a
file is only shown in messages. Everything raises InputError in one sentence that names the file and, where it
has one, the line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from gwl_core.graph import Graph
from gwl_core.readers.assemble import assemble
from gwl_core.readers.content import Content, load
from gwl_core.readers.edgelist import read_edge_list
from gwl_core.readers.foreign import binary_kind, language_kind, refuse_graph
from gwl_core.readers.gexf import is_gexf, read_gexf
from gwl_core.readers.gml import is_gml, read_gml
from gwl_core.readers.graphml import is_graphml, read_graphml
from gwl_core.readers.json_graph import is_json, read_json
from gwl_core.readers.leda import is_leda, read_leda
from gwl_core.readers.matrix_csv import is_matrix, read_matrix
from gwl_core.readers.mtx import is_mtx, read_mtx
from gwl_core.readers.nodes import NodeList, read_node_list
from gwl_core.readers.numpy_arrays import is_npy, is_npz, read_npy, read_npz
from gwl_core.readers.pairs import read_anchor_pairs, read_truth_pairs
from gwl_core.readers.pajek import is_pajek, read_pajek
from gwl_core.readers.report import (
    POLICY_VALUES,
    AnchorsReport,
    EdgeRows,
    GraphReport,
    Limits,
    Policies,
    TruthReport,
)
from gwl_core.readers.sif import is_sif, read_sif
from gwl_core.readers.tgf import is_tgf, read_tgf

__all__ = [
    "POLICY_VALUES", "READERS", "AnchorsReport", "GraphReport", "Limits", "NodeList", "Policies", "Reader",
    "TruthReport", "read_anchors", "read_graph", "read_nodes", "read_truth",
]  # fmt: skip


@dataclass(frozen=True)
class Reader:
    """One kind of file: its name, whether some content is of that kind, and how to read its rows."""

    name: str
    sniff: Callable[[Content], bool]
    read: Callable[[Content], EdgeRows]


def _refuse(content: Content) -> NoReturn:
    refuse_graph(content)
    raise AssertionError("only called for foreign content")


# Signatures first, then languages by how their files begin; whatever no one reads is refused; of the rest a table with
# a name for each row is a matrix, rows of three words are SIF, and any other text is an edge list.
READERS: tuple[Reader, ...] = (
    Reader("other binary formats", lambda content: binary_kind(content) is not None, _refuse),
    Reader("NumPy array", is_npy, read_npy),
    Reader("NumPy archive", is_npz, read_npz),
    Reader("GraphML", is_graphml, read_graphml),
    Reader("GEXF", is_gexf, read_gexf),
    Reader("Matrix Market", is_mtx, read_mtx),
    Reader("Pajek", is_pajek, read_pajek),
    Reader("LEDA", is_leda, read_leda),
    Reader("GML", is_gml, read_gml),
    Reader("node-link JSON", is_json, read_json),
    Reader("other languages", lambda content: language_kind(content) is not None, _refuse),
    Reader("TGF", is_tgf, read_tgf),
    Reader("adjacency matrix", is_matrix, read_matrix),
    Reader("SIF", is_sif, read_sif),
    Reader("edge list", lambda content: True, read_edge_list),
)


def read_graph(
    source: Path | bytes,
    *,
    name: str,
    directed: bool | None = None,
    limits: Limits = Limits(),
    nodes: Sequence[str] | NodeList = (),
    policies: Policies = Policies(),
) -> GraphReport:
    """Read a graph.

    Args:
        name: what to call the file in messages.
        directed: used where the file does not say; None means undirected.
        nodes: ids that come first and stay even without an edge; with their attributes, as read_nodes gives them.
        policies: what the user decided about direction, repeated rows, weights, components, names and encoding.

    Raises:
        InputError: for a file that is missing, too large, of another kind, without edges, or wrong in some line.
    """
    content = load(source, name, limits, policies)
    reader = next(reader for reader in READERS if reader.sniff(content))
    listed = nodes if isinstance(nodes, NodeList) else NodeList(tuple(nodes))
    return assemble(reader.read(content), content, directed, listed)


def read_truth(
    source: Path | bytes,
    *,
    name: str,
    source_graph: Graph,
    target_graph: Graph,
    limits: Limits = Limits(),
    policies: Policies = Policies(),
    convert: bool = False,
    by_order: bool = False,
) -> TruthReport:
    """Read known pairs for measuring: two columns of ids, either way round, header or not.

    Args:
        policies: only the encoding counts.
        convert: spell ids as the graphs do where they differ by case, spaces, decimals, leading zeros or an offset.
        by_order: a file of one column gives the match of the k-th node in its k-th line.

    Raises:
        InputError: as read_graph, and if no row fits the graphs or a source has two targets; an OfferError where
            `convert` or `by_order` would help.
    """
    return read_truth_pairs(load(source, name, limits, policies), source_graph, target_graph, convert, by_order)


def read_anchors(
    source: Path | bytes,
    *,
    name: str,
    source_graph: Graph,
    target_graph: Graph,
    limits: Limits = Limits(),
    policies: Policies = Policies(),
    convert: bool = False,
    by_order: bool = False,
) -> AnchorsReport:
    """Read known pairs as prior knowledge: as read_truth, with an optional third column of counts.

    Raises:
        InputError: as read_graph, and if no row fits the graphs.
    """
    return read_anchor_pairs(load(source, name, limits, policies), source_graph, target_graph, convert, by_order)


def read_nodes(
    source: Path | bytes, *, name: str, limits: Limits = Limits(), policies: Policies = Policies()
) -> NodeList:
    """Read a node list: one id a line, or a table with an id column and others that describe the node.

    Raises:
        InputError: as read_graph, and for a list without ids or with an empty one.
    """
    return read_node_list(load(source, name, limits, policies))
