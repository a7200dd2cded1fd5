"""From the rows of any format to a graph and its report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.readers.content import Content
from gwl_core.readers.direction import choose_direction, combine, measure_reciprocity
from gwl_core.readers.ids import look_alike_notice
from gwl_core.readers.phrases import counted, values
from gwl_core.readers.report import EdgeRows, GraphReport


def assemble(rows: EdgeRows, content: Content, directed: bool | None, nodes: Sequence[str]) -> GraphReport:
    """Settle direction, add up repeated rows, add listed nodes, and check sizes.

    Raises:
        InputError: for a graph without edges (unless nodes are listed) or beyond the limits.
    """
    name = content.name
    index = {label: i for i, label in enumerate(dict.fromkeys(nodes))}
    unlisted = [label for label in rows.labels if label not in index] if nodes else []
    position = np.array([index.setdefault(label, len(index)) for label in rows.labels], dtype=np.int64)
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
    is_directed, reason, notices = choose_direction(name, rows.directed, rows.direction_reason, directed, reciprocity)
    mirrored = reciprocity.mirrored and not is_directed
    graph = Graph(tuple(index), combine(summed, is_directed, mirrored), is_directed, name)
    _check_size(name, graph.n_edges, content.limits.max_edges, "edge")

    distinct = summed.nnz if mirrored else graph.n_edges + graph.n_self_loops
    merged = int(positive.sum()) - distinct
    return GraphReport(
        graph=graph,
        format=rows.format,
        rows_present=len(rows.weights),
        rows_read=int(positive.sum()),
        duplicates_merged=merged,
        self_loops=graph.n_self_loops,
        direction_reason=reason,
        notices=(
            *rows.notices,
            *notices,
            *_row_notices(graph, merged, mirrored),
            *_node_notices(graph, unlisted),
        ),
        encoding=content.encoding,
        has_header=rows.has_header,
        has_weights=rows.has_weights,
    )


def _check_size(name: str, number: int, cap: int, noun: str) -> None:
    if number > cap:
        raise InputError(f"{name} has {counted(number, noun)}, over the cap of {cap:,}; give a smaller graph.")


def _why_no_edges(rows: EdgeRows) -> str:
    if not len(rows.weights):
        return "it has only a header" if rows.has_header else "it is empty or has only comments"
    return "every weight is 0" if not rows.weights.any() else "every edge leads from a node to itself"


def _row_notices(graph: Graph, merged: int, mirrored: bool) -> list[str]:
    notices = []
    if mirrored:
        notices.append(f"{counted(graph.n_edges, 'edge')} given both ways, each read once.")
    if merged:
        how = "repeat" if graph.directed or mirrored else "repeat or reverse"
        if merged == 1:
            how = how.replace("repeat", "repeats").replace("reverse", "reverses")
        notices.append(f"{counted(merged, 'row')} {how} an earlier edge; the weights were added up.")
    if graph.n_self_loops:
        notices.append(f"{counted(graph.n_self_loops, 'self-loop')} kept in the data, but not used for matching.")
    return notices


def _node_notices(graph: Graph, unlisted: Sequence[str]) -> list[str]:
    notices = look_alike_notice(graph.labels)
    if unlisted:
        be = "was not in the node list and was" if len(unlisted) == 1 else "were not in the node list and were"
        notices.append(f"{counted(len(unlisted), 'node')} of the edges {be} added: {values(unlisted)}.")
    return notices
