"""run.json of the page says where the graphs came from as the command line's does."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from dashboard import drafts
from dashboard.drafts import Draft, File, Wishes
from dashboard.origin import Origin, read_back, recorded, with_origin
from dashboard.session import DataChoice
from gwl_core.cli import main
from gwl_core.readers import Policies

FILES: dict[str, bytes] = {
    "source": b"author1,author2\na,b\nb,c\nc,a\n", "target": b"source,target\n1,2\n2,3\n3,1\n",
    "truth": b"source,target\na,1.0\nb,2.0\nzz,3.0\n", "target_nodes": b"id\n1\n2\n3\n4\n",
}  # fmt: skip
RECORD = b'{"origin": {}, "notices": ["Step 3: said."], "seed": 0}'


def draft(wishes: Wishes, **more: bytes) -> Draft:
    files: dict[str, File | None] = {place: (f"{place}.csv", content) for place, content in {**FILES, **more}.items()}
    return drafts.read(files, wishes)


def told(made: Draft) -> dict[str, Any]:
    data = DataChoice("upload", upload="secret", origin=made.origin)
    written = with_origin(RECORD, data)
    assert b"secret" not in written
    return json.loads(written)


@pytest.mark.parametrize("largest", [False, True])
def test_the_page_records_what_the_command_line_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: bool
) -> None:
    both = Policies(direction="directed", largest_component=largest)
    made = draft(Wishes({"source": both, "target": both}, convert=frozenset({"truth"})))
    assert made.problem is not None
    monkeypatch.chdir(tmp_path)
    for place, content in FILES.items():
        Path(f"{place}.csv").write_bytes(content)
    words = "align source.csv target.csv --truth truth.csv --target-nodes target_nodes.csv --direction directed"
    more = ["--convert-ids", *(["--largest-component"] if largest else [])]
    assert main([*words.split(), *more, "--preset", "gwd", "--inner", "5", "--rounds", "1", "--out", "out"]) == 0
    expected = json.loads(Path("out/run.json").read_text())
    found = told(made)
    assert found["origin"] == expected["origin"]
    assert found["notices"][-1] == "Step 3: said."
    readers = found["notices"][:-1]
    assert readers == expected["notices"][: len(readers)]
    assert len(readers) >= 2


def test_what_was_read_differently_is_told_by_side() -> None:
    one_way = {"source": Policies(direction="directed"), "target": Policies()}
    made = draft(Wishes(one_way), truth=b"source,target\na,1\n", anchors=b"source,target\nb,2\n")
    assert told(made)["origin"] == {
        "source": "source.csv", "target": "target.csv", "truth": "truth.csv", "anchors": "anchors.csv",
        "target_nodes": "target_nodes.csv", "direction": {"source": "directed", "target": "file"},
    }  # fmt: skip


def test_built_in_and_generated_pairs_are_named() -> None:
    assert recorded(DataChoice("geant")) == {"pair": "geant"}
    generated = DataChoice("knn", nodes=40, noise=0.2, graph_seed=3)
    assert recorded(generated) == {"pair": "knn", "nodes": 40, "noise": 0.2, "graph_seed": 3}


def test_an_origin_comes_back_from_a_session_file() -> None:
    origin = Origin({"source": "a.csv", "direction": {"source": "directed", "target": "file"}}, ("Read so.",))
    assert read_back(json.loads(json.dumps(asdict(DataChoice("upload", origin=origin))))) == origin


@pytest.mark.parametrize(
    "saved",
    [
        None, [], {}, {"origin": 1}, {"origin": {"given": [1], "notices": "x"}},
        {"origin": {"given": {"source": 3, "path": "/srv/x", "truth": "x" * 5000}}},
    ],
)  # fmt: skip
def test_a_session_file_that_tells_nonsense_tells_nothing(saved: object) -> None:
    assert read_back(saved) == Origin()
