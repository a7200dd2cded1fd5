"""Finished trials on disk: whole lines, whatever happens to the writer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gwl_core.errors import InputError
from gwl_core.experiments import store as stores
from gwl_core.experiments.store import Store


def line(key: str, value: float | None = 0.1) -> dict[str, object]:
    return {"key": key, "parameters": {"seed": 1}, "values": {"value": value}, "seconds": 0.5}


def test_rows_come_back_bit_for_bit(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "toy.jsonl")
    assert store.rows() == {}
    store.append(line("a", 0.1 + 0.2))
    store.append(line("b", float("nan")))
    rows = store.rows()
    assert rows["a"]["value"] == 0.1 + 0.2
    assert rows["a"]["seed"] == 1
    assert rows["b"]["value"] is None


def test_a_line_cut_short_costs_that_line_only(tmp_path: Path) -> None:
    store = Store(tmp_path / "toy.jsonl")
    store.append(line("a"))
    store.append(line("b"))
    store.path.write_bytes(store.path.read_bytes()[:-9])
    assert set(store.rows()) == {"a"}
    store.append(line("c"))
    assert set(store.rows()) == {"a", "c"}


def test_a_full_disk_is_one_sentence_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "toy.jsonl")
    store.append(line("a"))
    before, real = store.path.read_bytes(), os.write

    def half(descriptor: int, content: bytes) -> int:
        return real(descriptor, content[: len(content) // 2])

    monkeypatch.setattr(stores.os, "write", half)
    with pytest.raises(InputError, match=r"No space left.*finished trials in it are kept"):
        store.append(line("b"))
    assert store.path.read_bytes() == before
