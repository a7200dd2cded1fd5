"""A table of text is a matrix, or a list of edges, or refused; never quietly the wrong one."""

import pytest

from gwl_core import InputError
from gwl_core.readers import GraphReport, read_graph


def read(text: str) -> GraphReport:
    return read_graph(text.encode(), name="g.csv")


def triples(report: GraphReport) -> set[tuple[str, str, float]]:
    rows, columns, weights = report.graph.edges
    return {(report.graph.labels[i], report.graph.labels[j], w) for i, j, w in zip(rows, columns, weights, strict=True)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2 3\n2 3 1\n3 1 2\n", {("1", "2", 3), ("2", "3", 1), ("1", "3", 2)}),
        ("0 1 2\n1 2 5\n2 3 7\n", {("0", "1", 2), ("1", "2", 5), ("2", "3", 7)}),
        ("1,2,3\n2,3,10\n3,4,20\n", {("1", "2", 3), ("2", "3", 10), ("3", "4", 20)}),
        ("a,b,3\nb,2,1\n3,4,1\n", {("a", "b", 3), ("b", "2", 1), ("3", "4", 1)}),
        ("1 2\n1 3 5\n2 3 4\n", {("1", "2", 1), ("1", "3", 5), ("2", "3", 4)}),
        ("% sym weighted\n% 3 3 3\n1 2 3\n2 3 1\n3 1 2\n", {("1", "2", 3), ("2", "3", 1), ("1", "3", 2)}),
    ],
)
def test_three_weighted_edges_are_no_matrix(text: str, expected: set[tuple[str, str, float]]) -> None:
    report = read(text)
    assert "edge list" in report.format
    assert triples(report) == expected


@pytest.mark.parametrize("text", ["0 1 1\n1 0 1\n1 1 0\n", "0,2,0\n0,0,1\n1,0,0\n"])
def test_three_rows_of_three_numbers_with_an_empty_diagonal_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"g\.csv, lines 1, 2 and 3: .* edges or a matrix; name the columns source"):
        read(text)


def test_numbers_name_the_nodes_of_a_matrix_of_four_columns() -> None:
    report = read("1 2 3\n1 0 1 1\n2 1 0 4\n3 1 4 0\n")
    assert triples(report) == {("1", "2", 1), ("1", "3", 1), ("2", "3", 4)}
    assert not report.notices[:-1]
    doubtful = read("0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n")
    assert any("Line 1 (" in notice and "names of the columns" in notice for notice in doubtful.notices)


def test_a_text_in_the_corner_makes_two_numbers_names() -> None:
    report = read("node,1,2\n1,0,5\n2,5,0\n")
    assert "matrix" in report.format
    assert triples(report) == {("1", "2", 5)}


def test_numbers_without_names_that_may_be_edges_are_reported() -> None:
    report = read("7 2 3 4\n2 3 4 5\n3 4 5 6\n9 1 1 1\n")
    assert any("read as a matrix of 4 nodes, not as edges" in notice for notice in report.notices)


@pytest.mark.parametrize(
    "header",
    [
        "u,v,weight,time", "node1,node2,weight,time", "sender,receiver,weight,year", "i,j,weight,year",
        "id1,id2,weight,x", "person,friend,weight,year",
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", [4, 5, 6])
def test_as_many_edges_as_columns_are_no_matrix(header: str, rows: int) -> None:
    edges = [(1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 1, 1), (4, 5, 6), (5, 6, 7)][:rows]
    more = ["x", "y"][: rows - 4]
    lines = [",".join([header, *more]), *(",".join(map(str, [*edge, 9, *[8] * len(more)])) for edge in edges)]
    report = read("\n".join(lines))
    assert "edge list" in report.format
    assert triples(report) == {(str(min(i, j)), str(max(i, j)), w) for i, j, w in edges}


@pytest.mark.parametrize("names", ["a,b,c,d", "k,l,m,n", "n1,n2,n3,n4"])
def test_names_of_one_kind_above_an_empty_diagonal_are_nodes(names: str) -> None:
    report = read(names + "\n0,1,0,0\n1,0,1,0\n0,1,0,1\n0,0,1,0\n")
    assert "matrix" in report.format
    assert report.graph.labels == tuple(names.split(","))
    assert report.graph.n_edges == 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("node,a,b,c\na,0,NA,0\nb,1,0,2\nc,0,2,0\n", ["line 2", "'NA'", "no number"]),
        ("X,a,b\na,0,NA\nb,1,0\n", ["line 2", "'NA'", "no number"]),
        ("X,a,b,c\na,0,1,0\nb,1,0,2\n", ["2 rows and 3 columns", "no row is called 'c'"]),
        (
            "X,a,b,c\na,0,1,0\nb,1,0,2\nc,0,2,0\nd,1,1,1\n",
            ["4 rows and 3 columns", "line 5", "no column is called 'd'"],
        ),
        ("X,a,b,c\nA,0,1,0\nb,1,0,2\nc,1,1,0\n", ["different names", "'A'"]),
        ("X;a;b;c\na;0;1.000,5;0\nb;1;0;2\nc;1;1;0\n", ["line 2", "'1.000,5'", "no number"]),
        ('"a" "b" "c"\na 0 NA 0\nb 1 0 2\nc 0 2 0\n', ["line 2", "'NA'", "no number"]),
    ],
)
def test_a_matrix_with_one_fault_is_no_list_of_edges(text: str, parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        read(text)
    for part in ["g.csv", *parts]:
        assert part in str(error.value)
