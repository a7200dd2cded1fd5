"""What one exchange of targets would change: the discrepancy of a matching, and the edges it conserves.

A matching is read as one-to-one on slots: a matched pair is a slot (i, f(i)), an unmatched source a slot (i, dummy), a
free target a slot (dummy, j). A dummy is at the background cost from every other node. With n = max(n_s, n_t), the
discrepancy of the matching is 1/n² Σ over ordered pairs of slots of L(C_s, C_t): for uniform marginals with unmatched
mass that of the coupling which the matching stands for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse

from gwl_core.costs import ObservedCost
from gwl_core.graph import Graph
from gwl_core.losses import Loss

_BLOCK = 2_000_000
"""Entries of a cost that are looked at together."""


@dataclass(frozen=True, eq=False)
class Slots:
    """(K,) sources and targets, −1 for a dummy; the first n_s slots are the sources in order, then the free targets."""

    source: np.ndarray
    target: np.ndarray

    @classmethod
    def of(cls, matching: np.ndarray, n_target: int) -> Slots:
        free = np.setdiff1d(np.arange(n_target), matching)
        source = np.concatenate([np.arange(len(matching)), np.full(len(free), -1)])
        return cls(source, np.concatenate([np.where(matching >= 0, matching, -1), free]))


@dataclass(frozen=True, eq=False)
class Exchange:
    """Costs and edges of two graphs, to weigh exchanges on.

    Attributes:
        source, target: observed costs of the real nodes.
        diagonal: what a dummy costs itself.
        symmetric: both costs are.
        graphs: for the edges.
    """

    source: ObservedCost
    target: ObservedCost
    diagonal: float
    loss: Loss
    graphs: tuple[Graph, Graph]
    symmetric: bool = False

    def discrepancy(self, matching: np.ndarray) -> float:
        """That of a matching."""
        slots = Slots.of(matching, self.target.n)
        total = 0.0
        for block in _blocks(len(slots.source)):
            costs = self._lost(slots.source[block], slots.target[block], slots)
            places = np.arange(len(slots.source))[block]
            costs[np.arange(len(places)), places] = self._own(slots.source[block], slots.target[block])
            total += float(costs.sum())
        return total / max(self.source.n, self.target.n) ** 2

    def changes(
        self, matching: np.ndarray, source: int, targets: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """What giving `source` each target would do, its present owner taking over what `source` has.

        Args:
            targets: (k,) those to weigh; default all.

        Returns:
            (k,) change of the discrepancy, and (k,) change of the number of conserved edges; 0 for the present one.
        """
        targets = np.arange(self.target.n) if targets is None else targets
        slots = Slots.of(matching, self.target.n)
        at = np.full(self.target.n, -1)
        at[slots.target[slots.target >= 0]] = np.flatnonzero(slots.target >= 0)
        discrepancy, conserved = np.zeros(len(targets)), np.zeros(len(targets), dtype=np.int64)
        for block in _blocks(len(slots.source), len(targets)):
            others = at[targets[block]]
            moves = others != source
            discrepancy[block][moves] = self._loss_changes(slots, source, others[moves])
            conserved[block][moves] = self._edge_changes(slots, source, others[moves])
        return discrepancy / max(self.source.n, self.target.n) ** 2, conserved

    def overlap(self, matching: np.ndarray, source: int) -> np.ndarray:
        """(n_t,) edges that `source` would conserve at each target, all other matches as they are."""
        first, second = (graph.adjacency for graph in self.graphs)
        total = np.zeros(self.target.n)
        for ours, theirs in ((first, second), (sparse.csr_array(first.T), sparse.csr_array(second.T))):
            images = matching[ours[[source]].indices]
            total += np.asarray(theirs.T[images[images >= 0]].sum(axis=0)).ravel() if (images >= 0).any() else 0
        return total

    def _loss_changes(self, slots: Slots, a: int, others: np.ndarray) -> np.ndarray:
        """Change of the summed losses when slot a exchanges targets with each of the others."""
        (s_a, t_a), s_b, t_b = (slots.source[a], slots.target[a]), slots.source[others], slots.target[others]
        all_a, mine = np.full(len(others), s_a), np.full(len(others), t_a)
        total = np.zeros(len(others))
        for sign, (s, t) in ((1, (all_a, t_b)), (1, (s_b, mine)), (-1, (all_a, mine)), (-1, (s_b, t_b))):
            for transposed in (False,) if self.symmetric else (False, True):
                lost = self._lost(s, t, slots, transposed)
                lost[:, a] = 0.0
                lost[np.arange(len(others)), others] = 0.0
                total += sign * lost.sum(axis=1) * (2 if self.symmetric else 1)
            total += sign * self._own(s, t)
        # Between the two: (s_a, s_b) lay on (t_a, t_b) and comes to lie on (t_b, t_a), and the other way round.
        for sign, (t1, t2) in ((1, (t_b, mine)), (-1, (mine, t_b))):
            total += sign * (self._between(all_a, s_b, t1, t2) + self._between(s_b, all_a, t2, t1))
        return total

    def _edge_changes(self, slots: Slots, a: int, others: np.ndarray) -> np.ndarray:
        """The same for conserved edges."""
        first, second = (ObservedCost(0.0, graph.adjacency) for graph in self.graphs)
        directed = self.graphs[0].directed or self.graphs[1].directed
        (s_a, t_a), s_b, t_b = (slots.source[a], slots.target[a]), slots.source[others], slots.target[others]
        all_a, mine = np.full(len(others), s_a), np.full(len(others), t_a)
        total = np.zeros(len(others))
        for sign, (s, t) in ((1, (all_a, t_b)), (1, (s_b, mine)), (-1, (all_a, mine)), (-1, (s_b, t_b))):
            for transposed in (False, True) if directed else (False,):
                kept = rows(first, s, slots.source, transposed) * rows(second, t, slots.target, transposed)
                kept[:, a] = 0.0
                kept[np.arange(len(others)), others] = 0.0
                total += sign * kept.sum(axis=1)
        for sign, (t1, t2) in ((1, (t_b, mine)), (-1, (mine, t_b))):
            total += sign * entries(first, all_a, s_b) * entries(second, t1, t2)
            if directed:
                total += sign * entries(first, s_b, all_a) * entries(second, t2, t1)
        return np.rint(total).astype(np.int64)

    def _lost(self, s: np.ndarray, t: np.ndarray, slots: Slots, transposed: bool = False) -> np.ndarray:
        """(len(s), K) losses of the rows of s at the rows of t."""
        return self._loss(
            rows(self.source, s, slots.source, transposed), rows(self.target, t, slots.target, transposed)
        )

    def _between(self, s1: np.ndarray, s2: np.ndarray, t1: np.ndarray, t2: np.ndarray) -> np.ndarray:
        return self._loss(entries(self.source, s1, s2), entries(self.target, t1, t2))

    def _own(self, s: np.ndarray, t: np.ndarray) -> np.ndarray:
        """Losses of nodes with themselves."""
        ours, theirs = (
            np.where(nodes >= 0, entries(cost, nodes, nodes), self.diagonal)
            for cost, nodes in ((self.source, s), (self.target, t))
        )
        return self._loss(ours, theirs)

    def _loss(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return self.loss.elementwise(torch.from_numpy(a), torch.from_numpy(b)).numpy()


def rows(cost: ObservedCost, nodes: np.ndarray, columns: np.ndarray, transposed: bool = False) -> np.ndarray:
    """(len(nodes), len(columns)) entries C[nodes, columns], or C[columns, nodes]ᵀ; −1 is a dummy at the background."""
    deviation = cost.deviation.T if transposed else cost.deviation
    picked = deviation[np.maximum(nodes, 0)] if isinstance(deviation, np.ndarray) else deviation.tocsr()[
        np.maximum(nodes, 0)
    ].toarray()  # fmt: skip
    picked = np.hstack([np.where(nodes[:, None] >= 0, picked, 0.0), np.zeros((len(nodes), 1))])
    return cost.background + picked[:, columns]


def entries(cost: ObservedCost, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """(k,) entries C[i, j]; −1 is a dummy at the background."""
    there = (i >= 0) & (j >= 0)
    values = np.zeros(len(i))
    if there.any():
        found = cost.deviation[i[there], j[there]]
        values[there] = found if isinstance(found, np.ndarray) else found.toarray().ravel()
    return cost.background + values


def _blocks(width: int, count: int | None = None) -> Iterator[slice]:
    size = max(1, _BLOCK // max(1, width))
    for start in range(0, width if count is None else count, size):
        yield slice(start, start + size)
