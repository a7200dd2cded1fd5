"""Measures of a matching against the truth and against the edges. Every rate is in [0, 1] or None: not defined.

With f one-to-one from source to target, C conserved edges (source edges whose image is a target edge) and I target
edges among matched nodes: edge correctness EC = C/|E_s|, induced conserved structure ICS = C/I, S3 = C/(|E_s| + I − C)
(Kuchaiev et al. 2010; Patro and Kingsford 2012; Saraph and Milenković 2014). An unmatched node conserves nothing.
LCCS is the largest connected component of the conserved edges, MNC the mean overlap of matched neighbourhoods.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.stats import rankdata

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.matching import check_injective

TIES = {"average": "average rank", "strict": "tied is not a hit", "optimistic": "tied is a hit"}


def node_correctness(matching: np.ndarray, truth: np.ndarray | None) -> float | None:
    """Share of the sources with known truth whose match is the true one; None without truth.

    Args:
        matching: (n_s,) target indices, −1 for none; need not be one-to-one.
        truth: (k, 2) pairs of indices.
    """
    if truth is None or not len(truth):
        return None
    return float(np.mean(matching[truth[:, 0]] == truth[:, 1]))


@dataclass(frozen=True)
class Correctness:
    """Node correctness with what it divides by: the sources whose true match is known, of all sources."""

    correct: int
    known: int
    sources: int

    @property
    def share(self) -> float:
        return self.correct / self.known

    @property
    def of_all(self) -> float:
        """correct/|P|, as the paper divides; equal to the share when every source is known."""
        return self.correct / self.sources

    @property
    def label(self) -> str:
        rest = "" if self.known == self.sources else f" known, of {self.sources} sources"
        return f"{self.share:.1%} ({self.correct} of {self.known}{rest})"


def correctness(matching: np.ndarray, truth: np.ndarray | None) -> Correctness | None:
    """Node correctness with its denominator; None without truth. Arguments as `node_correctness`."""
    if truth is None or not len(truth):
        return None
    return Correctness(int((matching[truth[:, 0]] == truth[:, 1]).sum()), len(truth), len(matching))


@dataclass(frozen=True)
class EdgeCounts:
    """Edges as ordered pairs: an undirected edge counts twice, in every field, so ratios are those of edges."""

    conserved: int
    source: int
    induced: int

    @property
    def edge_correctness(self) -> float | None:
        return _ratio(self.conserved, self.source)

    @property
    def ics(self) -> float | None:
        return _ratio(self.conserved, self.induced)

    @property
    def s3(self) -> float | None:
        return _ratio(self.conserved, self.source + self.induced - self.conserved)


def edge_counts(matching: np.ndarray, source: Graph, target: Graph) -> EdgeCounts:
    """Count what EC, ICS and S3 divide; self-loops and weights play no part.

    Raises:
        InputError: if two sources have the same target, or the matching has not one entry per source node.
    """
    _, kept, induced = _restricted(matching, source, target)
    return EdgeCounts(int(kept.multiply(induced).sum()), source.adjacency.nnz, induced.nnz)


def _restricted(
    matching: np.ndarray, source: Graph, target: Graph
) -> tuple[np.ndarray, sparse.csr_array, sparse.csr_array]:
    """The k matched sources, and both graphs among matched nodes, (k, k), in the order of those sources."""
    if matching.shape != (source.n_nodes,):
        raise InputError(f"The matching has shape {matching.shape}; it needs one entry per source node.")
    check_injective(matching)
    matched = np.flatnonzero(matching >= 0)
    image = matching[matched]
    return matched, source.adjacency[matched][:, matched], target.adjacency[image][:, image]


def edge_correctness(matching: np.ndarray, source: Graph, target: Graph) -> float | None:
    """C/|E_s|; None for a source without edges."""
    return edge_counts(matching, source, target).edge_correctness


def ics(matching: np.ndarray, source: Graph, target: Graph) -> float | None:
    """C/I; None if no target edge joins two matched nodes."""
    return edge_counts(matching, source, target).ics


def s3(matching: np.ndarray, source: Graph, target: Graph) -> float | None:
    """C/(|E_s| + I − C); None if both are without edges."""
    return edge_counts(matching, source, target).s3


@dataclass(frozen=True)
class Component:
    """A connected component by its size."""

    nodes: int
    edges: int


def largest_conserved_component(matching: np.ndarray, source: Graph, target: Graph) -> Component:
    """LCCS (Kuchaiev et al. 2010): the component of most nodes, then edges, that the conserved edges connect.

    Direction plays no part in what is connected, an undirected edge counts once, and without a conserved edge both
    sizes are 0.

    Raises:
        InputError: as `edge_counts`.
    """
    _, kept, induced = _restricted(matching, source, target)
    conserved = sparse.csr_array(kept.multiply(induced))
    conserved.eliminate_zeros()
    if not conserved.nnz:
        return Component(0, 0)
    count, component = connected_components(conserved, directed=True, connection="weak")
    edges = np.bincount(component, weights=np.diff(conserved.indptr), minlength=count).astype(np.int64)
    nodes = np.where(edges > 0, np.bincount(component, minlength=count), 0)
    most = np.lexsort((edges, nodes))[-1]
    return Component(int(nodes[most]), int(edges[most]) // (1 if source.directed else 2))


def mean_neighbourhood_conservation(matching: np.ndarray, source: Graph, target: Graph) -> float | None:
    """MNC: mean over sources i of |f(N(i)) ∩ N(f(i))| / |f(N(i)) ∪ N(f(i))|.

    An unmatched neighbour is lost from the intersection and stays in the union, an unmatched source with neighbours
    counts 0, one without neighbours on either side is left out. Of a directed graph, both directions count.

    Returns:
        None if no source has a neighbour on either side.

    Raises:
        InputError: as `edge_counts`.
    """
    matched, kept, induced = _restricted(matching, source, target)
    shared = np.zeros(source.n_nodes)
    union = _ends(source.adjacency)
    conserved = sparse.csr_array(kept.multiply(induced))
    shared[matched] = _ends(conserved)
    union[matched] += _ends(target.adjacency)[matching[matched]] - shared[matched]
    counted = union > 0
    return float(np.mean(shared[counted] / union[counted])) if counted.any() else None


def _ends(adjacency: sparse.csr_array) -> np.ndarray:
    """(n,) edges that leave or reach each node, an undirected one counted both ways."""
    return np.asarray(adjacency.sum(axis=1)).ravel() + np.asarray(adjacency.sum(axis=0)).ravel()


def true_ranks(scores: np.ndarray, truth: np.ndarray, ties: str = "average") -> np.ndarray:
    """(k,) rank, from 1, of each true target in its row of (n_s, n_t) scores, higher is better.

    Equal scores share their average rank, or take the worst ("strict") or the best ("optimistic") of theirs. Rows
    without truth are left out.
    """
    if ties not in TIES:
        raise InputError(f"ties must be one of {', '.join(TIES)}, got {ties!r}.")
    if not len(truth):
        raise InputError("Ranks need at least one true pair.")
    rows = np.asarray(scores)[truth[:, 0]]
    if np.isnan(rows).any():
        raise InputError("A score is not a number; ranks need finite scores.")
    method = {"average": "average", "strict": "max", "optimistic": "min"}[ties]
    return rankdata(-rows, method=method, axis=1)[np.arange(len(truth)), truth[:, 1]]


@dataclass(frozen=True)
class HitRate:
    """Hits@k with what it depends on: k is clipped to the number of targets."""

    value: float
    k: int
    asked: int
    ties: str

    @property
    def label(self) -> str:
        clipped = f", clipped from {self.asked} to the {self.k} targets" if self.k < self.asked else ""
        return f"hits@{self.k} ({TIES[self.ties]}{clipped})"


def hits_at_k(scores: np.ndarray, truth: np.ndarray, k: int, ties: str = "average") -> HitRate:
    """Share of the true pairs ranked k or better."""
    if k < 1:
        raise InputError(f"k must be at least 1, got {k}.")
    used = min(k, scores.shape[1])
    return HitRate(float(np.mean(true_ranks(scores, truth, ties) <= used)), used, k, ties)


def mean_reciprocal_rank(scores: np.ndarray, truth: np.ndarray) -> float:
    """Mean of 1/rank over the true pairs, average rank for ties."""
    return float(np.mean(1 / true_ranks(scores, truth)))


def rank_auc(scores: np.ndarray, truth: np.ndarray) -> float | None:
    """Mean share of the false targets that score below the true one, ties half; None for a single target."""
    n_t = scores.shape[1]
    if n_t < 2:
        return None
    return float(np.mean((n_t - true_ranks(scores, truth)) / (n_t - 1)))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
