"""Every baseline behind the one protocol: the registry, its rules, and what each system finds."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest

from gwl_core.baselines import BASELINES, Baseline, Outcome, Progress, align
from gwl_core.baselines.padding import from_coupling, from_permutation, padded_matrices, permutation_discrepancy
from gwl_core.datasets.noise import permute_and_relabel
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.metrics import node_correctness
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

KEYS = list(BASELINES)

SMALL = {"magna++": {"population": 20, "generations": 10}}
"""Settings that keep tests short."""

LEAST = {"pot-proximal": 1.0, "pot-entropic": 1.0, "faq-convex": 1.0, "faq": 0.5, "gaa": 0.8}
"""Node correctness on a small pair; the other systems keep to their start, or see no weights and find less."""


def pair(nodes: int = 16, extra: int = 2, directed: bool = False, seed: int = 3) -> MatchingProblem:
    """A random weighted graph, and a permuted copy with a few more nodes that hang from it."""
    generator = np.random.default_rng(seed)
    weights = np.triu(generator.integers(1, 9, (nodes, nodes)) * (generator.random((nodes, nodes)) < 0.4), 1)
    source = Graph.from_matrix(weights if directed else weights + weights.T, directed=directed, name="source")
    grown = np.zeros((nodes + extra, nodes + extra))
    grown[:nodes, :nodes] = source.weights.toarray()
    for new in range(nodes, nodes + extra):
        grown[new, new - nodes] = 1
        grown[new - nodes, new] = 0 if directed else 1
    target, permutation = permute_and_relabel(Graph.from_matrix(grown, directed=directed), generator, "t")
    return MatchingProblem(source, target, np.column_stack([np.arange(nodes), permutation[:nodes]]))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("key", KEYS)
def test_finds_a_graph_in_a_larger_copy(key: str, directed: bool) -> None:
    problem = pair(directed=directed)
    seen: list[Progress] = []
    found = align(BASELINES[key], problem, SMALL.get(key), on_progress=seen.append)
    assert found.matching.shape == (16,)
    assert len(np.unique(found.matching[found.matching >= 0])) == (found.matching >= 0).sum()
    if key != "lrsa":  # whose candidates need not reach everybody
        assert (found.matching >= 0).all()
    least = LEAST.get(key, 0.0)
    assert node_correctness(found.matching, problem.truth) >= least
    assert seen
    assert all(0 <= progress.share <= 1 for progress in seen)
    assert found.seconds > 0


@pytest.mark.parametrize("key", KEYS)
def test_either_graph_may_be_the_larger(key: str) -> None:
    problem = pair()
    turned = MatchingProblem(problem.target, problem.source)
    matching = align(BASELINES[key], turned, SMALL.get(key)).matching
    assert matching.shape == (18,)
    assert len(np.unique(matching[matching >= 0])) == (matching >= 0).sum()
    assert (matching < 0).sum() == 2 or key == "lrsa"


@pytest.mark.parametrize("key", KEYS)
def test_the_truth_is_not_looked_at_and_a_seed_repeats(key: str) -> None:
    problem = pair(10)
    first = align(BASELINES[key], problem, SMALL.get(key), seed=4).matching
    wrong = replace(problem, truth=np.array([[0, 0]]))
    assert np.array_equal(align(BASELINES[key], wrong, SMALL.get(key), seed=4).matching, first)


@pytest.mark.parametrize("key", KEYS)
def test_registry_rows_hold(key: str) -> None:
    baseline = BASELINES[key]
    assert baseline.key == key
    assert set(baseline.uses) <= {"topology", "triangles", "weights", "attributes"}
    assert baseline.cost
    assert str(baseline.year) in baseline.citation
    assert [row.name for row in baseline.settings] == list(baseline.checked({}))
    assert set(baseline.defaults) == {row.name for row in baseline.settings}
    row = next(row for row in baseline.settings if row.kind != "bool")
    with pytest.raises(InputError, match=f"{row.name} must be"):
        baseline.start(pair(6), {row.name: -1})
    with pytest.raises(InputError, match=f"'speed' is not a setting of {re.escape(key)}; it has"):
        baseline.start(pair(6), {"speed": 1})
    small = replace(baseline, largest=5)
    with pytest.raises(InputError, match="too large for this method: its limit is 5 nodes, and the larger graph has 8"):
        small.start(pair(6), {})


def test_pot_keeps_the_epsilon_of_least_discrepancy() -> None:
    problem = pair(12, 1)
    entropic = BASELINES["pot-entropic"]
    bests = []
    found = align(entropic, problem, on_progress=lambda progress: bests.append(progress.best))
    assert bests[0] is None
    assert isinstance(bests[-1], Outcome)
    assert "had the least discrepancy of 4 tried" in found.notices[0]
    blurred = align(entropic, problem, {"epsilon": 1000.0})
    assert "of 1 tried" in blurred.notices[0]
    costs = [1 - matrix.toarray() - np.eye(13) for matrix in padded_matrices(problem, "closeness")]
    least, other = (
        permutation_discrepancy(*costs, np.append(m, np.setdiff1d(np.arange(13), m)))
        for m in (found.matching, blurred.matching)
    )
    assert least < other


def test_no_finite_coupling_matches_nothing_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from gwl_core.baselines import pot_gw

    monkeypatch.setattr(pot_gw, "_quietly", lambda solve: np.full((6, 6), np.nan))
    found = align(BASELINES["pot-proximal"], pair(6, 0))
    assert (found.matching == -1).all()
    assert found.notices == ("No ε of the grid gave a finite coupling.",)


def test_pot_does_not_warn_and_agrees_with_a_direct_call() -> None:
    from ot.gromov import gromov_wasserstein

    problem = pair(12, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = align(BASELINES["pot-conditional-gradient"], problem).outcome.scores
    costs = [1 - matrix.toarray() - np.eye(12) for matrix in padded_matrices(problem, "closeness")]
    uniform = np.full(12, 1 / 12)
    assert np.allclose(found, gromov_wasserstein(*costs, uniform, uniform, "square_loss"), atol=1e-12)


@pytest.mark.parametrize("directed", [False, True])
def test_faq_takes_the_steps_of_scipy(directed: bool) -> None:
    from scipy.optimize import quadratic_assignment

    rng = np.random.default_rng(0)  # not used from this start, but SciPy asks for one
    for seed in range(5):
        problem = pair(14, 0, directed, seed)
        A, B = (matrix.toarray() for matrix in padded_matrices(problem, "closeness"))
        expected = quadratic_assignment(A, B, method="faq", options={"maximize": True, "P0": "barycenter", "rng": rng})
        assert np.array_equal(align(BASELINES["faq"], problem).matching, expected.col_ind)


def test_listing_the_systems_loads_none_of_their_libraries() -> None:
    code = "import sys, gwl_core.baselines; print({'ot', 'torch'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_padding_and_back() -> None:
    problem = pair(5, 2)
    counts, adjacency, closeness = (
        padded_matrices(problem, kind)[0].toarray() for kind in ("counts", "adjacency", "closeness")
    )
    assert counts.shape == (7, 7)
    assert counts[5:].sum() == counts[:, 5:].sum() == 0
    assert np.array_equal(adjacency, counts > 0)
    assert np.allclose(closeness, counts / (counts + 1))
    assert problem.source.weights.max() > 1  # the graph itself is as it was
    turned = MatchingProblem(problem.target, problem.source)
    assert from_permutation(turned, np.array([6, 0, 1, 5, 2, 3, 4])).extract().tolist() == [-1, 0, 1, -1, 2, 3, 4]
    outcome = from_coupling(turned, np.eye(7)[[6, 0, 1, 5, 2, 3, 4]] / 7)
    assert outcome.extract().tolist() == [-1, 0, 1, -1, 2, 3, 4]


def test_an_outcome_must_be_one_to_one_and_something() -> None:
    with pytest.raises(InputError, match="same target"):
        Outcome(matching=np.array([1, 1])).extract()
    with pytest.raises(ValueError, match="scores or a matching"):
        Outcome().extract()


def test_a_system_is_one_row_and_one_generator() -> None:
    def steps(problem: MatchingProblem, settings: dict, generator: np.random.Generator):
        yield Progress(0.5, "by degree")
        return Outcome(-np.abs(problem.source.degrees[:, None] - problem.target.degrees) + settings["offset"])

    system = Baseline(
        "degree", "Degree", "Nobody, 1900.", 1900, ("weights",), "O(n²)", 100,
        (Parameter("offset", "float", live=False, low=0, high=1e6),), {"offset": 100.0}, steps,
    )  # fmt: skip
    problem = pair(9, 0)
    matching = align(system, problem).matching
    degrees = problem.source.degrees, problem.target.degrees[matching]
    assert np.array_equal(*degrees)
