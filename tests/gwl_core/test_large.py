"""The sparse mode for large graphs, on graphs small enough to check it against dense formulas."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from gwl_core import limits, metrics
from gwl_core.cli import main
from gwl_core.costs import observed_costs
from gwl_core.datasets.files import write_problem
from gwl_core.datasets.noise import permute_and_relabel
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.large.classes import WHOLE_SEARCH, features, nearest
from gwl_core.large.finish import completed, discrepancy, finish, run
from gwl_core.large.gains import FLOOR, best_gains, edges_of, inner
from gwl_core.large.plan import estimate, is_sparse
from gwl_core.large.rounding import as_coupling, assign, toward
from gwl_core.large.scaling import coupling_from_scores
from gwl_core.large.solver import prepare, states, step
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes
from gwl_core.writers import coupling_npz, embeddings_npz, matches_csv, result_pairs, run_json

SETTINGS = with_changes("default", {"scale": "sparse", "threads": 1})
PAIR = knn(120, 0.1, np.random.default_rng(0), mean_degree=6)


def random_coupling(rng: np.random.Generator, n_s: int, n_t: int) -> sparse.csr_array:
    T = sparse.random_array((n_s, n_t), density=0.2, rng=rng, format="csr")
    T.data /= max(n_s, n_t)
    return T


def dense_gain(problem: MatchingProblem, T: np.ndarray) -> np.ndarray:
    """½(S_s T S_tᵀ + S_sᵀ T S_t) with S = w/(w+1), for weights that are all the same."""
    S, R = (g.without_loops.toarray() / (g.without_loops.toarray() + 1) for g in (problem.source, problem.target))
    return (S @ T @ R.T + S.T @ T @ R) / 2


def test_a_run_finds_the_truth_and_says_what_it_left_out() -> None:
    result = run(PAIR, *SETTINGS)
    measures = result.measures
    assert measures.node_correctness_one_to_one > 0.95
    assert measures.node_correctness_symmetry_aware >= measures.node_correctness_one_to_one
    assert measures.edge_correctness == metrics.edge_correctness(result.matching, PAIR.source, PAIR.target) > 0.95
    assert measures.marginal_error < 1e-12
    assert np.isfinite(result.coupling.data).all()
    assert any("0 source and 12 target nodes stay unmatched" in notice for notice in result.notices)
    assert any("120 source and 132 target nodes" in notice for notice in result.notices)


@pytest.mark.parametrize("weighted", [True, False])
def test_undirected_graphs_of_equal_size(weighted: bool) -> None:
    rng = np.random.default_rng(1)
    graph = barabasi_albert(150, 0, rng, attach=3).source
    if weighted:
        half = sparse.triu(graph.weights).tocsr()
        half.data = rng.poisson(10, half.nnz) + 1.0
        graph = replace(graph, weights=sparse.csr_array(half + half.T))
    target, permutation = permute_and_relabel(graph, rng, "t")
    result = run(MatchingProblem(graph, target, np.column_stack([np.arange(150), permutation])), *SETTINGS)
    assert result.measures.edge_correctness > 0.98
    assert result.measures.node_correctness_symmetry_aware > 0.95
    assert result.measures.unmatched == 0


def test_the_same_seed_gives_the_same_run_on_any_number_of_threads() -> None:
    first, second = run(PAIR, *SETTINGS), run(PAIR, *with_changes("default", {"scale": "sparse", "threads": 2}))
    assert (first.coupling != second.coupling).nnz == 0
    assert (first.matching == second.matching).all()


def test_states_are_left_untouched_and_any_of_them_gives_a_result() -> None:
    space = prepare(PAIR, *SETTINGS)
    for state in states(space):
        before = state.coupling.copy()
        if state.phase != "done":
            step(space, state)
        assert (state.coupling != before).nnz == 0
        if state.step == 3:
            stopped = finish(space, state, "default", 0.0)
            assert stopped.status.code == "stopped"
            assert 0 < stopped.measures.edge_correctness <= 1
    with pytest.raises(ValueError, match="done"):
        step(space, state)
    ended = run(PAIR, *SETTINGS, on_state=lambda _, state: state.step == 2)
    assert (ended.status.code, ended.inner_iterations) == ("stopped", 2)


@pytest.mark.parametrize("cost", ["zipf", "log", "adjacency"])
@pytest.mark.parametrize("sizes", [(9, 9), (7, 10), (10, 6)])
def test_the_discrepancy_is_that_of_the_dense_formula(cost: str, sizes: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    graphs = [Graph.from_matrix(rng.poisson(0.7, (n, n)).astype(float), directed=True) for n in sizes]
    problem, config = MatchingProblem(*graphs), replace(SETTINGS[0], cost=cost)
    coupling, rows, columns = completed(random_coupling(rng, *sizes) * max(sizes))
    n = len(rows)
    costs = [c.padded(n - c.n, 0.0) for c in observed_costs(problem, config)]
    T = np.zeros((n, n))
    T[: sizes[0], : sizes[1]] = coupling.toarray()
    T += np.outer(rows, columns) / rows.sum()
    assert T.sum(axis=1) == pytest.approx(1 / n)
    assert T.sum(axis=0) == pytest.approx(1 / n)
    C_s, C_t = (c.dense() for c in costs)
    naive = sum(T[i, j] * (np.square(C_s[i][:, None] - C_t[j]) * T).sum() for i in range(n) for j in range(n))
    assert discrepancy(*costs, coupling, rows, columns) == pytest.approx(naive, abs=1e-12)


def test_gains_are_the_unmasked_product() -> None:
    rng = np.random.default_rng(3)
    problem = MatchingProblem(*(replace(g, weights=g.adjacency) for g in (PAIR.source, PAIR.target)))
    edges, T = edges_of(problem.source, problem.target), random_coupling(rng, 120, 132)
    wanted = dense_gain(problem, T.toarray())
    found = best_gains(edges, T, 10, threads=1)
    for i, row in enumerate(wanted):
        best = np.sort(row[row >= FLOOR * row.max()])[::-1][:10]
        assert np.sort(found[[i]].data)[::-1] == pytest.approx(best)
    other = random_coupling(rng, 120, 132)
    assert inner(edges, T, other) == pytest.approx((wanted * other.toarray()).sum())
    part = best_gains(edges, T, 10, 1, np.array([4, 7]), np.arange(40))
    assert part.shape == (2, 40)
    assert part.toarray()[1].max() == pytest.approx(wanted[7, :40].max())


def test_edges_of_one_weight_gain_more_than_edges_of_different_weight() -> None:
    pair = [Graph.from_edges([("a", "b", 2), ("b", "c", w), ("c", "d", 40)]) for w in (5, 5)]
    edges = edges_of(*pair)
    same, crossed = (as_coupling(np.array(m), 4) for m in ([0, 1, 2, 3], [3, 2, 1, 0]))
    assert inner(edges, same, same) > inner(edges, crossed, crossed) > 0


def test_scaling_keeps_sums_below_one_and_survives_any_score() -> None:
    rng = np.random.default_rng(4)
    scores = sparse.random_array((30, 40), density=0.3, rng=rng, format="csr")
    for scale in (1.0, 1e3, 1e6):
        T = coupling_from_scores(sparse.csr_array(scores * scale), slack=-1.0)
        assert np.isfinite(T.data).all()
        assert (T.data >= 0).all()
        assert max(T.sum(axis=0).max(), T.sum(axis=1).max()) <= 1 + 1e-12
    assert T.sum() > 20


def test_assignment_takes_as_many_pairs_as_fit_and_then_the_best() -> None:
    scores = sparse.csr_array(np.array([[5.0, 4.0, 0.0], [5.0, 0.0, 0.0], [3.0, 0.0, 0.0]]))
    assert assign(scores).tolist() == [1, 0, -1]
    assert assign(sparse.csr_array((2, 3))).tolist() == [-1, -1]


def test_a_polish_step_never_loses() -> None:
    rng = np.random.default_rng(5)
    edges = edges_of(PAIR.source, PAIR.target)
    here = as_coupling(rng.permutation(132)[:120], 132)
    for _ in range(5):
        there = as_coupling(rng.permutation(132)[:120], 132)
        moved = toward(edges, here, there, (0.0, 0.0)).coupling
        assert inner(edges, moved, moved) >= inner(edges, here, here) - 1e-9
        here = moved


def test_every_source_gets_its_candidates_class_by_class() -> None:
    rng = np.random.default_rng(6)
    targets = rng.normal(size=(WHOLE_SEARCH + 500, 3)).astype(np.float32)
    sources = (targets[:200] + rng.normal(scale=1e-3, size=(200, 3))).astype(np.float32)
    found = nearest(sources, targets, 4, rng)
    assert found.classes > 1
    assert (np.bincount(found.rows, minlength=200) == 4).all()
    assert np.isin(np.arange(200) * len(targets) + np.arange(200), found.rows * len(targets) + found.columns).all()
    far = nearest(np.full((3, 3), 50.0, dtype=np.float32), targets, 4, rng)
    assert (np.bincount(far.rows) == 4).all()


def test_features_do_not_mind_edges_that_are_missing_throughout() -> None:
    looks = features(PAIR.source, PAIR.source)
    rows = np.arange(120)
    assert (looks.likeness(rows, rows) == 0).all()
    assert (looks.likeness(rows, (rows + 1) % 120) < 0).any()


def test_graphs_without_edges_match_nothing_and_isolated_nodes_are_named() -> None:
    empty = Graph.from_edges([], nodes=tuple("abc"))
    nothing = run(MatchingProblem(empty, empty), *SETTINGS)
    assert nothing.status.code == "stuck at the symmetric start"
    assert (nothing.matching == -1).all()
    anchored = MatchingProblem(empty, empty, anchors=sparse.csr_array(np.eye(3)[[2, 0, 1]]))
    assert run(anchored, *SETTINGS).matching.tolist() == [2, 0, 1]
    result = run(MatchingProblem(empty, Graph.from_edges([("x", "y", 1)])), *SETTINGS)
    assert json.loads(run_json(result))["matching"]["unmatched_sources"] == ["a", "b", "c"]


def test_what_only_the_dense_solver_takes_is_refused() -> None:
    for changes in ({"loss": "kl"}, {"cost": "shortest-path"}, {"marginals": "degree"}):
        with pytest.raises(InputError, match="sparse mode"):
            run(PAIR, *with_changes("default", {"scale": "sparse", **changes}))
    given = replace(PAIR, source_marginal=np.full(120, 1 / 120))
    with pytest.raises(InputError, match="given"):
        run(given, *SETTINGS)


def test_the_choice_follows_memory_and_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    auto, _ = with_changes("default", {})
    assert not is_sparse(PAIR, auto)
    assert is_sparse(PAIR, SETTINGS[0])
    monkeypatch.setattr("gwl_core.large.plan.memory_cap", lambda: 1000.0)
    assert is_sparse(PAIR, auto)
    assert not is_sparse(PAIR, replace(auto, scale="dense"))
    plan = estimate(PAIR, *SETTINGS)
    assert plan.seconds > 0
    assert plan.bytes > 0
    assert "120 source and 132 target nodes" in plan.text
    assert limits.cores() >= 1


def test_files_recompute_what_was_reported() -> None:
    result = run(PAIR, *SETTINGS)
    with np.load(io.BytesIO(coupling_npz(result)), allow_pickle=False) as kept:
        P = sparse.csr_array((kept["data"], kept["indices"], kept["indptr"]), shape=tuple(kept["shape"]))
        costs = [c.padded(132 - c.n, 0.0) for c in observed_costs(PAIR, SETTINGS[0])]
        value = discrepancy(*costs, P, kept["row_rest"], kept["column_rest"])
        assert value == pytest.approx(result.measures.gw_discrepancy, rel=1e-12)
        assert kept["source_labels"].tolist() == list(PAIR.source.labels)
    assert embeddings_npz(result) is None
    pairs = result_pairs(result)
    assert [(p.source, p.target) for p in pairs] == [(i, j) for i, j in enumerate(result.matching) if j >= 0]
    assert all(0 <= p.confidence <= 1 for p in pairs)
    assert len(matches_csv(result).splitlines()) == len(pairs) + 1
    record = json.loads(run_json(result))
    assert record["method"] == "sparse"
    assert len(record["matching"]["unmatched_targets"]) == 12


def test_the_command_line_takes_the_sparse_mode_where_a_dense_run_is_too_large(tmp_path, monkeypatch, capsys) -> None:
    write_problem(PAIR, tmp_path)
    monkeypatch.setattr("gwl_core.large.plan.memory_cap", lambda: 1000.0)
    files = [str(tmp_path / f"{name}.csv") for name in ("source", "target")]
    truth = ["--truth", str(tmp_path / "truth.csv")]
    assert main(["align", *files, *truth, "--out", str(tmp_path / "out"), "--json"]) == 0
    out, err = capsys.readouterr()
    summary = json.loads(out)
    assert summary["method"] == "sparse"
    assert summary["node_correctness"]["one_to_one"] > 0.95
    assert "120 source and 132 target nodes" in err.splitlines()[0]
    graphs = {f"{side}.{kind}" for side in ("source", "target") for kind in ("graphml", "gexf")}
    written = {"matches.csv", "coupling.npz", "history.csv", "run.json", "references.bib"}
    assert {p.name for p in (tmp_path / "out").iterdir()} == written | graphs
    assert main(["align", *files, *truth]) == 0
    assert "node correctness" in capsys.readouterr().out
