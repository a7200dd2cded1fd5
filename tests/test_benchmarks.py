"""Every benchmark at its smallest size, so that none is found broken on the day it is needed. No timing is judged."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks import (
    accuracy_files,
    accuracy_pairs,
    accuracy_synthetic,
    aligners,
    calibration,
    contact_logs,
    embeddings_help,
    experiments_quick,
    gamma_grid,
    gpu,
    growth,
    large,
    load,
    paper_preset,
    speed,
    tick,
)
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.calibration_data import FITTED_PAIRS, fit_problems
from benchmarks.capped import Capped
from benchmarks.ceiling import ceilings, swap_classes
from benchmarks.kept_rows import KeptRows
from benchmarks.paired import behind, by_file, comparisons, interval, resampled, standing
from benchmarks.problems import builtin_problems, file_problems, permuted, same_labels, sparse_pair, without_edges
from benchmarks.report import Table, as_text
from gwl_core.confidence import FEATURES
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.symmetry import alike_nodes


@pytest.mark.parametrize(("kernel", "joint"), [("rbf", True), ("cosine", False)])
def test_accuracy_on_synthetic_graphs(kernel: str, joint: bool) -> None:
    changes = {"outer": 1, "inner": 60, "epochs": 40 if joint else 1, "joint_start": joint}
    row = accuracy_synthetic.row("K-NN", 30, 0.0, range(1), changes | {"kernel": kernel})
    assert row["coupling"] == row["coupling_min"] == row["one_to_one_min"] == row["edges"] == 1
    # The target needs both ways of matching; embeddings that never met hardly match anything.
    assert (row["embedding"] == 1) is row["target_met"] is joint


def test_accuracy_on_pairs() -> None:
    row = accuracy_pairs.row("geant", permuted(load_pair("geant")), "gwd")
    assert row["inner_iterations"] > 0
    assert row["embedding"] is None
    assert 0 < row["edge_correctness"] <= 1
    assert row["symmetry_aware"] >= row["one_to_one"]


def test_calibration_on_a_held_out_pair() -> None:
    errors, reliability = calibration.tables(quick=True)
    (row,) = errors.rows
    assert row["data"] == "vtlwavenet"
    assert row["matches"] == sum(r["matches"] for r in reliability.rows) == 87
    assert 0 <= row["ece"] <= 0.1
    assert row["target_met"]


def test_calibration_error_of_a_hand_worked_example() -> None:
    # Bin 0.2–0.3: 0.25 against 0.5; bin 0.9–1.0, 1 included: 0.95 against 1.
    sure, right = np.array([0.2, 0.3 - 1e-9, 0.9, 1.0]), np.array([True, False, True, True])
    assert calibration.calibration_error(sure, right) == pytest.approx((2 * 0.25 + 2 * 0.05) / 4)
    assert [row["bin"] for row in calibration.bins(sure, right)] == ["0.2–0.3", "0.9–1.0"]


def test_the_fit_finds_known_coefficients_again() -> None:
    rng = np.random.default_rng(0)
    features, alike = rng.normal(size=(20_000, 2)), rng.integers(1, 4, 20_000)
    right = rng.random(20_000) < 1 / (1 + np.exp(-0.5 - features @ [2.0, 0.0])) / alike
    intercept, coefficients = calibration.fitted(features, alike, right, np.full(20_000, 1 / 20_000))
    assert intercept == pytest.approx(0.5, abs=0.15)
    np.testing.assert_allclose(coefficients, [2.0, 0.0], atol=0.15)


def test_the_fit_is_deterministic_and_prints_named_coefficients(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = {key: load for key, load in fit_problems().items() if key in ("geant", "unrelated knn")}
    for _ in range(2):
        assert calibration.main(["--fit"], lambda: chosen) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:6] == lines[6:]
    assert [line.split(":")[0] for line in lines[1:6]] == list(FEATURES)
    assert set(builtin_problems()) & set(fit_problems()) == set(FITTED_PAIRS)


def test_methods_on_the_same_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy_files, "file_problems", lambda **_: {})
    tables = list(accuracy_files.compared(["geant"], ["gwd", "faq"], seeds=1, cap=60))
    assert [row["method"] for row in tables[0].rows] == ["gwd", "faq"]
    for row in tables[0].rows:
        assert not row["capped"]
        assert 0 < row["node_correctness"] <= row["symmetry_aware"] <= 1
        assert 0 < row["edge_correctness"] <= 1
        assert row["seconds"] > 0
        assert row["cpu_seconds"] > 0
    assert tables[2].rows[0]["gwd"] == tables[0].rows[0]["node_correctness"]
    assert len(tables) == 6  # without default there is nothing to hold against the peers


def test_what_a_baseline_has_on_the_way_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict] = []

    def tell(make: Callable[[], dict]) -> None:
        until = time.thread_time() + 0.2
        while time.thread_time() < until:  # whatever it takes to look at a result
            pass
        told.append(make())

    monkeypatch.setattr(accuracy_files, "TOLD_EVERY", 0.05)
    row = accuracy_files.work("pot-entropic", load_pair("geant"), 0, tell)
    assert told[-1]["node_correctness"] <= 1
    assert set(told[-1]) == set(row) - {"seconds", "cpu_seconds"}
    assert row["cpu_seconds"] < row["seconds"] - 0.18 * len(told), "looking counts as work"


def _told_then_slow(tell: Callable[[Callable[[], int]], None]) -> int:
    tell(lambda: 1)
    tell(_after_a_second)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        pass
    return 3


def _after_a_second() -> int:
    until = time.process_time() + 1
    while time.process_time() < until:
        pass
    return 2


def _quick(value: int, tell: Callable[[Callable[[], int]], None]) -> int:
    if value < 0:
        raise ValueError("negative")
    return value + 1


def test_a_cap_ends_work_and_keeps_what_was_told() -> None:
    with Capped() as worker:
        assert worker.run(30, _quick, 1) == (2, False)
        with pytest.raises(RuntimeError, match="ValueError: negative"):
            worker.run(30, _quick, -1)
        assert worker.run(0.5, _told_then_slow) == (2, True)
        assert worker.run(30, _quick, 5) == (6, False)


def _automorphisms(graph: Graph) -> Iterator[tuple[int, ...]]:
    dense = graph.weights.toarray()
    for order in itertools.permutations(range(graph.n_nodes)):
        if np.array_equal(dense[np.ix_(order, order)], dense):
            yield order


@pytest.mark.parametrize("seed", range(8))
def test_partitions_enclose_the_orbits(seed: int) -> None:
    generator = np.random.default_rng(seed)
    half = np.triu(generator.random((7, 7)) < 0.25, 1) * generator.integers(1, 3, (7, 7))
    graph = Graph.from_matrix(half if seed % 2 else half + half.T, directed=bool(seed % 2))
    images = np.array(list(_automorphisms(graph)))
    orbits = np.array([np.unique(column).size for column in images.T])
    same_orbit = np.array([[j in images[:, i] for j in range(7)] for i in range(7)])
    refined, swaps = (classes(graph) for classes in (alike_nodes, swap_classes))
    assert (same_orbit <= (refined[:, None] == refined)).all()
    assert ((swaps[:, None] == swaps) <= same_orbit).all()
    low, high = ceilings(MatchingProblem(graph, graph, np.c_[:7, :7]))
    expected = np.mean([np.mean(image == np.arange(7)) for image in images])  # of a perfect, blind method
    assert np.mean(1 / orbits) == pytest.approx(expected)
    assert low <= expected + 1e-12
    assert expected <= high + 1e-12


def _run(data: str, seed: int, method: str, value: float | None, capped: bool = False) -> dict:
    measures = {"node_correctness": value, "symmetry_aware": value, "edge_correctness": value}
    return {
        "data": data, "seed": seed, "method": method, "nodes": "2/2", "capped": capped, "ceiling_low": 1.0,
        "ceiling_high": 1.0, **measures,
    }  # fmt: skip


def test_pairs_are_by_data_and_seed() -> None:
    rows = [
        _run("a", 0, "own", 0.5), _run("a", 0, "peer", 0.4), _run("a", 1, "own", 0.7), _run("a", 1, "peer", 0.4, True),
        _run("b", 0, "own", 0.6), _run("b", 0, "peer", 0.9), _run("c", 0, "own", 1.0), _run("c", 0, "peer", None, True),
    ]  # fmt: skip
    found = comparisons(rows, "own", ["peer"])[0]
    assert (found["mean"], found["n"]) == (pytest.approx((0.2 - 0.3) / 2), 2)
    assert (found["cut_short"], found["without_result"]) == (2, 1)
    half = 12.706 * np.std([0.2, -0.3], ddof=1) / np.sqrt(2)
    assert found["high"] - found["mean"] == pytest.approx(half, rel=1e-4)
    assert interval([0.1]) == {"mean": 0.1, "low": None, "high": None, "n": 1}
    assert interval([])["mean"] is None
    by_name = {row["data"]: row for row in by_file(rows, ["own", "peer"], "node_correctness")}
    assert (by_name["a"]["own"], by_name["a"]["peer"], by_name["c"]["peer"]) == (pytest.approx(0.6), "0.4*", "*")
    late = behind(rows, "own")
    assert (late[0]["measure"], late[0]["data"], late[0]["best"]) == ("node_correctness", "b", "peer")
    assert len(late) == 3


def test_resampling_draws_groups_and_values() -> None:
    assert resampled([[0.3, 0.3], [0.3]]) == pytest.approx({"drawn_low": 0.3, "drawn_high": 0.3})
    assert resampled([[1.0, 2.0]]) == {"drawn_low": None, "drawn_high": None}
    rng = np.random.default_rng(0)
    values = rng.normal(2.0, 1.0, 60)
    found, normal = resampled([[value] for value in values]), interval(list(values))
    assert found["drawn_low"] == pytest.approx(normal["low"], abs=0.04)
    assert found["drawn_high"] == pytest.approx(normal["high"], abs=0.04)
    assert resampled([[0.0], [0.0], [1.0]]) == {"drawn_low": 0.0, "drawn_high": 1.0}


def test_standing_is_a_mean_over_files_best_first() -> None:
    rows = [
        _run("a", 0, "own", 0.5), _run("a", 1, "own", 0.7), _run("b", 0, "own", 0.6),
        _run("a", 0, "peer", 0.4, True), _run("b", 0, "peer", 0.9), _run("a", 0, "huge", None) | {"refused": True},
    ]  # fmt: skip
    peer, own, huge = standing(rows, ["own", "peer", "huge"])
    assert (peer["method"], peer["NC"], peer["EC"]) == ("peer", pytest.approx(0.65), pytest.approx(0.65))
    assert (own["files"], own["NC"]) == (2, pytest.approx((0.6 + 0.6) / 2))
    assert (own["first"], peer["first"]) == (1, 1)
    assert (peer["cut"], huge["files"], huge["NC"], huge["refused"]) == (1, 0, None, 1)


def test_finished_runs_are_not_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(accuracy_files, "file_problems", lambda **_: {})
    path = tmp_path / "rows.jsonl"
    asked = {"files": ["geant"], "methods": ["isorank", "lrsa"], "seeds": 1, "cap": 60, "keep_in": path}
    first = next(accuracy_files.compared(**asked))
    assert [json.loads(line) for line in path.read_text().splitlines()] == first.rows
    monkeypatch.setattr(accuracy_files, "capped_row", lambda *_: pytest.fail("a kept run was run again"))
    assert next(accuracy_files.compared(**asked)).rows == first.rows
    assert KeptRows(path).find("geant", 0, "isorank", 30) is None  # another cap is another run


def test_what_is_too_large_is_marked() -> None:
    path = Graph.from_edges([(str(i), str(i + 1), 1.0) for i in range(2000)])
    problem = MatchingProblem(path, path, np.c_[:2001, :2001])
    with Capped() as worker:
        row = accuracy_files.capped_row(worker, "path", problem, "tame", 0, 60)
    assert row["refused"]
    assert "too large for this method: its limit is 2000 nodes" in row["failed"]
    assert row.get("node_correctness") is None


def test_embeddings_against_none() -> None:
    changes = {"inner": 40, "outer": 2, "epochs": 5}
    rows = list(embeddings_help.paired_runs("ba", 16, 0.2, range(1), changes))
    assert [row["kernel"] for row in rows] == ["cosine", "rbf"]
    assert all(0 <= row[name] <= 1 for row in rows for name in embeddings_help.READINGS)
    assert "rounds" not in embeddings_help.joint_changes()
    assert embeddings_help.make("knn", 16, 0.5, 0).target.n_nodes == 24


def test_paper_preset_in_another_reading() -> None:
    changes = {"kernel": "rbf", "regularizer": "sum", "embedding_law": "normal", "outer": 1, "inner": 5}
    row = paper_preset.row("paper", 0.2, range(1), changes, nodes=12)
    assert (row["kernel"], row["regularizer"], row["embedding_law"], row["seeds"]) == ("rbf", "sum", "normal", 1)
    assert 0 <= row["embedding"] <= 1
    assert paper_preset.row("gwd-paper", 0.2, range(1), {"inner": 5}, nodes=12)["embedding"] is None


@pytest.mark.parametrize("problem", [sparse_pair(60, noise=0.1), knn(20, 0.2, np.random.default_rng(0))])
def test_rivals_do_the_same_work(problem) -> None:
    rows = {row["method"]: row for row in speed.rival_rows(problem, iterations=5, threads=1, repeats=1)}
    assert rows["gwl_core"]["ratio"] == 1
    assert rows["POT float64 numpy"]["difference"] < 1e-12
    assert rows["POT float32 torch"]["difference"] < 1e-5
    assert all(row["total_s"] > 0 for row in rows.values())
    if not problem.source.directed:  # the printed gradient is one half of the exact one
        assert rows["dense float64 torch"]["difference"] < 1e-12


def test_large_graphs_by_phase() -> None:
    row = large.row(80, weighted=True)
    assert row["node_correctness"] > 0.9
    assert 0 < row["iterations"] <= 50
    assert row["peak_mb"] > 0
    assert large.row(60, weighted=False)["weights"] == "one"
    assert large.file_row("geant", load_pair("geant"))["edge_correctness"] > 0.5


def test_a_whole_run_is_held_against_its_target() -> None:
    problem = load_pair("geant")
    assert speed.run_row("geant", problem, "gwd", 1e-9, repeats=1)["target_met"] is False
    assert speed.run_row("geant", problem, "gwd", 1e9, repeats=1)["target_met"] is True


def test_growth_is_measured_in_a_process_of_its_own() -> None:
    row = growth.measured(60, 2, 2)
    assert (row["nodes"], row["costs"]) == (60, "Dense")
    assert 0 < row["base_mb"] <= row["peak_mb"]
    assert min(row[name] for name in ("start_s", "iteration_ms", "mixed_iteration_ms", "epoch_ms")) > 0


def test_growth_of_large_graphs_has_an_exponent() -> None:
    row = growth.measured(60, 2, 2, "gwd")
    assert row["mixed_iteration_ms"] is None
    assert row["iteration_ms"] > 0
    sizes = ({"nodes": n, "iteration_ms": n**2, "base_mb": 5, "peak_mb": 5 + n**2.5} for n in (10, 20, 40))
    assert [(fit["exponent"], fit["target_met"]) for fit in growth.fits(list(sizes))] == [
        (pytest.approx(2.0), True), (pytest.approx(2.5), False),
    ]  # fmt: skip
    assert growth.exponent((10, 20, 40), (3 * 10**1.5, 3 * 20**1.5, 3 * 40**1.5)) == pytest.approx(1.5)


def test_yeast_is_left_out_where_there_are_no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "file_problems", dict)
    (table,) = speed.yeast_tables(2, 1)
    assert "Skipped" in as_text(table)


def test_yeast_is_held_against_its_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "file_problems", lambda: {"yeast 5%": lambda: sparse_pair(40, noise=0.05)})
    rivals, mixed, best = speed.yeast_tables(4, 1)
    assert {row["method"] for row in rivals.rows if "target_met" in row} == set(speed.YEAST_TARGETS)
    assert [row["precision"] for row in mixed.rows] == ["float64", "float32"]
    assert 0 < best.rows[0]["best_of_pot"] <= 1
    assert best.rows[0]["pot_s"] > 0


def test_cuda_is_left_out_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu.torch.cuda, "is_available", lambda: False)
    assert gpu.main() == 0
    assert "no CUDA" in capsys.readouterr().out
    state, _, seconds = gpu.run(sparse_pair(40), "cpu", 3)
    assert state.inner_total == 3
    assert seconds > 0


def test_a_tick_without_chromium_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    (table,) = tick.tables(quick=True)
    assert not table.rows
    assert "CHROMIUM" in table.notes[0]


def test_targets_are_permuted_with_their_truth() -> None:
    problem = load_pair("geant")
    other = permuted(problem)
    assert other.target.labels != problem.target.labels
    moved = dict(other.truth.tolist())
    for i, j in problem.truth:
        assert other.target.weights[[moved[i]]].sum() == problem.target.weights[[j]].sum()


@pytest.mark.parametrize("directed", [False, True])
def test_edges_are_removed_and_nodes_stay(directed: bool) -> None:
    edges = [(str(i), str(j), i + j) for i in range(8) for j in range(i)]
    graph = Graph.from_edges(edges, directed=directed)
    fewer = without_edges(graph, 0.25)
    assert (fewer.n_nodes, fewer.n_edges) == (8, 21)
    assert fewer.directed is directed
    assert fewer.weights.multiply(graph.weights > 0).sum() == fewer.weights.sum()
    assert np.array_equal(same_labels(fewer, graph).truth, np.c_[:8, :8])


def test_files_beside_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert file_problems(tmp_path / "absent") == {}
    (tmp_path / "networks").mkdir()
    (tmp_path / "networks" / "bio-celegans.txt").write_text("".join(f"{i} {(i + 1) % 40}\n" for i in range(40)))
    loaders = file_problems(tmp_path)
    assert "power −5%" in set(file_problems(tmp_path, large=True)) - set(loaders)
    problem, other = (file_problems(tmp_path, seed)["bio-celegans −5%"]() for seed in (0, 1))
    assert abs(problem.source.weights - other.source.weights).sum() > 0
    assert not np.array_equal(problem.truth, other.truth)
    assert (problem.source.n_edges, problem.target.n_edges, len(problem.truth)) == (38, 40, 40)
    monkeypatch.setattr(accuracy_files, "file_problems", lambda **_: {})
    monkeypatch.setattr(accuracy_files, "builtin_problems", lambda _: {})
    assert "no folder shared/data" in next(accuracy_files.compared()).notes[-1]


def test_tables_are_aligned_and_tell_missing_from_zero() -> None:
    lines = as_text(Table("Title", [{"a": 0.0, "b": None}, {"a": 1234.5678, "c": False}], ("Note.",))).splitlines()
    assert lines == ["Title", "   a  b   c", "   0  -   -", "1235  -  NO", "Note."]


def _small(quick: bool) -> Iterator[Table]:
    yield Table("Small", [{"quick": quick, "value": float("nan")}])


def test_the_command_prints_and_keeps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmarks = {"first": _small, "second": _small}
    assert main(["second", "--out", str(tmp_path)], benchmarks) == 0
    assert main(["first", "--quick", "--out", str(tmp_path)], benchmarks) == 0
    assert capsys.readouterr().out.count("Small") == 2
    kept = json.loads((tmp_path / "bench.json").read_text())
    assert kept["machine"]["cores"] >= 1
    assert kept["machine"]["versions"]["POT"]
    assert {name: entry["quick"] for name, entry in kept["benchmarks"].items()} == {"second": False, "first": True}
    assert kept["benchmarks"]["first"]["tables"][0]["rows"] == [{"quick": True, "value": None}]
    with pytest.raises(SystemExit):
        main(["third"], benchmarks)


def test_results_of_another_machine_are_not_mixed_in(tmp_path: Path) -> None:
    main(["--out", str(tmp_path)], {"first": _small})
    path = tmp_path / "bench.json"
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"machine": {"cores": 1000}}))
    main(["--out", str(tmp_path)], {"second": _small})
    assert set(json.loads(path.read_text())["benchmarks"]) == {"second"}


def test_every_benchmark_is_registered() -> None:
    modules = (
        accuracy_synthetic, accuracy_pairs, accuracy_files, aligners, calibration, embeddings_help, paper_preset, speed,
        gamma_grid, growth, large, contact_logs, experiments_quick, tick, load,
    )  # fmt: skip
    assert dict(BENCHMARKS) == {module.__name__.rsplit(".", 1)[1]: module.tables for module in modules}


def test_an_experiment_from_the_command_line_and_again() -> None:
    row = experiments_quick.row("runtime", "tiny")
    assert row["trials"] == row["again: reused"] > 0
    assert row["CPU s"] > 0
    assert row["below the bar"]
