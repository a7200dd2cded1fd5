"""Known pairs in one column: the k-th line names the match of the k-th node."""

from __future__ import annotations

from collections.abc import Sequence

from gwl_core.errors import InputError, OfferError
from gwl_core.graph import Graph
from gwl_core.readers.header import NODE_WORDS, normal
from gwl_core.readers.phrases import at, counted, shown

_WORDS = {*NODE_WORDS, "target", "source", "match", "matches", "truth", "mapping"}


def one_column(
    name: str, records: Sequence[tuple[int, str]], source: Graph, target: Graph, by_order: bool
) -> tuple[list[tuple[int, str, str]], list[str]]:
    """(line, source, target) of each line of one id, and what was assumed; a first line such as "target" is a header.

    The lines follow the nodes of the source where more of them name targets, else those of the target.

    Raises:
        OfferError: unless the user said that the lines are in the order of the nodes.
        InputError: for another number of lines than nodes.
    """
    first = records[0][1]
    if normal(first) in _WORDS and first not in source.index and first not in target.index:
        records = records[1:]
    ids = [node for _, node in records]
    backwards = sum(i in source.index for i in ids) > sum(i in target.index for i in ids)
    ordered, named = (target, source) if backwards else (source, target)
    line = records[0][0] if records else 1
    needs = f"{at(name, line)}: only one column where a pair needs a source and a target"
    if not any(i in named.index for i in ids):
        raise InputError(f"{needs}, and none of its ids is a node of either graph; give two columns.")
    if len(ids) != ordered.n_nodes:
        raise InputError(
            f"{needs}, and {counted(len(ids), 'id')} are not one for each of the "
            f"{counted(ordered.n_nodes, 'node')} of {ordered.name}; give two columns."
        )
    order = f"line 1 belongs to {shown(ordered.labels[0])}, the last to {shown(ordered.labels[-1])}"
    if not by_order:
        raise OfferError(
            f"{name} has one column: if its lines follow the nodes of {ordered.name} ({order}), say so (--by-order), "
            "else give two columns, source and target.",
            "order",
        )
    pairs = [
        (line, node, label) if backwards else (line, label, node)
        for (line, node), label in zip(records, ordered.labels, strict=True)
    ]
    return pairs, [f"The one column was read in the order of the nodes of {ordered.name}, as said: {order}."]
