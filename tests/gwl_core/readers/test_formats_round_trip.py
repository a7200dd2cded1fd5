"""Whatever graph is written in a format is read back the same, however awkward its labels."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gwl_core import Graph
from gwl_core.readers import Policies, read_anchors, read_graph, read_nodes, read_truth
from tests.gwl_core.readers import formats

TEXT = (
    st.text(
        alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"), max_codepoint=0x2FFFF),
        min_size=1,
        max_size=8,
    )
    .map(lambda label: " ".join(label.split()))
    .filter(bool)
)
LABELS = st.sampled_from(formats.AWKWARD) | TEXT
WEIGHTS = st.floats(min_value=1e-6, max_value=1e9) | st.integers(1, 10**6).map(float)


@st.composite
def graphs(draw: st.DrawFn, weighted: bool = True, forbidden: str = "") -> Graph:
    labels = draw(st.lists(LABELS.filter(lambda x: not set(x) & set(forbidden)), min_size=2, max_size=9, unique=True))
    directed = draw(st.booleans())
    n = len(labels)
    pairs = [(i, j) for i in range(n) for j in range(n) if i < j or (directed and i > j)]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=14, unique=True))
    rows = [(labels[i], labels[j], draw(WEIGHTS) if weighted else 1.0) for i, j in chosen]
    return Graph.from_edges(rows, directed, nodes=labels)


def same(one: Graph, other: Graph) -> None:
    assert sorted(one.labels) == sorted(other.labels)
    order = [one.index[label] for label in other.labels]
    assert np.array_equal(one.weights.toarray()[np.ix_(order, order)], other.weights.toarray())


@pytest.mark.parametrize("name", formats.LABELLED)
@settings(max_examples=10)
@given(data=st.data())
def test_labelled_formats(name: str, data: st.DataObject) -> None:
    graph = data.draw(graphs(weighted=name != "SIF", forbidden=formats.FORBIDDEN.get(name, "")))
    direction = "directed" if graph.directed else "undirected"
    nodes = graph.labels if name == "edge list" else ()
    called = "g.sif" if name == "SIF" else "g"
    report = read_graph(formats.LABELLED[name](graph), name=called, nodes=nodes, policies=Policies(direction=direction))
    same(report.graph, graph)
    assert report.graph.directed == graph.directed


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", formats.LABELLED)
def test_every_awkward_label_at_once(name: str, directed: bool) -> None:
    labels = [label for label in formats.AWKWARD if not set(label) & set(formats.FORBIDDEN.get(name, ""))]
    weights = [1.0] * len(labels) if name == "SIF" else [0.1 + k for k in range(len(labels))]
    rows = list(zip(labels, [*labels[1:], labels[0]], weights, strict=True))
    graph = Graph.from_edges(rows, directed)
    policies = Policies(direction="directed" if directed else "undirected")
    report = read_graph(formats.LABELLED[name](graph), name="g.sif" if name == "SIF" else "g", policies=policies)
    assert len(report.graph.labels) == len(labels) > 25
    same(report.graph, graph)


def test_every_awkward_label_in_truth_anchors_and_node_lists() -> None:
    ring = [(a, b, 1.0) for a, b in zip(formats.AWKWARD, [*formats.AWKWARD[1:], formats.AWKWARD[0]], strict=True)]
    source = Graph.from_edges(ring)
    target = Graph.from_edges([(f"t{a}", f"t{b}", w) for a, b, w in ring])
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(
        [("source", "target"), *((label, f"t{label}") for label in formats.AWKWARD)]
    )
    pairs = {"source": buffer.getvalue().encode(), "name": "p.csv", "source_graph": source, "target_graph": target}
    expected = [[source.index[label], target.index[f"t{label}"]] for label in formats.AWKWARD]
    assert sorted(read_truth(**pairs).pairs.tolist()) == sorted(expected)
    assert sorted(map(list, zip(*read_anchors(**pairs).matrix.nonzero(), strict=True))) == sorted(expected)
    buffer = io.StringIO()
    noted = ((label, k) for k, label in enumerate(formats.AWKWARD))
    csv.writer(buffer, delimiter="\t", quoting=csv.QUOTE_ALL).writerows([("id", "note"), *noted])
    listed = read_nodes(buffer.getvalue().encode(), name="n.tsv")
    assert listed.ids == formats.AWKWARD
    assert listed.attributes == {"note": tuple(map(str, range(len(formats.AWKWARD))))}


@pytest.mark.parametrize("name", ["GraphML", "GEXF", "GML", "JSON of ids", "JSON of places", "Pajek", "LEDA", "gzip"])
@settings(max_examples=10)
@given(data=st.data())
def test_formats_that_state_direction_are_believed(name: str, data: st.DataObject) -> None:
    graph = data.draw(graphs(forbidden=formats.FORBIDDEN.get(name, "")))
    report = read_graph(formats.LABELLED[name](graph), name="g", directed=not graph.directed)
    assert report.graph.directed == graph.directed
    assert any("it was not read as" in notice for notice in report.notices)


@pytest.mark.parametrize("name", formats.NUMBERED)
@settings(max_examples=10)
@given(data=st.data())
def test_numbered_formats(name: str, data: st.DataObject) -> None:
    graph = data.draw(graphs())
    write, first = formats.NUMBERED[name]
    direction = "directed" if graph.directed else "undirected"
    report = read_graph(write(graph), name="g", policies=Policies(direction=direction))
    assert report.graph.labels == tuple(str(k) for k in range(first, graph.n_nodes + first))
    assert np.array_equal(report.graph.weights.toarray(), graph.weights.toarray())
