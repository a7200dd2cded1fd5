"""`compare` and `methods` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gwl_core.baselines import BASELINES
from gwl_core.cli import main


def test_compare_prints_one_json_object_and_nothing_else() -> None:
    # A process of its own: the orbit counter writes to the file descriptor, past any capture in Python.
    command = [
        sys.executable,
        "-m",
        "gwl_core",
        "compare",
        "--pair",
        "geant",
        "--methods",
        "netal,graal,h-graal",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert [row["method"] for row in told["methods"]] == ["netal", "graal", "h-graal"]
    netal, _, h_graal = told["methods"]
    assert netal["status"] == "done"
    assert netal["node_correctness"]["known"] == told["truth_pairs"] == 34
    assert 0 < netal["edge_correctness"] <= 1
    assert len(netal["orders"]) == 3
    assert netal["hits"] is None
    assert 0 <= h_graal["hits"]["1"] <= h_graal["hits"]["5"] <= h_graal["hits"]["10"] <= 1
    agreed = told["agreement"]
    assert [row["methods"] for row in agreed["by_votes"]] == [1, 2, 3]
    assert set(agreed["only"]) == {"netal", "graal", "h-graal"}
    assert agreed["consensus"]["least"] == 2
    assert len(agreed["consensus"]["pairs"]) == agreed["by_votes"][1]["pairs"] + agreed["by_votes"][2]["pairs"]
    assert "netal: done after" in done.stderr


def test_compare_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.csv").write_text("a,b\nb,c\nc,d\nd,b\n", encoding="utf-8")
    (tmp_path / "t.csv").write_text("x,y\ny,z\nz,w\nw,y\n", encoding="utf-8")
    arguments = [
        "compare",
        str(tmp_path / "s.csv"),
        str(tmp_path / "t.csv"),
        "--methods",
        "isorank, lrsa",
        "--cap",
        "60",
    ]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["method", "status", "NC"]
    assert lines[1].split()[:3] == ["isorank", "done", "-"]  # there is no truth
    assert lines[-1].startswith("consensus of at least 2: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--methods", "gwl,magic"], "'magic' is not a method; the methods are gwl"),
        (["--methods", ","], "Name at least one method"),
        (["--methods", "lrsa", "--cap", "-1"], "cap must be a number from"),
        (["--methods", "lrsa", "--seed", "x"], "seed must be a whole number"),
        (["--methods", "lrsa", "--anchors", "known.csv"], "compare takes no --anchors"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--pair", "geant", *arguments]) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.out == ""


def test_methods_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n{key} " in text for key in ("gwl", *BASELINES))
    assert main(["methods", "--json"]) == 0
    rows = {row["key"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["gwl"]["preset"] == "default"
    assert rows["netal"]["size_limit"] == BASELINES["netal"].largest
    assert rows["tame"]["uses"] == ["topology", "triangles"]
    assert {"name": "orders", "rule": "a whole number from 1 to 1000", "default": 3} in rows["netal"]["settings"]
