"""Each way in which a file of a format can be broken, and the place and remedy that its refusal names."""

import io
import json

import numpy as np
import pytest
from scipy import sparse

from gwl_core import InputError
from gwl_core.readers import Limits, Policies, read_graph

HEAD = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">\n'
TAIL = "</graph></graphml>"


def refusal(data: bytes | str, **options: object) -> str:
    with pytest.raises(InputError) as error:
        read_graph(data.encode() if isinstance(data, str) else data, name="g", **options)
    message = str(error.value)
    assert message.startswith("g")
    assert message.endswith(".")
    assert "\n" not in message
    return message


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def npz(**arrays: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (HEAD + '<node id="a"/>\n<node id="a"/>' + TAIL, ["lines 2 and 3", "two nodes have the id 'a'"]),
        (HEAD + '<node id="a"/>\n<edge source="a" target="b"/>' + TAIL, ["line 3", "node 'b'"]),
        (HEAD + '<node id="a"/>\n<edge source="a"/>' + TAIL, ["line 3", "source and a target"]),
        (HEAD + '<node id=""/>' + TAIL, ["line 2", "empty"]),
        (HEAD + "<hyperedge/>" + TAIL, ["line 2", "hyperedge"]),
        (HEAD + '<node id="a"><graph/></node>' + TAIL, ["line 2", "inside another"]),
        (HEAD + "<node id='a'>" * 100, ["line 2", "nested too deeply"]),
        ("<graphml><key id='w' for='edge' attr.name='weight'/><graph><node id='a'/><edge source='a' target='a'>"
         "<data key='w'>x</data></edge></graph></graphml>", ["line 1", "'x' is no number"]),
        ("<graphml/>", ["no graph"]),
        ("<?xml version='1.0' encoding='zlib'?><graphml/>", ["encoding"]),
        ("<graphml>&nbsp;</graphml>", ["line 1, column 10", "undefined entity"]),
    ],
)  # fmt: skip
def test_graphml(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<gexf><graph><nodes><node id='1'/></nodes>\n<edges><edge source='1' target='2'/></edges></graph></gexf>",
         ["line 2", "node '2'"]),
        ("<gexf><graph><nodes><node id='1'><node id='2'/></node></nodes></graph></gexf>", ["inside another"]),
        ("<gexf><graph/><graph/></gexf>", ["more than one graph"]),
        ("<gexf/>", ["no graph"]),
    ],
)  # fmt: skip
def test_gexf(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("graph [\n node [ id 1 ]\n node [ id 1 ]\n]", ["lines 2 and 3", "two nodes"]),
        ("graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", ["line 3", "node '2'"]),
        ("graph [\n node [ id 1 ]\n edge [ source 1 ]\n]", ["line 3", "source and a target"]),
        ("graph [\n node [ id 1\n", ["line 2", "cut short"]),
        ("graph [ ]\n]", ["line 2", "closed that was not opened"]),
        ('graph [\n label "x\n]', ["line 2", "quotation mark"]),
        ("graph [ ]\ngraph [ ]", ["lines 1 and 2", "more than one graph"]),
        ("graph [ directed yes node [ id 1 ] ]", ["directed is 'yes'"]),
        ("graph [ " + "x [ " * 40, ["nested too deeply"]),
        ("graph [ ]", ["no nodes"]),
        ("graph [ node [ id 1 ] edge [ source 1 target 1 weight 1 weight 2 ] ]", ["'weight' twice"]),
    ],
)
def test_gml(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("*Vertices\n", ["line 1", "*Vertices 34"]),
        ("*Vertices 2\n3 x\n", ["line 2", "1 to 2"]),
        ("*Vertices 2\n1 x\n1 y\n", ["line 3", "twice"]),
        ("*Vertices 2\n*Arcs\n1 2\n*Edges\n2 1\n", ["lines 3 and 5", "mixed"]),
        ("*Vertices 2\n*Edges\n1 3\n", ["line 3", "node '3'"]),
        ("*Vertices 2\n*Edges\n1\n", ["line 3", "two vertices"]),
        ("*Vertices 2\n*Matrix\n0 1 0\n", ["line 3", "square"]),
        ("*Vertices 2\n*Partition\n1\n", ["line 2", "'*Partition'"]),
        ("*Vertices 2\n*Vertices 2\n", ["line 2", "second network"]),
        ("*Vertices 999999999\n", ["over the cap"]),
        ("*Vertices 2\n*Edges\n1 2 -3\n", ["line 3", "negative"]),
    ],
)
def test_pajek(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("LEDA.GRAPH\nstring\nint\n", ["ends before the number of nodes"]),
        ("LEDA.GRAPH\nstring\nint\n-2\nx\n", ["line 5", "'x' is no number of nodes"]),
        ("LEDA.GRAPH\nstring\nint\n-2\n1\nfoo\n", ["line 6", "|{label}|"]),
        ("LEDA.GRAPH\nstring\nint\n-2\n1\n|{a}|\n1\n1 2 0 |{}|\n", ["line 8", "node '2'"]),
        ("LEDA.GRAPH\nstring\nint\n-2\n1\n|{a}|\n1\n1\n", ["line 8", "no edge"]),
        ("LEDA.GRAPH\nstring\nint\n-2\n1\n|{a}|\n1\n1 1 0 |{}|\nmore\n", ["line 9", "goes on"]),
        ("LEDA.GRAPH\nstring\nint\n999999999\n", ["over the cap"]),
    ],
)
def test_leda(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


MM = "%%MatrixMarket matrix coordinate real "


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("%%MatrixMarket matrix\n", ["line 1", "not complete"]),
        ("%%MatrixMarket matrix coordinate complex general\n", ["line 1", "'complex'"]),
        (MM + "skew-symmetric\n", ["line 1", "'skew-symmetric'"]),
        (MM + "general\n2 3 1\n1 2 1\n", ["line 2", "2 rows and 3 columns"]),
        (MM + "general\n2 2 1\n0 1 1\n", ["line 3", "from 1 to 2"]),
        (MM + "general\n2 2 1\n1 3 1\n", ["line 3", "from 1 to 2"]),
        (MM + "general\n2 2 2\n1 2 1\n", ["1 entries where its sizes say 2"]),
        (MM + "general\n2 2 1\n1 2\n", ["line 3", "needs a value"]),
        (MM + "symmetric\n2 2 1\n1 2 1\n", ["line 3", "lower triangle"]),
        (MM + "general\n", ["line of sizes is missing"]),
        ("%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n5\n", ["line 7", "column by column"]),
    ],
)
def test_matrix_market(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


def node_link(nodes: object, links: object, **more: object) -> str:
    return json.dumps({"nodes": nodes, "links": links, **more})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"nodes": [\n', ["line 2, column 1", "not valid JSON"]),
        ("[[1, 2]]", ["JSON list"]),
        ('{"a": {"b": 1}}', ["'a'", "nodes and links"]),
        (node_link([{"id": "a"}, {"id": "a"}], []), ["nodes 1 and 2", "'a'"]),
        (node_link([{"id": 1}, {"id": "1"}], []), ["nodes 1 and 2", "'1'"]),
        (node_link([{"id": "a"}], [{"source": "a", "target": "b"}]), ["link 1", "'b'"]),
        (node_link([{"id": "a"}], [{"source": "a"}]), ["no target in link 1"]),
        (node_link([{"id": "a"}, True], []), ["node 2"]),
        (node_link([{}, {}], [{"source": 0, "target": 5}]), ["link 1", "'5'"]),
        (node_link([{}, {}], [{"source": 0, "target": 1, "weight": [1]}]), ["weight in link 1"]),
        (node_link([{}, {}], [{"source": 0, "target": 1, "weight": -1}]), ["link 1", "negative"]),
        ('{"nodes": [{"id": 0, "id": 1}], "links": []}', ["'id' twice"]),
        ('{"nodes": [{}, {}], "links": [{"source": 0, "target": 1, "weight": NaN}]}', ["not finite"]),
        ('{"nodes": ' + "[" * 100_000, ["nested too deeply"]),
    ],
)
def test_json(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (npy(np.ones((2, 3, 4))), "2 × 3 × 4"),
        (npy(np.ones((4, 5))), "square"),
        (npy(np.array([[0.0, np.nan], [1, 0]])), "not finite"),
        (npy(np.array([[0.0, -1], [1, 0]])), "negative"),
        (npy(np.array(["a"])), "square"),
        (npy(np.ones((2, 2), dtype=complex)), "complex128"),
        (npy(np.zeros(2, dtype=[("a", "<f8")])), "plain numbers"),
        (npy(np.ones((3, 3)))[:-1], "cut short"),
        (npy(np.ones((3, 3))) + b"x", "cut short"),
        (npy(np.array([[0.5, 1.0], [1, 2], [2, 3]])), "row 1"),
        (b"\x93NUMPY\x01\x00\x04\x00oops", "damaged"),
        (npz(a=np.ones(3), b=np.ones(4)), "'a' and 'b'"),
        (npz(adjacency=np.ones((3, 3)), labels=np.array(["a", "b"])), "do not fit"),
        (npz(adjacency=np.ones((2, 2)), labels=np.array(["a", "a"])), "'a'"),
    ],
)
def test_arrays(data: bytes, part: str) -> None:
    assert part in refusal(data)


