"""Node-link JSON of every age: what links call the nodes, what the file says of direction, names that are no text."""

import io
import json

import networkx as nx
import numpy as np
import pytest

from gwl_core import InputError
from gwl_core.readers import GraphReport, read_graph


def read(value: object) -> GraphReport:
    text = value if isinstance(value, str) else json.dumps(value)
    return read_graph(text.encode(), name="g.json")


def pairs(report: GraphReport) -> set[tuple[str, str]]:
    rows, columns, _ = report.graph.edges
    return {(report.graph.labels[i], report.graph.labels[j]) for i, j in zip(rows, columns, strict=True)}


def links(*ends: tuple[object, object]) -> list[dict[str, object]]:
    return [{"source": one, "target": two} for one, two in ends]


def test_links_that_count_the_nodes_leave_them_their_ids() -> None:
    nodes = [{"id": k} for k in (4, 1, 6, 2, 7, 3, 5)]
    report = read({"directed": False, "nodes": nodes, "links": links((0, 1), (0, 2), (2, 3), (0, 4), (4, 5), (5, 6))})
    assert report.graph.labels == ("4", "1", "6", "2", "7", "3", "5")
    assert pairs(report) == {("4", "1"), ("4", "6"), ("6", "2"), ("4", "7"), ("7", "3"), ("3", "5")}
    assert any("read as the places of nodes, from 0" in notice for notice in report.notices)
    words = read({"nodes": [{"id": "x"}, {"id": "y"}, {"id": "z"}], "links": links((0, 1), (1, 2))})
    assert pairs(words) == {("x", "y"), ("y", "z")}


def test_numbers_that_may_be_ids_or_places_are_ids_with_a_notice() -> None:
    report = read({"nodes": [{"id": 2}, {"id": 0}, {"id": 1}], "links": links((0, 1), (1, 2))})
    assert pairs(report) == {("0", "1"), ("2", "1")}
    assert "The links' numbers were read as the nodes' ids, not as their places from 0." in report.notices
    assert not read({"nodes": [{"id": 0}, {"id": 1}], "links": links((0, 1))}).notices


@pytest.mark.parametrize("said", [True, 1, "true", "True", "1"])
def test_direction_is_understood_however_it_is_spelled(said: object) -> None:
    report = read({"directed": said, "nodes": [{"id": "a"}, {"id": "b"}], "links": links(("a", "b"))})
    assert report.graph.directed
    assert report.direction_reason == "The file says directed: true."


@pytest.mark.parametrize("said", ["yes", 2, [True], {}])
def test_a_direction_that_says_nothing_is_refused(said: object) -> None:
    with pytest.raises(InputError, match=r"g\.json says directed: .*; write true or false"):
        read({"directed": said, "nodes": [{"id": "a"}, {"id": "b"}], "links": links(("a", "b"))})


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_cytoscape_files_keep_their_direction(kind: type[nx.Graph]) -> None:
    graph = kind([("a", "b"), ("c", "b")])
    report = read(nx.cytoscape_data(graph))
    assert report.graph.directed == graph.is_directed()
    assert pairs(report) == set(graph.edges)


@pytest.mark.parametrize(("bad", "what"), [('"\\ud800x"', "half a character"), ('"b\\u0000"', "a NUL character")])
def test_names_that_no_text_can_hold_are_refused(bad: str, what: str) -> None:
    text = f'{{"nodes": [{{"id": "a"}}, {{"id": {bad}}}], "links": [{{"source": "a", "target": {bad}}}]}}'
    with pytest.raises(InputError, match=rf"g\.json, node 2: the name .* has {what}.*rename the node") as error:
        read(text)
    str(error.value).encode()


def test_names_in_arrays_are_checked_too() -> None:
    with pytest.raises(InputError, match="half a character"):
        read_graph(_npz(adjacency=np.ones((2, 2)), labels=np.array(["a", "\udc80"])), name="g.npz")


def _npz(**arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()
