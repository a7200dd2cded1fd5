"""Node lists add isolated nodes, so that a graph may have nodes without any edge."""

import pytest

from gwl_core import Graph, InputError
from gwl_core.readers import NodeList, Policies, read_graph, read_nodes


def nodes(text: str) -> NodeList:
    return read_nodes(text.encode(), name="nodes.csv")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\nann\nbob\n", ("ann", "bob")),
        ("ann\nbob\n", ("ann", "bob")),
        ('\ufeffId\r\n ann \r\n\r\n"bob"\r\n', ("ann", "bob")),
        ("id\nsolo\n", ("solo",)),
        ("Ann Lee\nBob Ray", ("Ann Lee", "Bob Ray")),
        ('id\n"Lee, Ann"\nBob\n', ("Lee, Ann", "Bob")),
        ("Id,Label\n1,ann\n01,bob\n", ("1", "01")),
        ("label;id\nann;1\nbob;2\n", ("1", "2")),
        ("# people\nann\nann\nbob\n", ("ann", "bob")),
        ("p0\np1\np2\n", ("p0", "p1", "p2")),
    ],
)
def test_ids_are_listed_in_order(text: str, expected: tuple[str, ...]) -> None:
    assert nodes(text).ids == expected


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no nodes"),
        ("id\n", "no nodes"),
        ("id,label\n1,ann\n,bob\n", "line 3"),
        ("id,team\nann,x,y\n", "line 2: 3 columns under a header of 2"),
    ],
)
def test_lists_without_ids_are_refused(text: str, part: str) -> None:
    with pytest.raises(InputError, match=rf"^nodes\.csv.*{part}"):
        nodes(text)


def test_listed_nodes_come_first_and_stay_without_edges() -> None:
    report = read_graph(b"b,c\n", name="g.csv", nodes=("a", "b", "a", "c", "zoe"))
    assert report.graph.labels == ("a", "b", "c", "zoe")
    assert report.graph.n_isolated == 2
    assert report.notices == ()


def test_unlisted_nodes_are_added_with_a_notice() -> None:
    report = read_graph(b"a,b\na,ivy\n", name="g.csv", nodes=("a", "b"))
    assert report.graph.labels == ("a", "b", "ivy")
    assert "1 node of the edges was not in the node list and was added: 'ivy'." in report.notices


@pytest.mark.parametrize("data", [b"", b"source,target\n", b"solo,solo\n"])
def test_one_node_graphs_exist(data: bytes) -> None:
    report = read_graph(data, name="g.csv", nodes=("solo",))
    assert report.graph.labels == ("solo",)
    assert report.graph.n_edges == 0


def test_other_columns_describe_the_nodes() -> None:
    found = nodes('Id;Label;team;team\n1;Ann;"a; b";x\n01;Bob;;y\n2;<b>C</b>;=1+1;\n')
    assert found.ids == ("1", "01", "2")
    assert found.attributes == {
        "Label": ("Ann", "Bob", "<b>C</b>"), "team": ("a; b", "", "=1+1"), "team_": ("x", "y", ""),
    }  # fmt: skip
    (notice,) = found.notices
    assert notice == (
        "Columns 'Label', 'team' and 'team_' of nodes.csv describe the nodes; matching does not use that."
    )


def test_columns_without_a_header_are_numbered() -> None:
    found = nodes("ann\tx\nbob\ty\n")
    assert found.attributes == {"column 2": ("x", "y")}


def test_an_id_listed_again_is_told_where_it_says_other_things() -> None:
    found = nodes("id,team\nann,x\nbob,y\nann,x\nann,z\n")
    assert found.attributes == {"team": ("x", "y")}
    assert found.notices[-1] == ("nodes.csv lists ids again with other values (line 5); the first row of each counts.")


def test_columns_beyond_the_cap_are_counted() -> None:
    found = nodes(",".join(["id", *(f"c{k}" for k in range(60))]) + "\n" + ",".join(["a"] * 61) + "\n")
    assert len(found.attributes) == 50
    assert "10 further columns of nodes.csv were left out." in found.notices


def test_attributes_go_with_the_graph_and_its_largest_component() -> None:
    listed = nodes("id,team\nann,x\nzoe,lonely\nbob,y\n")
    report = read_graph(b"ann,bob\nbob,ivy\n", name="g.csv", nodes=listed)
    assert report.graph.labels == ("ann", "zoe", "bob", "ivy")
    assert report.graph.attributes == {"team": ("x", "lonely", "y", "")}
    assert any("'team' of nodes.csv describes the nodes" in notice for notice in report.notices)
    kept = read_graph(b"ann,bob\nbob,ivy\n", name="g.csv", nodes=listed, policies=Policies(largest_component=True))
    assert kept.graph.attributes == {"team": ("x", "y", "")}


def test_a_graph_refuses_attributes_of_other_lengths() -> None:
    with pytest.raises(InputError, match="attributes"):
        Graph(("a",), read_graph(b"a,b\n", name="g").graph.weights[:1, :1], attributes={"team": ()})
