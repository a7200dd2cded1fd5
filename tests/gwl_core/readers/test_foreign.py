"""Files of other kinds are known by their content and refused; nothing in them is run or shown."""

import io
import json
import pickle

import numpy as np
import pytest

from gwl_core import Graph, InputError
from gwl_core.readers import read_anchors, read_graph, read_nodes, read_truth
from gwl_core.readers.foreign import is_pickle

CANARY = "CANARY_PICKLE_WAS_LOADED"
SMALL = Graph.from_edges([("a", "b", 1.0)])
OBJECTS = [{0: 3, 1: 5}, [("a", CANARY)], {"graph": {CANARY: {"weight": 1.0}}}, (1, 2.5, None), np.arange(3), {1, 2}]


class _Hostile:
    """Unpickling it would call print; walking its opcodes does not."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, (CANARY,)


def refusals(data: bytes) -> list[str]:
    messages = []
    for read, graphs in (
        (read_graph, {}),
        (read_nodes, {}),
        (read_truth, {"source_graph": SMALL, "target_graph": SMALL}),
        (read_anchors, {"source_graph": SMALL, "target_graph": SMALL}),
    ):
        with pytest.raises(InputError) as error:
            read(data, name="edges.csv", **graphs)
        messages.append(str(error.value))
    return messages


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("value", [*OBJECTS, _Hostile()], ids=lambda v: type(v).__name__)
def test_pickles_are_refused_with_the_reason(value: object, protocol: int, capsys: pytest.CaptureFixture[str]) -> None:
    for data in (pickle.dumps(value, protocol), pickle.dumps(value, protocol) + b"\ntrailing,text\n"):
        for message in refusals(data):
            assert message.startswith(
                "edges.csv is a Python pickle; pickles are not read because loading one can run code"
            )
            assert CANARY not in message
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("protocol", [0, 1, 2, 4])
def test_pickles_cut_short_are_never_read_as_edges(protocol: int) -> None:
    data = pickle.dumps({"graph": {CANARY: {"weight": 1.0}}}, protocol)
    for end in range(1, len(data)):
        with pytest.raises(InputError) as error:
            read_graph(data[:end], name="edges.csv")
        assert CANARY not in str(error.value)


def test_hand_written_pickle_programs_are_known() -> None:
    assert is_pickle(b"c__builtin__\nlong\np0\n(VCANARY\np1\ntp2\nRp3\n.")
    assert is_pickle(b"cos\nsystem\n(S'true'\ntR.")
    assert is_pickle(b"cos\nsystem\n(S'true'\ntR.\na,b\n")
    assert is_pickle(b"(S'true'\nios\nsystem\n.")


@pytest.mark.parametrize(
    "text",
    [
        "a,b\nb,c\n", "0.5 1.5\n1.5 2.5\n", "1 2\n2 3\n", "a.b c.d\nc.d e.f\n", "cat,cow\ncow,dog\n",
        "Vaduz,Oslo\na.,b\n", "(x) (y)\n(y) (z)\n", "I1 I2\nI2 I3\n", "N1 N2\n", "graph,digraph\n",
        "{x},{y}\n", "[a],[b]\n", "<a>,<b>\n", "*a,*b\n", "xml,json\n",
    ],
)  # fmt: skip
def test_edges_that_resemble_other_kinds_are_read(text: str) -> None:
    assert read_graph(text.encode(), name="g.csv").graph.n_edges == len(text.splitlines())


@pytest.mark.parametrize("text", ["cat\ncow\ndog\n", "p0\np1\np2\n", "I1\nI2\np1\np2\np3\n", "0.5\n1.5\n"])
def test_nodes_that_resemble_pickles_are_read(text: str) -> None:
    assert read_nodes(text.encode(), name="n.csv").ids == tuple(text.split())


def _npy(array: np.ndarray, allow_pickle: bool) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=allow_pickle)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        pytest.param(b"<!DOCTYPE html><html><body>x</body></html>", "HTML", id="HTML"),
        pytest.param(b'<?xml version="1.0"?><svg/>', "svg", id="XML"),
        pytest.param(b'<!DOCTYPE g [<!ENTITY x SYSTEM "marker.txt">]><g>&x;</g>', "XML", id="XML entity"),
        pytest.param('<?xml version="1.0" encoding="UTF-16"?><a/>'.encode("utf-16"), "XML", id="XML in UTF-16"),
        pytest.param(b"digraph G {\n a -> b;\n}", "Graphviz", id="Graphviz"),
        pytest.param(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "LFS", id="LFS pointer"),
        pytest.param(b"%PDF-1.7\n", "PDF", id="PDF"),
        pytest.param(b"nodedef>name VARCHAR\na\nb\nedgedef>node1,node2\na,b\n", "GDF", id="GDF"),
        pytest.param(b"\x89HDF\r\n", "HDF5", id="HDF5"),
        pytest.param(b"BZh91AY&SY", "bzip2", id="bzip2"),
    ],
)
def test_other_formats_are_refused_by_content(data: bytes, word: str) -> None:
    for message in refusals(data):
        assert word in message
        assert "edge list" in message
        assert CANARY not in message
        assert "marker" not in message


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_npy(np.array([CANARY], dtype=object), True), id="object array"),
        pytest.param(_npy(np.arange(4), False), id="array"),
        pytest.param(b"<graphml/>", id="GraphML"),
        pytest.param(json.dumps({"nodes": [], "links": []}).encode(), id="JSON"),
        pytest.param(b'[["a","b"]]', id="JSON array"),
        pytest.param(b"graph [\n node [ id 0 ]\n]", id="GML"),
        pytest.param(b"% made\n*Vertices 3\n1 a\n", id="Pajek"),
        pytest.param(b"LEDA.GRAPH\nstring\n", id="LEDA"),
        pytest.param(b"%%MatrixMarket matrix coordinate\n3 3 1\n1 2 1\n", id="Matrix Market"),
    ],
)
def test_graph_formats_are_no_pairs_and_no_node_lists(data: bytes) -> None:
    for message in refusals(data)[1:]:
        assert "not read here; export a text table" in message
        assert CANARY not in message
