"""The limits of a server: one file, every value checked, and what follows from them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from dashboard import drafts, limits
from dashboard.limits import RANGES, STANDARD, Limits, load
from gwl_core.errors import InputError
from gwl_core.limits import cores


def written(folder: Path, text: str) -> Path:
    path = folder / "limits.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_standard_file_sets_every_limit() -> None:
    found = load(environment={})
    assert set(RANGES) == {field.name for field in fields(Limits)} == set(limits._read(STANDARD))
    assert found.runs == max(2, cores())
    assert found.comparisons == max(1, cores() // 2)
    assert found.files.max_bytes == 50_000_000


def test_another_file_changes_what_it_names(tmp_path: Path) -> None:
    path = written(tmp_path, "nodes = 10\nruns = 7\n")
    found = load(environment={"GWL_LIMITS": str(path)})
    assert (found.nodes, found.runs, found.edges) == (10, 7, load(environment={}).edges)
    assert found.environment["GWL_THREADS_SHARE"] == "7"


def test_the_environment_has_the_last_word(tmp_path: Path) -> None:
    path = written(tmp_path, "runs = 7\n")
    assert load(path, {"GWL_MAX_RUNS": "3", "GWL_MAX_COMPARISONS": "2"}).runs == 3
    with pytest.raises(InputError, match="GWL_MAX_RUNS sets runs to 'many'"):
        load(path, {"GWL_MAX_RUNS": "many"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nodes = 1", "nodes to 1: give a whole number from 2"),
        ("nodes = 2.5", "nodes to 2.5"),
        ("queue = true", "queue to True"),
        ("idle_seconds = -1", "idle_seconds to -1"),
        ("speed = 3", "'speed', which is no limit"),
        ("nodes = ", "is not a TOML file"),
    ],
)
def test_a_wrong_value_is_refused_in_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        load(written(tmp_path, text), {})


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load(environment={"GWL_LIMITS": str(tmp_path / "nothing.toml")})


def test_uploads_are_held_to_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = load(written(tmp_path, "nodes = 3\nedges = 3\nupload_mb = 1"), {})
    monkeypatch.setattr(drafts, "limits", lambda: small)
    draft = drafts.read({"source": ("a.csv", b"a,b\nb,c\nc,d\n"), "target": ("b.csv", b"a,b\n" * 400_000)})
    assert "over the cap of 3" in draft.faults["source"]
    assert "over the cap of 1" in draft.faults["target"]
