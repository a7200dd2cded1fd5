"""The command line as other tools call it: keys, files, exit status, one sentence per error."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gwl_core.cli import main

ROOT = Path(__file__).parents[2]

STABLE_KEYS = {
    "status", "message", "preset", "seed", "source", "target", "gw_discrepancy", "objective", "wasserstein",
    "regularizer", "marginal_error", "node_correctness", "edge_correctness", "ics", "s3", "outer_iterations",
    "inner_iterations", "seconds",
}  # fmt: skip
ADDED_KEYS = {"unmatched", "truth_pairs", "notices", "config", "hyperparameters", "method"}

SOURCE = "source,target\nann,bob\nbob,cyd\ncyd,dee\ndee,eli\neli,fay\ncyd,gus\n"
TARGET = "source,target\nT3,T5\nT5,T0\nT0,T6\nT6,T1\nT1,T4\nT0,T2\n"
TRUTH = "source,target\nann,T3\nbob,T5\ncyd,T0\ndee,T6\neli,T1\nfay,T4\ngus,T2\n"
LARGER = TARGET + "T2,T8\nT8,T9\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    texts = {"source.csv": SOURCE, "target.csv": TARGET, "truth.csv": TRUTH, "larger.csv": LARGER}
    texts |= {"empty.csv": "", "negative.csv": "source,target,weight\na,b,-1\n"}
    texts |= {"unknown.csv": "source,target\nzoe,T3\n", "forward.csv": "source,target\na,b\nb,c\nc,d\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "taken" / "source.csv").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def run(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in the folder of the files: (exit status, standard output, standard error)."""
    monkeypatch.chdir(files)

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def strict(text: str) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def align(run: Run, *arguments: str) -> dict[str, Any]:
    status, out, _ = run("align", *arguments, "--json")
    assert status == 0
    assert out.count("\n") == 1
    loaded = strict(out)
    assert isinstance(loaded, dict)
    return loaded


def observed_cost(weights: np.ndarray, size: int) -> np.ndarray:
    """Eq. (zipf) with a zero diagonal; dummies at cost 1 to every other node."""
    padded = np.zeros((size, size))
    padded[: len(weights), : len(weights)] = weights
    cost = 1 / (1 + padded)
    np.fill_diagonal(cost, 0)
    return cost


def recomputed_discrepancy(folder: Path, source: np.ndarray, target: np.ndarray) -> float:
    """Σ (C_s[i,j] − C_t[k,l])² T[i,k] T[j,l] from the exported coupling, slack included."""
    with np.load(folder / "coupling.npz", allow_pickle=False) as archive:
        plan, rows, columns = (archive[name] for name in ("coupling", "slack_rows", "slack_columns"))
    plan = np.vstack([plan, rows]) if len(rows) else np.hstack([plan, columns])
    c_s, c_t = (observed_cost(weights, n) for weights, n in zip((source, target), plan.shape, strict=True))
    p, q = plan.sum(axis=1), plan.sum(axis=0)
    return float(p @ c_s**2 @ p + q @ c_t**2 @ q - 2 * np.sum((c_s @ plan @ c_t.T) * plan))


def weights_of(text: str, labels: list[str], directed: bool = False) -> np.ndarray:
    weights = np.zeros((len(labels), len(labels)))
    for line in text.splitlines()[1:]:
        i, j = (labels.index(label) for label in line.split(",")[:2])
        weights[i, j] += 1
        if not directed:
            weights[j, i] += 1
    return weights


def test_json_has_the_stable_keys_and_the_right_answer(run: Run) -> None:
    summary = align(run, "source.csv", "target.csv", "--truth", "truth.csv", "--seed", "3")
    assert set(summary) == STABLE_KEYS | ADDED_KEYS
    assert summary["source"] == {"nodes": 7, "edges": 6, "directed": False, "isolated": 0}
    assert set(summary["node_correctness"]) == {"coupling", "embedding", "one_to_one", "symmetry_aware"}
    assert summary["node_correctness"]["coupling"] == 1.0
    assert summary["node_correctness"]["one_to_one"] == 1.0
    assert summary["edge_correctness"] == 1.0
    assert summary["s3"] == 1.0
    assert summary["gw_discrepancy"] <= 1e-6
    assert summary["marginal_error"] <= 1e-6
    assert (summary["seed"], summary["preset"], summary["truth_pairs"]) == (3, "default", 7)


