"""Small pairs whose right answer is known, and degenerate ones, from start to end.

LIBRARY is the plain transport of the paper on named costs: product start, no dummies, no embeddings.
"""

from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from scipy import sparse

from gwl_core.confidence import confidence
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.result import Result
from gwl_core.settings import PRESETS, with_changes
from gwl_core.solver import init
from gwl_core.trajectory import Trajectory, run

LIBRARY: dict[str, Any] = {"unmatched": False, "start": "product"}
GAMMAS = [0.01, 0.05, 0.1, 0.5, 1.0]
COSTS = ["adjacency", "shortest-path", "zipf"]
MARGINALS = ["uniform", "degree"]


def graph(*edges: str, nodes: str = "", directed: bool = False, weight: float = 1.0) -> Graph:
    return Graph.from_edges([(e[0], e[1], weight) for e in edges], directed=directed, nodes=tuple(nodes))


def align(problem: MatchingProblem, preset: str = "gwd", **changes: Any) -> Result:
    return run(problem, *with_changes(preset, changes))


TREE = MatchingProblem(
    graph("ab", "bc", "cd", "de", "ef", "cg", nodes="abcdefg"),
    graph("QS", "SN", "NT", "TO", "OR", "NP", nodes="NOPQRST"),
).with_truth_labels(list(zip("abcdefg", "QSNTORP", strict=True)))
"""An asymmetric tree and a relabelled copy."""

CHAIN_3, CHAIN_4 = graph("ab", "bc"), graph("AB", "BC", "CD")
WITH_ISOLATED = MatchingProblem(CHAIN_3, graph("AB", "BC", "CD", nodes="ABCDE"))


def is_right(result: Result) -> bool:
    found = result.measures
    correct = found.node_correctness_coupling == found.node_correctness_one_to_one == found.edge_correctness == 1
    return correct and found.gw_discrepancy <= 1e-6


@pytest.mark.parametrize(("gamma", "marginals", "cost"), list(product(GAMMAS, MARGINALS, COSTS)))
def test_a_tree_is_matched_to_its_copy(gamma: float, marginals: str, cost: str) -> None:
    named = {"gamma": gamma, "marginals": marginals, "cost": cost}
    assert is_right(align(TREE, "gwd", **named))
    assert is_right(align(TREE, "default", epochs=2, **named))
    assert is_right(align(TREE, "gwd", **LIBRARY, **named, sinkhorn=100 if gamma < 0.5 else 1))


@pytest.mark.parametrize(("preset", "marginals"), list(product(["default", "gwd"], MARGINALS)))
def test_a_tree_is_matched_to_its_copy_as_the_command_line_does_it(preset: str, marginals: str) -> None:
    result = align(TREE, preset, marginals=marginals)
    assert is_right(result)
    assert result.status.code == "converged"
    assert result.measures.node_correctness_embedding == (1.0 if preset == "default" else None)


def test_a_coupling_at_rest_off_its_marginals_is_not_called_converged() -> None:
    result = align(TREE, **LIBRARY, cost="shortest-path", marginals="degree", gamma=1e-4)
    assert result.history[-1]["change"] < 1e-6
    assert result.history[-1]["marginal_error"] > 0.1
    assert result.status.code == "iteration limit"
    assert "off its marginals" in result.status.message
    assert result.measures.marginal_error < 1e-9


def test_an_isolated_node_has_no_mass_under_degree_marginals_and_stays() -> None:
    result = align(WITH_ISOLATED, **LIBRARY, cost="adjacency", marginals="degree", gamma=0.1)
    assert result.coupling.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_array_equal(result.coupling[:, 4], 0)
    assert result.measures.gw_discrepancy == pytest.approx(0.5, abs=0.002)
    assert any("isolated" in notice for notice in result.notices)


@pytest.mark.parametrize("passes", [1, 100])
def test_an_isolated_node_counts_under_uniform_marginals(passes: int) -> None:
    result = align(WITH_ISOLATED, **LIBRARY, cost="adjacency", gamma=0.05, sinkhorn=passes)
    assert result.measures.gw_discrepancy == pytest.approx(0.3733, abs=0.002)


