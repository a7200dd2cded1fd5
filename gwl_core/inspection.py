"""One pair under the lens: what it costs, how sure it is, and what another choice would change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gwl_core.costs import ObservedCost
from gwl_core.embedding import Embeddings
from gwl_core.exchange import Exchange
from gwl_core.result import Measures
from gwl_core.workspace import Workspace

MOST = 5
WEIGHED = 600
"""Targets that are weighed as alternatives; beyond so many, those with most conserved edges and most mass."""


@dataclass(frozen=True)
class Term:
    """One term of the objective.

    Attributes:
        name: discrepancy (of the observed costs), mixed, wasserstein or regularizer.
        weight: what it counts for in the objective; None for the observed discrepancy, which only reports.
        total: its value for the whole run, or None where that was not measured.
        share: the part of it that belongs to the pair.
    """

    name: str
    weight: float | None
    total: float | None
    share: float


@dataclass(frozen=True)
class Alternative:
    """Another target for the source.

    Attributes:
        target: the other target.
        owner: the source that has it now and would take over the present match; −1 if it is free.
        mass: its share of the source's mass.
        discrepancy, conserved: change of the matching's discrepancy and of its conserved edges.
    """

    target: int
    owner: int
    mass: float
    discrepancy: float
    conserved: int


@dataclass(frozen=True)
class Sureness:
    """Why a pair is sure or not.

    Attributes:
        mass: share of the source's mass that goes to the target, 0 to 1.
        margin: that share less the largest other one; negative where another target gets more.
        entropy: of the source's shares, unmatched mass included, over the log of their number: 0 decided, 1 even.
        mutual: each is the other's largest entry.
    """

    mass: float
    margin: float
    entropy: float
    mutual: bool


@dataclass(frozen=True, eq=False)
class Subject:
    """A state to look into.

    Attributes:
        space: of the problem and its Config.
        coupling: (n, m) padded T, float64.
        embeddings: X_s and X_t, or None.
        alpha, beta: in force.
        matching: (n_s,) target of each source, −1 for none, no target twice.
        measures: of the state, where they were taken.
    """

    space: Workspace
    coupling: Tensor
    embeddings: Embeddings | None
    alpha: float
    beta: float
    matching: np.ndarray
    measures: Measures | None = None


def contribution(subject: Subject, i: int, j: int, alpha: float = 0.0) -> float:
    """T_ij L(C_s, C_t, T)_ij, mean of both halves: what the padded pair adds to the discrepancy, or to the mixed one.

    Over all i and j it sums to ⟨L(C_s, C_t, T), T⟩ (eq. gwd).
    """
    loss, coupling = subject.space.loss, subject.coupling
    sums = coupling.sum(1), coupling.sum(0)
    values = []
    for transposed in (False, True):
        ours, theirs = (_row(subject, side, node, alpha, transposed) for side, node in ((0, i), (1, j)))
        cross = loss.h1(ours) @ coupling @ loss.h2(theirs)
        values.append(float(loss.f1(ours) @ sums[0] + loss.f2(theirs) @ sums[1] - cross))
    return float(coupling[i, j]) * sum(values) / 2


def terms(subject: Subject, i: int, j: int) -> tuple[Term, ...]:
    """The pair's share of the discrepancy and of each term of objective (rgwl).

    The regulariser belongs to nodes: the pair's share is that of the rows of i and j, and of the anchor entry (i, j).
    """
    measures, alpha, beta, x = subject.measures, subject.alpha, subject.beta, subject.embeddings
    observed = Term(
        "discrepancy", None, measures.gw_discrepancy if measures else None, max(0.0, contribution(subject, i, j))
    )
    if x is None:
        return (observed,)
    wasserstein = float(subject.space.kernel.cross(x.source[[i]], x.target[[j]])) * float(subject.coupling[i, j])
    known = measures is not None and measures.wasserstein is not None and measures.regularizer is not None
    mixed = None
    if known and measures is not None:
        mixed = measures.objective - alpha * float(measures.wasserstein or 0) - beta * float(measures.regularizer or 0)
    return (
        observed,
        Term("mixed", 1.0, mixed, max(0.0, contribution(subject, i, j, alpha))),
        Term("wasserstein", alpha, measures.wasserstein if measures else None, wasserstein),
        Term("regularizer", beta, measures.regularizer if measures else None, regularizer_share(subject, i, j)),
    )


def regularizer_share(subject: Subject, i: int, j: int) -> float:
    """The entries of R (eq. reg) in row i of the source's matrix, row j of the target's, and at the anchor (i, j).

    The rows of all sources, all targets and the anchors' entries sum to R.
    """
    space, x = subject.space, subject.embeddings
    assert x is not None
    total = 0.0
    for points, node, cost in ((x.source, i, space.real_costs[0]), (x.target, j, space.real_costs[1])):
        kernel = _kernel_row(space, points, node)
        losses = space.loss.elementwise(space.loss.admit(kernel), torch.from_numpy(_dense_row(cost, node)))
        total += float(losses.mean() / len(points) if space.config.regularizer == "mean" else losses.sum())
    if space.anchor_cost is not None:
        cross = space.loss.admit(space.kernel.cross(x.source[[i]], x.target[[j]]))
        entry = float(space.loss.elementwise(cross, space.anchor_cost[i, j].cpu()))
        total += entry / space.anchor_cost.numel() if space.config.regularizer == "mean" else entry
    return total


def candidates(subject: Subject, i: int) -> np.ndarray:
    """Targets worth weighing for a source: all, or where there are many those with most conserved edges or mass."""
    n_t = subject.space.problem.target.n_nodes
    if n_t <= WEIGHED:
        return np.arange(n_t)
    kept = exchange_of(subject.space).overlap(subject.matching, i)
    by_edges, by_mass = np.argsort(-kept, kind="stable"), np.argsort(-shares(subject, i), kind="stable")
    return np.unique(np.concatenate([by_edges[: WEIGHED // 2], by_mass[: WEIGHED // 2]]))


def alternatives(subject: Subject, i: int, most: int = MOST) -> tuple[Alternative, ...]:
    """The other targets of a source whose exchange raises the discrepancy of the matching least, best first.

    Among `candidates`.
    """
    problem, matching, targets = subject.space.problem, subject.matching, candidates(subject, i)
    discrepancy, conserved = exchange_of(subject.space).changes(matching, i, targets)
    share = shares(subject, i)[targets]
    owners = np.full(problem.target.n_nodes, -1)
    matched = np.flatnonzero(matching >= 0)
    owners[matching[matched]] = matched
    order = np.lexsort((-share, np.round(discrepancy, 15)))
    return tuple(
        Alternative(int(targets[k]), int(owners[targets[k]]), float(share[k]), float(discrepancy[k]), int(conserved[k]))
        for k in order[: most + 1]
        if targets[k] != matching[i]
    )[:most]


def exchange_of(space: Workspace) -> Exchange:
    """Exchanges on a workspace's observed costs."""
    source, target = space.real_costs
    graphs = space.problem.source, space.problem.target
    return Exchange(source, target, space.dummy_cost, space.loss, graphs, space.symmetric)


