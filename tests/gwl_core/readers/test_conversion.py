"""Ids of known pairs are converted as the offer says, and only where there is one way to do it."""

from itertools import pairwise

import pytest

from gwl_core import Graph, InputError
from gwl_core.readers import TruthReport, read_truth
from gwl_core.readers.ids import conversion


def path(*labels: str | int) -> Graph:
    names = [str(label) for label in labels]
    return Graph.from_edges([(i, j, 1.0) for i, j in pairwise(names)], name="g")


def pairs(text: str, source: Graph, target: Graph) -> tuple[TruthReport, set[tuple[str, str]]]:
    report = read_truth(text.encode(), name="t.csv", source_graph=source, target_graph=target, convert=True)
    return report, {(source.labels[i], target.labels[j]) for i, j in report.pairs.tolist()}


def test_spelling_comes_before_an_offset() -> None:
    numbers, letters = path(1, 2, 3, 4, 5, 6, 7), path(*"abcdefg")
    text = "01,a\n02,b\n03,c\n"
    with pytest.raises(InputError, match="write '1' instead of '01'"):
        read_truth(text.encode(), name="t", source_graph=numbers, target_graph=letters)
    report, found = pairs(text, numbers, letters)
    assert found == {("1", "a"), ("2", "b"), ("3", "c")}
    assert any("'01' became '1'" in notice for notice in report.notices)


def test_ids_that_fit_are_left_as_they_are() -> None:
    four = path(1, 2, 3, 4)
    assert pairs("1,1\n02,2\n", four, four)[1] == {("1", "1"), ("2", "2")}
    report, found = pairs("3,3\n4,4\n5,5\n", four, four)
    assert found == {("3", "3"), ("4", "4")}
    assert any("'5' not in g" in notice for notice in report.notices)


@pytest.mark.parametrize(
    ("ids", "labels", "of"),
    [
        pytest.param("12", "0123456", {}, id="all fit"),
        pytest.param("789", "0123456", None, id="several offsets"),
        pytest.param(["11", "12", "14"], ["1", "2", "4", "9"], {"11": "1", "12": "2", "14": "4"}, id="the only offset"),
        pytest.param(["11", "12"], ["1", "2", "3"], None, id="two offsets"),
        pytest.param("12345", "01234", {"1": "0", "2": "1", "3": "2", "4": "3", "5": "4"}, id="every label has its id"),
        pytest.param("1235", "01247", None, id="some fit and the ends do not"),
        pytest.param("235", "1234", None, id="some fit and a label would have no id"),
        pytest.param(["01", "2"], ["1", "2"], {"01": "1"}, id="only what does not fit"),
    ],
)
def test_conversions(ids: list[str], labels: list[str], of: dict[str, str] | None) -> None:
    found = conversion(list(ids), list(labels))
    assert (found.of if found else None) == (of or None)