def test_without_truth_node_correctness_is_null_and_edges_are_measured(run: Run) -> None:
    summary = align(run, "source.csv", "target.csv", "--preset", "gwd")
    assert summary["node_correctness"] is None
    assert summary["wasserstein"] is None
    assert summary["edge_correctness"] == 1.0
    assert summary["truth_pairs"] == 0


def test_options_reach_the_settings_of_the_run(run: Run) -> None:
    options = {
        "cost": "log", "kernel": "rbf", "marginals": "degree", "alpha": "constant:0.3", "beta": 2.5, "gamma": 0.05,
        "dim": 4, "outer": 2, "inner": 30, "sinkhorn": 3, "method": "entropic", "seed": 5, "device": "cpu",
        "threads": 1, "learning_rate": 0.05, "epochs": 3, "start": "product",
    }  # fmt: skip
    flags = [text for name, value in options.items() for text in ("--" + name.replace("_", "-"), str(value))]
    summary = align(run, "source.csv", "target.csv", *flags, "--no-unmatched", "--warm-start")
    used = summary["config"] | summary["hyperparameters"]
    assert options.items() <= used.items()
    assert (used["unmatched"], used["warm_start"]) == (False, True)
    assert summary["outer_iterations"] == 2
    assert summary["inner_iterations"] <= 60


def test_loss_and_kernel_are_two_settings(run: Run) -> None:
    quick = ("--inner", "5", "--outer", "1", "--rounds", "0")
    base = align(run, "source.csv", "target.csv", *quick)
    other = align(run, "source.csv", "target.csv", *quick, "--loss", "kl")
    assert other["config"]["loss"] == "kl"
    assert other["config"]["kernel"] == base["config"]["kernel"] == "cosine"
    assert other["gw_discrepancy"] != base["gw_discrepancy"]


@pytest.mark.parametrize(("source", "target"), [("source.csv", "larger.csv"), ("larger.csv", "source.csv")])
def test_discrepancy_recomputes_from_the_export_with_unequal_sizes(run: Run, source: str, target: str) -> None:
    # Few iterations, so that the coupling is far from a permutation and the value from 0.
    summary = align(run, source, target, "--inner", "7", "--outer", "1", "--out", "out")
    with np.load("out/coupling.npz", allow_pickle=False) as archive:
        labels = [archive[f"{side}_labels"].tolist() for side in ("source", "target")]
        assert archive["slack_rows"].shape == (2 if target == "larger.csv" else 0, len(labels[1]))
        assert archive["slack_columns"].shape == (len(labels[0]), 2 if source == "larger.csv" else 0)
    texts = {"source.csv": SOURCE, "larger.csv": LARGER}
    weights = [weights_of(texts[name], side) for name, side in zip((source, target), labels, strict=True)]
    value = recomputed_discrepancy(Path("out"), *weights)
    assert value > 1e-3
    assert summary["gw_discrepancy"] == pytest.approx(value, abs=1e-9)


def test_discrepancy_recomputes_from_the_export_of_directed_graphs(run: Run) -> None:
    summary = align(run, "forward.csv", "forward.csv", "--directed", "--inner", "3", "--outer", "1", "--out", "out")
    assert summary["source"]["directed"] is True
    text = "source,target\na,b\nb,c\nc,d\n"
    weights = weights_of(text, list("abcd"), directed=True)
    assert summary["gw_discrepancy"] == pytest.approx(recomputed_discrepancy(Path("out"), weights, weights), abs=1e-9)


def test_out_writes_every_file_and_the_same_seed_the_same_matches(run: Run, files: Path) -> None:
    arguments = ("align", "source.csv", "target.csv", "--truth", "truth.csv", "--threads", "1", "--outer", "2")
    status, out, _ = run(*arguments, "--out", "one")
    assert status == 0
    assert "100.0% (of 7 known pairs)" in " ".join(out.split())
    names = {"matches.csv", "coupling.npz", "embeddings.npz", "history.csv", "run.json", "references.bib"}
    names |= {f"{side}.{kind}" for side in ("source", "target") for kind in ("graphml", "gexf")}
    assert {path.name for path in Path("one").iterdir()} == names
    assert run(*arguments, "--out", "two")[0] == 0
    for name in names - {"run.json"}:
        assert (files / "one" / name).read_bytes() == (files / "two" / name).read_bytes()
    record = strict((files / "one" / "run.json").read_text())
    assert record["origin"] == {"source": "source.csv", "target": "target.csv", "truth": "truth.csv"}
    assert record["matching"]["rule"].startswith("one-to-one")
    assert min(Path("one/matches.csv").read_text().splitlines()[1:]).startswith("ann,T3,")


