"""A weighted graph with text labels: the interaction counts w_ij of section 2 of the paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes with text labels and non-negative interaction counts between them.

    Attributes:
        labels: one distinct text label per node; position is the node's index.
        weights: (n, n) CSR matrix of interaction counts, float64, no stored zeros; symmetric unless directed.
        directed: whether w_ij and w_ji are different interactions.
        name: what to call the graph in messages.
        attributes: what is known of the nodes beside their labels, by name, a text for each node; never used to match.

    Self-loops are kept and counted, but take no part in edges, degrees or measures.
    """

    labels: tuple[str, ...]
    weights: sparse.csr_array
    directed: bool = False
    name: str = "graph"
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.labels:
            raise InputError(f"{self.name} has no nodes: give at least one edge or node.")
        if len(set(self.labels)) != len(self.labels):
            raise InputError(f"{self.name} has two nodes with the same label; labels must be distinct.")
        n = len(self.labels)
        if self.weights.shape != (n, n):
            raise InputError(f"{self.name} has {n} labels but a {self.weights.shape} weight matrix.")
        if any(len(texts) != n for texts in self.attributes.values()):
            raise InputError(f"{self.name} has {n} labels but other numbers of attributes; give one text a node.")
        data = self.weights.data
        if not np.isfinite(data).all() or (data < 0).any():
            raise InputError(f"{self.name} has a negative or non-finite weight; weights are interaction counts.")
        if not self.directed and abs(self.weights - self.weights.T).sum() > 0:
            raise InputError(f"{self.name} is undirected but its weight matrix is not symmetric.")

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[tuple[str, str, float]],
        directed: bool = False,
        nodes: Sequence[str] = (),
        name: str = "graph",
    ) -> Graph:
        """Build a graph from (source, target, weight) rows; repeated rows add up.

        `nodes` fixes the first labels (and keeps isolated nodes); others follow in order of appearance.
        An undirected edge may be given in either order; given both ways, its weights add up.
        A row of weight 0 names its nodes but makes no edge.

        Raises:
            InputError: no node, or a weight that is negative or not finite.
        """
        index = {label: i for i, label in enumerate(dict.fromkeys(nodes))}
        rows, columns, values = [], [], []
        for start, end, weight in edges:
            i = index.setdefault(start, len(index))
            j = index.setdefault(end, len(index))
            rows.append(i)
            columns.append(j)
            values.append(float(weight))
            if not 0 <= values[-1] < math.inf:
                raise InputError(
                    f"{name} has the weight {weight} between {start} and {end}; weights must be 0 or more and finite."
                )
        n = len(index)
        half = sparse.coo_array((values, (rows, columns)), shape=(n, n), dtype=np.float64).tocsr()
        if not directed:
            loops = sparse.diags_array(half.diagonal(), dtype=np.float64)
            half = sparse.csr_array(half + half.T - loops)
        half.eliminate_zeros()
        half.sort_indices()
        return cls(tuple(index), half, directed, name)

    @classmethod
    def from_matrix(
        cls, weights: np.ndarray, labels: Sequence[str] | None = None, directed: bool | None = None, name: str = "graph"
    ) -> Graph:
        """Build a graph from a dense (n, n) matrix; directed unless it is symmetric."""
        try:
            dense = np.asarray(weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{name} needs a weight matrix of numbers.") from None
        if dense.ndim != 2 or dense.shape[0] != dense.shape[1]:
            raise InputError(f"{name} needs a square weight matrix, got shape {dense.shape}.")
        if directed is None:
            directed = not np.array_equal(dense, dense.T)
        names = tuple(labels) if labels is not None else tuple(str(i) for i in range(len(dense)))
        return cls(names, sparse.csr_array(dense), directed, name)

    @property
    def n_nodes(self) -> int:
        return len(self.labels)

    @cached_property
    def index(self) -> dict[str, int]:
        """Label → position."""
        return {label: i for i, label in enumerate(self.labels)}

    @cached_property
    def without_loops(self) -> sparse.csr_array:
        """The weights with a zero diagonal."""
        loops = sparse.diags_array(self.weights.diagonal(), dtype=np.float64)
        rest = sparse.csr_array(self.weights - loops)
        rest.eliminate_zeros()
        return rest

    @cached_property
    def adjacency(self) -> sparse.csr_array:
        """(n, n) matrix of 0 and 1, zero diagonal; row i lists the nodes that i points to."""
        pattern = self.without_loops.copy()
        pattern.data = np.ones_like(pattern.data)
        return pattern

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(rows, columns, weights) of every edge once; an undirected edge has row < column; no self-loops."""
        matrix = self.without_loops if self.directed else sparse.triu(self.without_loops, k=1)
        coo = matrix.tocoo()
        return coo.row.astype(np.int64), coo.col.astype(np.int64), coo.data

    @property
    def n_edges(self) -> int:
        """Edges between different nodes; an undirected edge counts once."""
        return len(self.edges[0])

    @property
    def n_self_loops(self) -> int:
        return int(np.count_nonzero(self.weights.diagonal()))

    @cached_property
    def degrees(self) -> np.ndarray:
        """(n,) interactions each node takes part in: row sums, plus column sums where directed; no self-loops."""
        out = np.asarray(self.without_loops.sum(axis=1)).ravel()
        if not self.directed:
            return out
        return out + np.asarray(self.without_loops.sum(axis=0)).ravel()

    @property
    def n_isolated(self) -> int:
        """Nodes with no edge to another node."""
        return int(np.count_nonzero(self.degrees == 0))
