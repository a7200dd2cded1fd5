"""Tabu search: its book-keeping against the objective, its optima against all permutations."""

from itertools import combinations, permutations

import numpy as np
import pytest
import torch

from gwl_core import rounds
from gwl_core.datasets.synthetic import knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.search import candidate, coupling_of
from gwl_core.settings import Config, with_changes
from gwl_core.tabu import Assignment, _Moves, tabu_search
from gwl_core.trajectory import run
from gwl_core.workspace import workspace


def drawn(n: int, seed: int, symmetric: bool = False) -> Assignment:
    left, right, tilt = np.random.default_rng(seed).normal(size=(3, n, n))
    if symmetric:
        left, right = left + left.T, right + right.T
    return Assignment(left, right, tilt, (n, n))


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("symmetric", [True, False])
def test_falls_are_those_of_the_objective_after_any_exchanges(symmetric: bool) -> None:
    problem, rng, n = drawn(7, 1, symmetric), np.random.default_rng(2), 7
    matching = rng.permutation(n)
    moves = _Moves(problem, matching)
    for _ in range(4):
        falls, before = moves.falls(matching), problem.value(matching)
        assert (np.diagonal(falls) == -np.inf).all()
        for i, j in combinations(range(n), 2):
            other = matching.copy()
            other[[i, j]] = other[[j, i]]
            assert falls[i, j] == pytest.approx(before - problem.value(other), abs=1e-10)
        i, j = rng.choice(n, 2, replace=False)
        moves.exchange(i, j)
        matching[[i, j]] = matching[[j, i]]


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_permutations_is_met(seed: int) -> None:
    problem, start = drawn(6, seed), np.arange(6)
    found = tabu_search(problem, start, 400, generator())
    assert problem.value(found) == pytest.approx(min(problem.value(np.array(p)) for p in permutations(range(6))))
    assert start.tolist() == list(range(6))


def test_dummies_are_not_exchanged_with_each_other() -> None:
    moves = _Moves(Assignment(*np.ones((3, 5, 5)), (3, 4)), np.arange(5))
    falls = moves.falls(np.arange(5))
    assert falls[3, 4] == -np.inf
    assert np.isfinite(falls[2, 3])
    assert moves.falls(np.array([4, 1, 2, 3, 0]))[0, 3] > -np.inf


@pytest.mark.parametrize("n", [1, 2])
def test_too_few_nodes_for_a_choice_stay_as_they_are(n: int) -> None:
    assert tabu_search(drawn(n, 0), np.arange(n), 50, generator()).tolist() == list(range(n))


@pytest.mark.parametrize("loss", ["square", "kl"])
def test_its_objective_ranks_matchings_as_their_scores_do(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = knn(9, 0.3, np.random.default_rng(0))
    space = workspace(problem, Config(loss=loss))
    asked: list[Assignment] = []
    monkeypatch.setattr(rounds, "tabu_search", lambda given, start, *rest: asked.append(given) or start)
    rounds._exchanged(space, generator())
    n, rng = len(space.source), np.random.default_rng(1)
    matchings = [rng.permutation(n) for _ in range(6)]
    scores = [candidate(space, coupling_of(space, torch.as_tensor(m)), "").score for m in matchings]
    values = [asked[0].value(m) / n**2 for m in matchings]
    np.testing.assert_allclose(np.diff(scores), np.diff(values), atol=1e-12)


def test_a_noisy_small_graph_that_descents_miss_is_matched() -> None:
    rng, n = np.random.default_rng(3), 30
    pairs = np.array(list(combinations(range(n), 2)))
    edges = pairs[rng.choice(len(pairs), 90, replace=False)]

    def redrawn() -> np.ndarray:
        kept = edges[rng.random(len(edges)) > 0.12]
        return np.concatenate([kept, pairs[rng.choice(len(pairs), len(edges) - len(kept), replace=False)]])

    order = rng.permutation(n)
    nodes = [str(k) for k in range(n)]
    source, target = (
        Graph.from_edges([(str(names[i]), str(names[j]), 1.0) for i, j in drawn_edges], nodes=nodes)
        for names, drawn_edges in ((np.arange(n), redrawn()), (order, redrawn()))
    )
    problem = MatchingProblem(source, target, np.column_stack([np.arange(n), order]))
    config, hyper = with_changes("default", {"embeddings": False, "outer": 1, "rounds": 16})
    result = run(problem, config, hyper)
    space = workspace(problem, config)
    known = candidate(space, coupling_of(space, torch.as_tensor(order)), "")
    assert result.measures.gw_discrepancy <= known.discrepancy + 1e-12
    assert result.measures.node_correctness_one_to_one >= 0.9
