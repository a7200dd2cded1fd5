"""Nodes that no method can tell apart, and node correctness that does not blame a matching for them.

Two kinds of swap leave a graph as it is: twins (nodes whose exchange changes no edge, weight or direction) and
isomorphic pendant branches (trees that hang from the same node by one edge, or the two halves of a tree). They
generate a group of automorphisms with a simple shape, so that its best member is found exactly: peeling leaves gives
the pendant trees; what remains are roots. A twin root with a pendant tree cannot exist (its twin would share the first
node of the tree), so permutations of twin roots and of branches never meet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from gwl_core.graph import Graph

Entry = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The swaps of one graph.

    Attributes:
        parent: (n,) the node that each node of a pendant tree hangs from; −1 for a root.
        kind: (n,) equal for siblings, or roots, that may be swapped with all that hangs from them.
        height: (n,) longest way down to a leaf of the pendant tree, 0 for a leaf.
        tied: (n,) bool, nodes that some swap moves.
    """

    parent: np.ndarray
    kind: np.ndarray
    height: np.ndarray
    tied: np.ndarray


def find_symmetry(graph: Graph) -> Symmetry:
    """Find twins and isomorphic pendant branches; about linear in the edges. Self-loops play no part."""
    n = graph.n_nodes
    parent, order, centres = _peel(graph)
    new_kind: defaultdict[Hashable, int] = defaultdict(count().__next__)
    forms: defaultdict[Hashable, int] = defaultdict(count().__next__)
    children: list[list[int]] = [[] for _ in range(n)]
    kind = np.full(n, -1, dtype=np.int64)
    height = np.zeros(n, dtype=np.int64)
    links = _link_weights(graph, order, parent)
    for child, link in zip(order, links, strict=True):
        # Leaves come first, so the kinds of a child's own children are known.
        form = forms[tuple(sorted(kind[children[child]]))]
        kind[child] = new_kind["branch", form, link]
        children[parent[child]].append(child)
        height[parent[child]] = max(height[parent[child]], height[child] + 1)
    twins = _twin_classes(graph)
    for root in np.flatnonzero(parent < 0):
        kind[root] = new_kind["root", twins[root]]
    for one, other in centres:
        ((there, back),) = _link_weights(graph, [one], {one: other})
        if there == back and sorted(kind[children[one]]) == sorted(kind[children[other]]):
            kind[one] = kind[other]
    return Symmetry(parent, kind, height, _tied(parent, kind, order))


def tied_nodes(graph: Graph) -> np.ndarray:
    """(n,) bool: nodes with a twin, or in a branch that has an isomorphic one beside it."""
    return find_symmetry(graph).tied


def tied_matches(matching: np.ndarray, source: Symmetry, target: Symmetry) -> np.ndarray:
    """(n_s,) bool: matched sources for which another match is as good, by a symmetry of either graph."""
    matched = matching >= 0
    return matched & (source.tied | target.tied[np.where(matched, matching, 0)])


def alike_nodes(graph: Graph, rounds: int | None = None) -> np.ndarray:
    """(n,) class of each node by colour refinement (one-dimensional Weisfeiler-Leman) with weights and directions.

    Nodes of one orbit are always in one class; nodes of one class need not be of one orbit. Fewer rounds than it takes
    leave classes coarser.
    """
    matrix = graph.without_loops.tocoo()
    weights = np.unique(matrix.data, return_inverse=True)[1]
    generator = np.random.default_rng(0)
    colours = np.zeros(graph.n_nodes, dtype=np.int64)
    for _ in count() if rounds is None else range(rounds):
        # Sums of random 64-bit numbers, one per (weight, colour), stand for multisets: exact in any order.
        mixed = generator.integers(0, 2**64, colours.max() + 1, dtype=np.uint64)[colours]
        for here, there in ((matrix.row, matrix.col), (matrix.col, matrix.row)):
            pairs = np.unique(weights * (colours.max() + 1) + colours[there], return_inverse=True)[1]
            drawn = generator.integers(0, 2**64, pairs.max(initial=0) + 1, dtype=np.uint64)
            sums = np.zeros(graph.n_nodes, dtype=np.uint64)
            np.add.at(sums, here, drawn[pairs])
            mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + sums
        refined = np.unique(mixed, return_inverse=True)[1]
        if refined.max() == colours.max():
            break
        colours = refined
    return colours


