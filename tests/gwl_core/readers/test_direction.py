"""Who decides whether a graph is directed, and what becomes of repeated and reversed rows."""

import pytest

from gwl_core import InputError
from gwl_core.readers import GraphReport, read_graph


def read(text: str, directed: bool | None = None) -> GraphReport:
    return read_graph(text.encode(), name="g.csv", directed=directed)


def weights(report: GraphReport) -> dict[str, float]:
    rows, columns, values = report.graph.edges
    labels = report.graph.labels
    return {labels[i] + labels[j]: w for i, j, w in zip(rows, columns, values, strict=True)}


def suggests_directed(report: GraphReport) -> bool:
    return any("read it as directed" in notice for notice in report.notices)


@pytest.mark.parametrize("asked", [None, True, False])
@pytest.mark.parametrize("word", ["Directed", "undirected", " UNDIRECTED "])
def test_the_type_column_decides(word: str, asked: bool | None) -> None:
    report = read(f"Source,Target,Type\na,b,{word}\nb,a,{word}\nb,c,\n", asked)
    stated = word.strip().lower() == "directed"
    assert report.graph.directed == stated
    assert "type column" in report.direction_reason
    contradicted = asked is not None and asked != stated
    assert any("g.csv says it is" in notice for notice in report.notices) == contradicted
    assert not suggests_directed(report)


@pytest.mark.parametrize("second", ["Undirected", "mutual"])
def test_mixed_types_are_refused(second: str) -> None:
    with pytest.raises(InputError, match=r"g\.csv, lines? (2 and )?3: .*(mixed|neither)"):
        read(f"source,target,type\na,b,Directed\nb,c,{second}\n")


def test_a_type_column_of_another_kind_is_ignored_with_a_notice() -> None:
    report = read("source,target,type\na,b,friend\nb,c,boss\n", True)
    assert report.graph.directed
    assert any("type column" in notice for notice in report.notices)


def test_the_argument_decides_where_the_file_is_silent() -> None:
    text = "a,b\nb,a\nb,c\n"
    assert weights(read(text, True)) == {"ab": 1, "ba": 1, "bc": 1}
    assert weights(read(text, False)) == {"ab": 2, "bc": 1}
    assert not suggests_directed(read(text, False))
    assert "asked" in read(text, True).direction_reason


def test_without_any_word_the_graph_is_undirected() -> None:
    report = read("a,b\nb,c\n")
    assert not report.graph.directed
    assert report.notices == ()
    assert "undirected" in report.direction_reason


@pytest.mark.parametrize("loops", ["", "a,a\n"])
@pytest.mark.parametrize("directed", [None, False])
def test_edges_all_given_both_ways_count_once(directed: bool | None, loops: str) -> None:
    report = read("a,b,2\nb,c,0.1\nc,b,0.1\nb,a,2\n" + loops, directed)
    assert weights(report) == {"ab": 2, "bc": 0.1}
    assert report.duplicates_merged == 0
    assert report.self_loops == bool(loops)
    assert report.graph.weights.diagonal().sum() == bool(loops)
    assert any("given both ways" in notice for notice in report.notices)
    assert not suggests_directed(report)


def test_edges_all_given_both_ways_and_repeated_add_up_one_way() -> None:
    report = read("a,b,0.1\na,b,0.2\na,b,0.3\nb,a,0.3\nb,a,0.2\nb,a,0.1\n")
    assert weights(report)["ab"] == pytest.approx(0.6)
    assert report.duplicates_merged == 4


def test_a_directed_graph_keeps_both_ways() -> None:
    assert weights(read("a,b,2\nb,a,2\n", True)) == {"ab": 2, "ba": 2}


@pytest.mark.parametrize(
    ("text", "expected", "merged"),
    [
        pytest.param("a,b\na,b\nb,c\n", {"ab": 2, "bc": 1}, 1, id="repeated"),
        pytest.param("a,b,1\nb,c,1\nb,a,2\n", {"ab": 3, "bc": 1}, 1, id="reversed"),
        pytest.param("a,b\nb,a\na,b\n", {"ab": 3}, 2, id="both ways, unequal numbers"),
    ],
)
def test_other_repeated_rows_add_up_and_are_counted(text: str, expected: dict[str, float], merged: int) -> None:
    report = read(text)
    assert weights(report) == expected
    assert report.duplicates_merged == merged
    assert report.rows_read == len(text.splitlines())
    assert any(notice.startswith(f"{merged} row") and "added up" in notice for notice in report.notices)


@pytest.mark.parametrize(
    ("text", "directed_likely"),
    [
        pytest.param("a,b\nb,c\nc,a\n", False, id="each once"),
        pytest.param("a,b\na,b\nb,c\n", False, id="repeats only"),
        pytest.param("a,b\nb,a\nb,c\nc,b\n", False, id="each both ways"),
        pytest.param("a,b\nb,a\nb,c\n", True, id="some both ways"),
        pytest.param("a,b,1\nb,a,2\n", True, id="different weights"),
        pytest.param("a,b\na,a\n", False, id="self-loops do not count"),
    ],
)
def test_reciprocity_suggests_a_directed_graph(text: str, directed_likely: bool) -> None:
    report = read(text)
    assert not report.graph.directed
    assert suggests_directed(report) == directed_likely


def test_self_loops_are_kept_and_counted() -> None:
    report = read("a,a,3\na,b,1\n")
    assert report.self_loops == report.graph.n_self_loops == 1
    assert report.graph.weights.diagonal().tolist() == [3, 0]
    assert any("self-loop" in notice for notice in report.notices)