@pytest.mark.parametrize("gamma", [10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("passes", [1, 100])
def test_costs_far_above_gamma_give_the_same_answer_not_nan(gamma: float, passes: int) -> None:
    pair = MatchingProblem(graph("ab", "bc", weight=10), graph("AB", "BC", "CD", weight=10))
    result = align(pair, **LIBRARY, cost="adjacency", gamma=gamma, sinkhorn=passes)
    assert result.measures.gw_discrepancy == pytest.approx(37.5, abs=0.001)
    assert result.coupling.sum() == pytest.approx(1)
    assert result.measures.marginal_error < 1e-9
    assert result.status.code == "converged"


@pytest.mark.parametrize("dtype", [bool, np.int8, np.int64])
def test_given_costs_of_any_number_type_and_given_marginals_are_respected(dtype: type) -> None:
    matrix = graph("ab", "bc", "cd", "ac").adjacency.toarray()
    masses = np.array([0.5, 0.1, 0.2, 0.2]), np.array([0.1, 0.3, 0.4, 0.2])
    names = graph(nodes="abcd")
    typed, floating = (
        align(MatchingProblem(names, names, None, None, m, m, *masses), **LIBRARY, gamma=0.1, sinkhorn=50)
        for m in (matrix.astype(dtype), matrix)
    )
    np.testing.assert_array_equal(typed.coupling, floating.coupling)
    assert typed.coupling.dtype == np.float64
    np.testing.assert_allclose(typed.coupling.sum(1), masses[0], atol=1e-9)
    np.testing.assert_allclose(typed.coupling.sum(0), masses[1], atol=1e-9)
    assert typed.coupling.max() > 0.15


def test_kl_on_zero_costs_states_its_floor_and_stays_finite() -> None:
    pair = MatchingProblem(CHAIN_4, graph("AB", "AC", "AD"))
    result = align(pair, **LIBRARY, cost="adjacency", loss="kl", gamma=0.1)
    assert any("raised" in notice for notice in result.notices)
    assert np.isfinite(result.measures.gw_discrepancy)
    for cost in COSTS:
        assert is_right(align(TREE, cost=cost, loss="kl", gamma=0.1))


@pytest.mark.parametrize("gamma", [0.01, 0.1, 1.0])
def test_a_graph_matched_to_itself_from_the_identity_stays_there(gamma: float) -> None:
    pair = MatchingProblem(TREE.source, TREE.source)
    config, hyper = with_changes("gwd", {**LIBRARY, "cost": "adjacency", "gamma": gamma})
    trajectory = Trajectory(pair, config, hyper, state=init(pair, config, hyper, torch.eye(7).double() / 7))
    while not trajectory.done:
        trajectory.advance()
    result = trajectory.result()
    assert result.status.code == "converged"
    assert result.inner_iterations <= 5
    assert str(result.measures.gw_discrepancy) in ("0.0", str(abs(result.measures.gw_discrepancy)))
    assert result.measures.gw_discrepancy < 1e-12
    np.testing.assert_allclose(result.coupling, np.eye(7) / 7, atol=1e-9)


def cycle(letters: str) -> Graph:
    return graph(*(letters[i] + letters[(i + 1) % len(letters)] for i in range(len(letters))))


SYMMETRIC = {
    "cycle": (MatchingProblem(cycle("abcdef"), cycle("ABCDEF")), 0.444444),
    "bipartite": (
        MatchingProblem(*(graph(*map("".join, product(x[:4], x[4:]))) for x in ("abcdefgh", "ABCDEFGH"))),
        0.5,
    ),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_symmetric_pair_is_reported_as_stuck_and_nobody_as_confident(name: str) -> None:
    pair, value = SYMMETRIC[name]
    n = pair.source.n_nodes
    result = align(pair, **LIBRARY, cost="adjacency")
    assert result.status.code == "stuck at the symmetric start"
    np.testing.assert_allclose(result.coupling, 1 / n**2, atol=1e-12)
    assert result.measures.gw_discrepancy == pytest.approx(value, abs=1e-6)
    assert result.inner_iterations == 1
    sure = confidence(pair, np.arange(n), result.coupling)
    np.testing.assert_allclose(sure, 0, atol=1e-9)
    assert align(pair, "default").status.code == "stuck at the symmetric start"


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_perturbed_start_matches_most_symmetric_pairs(name: str) -> None:
    pair, _ = SYMMETRIC[name]
    results = [align(pair, cost="adjacency", start="perturbed", seed=seed, inner=100) for seed in range(10)]
    assert sum(r.measures.gw_discrepancy < 1e-6 for r in results) >= 8


@pytest.mark.parametrize(("preset", "steps"), [("gwd", {}), ("paper", {"outer": 4})])
def test_two_anchors_pin_down_a_cycle(preset: str, steps: dict[str, Any]) -> None:
    counts = np.zeros((6, 6))
    counts[0, 2] = counts[1, 3] = 50
    pair = MatchingProblem(cycle("abcdef"), cycle("ABCDEF"), anchors=sparse.csr_array(counts))
    result = align(pair, preset, **steps)
    assert result.measures.gw_discrepancy < 1e-6
    np.testing.assert_array_equal(result.coupling.argmax(1), [2, 3, 4, 5, 0, 1])


DIRECTED_6 = MatchingProblem(
    graph("02", "04", "13", "20", "24", "30", "31", "43", "51", nodes="012345", directed=True),
    graph("13", "10", "24", "31", "30", "41", "42", "04", "52", nodes="012345", directed=True),
    truth=np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [5, 5]]),
)


@pytest.mark.parametrize("gamma", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("cost", ["adjacency", "zipf"])
def test_a_directed_pair_is_matched(cost: str, gamma: float) -> None:
    assert is_right(align(DIRECTED_6, **LIBRARY, cost=cost, gamma=gamma))


def test_direction_tells_a_path_from_its_mirror_image() -> None:
    truth = np.column_stack([np.arange(4), np.arange(4)])
    arrows = MatchingProblem(
        graph("ab", "bc", "cd", directed=True), graph("AB", "BC", "CD", directed=True), truth=truth
    )
    assert is_right(align(arrows, **LIBRARY, cost="adjacency", gamma=0.02))
    plain = MatchingProblem(graph("ab", "bc", "cd"), CHAIN_4, truth=truth)
    tied = align(plain, **LIBRARY, cost="adjacency", gamma=0.02)
    assert tied.measures.gw_discrepancy == pytest.approx(0.375, abs=0.001)
    np.testing.assert_allclose(tied.coupling, tied.coupling[:, ::-1], atol=1e-9)


@pytest.mark.parametrize(("setting", "value"), [("kernel", "rbf"), ("loss", "kl")])
def test_kernel_and_loss_are_used_and_recorded(setting: str, value: str) -> None:
    small = {"outer": 2, "inner": 20, "epochs": 5, "alpha": "constant:0.5"}
    plain, changed = align(TREE, "default", **small), align(TREE, "default", **small, **{setting: value})
    assert plain.measures.objective != changed.measures.objective
    assert getattr(changed.config, setting) == value


HEAVY = Graph.from_edges([("a", "b", 1e12), ("b", "c", 3e12), ("c", "d", 1.0), ("d", "e", 1e-6)])
DEGENERATE = {
    "one node": graph(nodes="a"),
    "one loop": graph("aa"),
    "one edge": graph("ab"),
    "edgeless": graph(nodes="abc"),
    "loops only": graph("aa", "bb", nodes="abc", weight=4),
    "isolated": graph("ab", "bc", nodes="abcde"),
    "heavy": HEAVY,
    "directed": DIRECTED_6.source,
}
DEGENERATE_PAIRS = [
    ("one node", "one node"), ("one node", "heavy"), ("directed", "one node"), ("one edge", "one edge"),
    ("edgeless", "edgeless"), ("loops only", "one loop"), ("isolated", "edgeless"), ("heavy", "heavy"),
    ("heavy", "one edge"), ("isolated", "directed"),
]  # fmt: skip
TINY: dict[str, Any] = {"outer": 2, "inner": 4, "epochs": 1, "dim": 3}
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    **{preset: (preset, TINY | {"batch_size": 2}) for preset in PRESETS},
    "rbf": ("default", {**TINY, "kernel": "rbf", "alpha": "linear"}),
    "paper rbf, one dimension": ("paper", {**TINY, "kernel": "rbf", "dim": 1, "batch_size": 2}),
    "kl": ("default", {**TINY, "loss": "kl", "alpha": "constant:0.5"}),
    "kl, paper, rbf": ("paper", {**TINY, "loss": "kl", "kernel": "rbf"}),
    "kl, adjacency": ("gwd", {**TINY, "loss": "kl", "cost": "adjacency"}),
    "kl, paths": ("gwd", {**TINY, "loss": "kl", "cost": "shortest-path", "gamma": 1e-6}),
    "entropic": ("default", {**TINY, "method": "entropic", "gamma": 0.05}),
    "entropic, least gamma": ("gwd-paper", {**TINY, "method": "entropic", "gamma": 1e-6}),
    "paths": ("gwd", {**TINY, "cost": "shortest-path"}),
    "log": ("gwd", {**TINY, "cost": "log"}),
    "adjacency": ("gwd", {**TINY, "cost": "adjacency"}),
    "adjacency, least gamma": ("gwd", {**TINY, "cost": "adjacency", "gamma": 1e-6, "carry_scaling": True}),
    "adjacency, greatest gamma": ("gwd", {**TINY, "cost": "adjacency", "gamma": 10, "sinkhorn": 20}),
    "least of everything": ("default", {"outer": 1, "inner": 1, "epochs": 1, "dim": 1, "batch_size": 2}),
    "perturbed, degree": ("gwd", {**TINY, "start": "perturbed", "marginals": "degree"}),
    "sum, degree, smooth": ("default", {**TINY, "regularizer": "sum", "marginals": "degree", "alpha": "smooth"}),
    "no dummies": ("default", {**TINY, "unmatched": False, "alpha": "constant:1"}),
}


def check(result: Result) -> None:
    """Finite everywhere, non-negative, on its marginals, not diverged."""
    parts = [result.coupling, *([result.slack_rows] if len(result.slack_rows) else [])]
    coupling = np.hstack([np.vstack(parts), result.slack_columns]) if result.slack_columns.size else np.vstack(parts)
    assert (coupling >= 0).all()
    np.testing.assert_allclose(coupling.sum(1), result.source_marginal, atol=1e-9)
    np.testing.assert_allclose(coupling.sum(0), result.target_marginal, atol=1e-9)
    for array in (result.source_embedding, result.target_embedding, result.cross_cost):
        assert array is None or np.isfinite(array).all()
    for name, value in asdict(result.measures).items():
        assert value is None or 0 <= value < np.inf, name
    assert result.status.code != "diverged"


@pytest.mark.parametrize("variant", VARIANTS)
def test_degenerate_graphs_are_matched_without_a_crash_or_nan(variant: str) -> None:
    preset, changes = VARIANTS[variant]
    config, hyper = with_changes(preset, changes)
    for names in DEGENERATE_PAIRS:
        source, target = (DEGENERATE[name] for name in names)
        problem = MatchingProblem(source, target, truth=np.array([[0, 0]]))
        if config.marginals == "degree" and not (source.n_edges and target.n_edges):
            with pytest.raises(InputError, match="no edges"):
                run(problem, config, hyper)
        else:
            check(run(problem, config, hyper))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("anchored", [False, True])
def test_given_marginals_with_zeros_and_anchors_work_under_every_preset(preset: str, anchored: bool) -> None:
    counts = sparse.csr_array(([5.0], ([0], [1])), shape=(6, 5))
    masses = np.array([0.5, 0.5, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 1.0])
    source, target = DIRECTED_6.source, DEGENERATE["isolated"]
    problem = MatchingProblem(source, target, anchors=counts if anchored else None)
    if preset.endswith("d"):
        problem = MatchingProblem(source, target, None, problem.anchors, None, None, *masses)
    result = align(problem, preset, **TINY)
    check(result)
    if problem.source_marginal is not None:
        np.testing.assert_allclose(result.coupling[:, 4], masses[0], atol=1e-12)


def test_a_pair_of_one_node_each_is_matched() -> None:
    result = align(MatchingProblem(graph(nodes="a"), graph(nodes="A"), truth=np.array([[0, 0]])), "default", **TINY)
    assert result.coupling[0, 0] == 1
    assert result.measures.node_correctness_one_to_one == 1
    assert result.measures.edge_correctness is None