def symmetry_aware_correctness(
    matching: np.ndarray, truth: np.ndarray | None, source: Symmetry, target: Symmetry
) -> float | None:
    """Node correctness up to the swaps of the source, or of the target, whichever gives more; None without truth.

    With f the one-to-one matching and π the truth: max over σ of |{i : f(i) = π(σ(i))}| / |truth| (for the target,
    f(i) = σ(π(i))). At least the plain node correctness, at most that under the best automorphism.
    """
    if truth is None or not len(truth):
        return None
    matcher = {int(j): i for i, j in enumerate(matching) if j >= 0}
    in_source = [(matcher[j], i) for i, j in truth.tolist() if j in matcher]
    in_target = [(j, int(matching[i])) for i, j in truth.tolist() if matching[i] >= 0]
    return max(best_agreement(source, in_source), best_agreement(target, in_target)) / len(truth)


def best_agreement(symmetry: Symmetry, wanted: Iterable[tuple[int, int]]) -> int:
    """The most pairs (x, y) of `wanted` with σ(x) = y, over all σ that the swaps generate; no y may come twice."""
    parent, kind, height = symmetry.parent.tolist(), symmetry.kind.tolist(), symmetry.height.tolist()
    levels: list[dict[tuple[int, int], _Candidate]] = [{} for _ in range(max(height) + 1)]
    for x, y in wanted:
        if kind[x] == kind[y]:
            levels[height[x]].setdefault((x, y), _Candidate()).score += 1
    roots: defaultdict[int, list[Entry]] = defaultdict(list)
    for level in levels:
        for (a, b), candidate in level.items():
            # The most agreement below a and b, if a branch at a is laid onto the one at b.
            score = candidate.score + sum(map(_best_assignment, candidate.below.values()))
            p, q = parent[a], parent[b]
            if p < 0:
                roots[kind[a]].append((a, b, score))
            elif kind[p] == kind[q]:
                levels[height[p]].setdefault((p, q), _Candidate()).below[kind[a]].append((a, b, score))
    return sum(map(_best_assignment, roots.values()))


@dataclass
class _Candidate:
    """A node that may be laid onto another: agreement so far, and that of their children by kind."""

    score: int = 0
    below: defaultdict[int, list[Entry]] = field(default_factory=lambda: defaultdict(list))


def _best_assignment(entries: list[Entry]) -> int:
    """Greatest total score of (row, column, score) entries that share no row and no column."""
    rows = {row for row, _, _ in entries}
    columns = {column for _, column, _ in entries}
    if len(columns) == len(entries) or len(rows) == len(entries):
        # Every column (or row) is wanted once: each row (column) takes its best.
        side = 0 if len(columns) == len(entries) else 1
        best: dict[int, int] = {}
        for entry in entries:
            best[entry[side]] = max(best.get(entry[side], 0), entry[2])
        return sum(best.values())
    row_at = {row: i for i, row in enumerate(rows)}
    column_at = {column: i for i, column in enumerate(columns)}
    scores = np.zeros((len(rows), len(columns)))
    for row, column, score in entries:
        scores[row_at[row], column_at[column]] = score
    return int(scores[linear_sum_assignment(scores, maximize=True)].sum())