def shares(subject: Subject, i: int) -> np.ndarray:
    """(n_t,) shares of a source's mass, unmatched mass left out; 0 for a node without mass."""
    row = subject.coupling[i].numpy()
    return row[: subject.space.problem.target.n_nodes] / (row.sum() or 1.0)


def sureness(subject: Subject, i: int, j: int) -> Sureness:
    """Mass, margin and entropy of row i, and whether the pair is mutual."""
    problem = subject.space.problem
    row, column = shares(subject, i), subject.coupling[: problem.source.n_nodes, j].numpy()
    row_with_slack = subject.coupling[i].numpy() / (float(subject.coupling[i].sum()) or 1.0)
    positive = row_with_slack[row_with_slack > 0]
    entropy = float(-(positive * np.log(positive)).sum() / np.log(max(2, len(row_with_slack))))
    others = np.delete(row_with_slack, j)
    mutual = bool(row[j] > 0 and row[j] >= row.max() and column[i] >= column.max())
    mass = float(row[j])
    return Sureness(mass, mass - float(others.max(initial=0.0)), min(1.0, max(0.0, entropy)), mutual)


def injective(matching: np.ndarray, coupling: np.ndarray) -> np.ndarray:
    """The matching with every target kept by the source that gives it most, the lowest index among equals."""
    kept = np.full(len(matching), -1, dtype=np.int64)
    matched = np.flatnonzero(matching >= 0)
    order = matched[np.argsort(-coupling[matched, matching[matched]], kind="stable")]
    _, first = np.unique(matching[order], return_index=True)
    kept[order[first]] = matching[order[first]]
    return kept


def _row(subject: Subject, side: int, node: int, alpha: float, transposed: bool) -> Tensor:
    """One padded row of C, or of (1−α) C + α K (eq. cost)."""
    space, x = subject.space, subject.embeddings
    cost, n = space.real_costs[side], len((space.source, space.target)[side])
    row = np.full(n, cost.background)
    if node < cost.n:
        row[: cost.n] = _dense_row(cost, node, transposed)
    else:
        row[node] = space.dummy_cost
    observed = torch.from_numpy(row)
    if x is None or alpha == 0:
        return observed
    points, kernel = (x.source, x.target)[side], torch.ones(n, dtype=torch.float64)
    if node < cost.n:
        kernel[: cost.n] = _kernel_row(space, points, node)
    else:
        kernel[node] = 0.0
    return space.loss.admit((1 - alpha) * observed + alpha * kernel)


def _kernel_row(space: Workspace, points: Tensor, node: int) -> Tensor:
    kernel = space.kernel.cross(points[[node]], points)[0]
    kernel[node] = 0.0
    return kernel


def _dense_row(cost: ObservedCost, node: int, transposed: bool = False) -> np.ndarray:
    deviation = cost.deviation.T if transposed else cost.deviation
    row = deviation[node] if isinstance(deviation, np.ndarray) else deviation.tocsr()[[node]].toarray()[0]
    return cost.background + np.asarray(row, dtype=np.float64)
