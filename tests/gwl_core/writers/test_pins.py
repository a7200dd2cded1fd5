"""Pins as a CSV file: there and back, and what is wrong with it in one sentence."""

from __future__ import annotations

import pytest

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.pins import APART, SAME, Pin
from gwl_core.writers.pins import MOST_BYTES, pins_csv, read_pins

SOURCE = Graph.from_edges([("=a", "b,1", 1.0), ("b,1", 'c"', 1.0)])
TARGET = Graph.from_edges([("A", "B", 1.0), ("B", "Ünï", 1.0)])
PINS = (Pin(0, 2, SAME, True), Pin(1, 0), Pin(2, 1, APART), Pin(2, 0, APART, True))


def test_there_and_back() -> None:
    written = pins_csv(PINS, SOURCE, TARGET)
    assert written.startswith(b"source,target,rule\n'=a,")
    assert read_pins(written, "anchors.csv", SOURCE, TARGET) == PINS


def test_two_columns_are_soft_pins() -> None:
    assert read_pins(b"# known\r\nb\xc3\xa9,x\n".replace(b"b\xc3\xa9,x", b"=a,B"), "f", SOURCE, TARGET) == (Pin(0, 1),)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"=a", "line 1: a pin needs"),
        (b"source,target\nnobody,A", "line 2: 'nobody' is not a node"),
        (b"=a,A,perhaps", "line 1: the rule must be one of"),
        (b"\xff\xfe", "not UTF-8"),
        (b"=a,A,fixed\n=a,B,fixed", "two partners"),
        (b" " * (MOST_BYTES + 1), "larger than"),
    ],
)
def test_what_is_wrong_is_told(content: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_pins(content, "f", SOURCE, TARGET)
