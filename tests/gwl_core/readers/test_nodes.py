"""Node lists add isolated nodes, so that a graph may have nodes without any edge."""

import pytest

from gwl_core import InputError
from gwl_core.readers import read_graph, read_nodes


def nodes(text: str) -> tuple[str, ...]:
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
    assert nodes(text) == expected


@pytest.mark.parametrize(
    ("text", "part"), [("", "no nodes"), ("id\n", "no nodes"), ("id,label\n1,ann\n,bob\n", "line 3")]
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
