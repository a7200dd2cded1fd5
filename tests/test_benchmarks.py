"""Every benchmark at its smallest size, so that none is found broken on the day it is needed. No timing is judged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks import accuracy_pairs, accuracy_synthetic, growth, paper_preset, speed, tick
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.problems import file_problems, permuted, same_labels, sparse_pair, without_edges
from benchmarks.report import Table, as_text
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import knn
from gwl_core.graph import Graph


@pytest.mark.parametrize(("kernel", "joint"), [("rbf", True), ("cosine", False)])
def test_accuracy_on_synthetic_graphs(kernel: str, joint: bool) -> None:
    changes = {"outer": 1, "inner": 60, "epochs": 40 if joint else 1, "joint_start": joint}
    row = accuracy_synthetic.row(kernel, 0.0, range(1), nodes=30, changes=changes)
    assert row["coupling"] == row["coupling_min"] == row["one_to_one_min"] == 1
    # The target needs both ways of matching; embeddings that never met hardly match anything.
    assert (row["embedding"] == 1) is row["target_met"] is joint


def test_accuracy_on_pairs() -> None:
    row = accuracy_pairs.row("geant", permuted(load_pair("geant")), "gwd")
    assert row["inner_iterations"] > 0
    assert row["embedding"] is None
    assert 0 < row["edge_correctness"] <= 1
    assert row["symmetry_aware"] >= row["one_to_one"]


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


def test_a_whole_run_is_held_against_its_target() -> None:
    problem = load_pair("geant")
    assert speed.run_row("geant", problem, "gwd", 1e-9, repeats=1)["target_met"] is False
    assert speed.run_row("geant", problem, "gwd", 1e9, repeats=1)["target_met"] is True


def test_growth_is_measured_in_a_process_of_its_own() -> None:
    row = growth.measured(60, 2, 2)
    assert (row["nodes"], row["costs"]) == (60, "Dense")
    assert 0 < row["base_mb"] <= row["peak_mb"]
    assert min(row[name] for name in ("start_s", "iteration_ms", "mixed_iteration_ms", "epoch_ms")) > 0


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
    problem = file_problems(tmp_path)["bio-celegans −5%"]()
    assert (problem.source.n_edges, problem.target.n_edges, len(problem.truth)) == (38, 40, 40)
    monkeypatch.setattr(accuracy_pairs, "file_problems", dict)
    monkeypatch.setattr(accuracy_pairs, "list_pairs", tuple)
    *_, files = accuracy_pairs.tables(quick=False)
    assert "no folder shared/data" in files.notes[0]


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
    modules = (accuracy_synthetic, accuracy_pairs, paper_preset, speed, growth, tick)
    assert dict(BENCHMARKS) == {module.__name__.rsplit(".", 1)[1]: module.tables for module in modules}
