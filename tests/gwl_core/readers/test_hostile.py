"""Hostile files: refused in a sentence or kept as text, quickly, and never run, unpacked to disk or expanded."""

import gzip
import io
import json
import pickle
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl_core import InputError
from gwl_core.readers import Limits, read_graph
from tests.fuzz.mutate import mutated, seeds
from tests.fuzz.probe import probe
from tests.gwl_core.readers.hostile_files import FILES

SEEDS = seeds(Path(__file__).parents[4] / "shared")


def refusal(data: bytes, **options: object) -> str:
    start = time.process_time()
    with pytest.raises(InputError) as error:
        read_graph(data, name="g.csv", **options)
    assert time.process_time() - start < 2
    return str(error.value)


def zipped(*entries: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return buffer.getvalue()


@given(st.integers(0, 2**32), st.integers(0, 10_000))
def test_broken_files_give_a_graph_or_one_sentence(seed: int, k: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        data = mutated(SEEDS, rng)
        assert probe(data, k).trouble == "", data


def test_bombs_are_refused_before_they_go_off() -> None:
    small = Limits(max_bytes=1_000_000)
    zeros = b"0" * 20_000_000
    assert "unpacks to more than 1,000,000 bytes" in refusal(gzip.compress(zeros), limits=small)
    assert "unpacks to more than 1,000,000 bytes" in refusal(zipped(("a.csv", zeros)), limits=small)
    entities = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 10))
    bomb = f'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY e0 "z">{entities}]><graphml>&e9;</graphml>'
    assert "entities" in refusal(bomb.encode())
    assert "packed twice" in refusal(gzip.compress(gzip.compress(b"a,b\n")))
    assert "damaged" in refusal(gzip.compress(b"a,b\n" * 1000)[:-20])
    assert "damaged" in refusal(zipped(("a.csv", b"a,b\n" * 1000))[:-30])


def test_archives_are_never_unpacked_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    report = read_graph(zipped(("../../evil.csv", b"a,b\nb,c\n")), name="g.zip")
    assert report.graph.n_edges == 2
    assert list(tmp_path.iterdir()) == []
    assert "2 files" in refusal(zipped(("a.csv", b"a,b\n"), ("b.csv", b"a,b\n")))
    assert "no file" in refusal(zipped(("folder/", b"")))
    assert "pickle" in refusal(zipped(("x/data.pkl", b"")))
    assert "spreadsheet" in refusal(zipped(("[Content_Types].xml", b""), ("xl/a.xml", b"")))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda data: zipped(("edges.csv", data))])
def test_pickles_are_refused_however_they_are_packed_and_called(pack: object) -> None:
    message = refusal(pack(pickle.dumps({"CANARY": 1})))
    assert "pickles are not read" in message
    assert "CANARY" not in message


def test_long_lines_and_deep_nesting_end_quickly() -> None:
    assert "line 1: the line is too long" in refusal(b"a," * 10_000_000)
    assert "line 1" in refusal(b"<graphml>" + b"<graph>" * 1_000)
    assert "nested" in refusal(b'{"a":' * 100_000)
    assert "NUL" in refusal(b"a,b\n\0\0,c\n")
    assert "HTML" in refusal(b"<!doctype html><script>alert(1)</script>")


def test_markup_in_labels_is_text() -> None:
    label = "<script>alert('x')</script><img src=x onerror=alert(1)>"
    report = read_graph(f'source,target\n"{label}",b\n'.encode(), name="<b>g</b>.csv")
    assert report.graph.labels == (label, "b")


def test_every_hostile_file_is_refused_by_every_reader_within_time_and_memory() -> None:
    """In a process that may not grow by more than hostile_files.MEGABYTES: where it would, Python raises."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.gwl_core.readers.hostile_files"],
        cwd=Path(__file__).parents[3], capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert list(told) == list(FILES)
    for name, found in told.items():
        assert found["seconds"] < 2, name
        assert found["said"][0].startswith(name), found
        for said in found["said"]:
            # The list of nodes has no weights, so a number too large for one does it no harm.
            assert said.startswith(name) or (name, said) == ("huge number.csv", "read"), said
            assert said.endswith(".") or said == "read"
            assert "\n" not in said
            assert "CANARY" not in said
    assert not Path("/tmp/evil.csv").exists()  # noqa: S108  a name in one of the archives
    assert not Path("/etc/evil.csv").exists()