def test_anchors_break_a_symmetry(run: Run, files: Path) -> None:
    ring = "source,target\n0,1\n1,2\n2,3\n3,4\n4,0\n"
    (files / "ring.csv").write_text(ring)
    (files / "pins.csv").write_text("source,target\n0,2\n1,3\n")
    (files / "turned.csv").write_text("source,target\n0,2\n1,3\n2,4\n3,0\n4,1\n")
    summary = align(run, "ring.csv", "ring.csv", "--anchors", "pins.csv", "--truth", "turned.csv")
    assert summary["node_correctness"]["coupling"] == 1.0


def test_a_built_in_pair_runs_like_its_files(run: Run) -> None:
    summary = align(run, "--pair", "geant", "--preset", "gwd")
    assert summary["source"]["nodes"] == 34
    assert summary["truth_pairs"] == 34
    assert 0 <= summary["node_correctness"]["coupling"] <= 1


def test_generated_files_align(run: Run) -> None:
    for folder in ("one", "two"):
        generate = ("generate", "knn", "--nodes", "20", "--noise", "0.1", "--mean-degree", "3", "--seed", "4")
        status, out, _ = run(*generate, "--out", folder)
        assert status == 0
        assert "20 nodes" in out
    for name in ("source.csv", "target.csv", "truth.csv"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
    summary = align(run, "one/source.csv", "one/target.csv", "--truth", "one/truth.csv", "--preset", "gwd")
    assert (summary["source"]["nodes"], summary["target"]["nodes"], summary["truth_pairs"]) == (20, 22, 20)
    assert summary["source"]["directed"] is True
    assert run("generate", "ba", "--nodes", "20", "--noise", "0", "--attach", "3", "--out", "ba")[0] == 0


def test_pairs_lists_what_can_be_aligned(run: Run) -> None:
    status, out, err = run("pairs", "--json")
    listed = strict(out)
    assert (status, err) == (0, "")
    assert {"key", "title", "licence", "citation", "known"} <= set(listed[0])
    status, out, _ = run("pairs")
    assert len(out.splitlines()) == len(listed) + 1
    assert all(info["key"] in out for info in listed)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "COMMAND"),
        (["align"], "--pair"),
        (["align", "source.csv"], "SOURCE and TARGET"),
        (["align", "nowhere.csv", "target.csv"], "nowhere.csv"),
        (["align", ".", "target.csv"], "."),
        (["align", "nul\0.csv", "target.csv"], "nul"),
        (["align", "empty.csv", "target.csv"], "empty.csv"),
        (["align", "negative.csv", "target.csv"], "line 2"),
        (["align", "source.csv", "target.csv", "--truth", "unknown.csv"], "zoe"),
        (["align", "source.csv", "target.csv", "--truth", "nowhere.csv"], "nowhere.csv"),
        (["align", "source.csv", "target.csv", "--anchors", "unknown.csv"], "zoe"),
        (["align", "source.csv", "target.csv", "--out", "truth.csv"], "truth.csv"),
        (["align", "source.csv", "target.csv", "--gama", "0.1"], "--gama"),
        (["align", "source.csv", "target.csv", "--gamma", "0"], "gamma must be a number from 1e-06 to 10 or 'auto'"),
        (["align", "source.csv", "target.csv", "--gamma", "nan"], "gamma"),
        (["align", "source.csv", "target.csv", "--dim", "0"], "dim must be a whole number from 1 to 1024"),
        (["align", "source.csv", "target.csv", "--dim", "2.5"], "dim"),
        (["align", "source.csv", "target.csv", "--inner", "0"], "inner"),
        (["align", "source.csv", "target.csv", "--loss", "cosine"], "loss must be one of square, kl"),
        (["align", "source.csv", "target.csv", "--alpha", "square"], "alpha"),
        (["align", "source.csv", "target.csv", "--preset", "best"], "preset must be one of"),
        (["align", "source.csv", "target.csv", "--directed", "--undirected"], "not allowed with"),
        (["align", "--pair", "nowhere"], "nowhere"),
        (["align", "source.csv", "target.csv", "--pair", "geant"], "--pair"),
        (["generate", "knn", "--nodes", "1", "--noise", "0", "--out", "x"], "nodes"),
        (["generate", "knn", "--nodes", "x", "--noise", "0", "--out", "x"], "nodes"),
        (["generate", "knn", "--nodes", "20", "--noise", "nan", "--out", "x"], "noise"),
        (["generate", "knn", "--nodes", "20", "--noise", "0", "--seed", "-1", "--out", "x"], "seed"),
        (["generate", "knn", "--nodes", "20", "--noise", "0", "--attach", "2", "--out", "x"], "--attach"),
        (["generate", "ba", "--nodes", "20", "--noise", "0", "--mean-degree", "2", "--out", "x"], "--mean-degree"),
        (["generate", "ba", "--nodes", "20", "--noise", "0", "--out", "truth.csv"], "truth.csv"),
        (["generate", "ba", "--nodes", "20", "--noise", "0", "--out", "taken"], "source.csv"),
        (["generate", "ring", "--nodes", "20", "--noise", "0", "--out", "x"], "ring"),
    ],
)
def test_bad_input_is_status_2_and_one_sentence(run: Run, files: Path, arguments: list[str], part: str) -> None:
    before = {path.name for path in files.iterdir()}
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("gwl_core: ")
    assert err.count("\n") == 1
    assert part in err
    assert {path.name for path in files.iterdir()} == before


