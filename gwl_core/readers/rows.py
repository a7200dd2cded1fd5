"""Nodes and edges as a file declares them, gathered one by one: what GraphML, GEXF, GML, JSON, Pajek and LEDA share."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable

import numpy as np

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.phrases import at, counted, shown, values
from gwl_core.readers.report import SIGNED, EdgeRows
from gwl_core.readers.weights import WeightColumn


class Rows:
    """Gathers nodes by their ids, with labels where the file has them, and edges between declared nodes.

    units: what numbers the nodes and the edges in messages.
    """

    def __init__(self, content: Content, units: tuple[str, str] = ("line", "line")) -> None:
        self._name, self._limits, self._units = content.name, content.limits, units
        self.weights = weight_column(content, unit=units[1])
        self._index: dict[str, int] = {}
        self._labels: list[str] = []
        self._lines = array("q")
        self._starts, self._ends, self._counts = array("q"), array("q"), array("d")

    def __contains__(self, node: str) -> bool:
        return node in self._index

    @property
    def n_nodes(self) -> int:
        return len(self._index)

    @property
    def n_edges(self) -> int:
        return len(self._starts)

    def node(self, node: str, label: str, line: int) -> None:
        """Declare a node; label is "" where the file gives none.

        Raises:
            InputError: for an id that is empty or occurred before, and beyond the cap on nodes.
        """
        node = node.strip()
        if not node:
            raise InputError(
                f"{at(self._name, line, self._units[0])}: a node id is empty; give every node an id of its own."
            )
        if node in self._index:
            lines = (self._lines[self._index[node]], line)
            raise InputError(
                f"{at(self._name, lines, self._units[0])}: two nodes have the id {shown(node)}; ids must be distinct."
            )
        if len(self._index) >= self._limits.max_nodes:
            raise InputError(f"{self._name} has over {self._limits.max_nodes:,} nodes, the cap; give a smaller graph.")
        self._index[node] = len(self._index)
        self._labels.append(label.strip())
        self._lines.append(line)

    def edge(self, start: str, end: str, weight: str | None, line: int) -> None:
        """Add a row; weight is the text found, "" where it is missing and None where the file has no weights.

        Raises:
            InputError: for an end that was not declared, and beyond the cap on rows.
        """
        for node in (start, end):
            if node.strip() not in self._index:
                raise InputError(
                    f"{at(self._name, line, self._units[1])}: the edge names node {shown(node)}, "
                    "which is not among the nodes; declare it or leave the edge out."
                )
        if len(self._starts) >= 2 * self._limits.max_edges:
            raise InputError(
                f"{self._name} has over {2 * self._limits.max_edges:,} edges, the cap; give a smaller graph."
            )
        self._starts.append(self._index[start.strip()])
        self._ends.append(self._index[end.strip()])
        self._counts.append(1.0 if weight is None else self.weights.read(weight, line))

    def finish(
        self,
        kind: str,
        directed: bool | None = None,
        reason: str = "",
        notices: Iterable[str] = (),
        name_by_labels: bool = True,
    ) -> EdgeRows:
        """The rows, nodes called by their labels where each has one of its own.

        Raises:
            InputError: for a file without nodes, or weights that are no counts.
        """
        if not self._index:
            raise InputError(f"{self._name} has no nodes; give a graph with at least one edge.")
        ids, labels, said = tuple(self._index), tuple(self._labels), list(notices)
        use = name_by_labels and all(labels) and labels != ids
        if use and len(set(labels)) < len(labels):
            use = False
            shared = [label for label, times in Counter(labels).items() if times > 1]
            said.append(f"Some nodes share a label ({values(shared)}), so nodes are called by their ids.")
        elif not use and any(labels) and not all(labels) and name_by_labels:
            said.append(f"{counted(labels.count(''), 'node')} without a label, so nodes are called by their ids.")
        return EdgeRows(
            labels=labels if use else ids,
            ids=ids if use else (),
            starts=np.frombuffer(self._starts, dtype=np.int64) if self._starts else np.empty(0, dtype=np.int64),
            ends=np.frombuffer(self._ends, dtype=np.int64) if self._ends else np.empty(0, dtype=np.int64),
            weights=np.frombuffer(self._counts, dtype=np.float64) if self._counts else np.empty(0),
            format=kind,
            directed=directed,
            direction_reason=reason,
            has_weights=self.weights.has_weights,
            notices=(*said, *self.weights.finish()),
        )


def weight_column(content: Content, decimal_comma: bool = False, unit: str = "line") -> WeightColumn:
    """How weights of this file are read, signs as its policies say."""
    return WeightColumn(content.name, decimal_comma, content.policies.weights in SIGNED, unit)
