"""From the rows of any format to a graph and its report."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.readers.content import Content
from gwl_core.readers.direction import choose_direction, measure_reciprocity
from gwl_core.readers.ids import look_alike_notice
from gwl_core.readers.merge import MERGED, components, largest_component, merge, transformed
from gwl_core.readers.nodes import NodeList
from gwl_core.readers.phrases import counted, shown, values
from gwl_core.readers.report import EdgeRows, GraphReport

_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


def assemble(rows: EdgeRows, content: Content, directed: bool | None, listed: NodeList) -> GraphReport:
    """Settle direction, merge repeated rows, add listed nodes, follow the policies, and check sizes.

    Raises:
        InputError: for a graph without edges (unless nodes are listed) or beyond the limits, and for names that no file
            of text can hold.
    """
    name, policies, nodes = content.name, content.policies, listed.ids
    labels = rows.ids if policies.names == "ids" and rows.ids else rows.labels
    _check_text(name, labels)
    index = {label: i for i, label in enumerate(dict.fromkeys(nodes))}
    unlisted = [label for label in labels if label not in index] if nodes else []
    position = np.array([index.setdefault(label, len(index)) for label in labels], dtype=np.int64)
    n = len(index)
    _check_size(name, n, content.limits.max_nodes, "node")

    positive = rows.weights > 0
    ends = (position[rows.starts[positive]], position[rows.ends[positive]])
    summed, counts = (
        sparse.coo_array((data, ends), shape=(n, n)).tocsr()
        for data in (rows.weights[positive], np.ones(int(positive.sum())))
    )
    reciprocity = measure_reciprocity(summed, counts)
    if not (nodes or reciprocity.pairs):
        raise InputError(f"{name} has no edges: {_why_no_edges(rows)}; give at least one edge.")
    is_directed, reason, notices = choose_direction(
        name, rows.directed, rows.direction_reason, directed, reciprocity, policies.direction
    )
    mirrored = reciprocity.mirrored and not is_directed
    weights = merge(ends, rows.weights[positive], summed, is_directed, mirrored, policies.repeats)
    whole = Graph(tuple(index), weights, is_directed, name)
    _check_size(name, whole.n_edges, content.limits.max_edges, "edge")
    distinct = summed.nnz if mirrored else whole.n_edges + whole.n_self_loops
    merged = int(positive.sum()) - distinct

    weights, weight_notices = transformed(weights, policies.weights)
    kept, left_out = largest_component(weights) if policies.largest_component else (np.arange(n), [])
    if left_out:
        weights = sparse.csr_array(weights[kept][:, kept])
    kept_labels = tuple(whole.labels[k] for k in kept)
    graph = Graph(kept_labels, weights, is_directed, name, listed.of(kept_labels))
    edge_weights = graph.edges[2]
    return GraphReport(
        graph=graph,
        format=rows.format,
        rows_present=len(rows.weights),
        rows_read=int(positive.sum()),
        duplicates_merged=merged,
        self_loops=graph.n_self_loops,
        direction_reason=reason,
        notices=(
            *content.notices,
            *rows.notices,
            *_name_notices(rows, labels),
            *notices,
            *_row_notices(whole, merged, mirrored, policies.repeats),
            *weight_notices,
            *left_out,
            *_node_notices(graph, unlisted),
            *listed.notices,
        ),
        encoding=content.encoding,
        has_header=rows.has_header,
        has_weights=rows.has_weights,
        weight_range=(float(edge_weights.min()), float(edge_weights.max())) if len(edge_weights) else None,
        components=components(graph.weights)[0],
        has_ids=bool(rows.ids),
        policies=policies,
    )


def _name_notices(rows: EdgeRows, labels: Sequence[str]) -> list[str]:
    """Which of two spellings names the nodes, where a file gives labels beside its ids."""
    if not rows.ids:
        return []
    if labels is rows.ids:
        return [f"Nodes are called by their ids ({shown(rows.ids[0])}), not by their labels, as asked."]
    return [f"Nodes are called by their labels ({shown(rows.labels[0])}, whose id is {shown(rows.ids[0])})."]


def _check_size(name: str, number: int, cap: int, noun: str) -> None:
    if number > cap:
        raise InputError(f"{name} has {counted(number, noun)}, over the cap of {cap:,}; give a smaller graph.")


def _check_text(name: str, labels: Sequence[str]) -> None:
    for k, label in enumerate(labels, 1):
        if found := _UNWRITABLE.search(label):
            what = "a NUL character" if found[0] == "\0" else "half a character (a lone surrogate)"
            raise InputError(
                f"{name}, node {k}: the name {shown(label)} has {what}, which text cannot hold; rename the node."
            )


def _why_no_edges(rows: EdgeRows) -> str:
    if not len(rows.weights):
        return "it has only a header" if rows.has_header else "it is empty or has only comments"
    return "every weight is 0" if not rows.weights.any() else "every edge leads from a node to itself"


def _row_notices(graph: Graph, merged: int, mirrored: bool, repeats: str) -> list[str]:
    notices = []
    if mirrored:
        notices.append(f"{counted(graph.n_edges, 'edge')} given both ways, each read once.")
    if merged:
        how = "repeat" if graph.directed or mirrored else "repeat or reverse"
        if merged == 1:
            how = how.replace("repeat", "repeats").replace("reverse", "reverses")
        notices.append(f"{counted(merged, 'row')} {how} an earlier edge; {MERGED[repeats]}.")
    if graph.n_self_loops:
        notices.append(f"{counted(graph.n_self_loops, 'self-loop')} kept in the data, but not used for matching.")
    return notices


def _node_notices(graph: Graph, unlisted: Sequence[str]) -> list[str]:
    notices = look_alike_notice(graph.labels)
    if unlisted:
        be = "was not in the node list and was" if len(unlisted) == 1 else "were not in the node list and were"
        notices.append(f"{counted(len(unlisted), 'node')} of the edges {be} added: {values(unlisted)}.")
    return notices
