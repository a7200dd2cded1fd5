"""Exports: what is in each file, that others can read it, and that it says nothing undefined."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gwl_core import writers
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures, Result
from gwl_core.writers.record import fingerprint
from gwl_core.writers.strict_json import strict_json
from gwl_core.writers.tables import csv_table, safe_cell


def table(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))


def strict(content: bytes | str) -> dict[str, Any]:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    loaded = json.loads(content, parse_constant=refuse)
    assert isinstance(loaded, dict)
    return loaded


def arrays(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        return dict(archive)


def test_matches_hold_the_one_to_one_pairs_and_no_dummy(result: Result) -> None:
    rows = table(writers.matches_csv(result))
    assert list(rows[0]) == ["source", "target", "coupling", "confidence", "alternatives"]
    # A plain number stays; a formula gets an apostrophe.
    assert [(row["source"], row["target"]) for row in rows] == [("p", "'=X"), ("r", "-5")]
    assert float(rows[0]["coupling"]) == 0.30
    # The only edge between matched nodes is broken.
    assert all(0 < float(row["confidence"]) < 0.2 for row in rows)
    assert rows[0]["alternatives"] == "'-5 (0.060)"
    assert rows[1]["alternatives"] == "'=X (0.070)"


@pytest.mark.parametrize("label", ["a\rb", "a\nb", "a\r\nb", 'a",\r', "\r"])
def test_line_breaks_in_cells_read_back(label: str) -> None:
    content = csv_table(("source", "target"), [("x", label), ("y", "z")]).decode("utf-8")
    assert list(csv.reader(io.StringIO(content, newline=""))) == [["source", "target"], ["x", label], ["y", "z"]]


@pytest.mark.parametrize(
    ("label", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("-5", "-5"),
        ("+1.5e-3", "+1.5e-3"),
        ("-5+3", "'-5+3"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_cells_that_spreadsheets_would_run_are_disarmed(label: str, cell: str) -> None:
    assert safe_cell(label) == cell


def test_coupling_archive_holds_block_slack_labels_and_marginals(result: Result) -> None:
    loaded = arrays(writers.coupling_npz(result))
    np.testing.assert_array_equal(loaded["coupling"], result.coupling)
    assert loaded["slack_rows"].shape == (0, 2)
    assert loaded["slack_columns"].shape == (3, 1)
    assert loaded["source_labels"].tolist() == ["p", "q", "r"]
    assert loaded["target_labels"].tolist() == ["=X", "-5"]
    padded = np.hstack([loaded["coupling"], loaded["slack_columns"]])
    np.testing.assert_allclose(padded.sum(axis=1), loaded["source_marginal"])
    assert all(array.dtype != object for array in loaded.values())


def test_embeddings_archive_exists_only_with_embeddings(result: Result) -> None:
    assert writers.embeddings_npz(result) is None
    embedded = replace(result, source_embedding=np.ones((3, 4)), target_embedding=np.zeros((2, 4)))
    loaded = arrays(writers.embeddings_npz(embedded) or b"")
    assert loaded["source"].shape == (3, 4)
    assert loaded["target"].shape == (2, 4)
    assert loaded["target_labels"].tolist() == ["=X", "-5"]


def test_history_leaves_undefined_values_empty(result: Result) -> None:
    rows = table(writers.history_csv(result))
    assert rows[0] == {"step": "1", "objective": "0.5", "phase": "coupling", "edge_correctness": ""}
    assert rows[1] == {"step": "2", "objective": "", "phase": "", "edge_correctness": "0.5"}


def test_run_record_is_strict_json_and_enough_to_repeat_the_run(result: Result) -> None:
    record = strict(writers.run_json(result, {"source": "a.csv"}))
    assert record["config"]["seed"] == record["seed"] == 7
    assert record["hyperparameters"]["gamma"] is None
    assert record["preset"] == "gwd"
    assert record["origin"] == {"source": "a.csv"}
    assert set(record["versions"]) == {"python", "platform", "torch", "numpy", "scipy"}
    assert record["source"]["name"] == "left"
    assert record["source"]["nodes"] == 3
    assert record["matching"] == {
        "rule": "one-to-one: linear assignment",
        "pairs": 2,
        "unmatched_sources": ["q"],
        "unmatched_targets": [],
        # The two targets are twins of each other.
        "tied_sources": ["p", "r"],
    }
    assert record["notices"] == ["One value was floored."]


def test_undefined_measures_are_null_with_a_reason(result: Result) -> None:
    record = strict(writers.run_json(result))
    assert record["node_correctness"] == {"coupling": 1.0, "embedding": None, "one_to_one": 1.0, "symmetry_aware": 1.0}
    assert record["ics"] is None
    assert set(record["undefined"]) == {"node_correctness.embedding", "wasserstein", "regularizer", "ics", "s3"}
    assert record["undefined"]["node_correctness.embedding"] == "the run has no embeddings"


def test_without_truth_node_correctness_is_null_and_nan_is_never_written(result: Result) -> None:
    problem = MatchingProblem(result.problem.source, result.problem.target)
    measures = Measures(float("nan"), float("inf"), None, None, 0.0, 0)
    record = strict(writers.run_json(replace(result, problem=problem, measures=measures)))
    assert record["node_correctness"] is None
    assert record["undefined"]["node_correctness"] == "no true pairs were given"
    assert record["gw_discrepancy"] is None
    assert record["objective"] is None
    assert "not finite" in record["undefined"]["gw_discrepancy"]


def test_write_all_writes_every_file_and_drops_a_stale_one(result: Result, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    embedded = replace(result, source_embedding=np.ones((3, 4)), target_embedding=np.zeros((2, 4)))
    first = [path.name for path in writers.write_all(embedded, folder)]
    graphs = ["source.graphml", "target.graphml", "source.gexf", "target.gexf"]
    assert first == [
        "matches.csv", "coupling.npz", "embeddings.npz", "history.csv", "run.json", *graphs, "references.bib",
    ]  # fmt: skip
    second = writers.write_all(result, folder)
    assert sorted(folder.iterdir()) == sorted(second)
    assert "embeddings.npz" not in {path.name for path in second}
    assert (folder / "matches.csv").read_bytes() == writers.matches_csv(result)
    assert (folder / "run.json").read_bytes() == writers.run_json(result)


def test_a_folder_that_takes_no_files_is_refused(result: Result, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    (tmp_path / "run" / "run.json").mkdir(parents=True)
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "run", tmp_path / "nul\0"):
        with pytest.raises(InputError, match="choose another"):
            writers.write_all(result, folder)


def test_fingerprint_follows_content_not_names() -> None:
    edges = [("a", "b", 1.0), ("b", "c", 2.0)]
    one = fingerprint(Graph.from_edges(edges, name="one"))
    assert one == fingerprint(Graph.from_edges(edges, name="other"))
    assert one == fingerprint(Graph.from_edges([("b", "a", 1.0), ("c", "b", 2.0)], nodes="abc"))
    others = [
        Graph.from_edges(edges, directed=True),
        Graph.from_edges([("a", "b", 1.0), ("b", "c", 3.0)]),
        Graph.from_edges([("A", "b", 1.0), ("b", "c", 2.0)]),
    ]
    assert len({one, *map(fingerprint, others)}) == 4


def test_strict_json_turns_numpy_into_plain_values() -> None:
    value = {"a": np.int64(3), "b": np.array([1.0, np.inf]), 5: (np.bool_(True), float("nan")), "c": "γ"}
    assert strict_json(value) == '{"a": 3, "b": [1.0, null], "5": [true, null], "c": "γ"}'
    assert strict_json("γ", ascii_only=True) == '"\\u03b3"'


def test_writers_do_not_load_torch() -> None:
    code = "import sys, gwl_core.writers, gwl_core.cli; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0
