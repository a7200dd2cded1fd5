"""Exchanges of targets against a discrepancy that is summed anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.exchange import Exchange
from gwl_core.inspection import exchange_of
from gwl_core.metrics import edge_counts
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config
from gwl_core.workspace import workspace

PROBLEMS = {
    "directed, larger target": knn(9, 0.3, np.random.default_rng(1)),
    "undirected, same size": barabasi_albert(8, 0.0, np.random.default_rng(2)),
}


def made(problem: MatchingProblem, loss: str, cost: str = "zipf") -> Exchange:
    return exchange_of(workspace(problem, Config(embeddings=False, loss=loss, cost=cost)))


def some_matching(problem: MatchingProblem, unmatched: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    matching = rng.permutation(problem.target.n_nodes)[: problem.source.n_nodes]
    matching[:unmatched] = -1
    return matching


def naive(exchange: Exchange, matching: np.ndarray) -> float:
    """The four-index sum over a matching completed with a dummy for every node, one entry at a time."""
    n_s, n_t = exchange.source.n, exchange.target.n
    costs = []
    for cost, dummies in ((exchange.source, n_t), (exchange.target, n_s)):
        n = cost.n
        dense = np.full((n + dummies, n + dummies), cost.background)
        dense[:n, :n] = cost.dense()
        dense[range(n, n + dummies), range(n, n + dummies)] = exchange.diagonal
        costs.append(dense)
    image = np.where(matching >= 0, matching, n_t + np.arange(n_s))
    slots = [*enumerate(image.tolist()), *((n_s + j, j) for j in range(n_t) if j not in matching)]
    total = 0.0
    for s, t in slots:
        for u, v in slots:
            pair = (torch.tensor(cost, dtype=torch.float64) for cost in (costs[0][s, u], costs[1][t, v]))
            total += float(exchange.loss.elementwise(*pair))
    return total / max(n_s, n_t) ** 2


def exchanged(matching: np.ndarray, source: int, target: int) -> np.ndarray:
    after = matching.copy()
    after[matching == target] = matching[source]
    after[source] = target
    return after


@pytest.mark.parametrize("loss", ["square", "kl"])
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("unmatched", [0, 2])
def test_changes_are_those_of_sums_made_anew(name: str, loss: str, unmatched: int) -> None:
    problem = PROBLEMS[name]
    exchange, matching = made(problem, loss), some_matching(problem, unmatched)
    before = naive(exchange, matching)
    assert exchange.discrepancy(matching) == pytest.approx(before, abs=1e-12)
    for source in (0, 3):
        discrepancy, conserved = exchange.changes(matching, source)
        for target in range(problem.target.n_nodes):
            after = exchanged(matching, source, target)
            assert discrepancy[target] == pytest.approx(naive(exchange, after) - before, abs=1e-12)
            edges = [edge_counts(m, problem.source, problem.target).conserved for m in (matching, after)]
            step = 1 if problem.source.directed else 2
            assert conserved[target] == (edges[1] - edges[0]) / step


def test_a_full_matching_has_the_discrepancy_of_its_coupling() -> None:
    problem = PROBLEMS["directed, larger target"]
    space = workspace(problem, Config(embeddings=False))
    matching = some_matching(problem, 0)
    free = np.setdiff1d(np.arange(problem.target.n_nodes), matching)
    coupling = torch.zeros_like(space.product, dtype=torch.float64)
    coupling[torch.arange(len(coupling)), torch.as_tensor(np.concatenate([matching, free]))] = 1 / len(coupling)
    expected = space.observed.linearize(coupling).discrepancy
    assert exchange_of(space).discrepancy(matching) == pytest.approx(expected, rel=1e-12)


def test_dense_costs_and_small_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PROBLEMS["undirected, same size"]
    exchange, matching = made(problem, "square"), some_matching(problem, 1)
    expected = exchange.changes(matching, 2), exchange.discrepancy(matching)
    monkeypatch.setattr("gwl_core.exchange._BLOCK", 1)
    dense = [replace(cost, deviation=cost.deviation.toarray()) for cost in (exchange.source, exchange.target)]
    again = replace(exchange, source=dense[0], target=dense[1])
    np.testing.assert_allclose(again.changes(matching, 2)[0], expected[0][0], atol=1e-15)
    np.testing.assert_array_equal(again.changes(matching, 2)[1], expected[0][1])
    assert again.discrepancy(matching) == pytest.approx(expected[1], rel=1e-12)