def test_an_interrupt_is_status_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gwl_core.trajectory.run", interrupted)
    status, out, err = run("align", "source.csv", "target.csv", "--json")
    assert (status, out) == (130, "")
    assert err == "gwl_core: interrupted.\n"


def start(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "gwl_core", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | environment, timeout=60,
    )  # fmt: skip


def test_module_runs_prints_its_version_and_reports_bad_input(files: Path) -> None:
    version = start("--version")
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("gwl_core 0.")
    wrong = start("align", str(files / "source.csv"), str(files / "empty.csv"), "--json")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr


def test_labels_in_any_script_survive_a_terminal_without_it(files: Path) -> None:
    for name, text in (("greek.csv", "source,target\nα,β\nβ,γ\n"), ("pinned.csv", "source,target\nα,ω\n")):
        (files / name).write_text(text, encoding="utf-8")
    graph, pins = str(files / "greek.csv"), str(files / "pinned.csv")
    done = start("align", graph, graph, "--truth", pins, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 2
    assert "\\u03c9" in done.stderr


def test_listing_pairs_does_not_wait_for_torch() -> None:
    code = "import sys; from gwl_core.cli import main; main(['pairs']); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, capture_output=True).returncode == 0


def test_files_can_be_read_otherwise_and_the_record_says_so(run: Run, files: Path) -> None:
    (files / "s.csv").write_text("source,target,weight\na,b,-2\nb,c,1\nx,y,1\n")
    (files / "truth.txt").write_text("t0\nt1\nt2\n")
    (files / "t.json").write_text(json.dumps({"nodes": [{"id": f"t{k}"} for k in range(3)], "links": [
        {"source": "t0", "target": "t1"}, {"source": "t1", "target": "t2"}]}))  # fmt: skip
    arguments = ["align", "s.csv", "t.json", "--preset", "gwd", "--truth", "truth.txt", "--out", "out", "--json"]
    status, _, err = run(*arguments)
    assert status == 2
    assert "--weights absolute" in err
    status, _, err = run(*arguments, "--weights", "absolute", "--largest-component")
    assert status == 2
    assert "--by-order" in err
    status, out, err = run(*arguments, "--weights", "absolute", "--largest-component", "--by-order")
    assert status == 0
    assert "2 nodes outside the largest component left out, as asked." in err
    assert json.loads(out)["source"] == {"nodes": 3, "edges": 2, "directed": False, "isolated": 0}
    assert strict(Path("out/run.json").read_text())["origin"] == {
        "source": "s.csv", "target": "t.json", "truth": "truth.txt", "weights": "absolute", "largest_component": True,
        "by_order": True,
    }  # fmt: skip
    assert run("align", "s.csv", "t.json", "--weights", "heavy")[0] == 2


def test_node_lists_keep_isolated_nodes(run: Run, files: Path) -> None:
    (files / "s.csv").write_text("a,b\nb,c\n")
    (files / "nodes.csv").write_text("id\na\nb\nc\nalone\n")
    status, out, _ = run("align", "s.csv", "s.csv", "--source-nodes", "nodes.csv", "--preset", "gwd", "--json")
    assert status == 0
    assert json.loads(out)["source"]["isolated"] == 1
