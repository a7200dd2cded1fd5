"""A header is never taken for an edge, and an edge never for a header."""

import pytest

from gwl_core import InputError
from gwl_core.readers import GraphReport, read_graph


def read(text: str) -> GraphReport:
    return read_graph(text.encode(), name="g.csv", directed=True)


def triples(report: GraphReport) -> set[tuple[str, str, float]]:
    rows, columns, weights = report.graph.edges
    labels = report.graph.labels
    return {(labels[i], labels[j], w) for i, j, w in zip(rows, columns, weights, strict=True)}


@pytest.mark.parametrize(
    "header",
    [
        "source,target", "Source,Target", "SOURCE, TARGET", "from,to", "src,dst", '"source","target"',
        "Source ID,Target ID", "FromNodeId,ToNodeId", "source_node,target_node", "node_from,node_to",
        "node1,node2", "Node A,Node B", "id1,id2", "protein_1,protein_2",
        "u,v", "a,b", "i,j", "V1,V2", "sender,receiver", "Gene_A,Gene_B",
    ],
)  # fmt: skip
def test_names_of_two_ends_are_a_header(header: str) -> None:
    report = read(header + "\nann,bob\nbob,cyd\n")
    assert report.has_header
    assert triples(report) == {("ann", "bob", 1), ("bob", "cyd", 1)}


@pytest.mark.parametrize(
    "text",
    [
        "ann,bob\nbob,cyd\n",
        "a,b\nb,c\nc,d\n",
        "a,b\nc,d\nd,a\n",
        "a,b\n",
        "n1,n2\nn3,n4\n",
        "u,v\nv,w\n",
        "source,hub\nhub,sink\nsink,target\n",
        "1,2\n2,3\n",
        "start,middle\nmiddle,end\n",
        "root,1\n1,2\n",
        "T3,T5\nT5,T0\n",
        "A 1\nB 2\n",
    ],
)
def test_a_real_first_edge_is_kept(text: str) -> None:
    report = read(text)
    assert not report.has_header
    assert report.rows_present == report.graph.n_edges == len(text.splitlines())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("source,target,weight\na,b,2\n", ("a", "b", 2)),
        ("target,source\na,b\n", ("b", "a", 1)),
        ("weight,target,source\n2,a,b\n", ("b", "a", 2)),
        ("id;dst;count;src\n7;a;2;b\n", ("b", "a", 2)),
        ("source\ttarget\tyear\na\tb\t1999\n", ("a", "b", 1)),
        ("Source,Target,Value,Weight\na,b,5,2\n", ("a", "b", 2)),
        ("source,source_label,target,target_label\na,Ann,b,Bob\n", ("a", "b", 1)),
        ("gene,partner,weight\na,b,2\n", ("a", "b", 2)),
        ("from to n\na b 2\n", ("a", "b", 2)),
        ("Source,Target,Type,Id,Label,timeset,Weight\na,b,Directed,0,,,2\n", ("a", "b", 2)),
    ],
)
def test_columns_are_found_by_name_in_any_order(text: str, expected: tuple[str, str, float]) -> None:
    assert triples(read(text)) == {expected}


def test_ignored_columns_are_reported() -> None:
    notices = read("source,target,year,book\na,b,1999,1\n").notices
    assert "Columns 'year' and 'book' ignored; name one weight to use it." in notices
    assert "Column 'book' ignored." in read("source,target,weight,book\na,b,2,1\n").notices


@pytest.mark.parametrize(
    "text",
    ["person,friend,strength of tie\nann,bob,2\nbob,cyd,3\n", "person,friend\n1,2\n2,3\n", "u,v\nann,bob\nbob,cyd\n"],
)
def test_a_less_certain_header_is_reported(text: str) -> None:
    report = read(text)
    assert report.has_header
    assert report.rows_present == 2
    assert any(notice.startswith("Line 1 (") and "read as a header" in notice for notice in report.notices)


@pytest.mark.parametrize(("first", "unsure"), [("34 3", False), ("4 3", True), ("5 3", True)])
def test_a_line_of_sizes_is_reported(first: str, unsure: bool) -> None:
    report = read(first + "\n1 2\n2 3\n3 4\n")
    assert report.rows_present == 4
    assert any("read as an edge" in notice for notice in report.notices) == unsure


@pytest.mark.parametrize(("first", "unsure"), [("source,x", True), ("Quelle,Ziel", True), ("cyd,dee", False)])
def test_an_edge_that_might_be_a_header_is_reported(first: str, unsure: bool) -> None:
    report = read(first + "\nann,bob\nbob,cyd\n")
    assert report.graph.n_edges == 3
    assert any("read as an edge" in notice for notice in report.notices) == unsure


def test_a_header_whose_names_are_also_nodes_is_reported() -> None:
    report = read("source,target\nsource,a\na,target\n")
    assert report.graph.n_edges == 2
    assert any("'source' and 'target' also occurs" in notice for notice in report.notices)


@pytest.mark.parametrize("text", ["A B strong\nB C 2\n", "A B strong\nC D 2\n", "ann bob strong\ncyd dee\n"])
def test_a_first_edge_with_a_text_weight_is_no_header(text: str) -> None:
    with pytest.raises(InputError, match=r"g\.csv, line 1: weight 'strong' is no number"):
        read(text)


def test_a_header_after_comments_is_found() -> None:
    report = read("# exported\nsource target\nann bob\n")
    assert report.has_header
    assert report.graph.labels == ("ann", "bob")


def test_numbered_columns_of_a_log_are_not_guessed() -> None:
    with pytest.raises(InputError, match="line 1: 5 columns"):
        read("row,X1,X2,X3,X4\n0,ann,0,bob,17\n1,bob,0,cyd,18\n")
