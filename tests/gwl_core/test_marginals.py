"""Node distributions: uniform with unmatched mass, degree with isolated nodes, given."""

import numpy as np
import pytest

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.marginals import marginals
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config

PATH3 = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0)])
PATH4_AND_E = Graph.from_edges([("A", "B", 1.0), ("B", "C", 1.0), ("C", "D", 1.0)], nodes=tuple("ABCDE"), name="second")


@pytest.mark.parametrize("swap", [False, True])
def test_the_smaller_side_is_filled_up_with_dummies(swap: bool) -> None:
    pair = (PATH4_AND_E, PATH3) if swap else (PATH3, PATH4_AND_E)
    found = marginals(MatchingProblem(*pair), Config())
    np.testing.assert_allclose(found.source, np.full(5, 0.2))
    np.testing.assert_allclose(found.target, np.full(5, 0.2))
    assert (found.source_dummies, found.target_dummies) == ((0, 2) if swap else (2, 0))


def test_without_unmatched_mass_each_side_is_uniform_over_its_own_nodes() -> None:
    found = marginals(MatchingProblem(PATH3, PATH4_AND_E), Config(unmatched=False))
    np.testing.assert_allclose(found.source, np.full(3, 1 / 3))
    np.testing.assert_allclose(found.target, np.full(5, 1 / 5))
    assert (found.source_dummies, found.target_dummies) == (0, 0)


def test_degree_marginals_keep_an_isolated_node_at_zero_and_say_so() -> None:
    found = marginals(MatchingProblem(PATH3, PATH4_AND_E), Config(marginals="degree"))
    np.testing.assert_allclose(found.source, np.array([1, 2, 1]) / 4)
    np.testing.assert_allclose(found.target, np.array([1, 2, 2, 1, 0]) / 6)
    assert found.target[4] == 0
    assert (found.source_dummies, found.target_dummies) == (0, 0)
    assert len(found.notices) == 1
    assert found.notices[0].startswith("second: 1 isolated")


def test_directed_degrees_count_both_ways_and_weights() -> None:
    arrow = Graph.from_edges([("a", "b", 3.0), ("b", "c", 1.0)], directed=True)
    np.testing.assert_allclose(
        marginals(MatchingProblem(arrow, arrow), Config(marginals="degree")).source, [3 / 8, 0.5, 1 / 8]
    )


def test_degree_marginals_of_a_graph_without_edges_are_refused() -> None:
    lonely = Graph.from_edges([("a", "a", 4.0)], nodes=("a", "b"), name="lonely")
    with pytest.raises(InputError, match="lonely has no edges"):
        marginals(MatchingProblem(PATH3, lonely), Config(marginals="degree"))


@pytest.mark.parametrize("kind", ["uniform", "degree"])
def test_given_marginals_are_respected_and_the_other_side_follows_the_setting(kind: str) -> None:
    given = np.array([0.5, 0.0, 0.5])
    found = marginals(MatchingProblem(PATH3, PATH3, source_marginal=given), Config(marginals=kind))
    np.testing.assert_allclose(found.source, given)
    np.testing.assert_allclose(found.target, np.full(3, 1 / 3) if kind == "uniform" else [0.25, 0.5, 0.25])
    assert (found.source_dummies, found.target_dummies) == (0, 0)


def test_masses_sum_to_one_exactly_enough_after_a_rounded_file() -> None:
    given = np.array([1 / 3, 1 / 3, 1 / 3 + 5e-10])
    assert abs(marginals(MatchingProblem(PATH3, PATH3, source_marginal=given), Config()).source.sum() - 1) < 1e-15


@pytest.mark.filterwarnings("ignore:overflow")
def test_degrees_that_do_not_add_up_are_refused() -> None:
    huge = Graph.from_edges([("a", "b", 1e308), ("b", "c", 1.0)], name="huge.csv")
    with pytest.raises(InputError, match=r"huge\.csv has weights too large to add up; divide"):
        marginals(MatchingProblem(huge, PATH3), Config(marginals="degree"))