def test_sparse_archives_with_entries_outside_are_refused() -> None:
    buffer = io.BytesIO()
    sparse.save_npz(buffer, sparse.csr_array(np.eye(3, k=1)))
    with np.load(io.BytesIO(buffer.getvalue())) as archive:
        arrays = dict(archive)
    assert "outside" in refusal(npz(**{**arrays, "indices": np.array([1, 9])}))
    assert "add up" in refusal(npz(**{**arrays, "indptr": np.array([0, 2, 1, 2])}))
    assert "'dia'" in refusal(npz(**{**arrays, "format": np.array(b"dia")}))
    assert "not finite" in refusal(npz(**{**arrays, "data": np.array([np.inf, 1])}))
    huge = {**arrays, "shape": np.array([10**9, 10**9]), "indptr": np.array([0, 2])}
    assert "over the cap" in refusal(npz(**huge))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (",a,b\na,0,1\nb,1\n", ["line 3", "1 numbers"]),
        (",a,b\na,0,x\nb,1,0\n", ["'x'", "no number"]),
        (",a,b\na,0,1\nb,-1,0\n", ["row 'b', column 'a'", "negative"]),
        (",a,b\na,0,nan\nb,1,0\n", ["row 'a', column 'b'", "not finite"]),
        (",a,b\na,0,1\n", ["1 rows and 2 columns"]),
        (",a,a\na,0,1\na,1,0\n", ["several rows called 'a'"]),
        (",a,b\na,0,1\nc,1,0\n", ["different names", "'c'"]),
    ],
)
def test_matrices(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


def test_matrices_in_other_shapes_are_read() -> None:
    names = ("a", "b", "c")
    for text in (
        " a b c\na 0 1 0\nb 1 0 2\nc 0 2 0\n",
        '"a","b","c"\n"a",0,1,0\n"b",1,0,2\n"c",0,2,0\n',
        "x;a;b;c\na;0;1,0;\nb;1;0;2\nc;0;2;0\n",
        ",a,b,c\nc,0,2,0\nb,1,0,2\na,0,1,0\n",
    ):
        report = read_graph(text.encode(), name="g")
        assert "matrix" in report.format
        assert set(report.graph.labels) == set(names)
        assert report.graph.n_edges == 2
        assert not report.graph.directed
    bare = read_graph(b"0 1 0 0\n0 0 1 0\n1 0 0 1\n0 0 0 0\n", name="g")
    assert (bare.graph.labels, bare.graph.directed) == (("1", "2", "3", "4"), True)
    upper = read_graph(b"0,1,0,0\n0,0,1,0\n0,0,0,1\n0,0,0,0\n", name="g")
    assert not upper.graph.directed
    assert any("one triangle" in notice for notice in upper.notices)
    three = read_graph(b"0 1 1\n1 2 1\n2 0 1\n", name="g")
    assert three.format == "space-separated edge list"


def test_caps_hold_in_every_format() -> None:
    few = Limits(max_nodes=2, max_edges=2)
    for text in (
        HEAD + "<node id='a'/><node id='b'/><node id='c'/>" + TAIL,
        "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] ]",
        "*Vertices 3\n",
        "LEDA.GRAPH\nstring\nint\n3\n",
        MM + "general\n3 3 0\n",
        node_link([{}, {}, {}], []),
        "a pp b\nb pp c\n",
    ):
        assert "cap" in refusal(text, limits=few)
    assert "cap" in refusal(npy(np.ones((3, 3))), limits=few)
    many = "".join("<edge source='a' target='a'/>" for _ in range(5))
    assert "cap" in refusal(HEAD + "<node id='a'/>" + many + TAIL, limits=few)


def test_policies_are_checked() -> None:
    with pytest.raises(InputError, match="repeats is 'x'; choose one of sum, largest, mean"):
        Policies(repeats="x")
