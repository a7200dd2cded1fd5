"""Details of single formats: defaults, sizes, entities, files cut short. Each is read as it is meant, or refused."""

import pytest

from gwl_core import InputError
from gwl_core.readers import GraphReport, read_graph, read_nodes


def read(text: str, name: str = "g") -> GraphReport:
    return read_graph(text.encode(), name=name)


def triples(report: GraphReport) -> set[tuple[str, str, float]]:
    rows, columns, weights = report.graph.edges
    return {(report.graph.labels[i], report.graph.labels[j], w) for i, j, w in zip(rows, columns, weights, strict=True)}


def gexf(attribute: str, first: str) -> str:
    return (
        f"<gexf><graph><attributes class='edge'>{attribute}</attributes>\n"
        "<nodes><node id='a'/><node id='b'/><node id='c'/></nodes>\n<edges>"
        f"<edge source='a' target='b'><attvalues>{first}</attvalues></edge>\n"
        "<edge source='b' target='c'/></edges></graph></gexf>"
    )


WEIGHT = "<attribute id='w' title='weight' type='float'>{}</attribute>"
DEFAULT = WEIGHT.format("<default>3</default>")


def test_gexf_weights_have_a_default() -> None:
    assert triples(read(gexf(DEFAULT, "<attvalue for='w' value='5'/>"))) == {("a", "b", 5), ("b", "c", 3)}
    assert triples(read(gexf(DEFAULT, ""))) == {("a", "b", 3), ("b", "c", 3)}
    other = "<attribute id='x' title='colour' type='string'><default>7</default></attribute>"
    assert triples(read(gexf(other, ""))) == {("a", "b", 1), ("b", "c", 1)}


def test_gexf_weights_that_are_not_declared_go_by_their_id() -> None:
    assert triples(read(gexf("", "<attvalue for='weight' value='5'/>"))) == {("a", "b", 5), ("b", "c", 1)}
    colour = "<attribute id='weight' title='colour' type='float'/>"
    assert triples(read(gexf(colour, "<attvalue for='weight' value='5'/>"))) == {("a", "b", 1), ("b", "c", 1)}


def test_gexf_weights_that_change_in_time_are_refused() -> None:
    twice = "<attvalue for='w' value='5' end='1'/>\n<attvalue for='w' value='{}' start='1'/>"
    with pytest.raises(InputError, match=r"g, line 4: the edge has a second value of 'w', its weight; keep one"):
        read(gexf(WEIGHT.format(""), twice.format(6)))
    assert ("a", "b", 5) in triples(read(gexf(WEIGHT.format(""), twice.format(5))))


def test_gml_resolves_entities_and_leaves_other_ampersands() -> None:
    labels = ["p?a=1&section=2", "Q&amp;A", "&#233;t&#xE9;", "&unknown; & more"]
    nodes = "".join(f'node [ id {k} label "{label}" ]\n' for k, label in enumerate(labels))
    report = read(f"graph [\n{nodes} edge [ source 0 target 1 ] ]")
    assert report.graph.labels == ("p?a=1&section=2", "Q&A", "\u00e9t\u00e9", "&unknown; & more")


@pytest.mark.parametrize("tail", ["", "*Arcs\n1 2\n"])
def test_pajek_matrices_cut_short_are_refused(tail: str) -> None:
    with pytest.raises(InputError, match=r"g, line \d: the matrix ends after 2 of 3 rows; give all"):
        read("*Vertices 3\n*Matrix\n0 1 0\n1 0 1\n" + tail)


def test_pajek_may_begin_with_a_comment() -> None:
    report = read("# made today\n% by hand\n*Vertices 2\n1 a\n2 b\n*Edges\n1 2 4\n")
    assert (report.format, triples(report)) == ("Pajek", {("a", "b", 4)})


def test_node_lists_may_lack_cells_under_a_header() -> None:
    found = read_nodes(b"id,x\na,1\nb\n", name="n.csv")
    assert (found.ids, found.attributes) == (("a", "b"), {"x": ("1", "")})
    assert read_nodes(b"team;node\nx;a\ny;b\n", name="n.csv").ids == ("a", "b")
    with pytest.raises(InputError, match="line 3: the node id is empty"):
        read_nodes(b"team,node\nx,a\ny\n", name="n.csv")


def test_ids_with_a_separator_that_other_lines_lack_are_reported() -> None:
    found = read_nodes(b"a,1\nb\n", name="n.csv")
    assert found.ids == ("a,1", "b")
    assert any("'a,1' read as one id each" in notice for notice in found.notices)
    assert not read_nodes(b'"Lee, Ann"\nBob\n', name="n.csv").notices


def test_tgf_is_read_with_its_labels() -> None:
    report = read("1 January\n2 March\n3 April\n#\n1 2\n3 2\n")
    assert report.format == "TGF"
    assert triples(report) == {("January", "March", 1), ("March", "April", 1)}
    assert triples(read("1 1\n2 2\n#\n1 2 2.5\n")) == {("1", "2", 2.5)}
    assert triples(read("1\n2\n3\n # \n1 2 likes\n3 2\n")) == {("1", "2", 1), ("2", "3", 1)}


@pytest.mark.parametrize("text", ["a b\n#\nb c\n", "1 2\n2 3\n#\n3 1\n", "a b\nb c\n#\n# more\nc d\n"])
def test_a_lone_mark_between_edges_is_a_comment(text: str) -> None:
    report = read(text)
    assert "edge list" in report.format
    assert report.graph.n_edges == text.count(" ") - ("# " in text)


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        pytest.param("4 4 3\n1 2\n2 3\n1 3\n", 0, id="sizes"),
        pytest.param("4 4 3\n1 2\n2 3 2\n1 3\n", 1, id="another row has a weight"),
        pytest.param("2 2 3\n1 2\n2 3\n1 3\n", 1, id="more nodes than that"),
        pytest.param("4 4 2\n1 2\n2 3\n1 3\n", 1, id="another number of rows"),
    ],
)
def test_three_numbers_of_sizes_are_no_edge_above_pairs(text: str, loops: int) -> None:
    report = read(text)
    assert report.graph.n_edges == 3
    assert report.self_loops == loops
    assert any("numbers of nodes and edges" in notice for notice in report.notices) == (not loops)


GRAPHML = """<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>
</graphml>"""


def test_a_doctype_changes_nothing() -> None:
    report = read('<!DOCTYPE graphml [<!ATTLIST edge directed CDATA "true">]>\n' + GRAPHML)
    assert not report.graph.directed
    assert any("DOCTYPE was ignored" in notice for notice in report.notices)


@pytest.mark.parametrize("doctype", ['SYSTEM "http://127.0.0.1:1/x.dtd"', 'PUBLIC "-//X" "x.dtd"'])
def test_a_doctype_that_names_a_file_is_refused(doctype: str) -> None:
    with pytest.raises(InputError, match="g has a DOCTYPE that names another file, which is not read; remove the DOCT"):
        read(f"<!DOCTYPE graphml {doctype}>\n" + GRAPHML)
