"""What Learn says is so: each answer of the tour against the examples it is about."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dashboard.lessons import compare, cycle, halves, manifold, noise, one_step
from dashboard.lessons.couplings import between
from dashboard.lessons.pairs import FIVE, right, shuffled
from dashboard.lessons.transport import run, small
from dashboard.text import tour as words
from gwl_core.matching import by_coupling


def test_nothing_can_be_read_from_the_even_table() -> None:
    assert (by_coupling(between(np.array([1, 0, 3, 2]), 0.0)) == -1).all()
    assert by_coupling(between(np.array([1, 0, 3, 2]), 0.05)).tolist() == [1, 0, 3, 2]


def test_the_stages_of_a_step_are_the_step() -> None:
    case = small(shuffled(FIVE, 1))
    coupling = case.product
    for _ in range(3):
        found = one_step.stages(case, coupling, 0.05)
        by_hand = found.columns * (case.source.numpy() / found.columns.sum(1))[:, None]
        np.testing.assert_allclose(found.rows, by_hand, atol=1e-12)
        np.testing.assert_allclose(found.columns.sum(0), case.target.numpy(), atol=1e-12)
        np.testing.assert_allclose(found.rows.sum(1), case.source.numpy(), atol=1e-12)
        assert abs(found.kernel.sum(1) - case.source.numpy()).max() > 1e-3  # the kernel breaks the sums
        coupling = found.rows
    np.testing.assert_allclose(coupling, run(case, "proximal", 0.05, 1, 3).couplings[-1], atol=1e-12)


def test_the_step_cost_is_half_the_gradient() -> None:
    case = small(shuffled(FIVE, 1))
    generator = np.random.default_rng(0)
    coupling, way = case.product, generator.normal(size=(5, 5))
    slope = (case.discrepancy(coupling + 1e-5 * way) - case.discrepancy(coupling - 1e-5 * way)) / 2e-5
    assert 2 * (one_step.stages(case, coupling, 0.05).cost * way).sum() == pytest.approx(slope, rel=1e-6)


def test_more_passes_mend_the_sums_and_steps_end_in_the_right_matching() -> None:
    case = small(shuffled(FIVE, 1))
    errors = one_step.error_by_passes(case, case.product, 0.05, 12)
    assert (np.diff(errors) <= 1e-15).all()
    assert errors[-1] < 1e-6 < errors[0]
    coupling = case.product
    for _ in range(20):
        coupling = one_step.stepped(case, coupling, 0.05, 1)
    assert coupling.max(1).min() * 5 > 0.99
    assert (by_coupling(coupling) == right(case.problem)).all()


@pytest.mark.parametrize("passes", [1, 10])
def test_gamma(passes: int) -> None:
    """Both fail at 0.001; the proximal method works from 0.01 on, the entropic one at 0.01 only."""
    level = compare.truth_discrepancy()
    ends = {g: compare.outcomes((g, passes)) for g in compare.GAMMAS}
    near = {
        method: [g for g in compare.GAMMAS if ends[g][method].discrepancy[-1] < words.NEAR * level]
        for method in compare.METHODS
    }
    assert near == {"proximal": [0.01, 0.1, 1.0], "entropic": [0.01]}
    assert all(ends[1e-3][method].correct < 1 for method in compare.METHODS)
    assert all(ends[g]["proximal"].correct == 1 for g in near["proximal"])
    # Slow at the largest γ: not even half of the way when it has long arrived at a tenth of it.
    assert ends[1.0]["proximal"].discrepancy[20] > 5 * ends[0.1]["proximal"].discrepancy[20]
    # Blurred for ever: the entropic method has stopped, far from the truth.
    late = ends[1.0]["entropic"].discrepancy
    assert abs(late[-1] - late[-10]) < 1e-3
    assert late[-1] > 10 * level


def test_passes_hardly_matter_from_a_hundredth_on() -> None:
    for gamma in (0.01, 0.1):
        one, ten = (compare.outcomes((gamma, passes))["proximal"].discrepancy[-1] for passes in (1, 10))
        assert one == pytest.approx(ten, rel=0.05)


@pytest.mark.parametrize("gamma", [0.02, 0.05, 0.1, 0.2])
def test_one_half_never_leaves_the_even_table_and_both_find_the_answer(gamma: float) -> None:
    found = halves.compare("as drawn", gamma)
    one = found.paths["one-sided"].couplings
    assert (one == one[0]).all()
    assert found.correct["one-sided"][-1] == 0
    assert found.correct["exact"][-1] == 1
    assert found.paths["exact"].discrepancy[-1] < 1e-3
    out = found.problem.source.adjacency.sum(axis=1)
    assert (out == 1).all()  # every node points at exactly one other


def test_reversed_both_work_and_without_direction_the_halves_are_equal() -> None:
    found = halves.compare("reversed", 0.05)
    assert found.correct["one-sided"][-1] == found.correct["exact"][-1] == 1
    same = halves.compare("undirected", 0.05)
    np.testing.assert_allclose(same.paths["one-sided"].couplings, same.paths["exact"].couplings, atol=1e-12)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_alpha_joins_the_pictures_and_beta_keeps_their_shape(seed: int) -> None:
    apart, joined, shrunk = (manifold.learn(a, b, seed) for a, b in ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0)))
    assert apart.correct < 0.5
    assert joined.correct == 1
    assert joined.apart < 0.05 < apart.apart
    assert joined.regularizer < 0.2 < shrunk.regularizer
    assert shrunk.source.std() < 0.2 < joined.source.std()


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_a_cycle_has_2n_perfect_matchings_and_marks_leave_two_and_one(n: int) -> None:
    counts = {marks: (cycle.all_discrepancies(n, marks) < cycle.PERFECT).sum() for marks in cycle.MARKS}
    assert counts == {"none": 2 * n, "one": 2, "two": 1}
    assert len(cycle.all_discrepancies(n, "none")) == math.factorial(n)
    assert len(np.unique(cycle.classes(n, "none"))) == 1
    for turn in range(n):
        for flip in (False, True):
            assert cycle.moved(n, "none", turn, flip).discrepancy < cycle.PERFECT


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_the_even_start_cannot_move_and_chance_finds_a_perfect_matching(n: int) -> None:
    even = cycle.solved(n, "none", None)
    assert (even.matching == -1).all()
    assert even.discrepancy > 0.1
    answers = [cycle.solved(n, "none", seed) for seed in range(1, 6)]
    assert all(answer.discrepancy < cycle.PERFECT for answer in answers)
    assert min(answer.correct for answer in answers) < 1


def test_node_correctness_falls_faster_than_edge_correctness() -> None:
    trials = {q: [noise.trial(q, seed) for seed in noise.SEEDS] for q in noise.LEVELS}
    nodes = [np.mean([t.correct for t in trials[q]]) for q in noise.LEVELS]
    edges = [np.mean([t.edges for t in trials[q]]) for q in noise.LEVELS]
    assert nodes[0] > nodes[-1] + 0.3
    assert nodes[0] - nodes[-1] > edges[0] - edges[-1]
    assert all(e >= n for n, e in zip(nodes, edges, strict=True))
    assert all(t.symmetric == 1 and t.edges == 1 for t in trials[0.0])
    assert min(t.correct for t in trials[0.0]) < 1
    assert max(t.problem.target.n_nodes for t in trials[1.0]) == 20
