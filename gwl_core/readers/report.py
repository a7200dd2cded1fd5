"""What the readers take and give: limits, rows as found, and reports of what was read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph


@dataclass(frozen=True)
class Limits:
    """How large an input may be: bytes of the file, nodes and edges of the graph.

    Rows may be twice as many as edges, since a list may give every edge both ways.
    """

    max_bytes: int = 50_000_000
    max_nodes: int = 200_000
    max_edges: int = 2_000_000


@dataclass(frozen=True)
class Policies:
    """What the user may decide about a file that was read; the defaults take it as it is.

    Attributes:
        direction: "file", or "directed" or "undirected" whatever the file says.
        repeats: what becomes of several rows of one edge: "sum" of their weights, "largest", or "mean".
        weights: "given", "absolute" (signs dropped; they are refused otherwise), "log" (log(1 + w)) or "ones".
        largest_component: keep the largest (weakly) connected component only.
        names: nodes are called by their "labels", where every node has one of its own, or by their "ids".
        encoding: "utf-8", or "latin-1" for text that is neither UTF-8 nor marked as UTF-16.
    """

    direction: str = "file"
    repeats: str = "sum"
    weights: str = "given"
    largest_component: bool = False
    names: str = "labels"
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        for name, allowed in POLICY_VALUES.items():
            if getattr(self, name) not in allowed:
                raise InputError(f"{name} is {getattr(self, name)!r}; choose one of {', '.join(allowed)}.")


POLICY_VALUES: dict[str, tuple[str, ...]] = {
    "direction": ("file", "directed", "undirected"),
    "repeats": ("sum", "largest", "mean"),
    "weights": ("given", "absolute", "log", "ones"),
    "names": ("labels", "ids"),
    "encoding": ("utf-8", "latin-1"),
}

SIGNED = ("absolute", "ones")
"""The choices of weights that take numbers below 0."""


@dataclass(frozen=True, eq=False)
class EdgeRows:
    """What the reader of one format found, before direction and repeated rows are dealt with.

    Attributes:
        labels: distinct node ids in order of appearance.
        starts, ends: (k,) int64 positions in labels, one entry per row.
        weights: (k,) float64, finite, 0 or more; 0 names its nodes but makes no edge.
        directed: what the file itself says, or None where it says nothing.
        direction_reason: one sentence for that, or "".
        format: what the file is, in words.
        ids: the nodes' ids where `labels` are labels that the file gives beside them, else ().
    """

    labels: tuple[str, ...]
    starts: np.ndarray
    ends: np.ndarray
    weights: np.ndarray
    format: str
    directed: bool | None = None
    direction_reason: str = ""
    has_header: bool = False
    has_weights: bool = False
    notices: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class GraphReport:
    """A graph and how it was read.

    Attributes:
        rows_present: rows of data in the file (no header, comments or blank lines).
        rows_read: of these, the rows that gave an edge or a self-loop.
        duplicates_merged: rows that went into the edge of an earlier row.
        self_loops: nodes with an edge to themselves.
        weight_range: least and greatest weight of an edge, or None without edges.
        components: (weakly) connected components, isolated nodes included.
        has_ids: the file gives ids beside the labels that name the nodes.
        direction_reason, notices: sentences for the user.
        policies: what the user decided.
    """

    graph: Graph
    format: str
    rows_present: int
    rows_read: int
    duplicates_merged: int
    self_loops: int
    direction_reason: str
    notices: tuple[str, ...]
    encoding: str
    has_header: bool
    has_weights: bool
    weight_range: tuple[float, float] | None
    components: int
    has_ids: bool
    policies: Policies


@dataclass(frozen=True, eq=False)
class TruthReport:
    """Known pairs, for measuring: pairs is (k, 2) int64 of (source index, target index), each source once.

    swapped says that the file's columns were taken as target, source; convertible, that more rows would be used if ids
    were spelled as the graphs do.
    """

    pairs: np.ndarray
    rows_present: int
    rows_used: int
    notices: tuple[str, ...]
    swapped: bool
    convertible: bool = False


@dataclass(frozen=True, eq=False)
class AnchorsReport:
    """Known pairs, as prior knowledge: matrix is (n_s, n_t) CSR of counts (E_st of the paper).

    The rest is as in TruthReport.
    """

    matrix: sparse.csr_array
    rows_present: int
    rows_used: int
    notices: tuple[str, ...]
    swapped: bool
    convertible: bool = False