def _peel(graph: Graph) -> tuple[np.ndarray, list[int], list[tuple[int, int]]]:
    """Remove leaves round by round: (parents, the removed nodes in order, the two centres of trees that have two)."""
    skeleton = sparse.csr_array(graph.adjacency + graph.adjacency.T)
    degree = np.diff(skeleton.indptr).tolist()
    # The sum of a node's remaining neighbours names the last one without a search.
    neighbours = [int(skeleton.indices[a:b].sum()) for a, b in zip(skeleton.indptr, skeleton.indptr[1:], strict=False)]
    parent = np.full(graph.n_nodes, -1, dtype=np.int64)
    order: list[int] = []
    centres: list[tuple[int, int]] = []
    leaves = {v for v, d in enumerate(degree) if d == 1}
    while leaves:
        touched = []
        for v in sorted(leaves):
            p = neighbours[v]
            if p in leaves:
                if v < p:
                    centres.append((v, p))
                continue
            parent[v] = p
            order.append(v)
            degree[p] -= 1
            neighbours[p] -= v
            touched.append(p)
        leaves = {p for p in touched if degree[p] == 1}
    return parent, order, centres


def _link_weights(graph: Graph, nodes: list[int], parent: np.ndarray | dict[int, int]) -> list[tuple[float, float]]:
    """Weights from each node to its parent and back."""
    if not nodes:
        return []
    parents = [int(parent[v]) for v in nodes]
    weights = graph.without_loops
    there = sparse.coo_array(weights[nodes, parents]).toarray().ravel()
    back = sparse.coo_array(weights[parents, nodes]).toarray().ravel()
    return list(zip(there.tolist(), back.tolist(), strict=True))


def _twin_classes(graph: Graph) -> list[int]:
    """A class number per node; two nodes share one if exchanging them changes no weight."""
    out = graph.without_loops
    views = [_sorted_rows(out)] + ([_sorted_rows(sparse.csr_array(out.T))] if graph.directed else [])
    apart: defaultdict[Hashable, int] = defaultdict(count().__next__)
    # Not joined by an edge: the same rows and columns.
    classes = [
        apart[tuple(part.tobytes() for rows in views for part in rows[v])] for v in range(graph.n_nodes)
    ]  # fmt: skip
    # Joined by an edge of weight w, both ways: the same once each counts itself as a neighbour at w. Only worth
    # trying for edges between nodes with the same bag of weights.
    bags: defaultdict[Hashable, int] = defaultdict(count().__next__)
    bag = np.array([bags[tuple(np.sort(rows[v][1]).tobytes() for rows in views)] for v in range(graph.n_nodes)])
    coo = out.tocoo()
    both_ways = coo.data == sparse.coo_array(out[coo.col, coo.row]).toarray().ravel()
    near = both_ways & (bag[coo.row] == bag[coo.col])
    joined: defaultdict[Hashable, list[int]] = defaultdict(list)
    for v, weight in sorted(set(zip(coo.row[near].tolist(), coo.data[near].tolist(), strict=True))):
        closed = (_with_itself(rows[v], v, weight) for rows in views)
        joined[(weight, *(part.tobytes() for row in closed for part in row))].append(v)
    for members in joined.values():
        for v in members[1:]:
            classes[v] = classes[members[0]]
    return classes


def _sorted_rows(matrix: sparse.csr_array) -> list[tuple[np.ndarray, np.ndarray]]:
    """(columns in order, weights) of every row."""
    ordered = matrix.sorted_indices()
    bounds = list(zip(ordered.indptr, ordered.indptr[1:], strict=False))
    return [(ordered.indices[a:b], ordered.data[a:b]) for a, b in bounds]


def _with_itself(row: tuple[np.ndarray, np.ndarray], v: int, weight: float) -> tuple[np.ndarray, np.ndarray]:
    columns, weights = row
    at = int(np.searchsorted(columns, v))
    return np.insert(columns, at, v), np.insert(weights, at, weight)


def _tied(parent: np.ndarray, kind: np.ndarray, order: list[int]) -> np.ndarray:
    _, group, size = np.unique(np.column_stack([parent, kind]), axis=0, return_inverse=True, return_counts=True)
    tied = size[group.ravel()] > 1
    for v in reversed(order):
        tied[v] |= tied[parent[v]]
    return tied
