"""Shares, alternatives and sureness of a pair against sums made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from gwl_core.datasets.synthetic import knn
from gwl_core.inspection import (
    Subject,
    alternatives,
    candidates,
    contribution,
    exchange_of,
    injective,
    regularizer_share,
    sureness,
    terms,
)
from gwl_core.measure import measure
from gwl_core.neighbourhood import CONSERVED, links
from gwl_core.problem import MatchingProblem
from gwl_core.schedules import alpha_of
from gwl_core.settings import Config, Hyperparameters
from gwl_core.solver import init, step
from gwl_core.workspace import workspace

HYPER = Hyperparameters(outer=2, inner=6, epochs=3, rounds=0, alpha="constant:0.3")


def subject(loss: str = "square", anchors: bool = False, regularizer: str = "mean") -> Subject:
    problem = knn(10, 0.3, np.random.default_rng(1))
    if anchors:
        from scipy import sparse

        counts = sparse.csr_array(([2.0], ([3], [4])), shape=(problem.source.n_nodes, problem.target.n_nodes))
        problem = MatchingProblem(problem.source, problem.target, problem.truth, counts)
    config = Config(dim=4, loss=loss, precision="float64", regularizer=regularizer)
    state = init(problem, config, HYPER)
    for _ in range(9):
        state, _ = step(problem, config, HYPER, state)
    space = workspace(problem, config)
    matching = np.random.default_rng(2).permutation(problem.target.n_nodes)[: problem.source.n_nodes]
    return Subject(
        space, state.coupling, state.embeddings, alpha_of(HYPER, state), HYPER.beta, matching,
        measure(problem, config, HYPER, state),
    )  # fmt: skip


@pytest.mark.parametrize("loss", ["square", "kl"])
def test_shares_sum_to_the_discrepancy(loss: str) -> None:
    seen = subject(loss)
    n = len(seen.coupling)
    assert seen.measures is not None
    total = sum(contribution(seen, i, j) for i in range(n) for j in range(n))
    assert total == pytest.approx(seen.measures.gw_discrepancy, rel=1e-9)
    mixed = sum(contribution(seen, i, j, seen.alpha) for i in range(n) for j in range(n))
    expected = seen.space.transport(seen.embeddings, seen.alpha).linearize(seen.coupling)
    assert mixed == pytest.approx(expected.discrepancy, rel=1e-9)


def test_a_share_is_the_four_index_sum_of_its_pair() -> None:
    seen = subject()
    source, target = (cost.dense().numpy() for cost in (seen.space.source_cost, seen.space.target_cost))
    coupling, (i, j) = seen.coupling.numpy(), (2, 5)
    expected = 0.0
    for k in range(len(source)):
        for m in range(len(target)):
            there, back = (source[i, k] - target[j, m]) ** 2, (source[k, i] - target[m, j]) ** 2
            expected += coupling[i, j] * coupling[k, m] * (there + back) / 2
    assert contribution(seen, i, j) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("regularizer", ["mean", "sum"])
def test_shares_of_the_regulariser_sum_to_it(regularizer: str) -> None:
    seen = subject(anchors=True, regularizer=regularizer)
    assert seen.measures is not None
    assert seen.space.anchor_cost is not None
    n_s, n_t = seen.space.anchor_cost.shape
    bare = replace(seen, space=replace(seen.space, anchor_cost=None))
    here = regularizer_share(bare, 0, 0)
    sources = sum(regularizer_share(bare, i, 0) - here for i in range(n_s)) + n_s * here
    targets = sum(regularizer_share(bare, 0, j) - here for j in range(n_t)) + n_t * here
    # Rows of either graph, each counted once: Σ_i (r_i + t_0) + Σ_j (r_0 + t_j) − n_s t_0 − n_t r_0.
    rows = _row(bare, 0), _row(bare, 1)
    nodes = sources + targets - n_s * rows[1] - n_t * rows[0]
    anchored = sum(
        regularizer_share(seen, i, j) - regularizer_share(bare, i, j) for i in range(n_s) for j in range(n_t)
    )
    assert nodes + anchored == pytest.approx(seen.measures.regularizer, rel=1e-9)


def _row(seen: Subject, side: int) -> float:
    """Row 0 of one graph in R."""
    x, space = seen.embeddings, seen.space
    assert x is not None
    points, cost = ((x.source, space.source_dense), (x.target, space.target_dense))[side]
    losses = (space.kernel.within(points)[0] - cost[0]).square()
    return float(losses.mean() / len(points) if space.config.regularizer == "mean" else losses.sum())


def test_terms_make_up_the_objective() -> None:
    seen = subject()
    observed, *parts = terms(seen, 1, 2)
    assert seen.measures is not None
    assert observed.total == seen.measures.gw_discrepancy
    total = sum(term.weight * term.total for term in parts)  # type: ignore[operator]
    assert total == pytest.approx(seen.measures.objective, rel=1e-12)
    assert all(0 <= term.share <= term.total for term in (observed, *parts))  # type: ignore[operator]


def test_alternatives_are_the_cheapest_exchanges() -> None:
    seen = subject()
    found = alternatives(seen, 4)
    assert len(found) == 5
    exchange, matching = exchange_of(seen.space), seen.matching
    costs = {}
    for j in range(seen.space.problem.target.n_nodes):
        after = matching.copy()
        after[matching == j] = matching[4]
        after[4] = j
        costs[j] = exchange.discrepancy(after) - exchange.discrepancy(matching)
    del costs[int(matching[4])]
    assert [a.discrepancy for a in found] == pytest.approx(sorted(costs.values())[:5], abs=1e-12)
    for a in found:
        assert costs[a.target] == pytest.approx(a.discrepancy, abs=1e-12)
        assert a.owner == (np.flatnonzero(matching == a.target).tolist() or [-1])[0]


def test_of_many_targets_the_promising_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = subject()
    full = alternatives(seen, 4)
    exchange, n_t = exchange_of(seen.space), seen.space.problem.target.n_nodes
    overlap = exchange.overlap(seen.matching, 4)
    for j in range(n_t):
        after = seen.matching.copy()
        after[after == j] = -1
        after[4] = j
        found = links(seen.space.problem, after, (4, j))
        assert overlap[j] >= sum(link.kind == CONSERVED for link in found)
    monkeypatch.setattr("gwl_core.inspection.WEIGHED", n_t - 2)
    weighed = candidates(seen, 4)
    assert len(weighed) <= n_t - 2
    some = alternatives(seen, 4)
    known = {a.target: a for a in full}
    assert all(known.get(a.target, a) == a for a in some)
    assert int(overlap.argmax()) in weighed


def test_sureness_of_an_even_and_of_a_decided_row() -> None:
    seen = subject()
    even = replace(seen, coupling=torch.full_like(seen.coupling, 1 / seen.coupling.numel()))
    assert sureness(even, 0, 1).entropy == pytest.approx(1)
    assert sureness(even, 0, 1).margin == pytest.approx(0)
    n = len(seen.coupling)
    decided = replace(seen, coupling=torch.eye(n, dtype=torch.float64) / n)
    found = sureness(decided, 1, 1)
    assert (found.mass, found.margin, found.entropy, found.mutual) == (1, 1, 0, True)
    other = sureness(decided, 1, 2)
    assert (other.mass, other.margin, other.mutual) == (0, -1, False)


def test_injective_keeps_the_source_that_gives_most() -> None:
    coupling = np.array([[0.2, 0.1], [0.3, 0.0], [0.0, 0.4]])
    assert injective(np.array([0, 0, 1]), coupling).tolist() == [-1, 0, 1]
    assert injective(np.array([-1, 0, 0]), np.full((3, 2), 0.5)).tolist() == [-1, 0, -1]
