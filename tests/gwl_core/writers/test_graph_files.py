"""GraphML, GEXF and BibTeX of a result, read back by networkx and by the project's own readers."""

import io
import json
import zipfile
from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from gwl_core import writers
from gwl_core.datasets.builtin import load_pair
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph
from gwl_core.result import Result
from gwl_core.writers.bibtex import latex
from gwl_core.writers.graph_files import NodeValues, gexf, graphml, xml_names

AWKWARD = (
    "a b", "line\nbreak", "tab\tin", "<script>alert(1)</script>", 'q"q', "&amp;", "=1+1", "01", "1", "1E1", "NA", "漢",
    "]]>", "\r",
)  # fmt: skip


def test_both_graphs_with_matches_for_cytoscape_and_gephi(result: Result) -> None:
    files = writers.graph_files(result)
    pairs = writers.result_pairs(result)
    source, target = result.problem.source, result.problem.target
    for side, graph, other in (("source", source, target), ("target", target, source)):
        marked = {getattr(p, side): p for p in pairs}
        for kind, read in (("graphml", nx.read_graphml), ("gexf", nx.read_gexf)):
            found = read(io.BytesIO(files[f"{side}.{kind}"]))
            assert list(found) == list(graph.labels)
            assert found.is_directed() == graph.directed
            assert found.number_of_edges() == graph.n_edges
            for i, label in enumerate(graph.labels):
                node = found.nodes[label]
                assert ("match" in node) == (i in marked)
                if i in marked:
                    partner = marked[i].target if side == "source" else marked[i].source
                    assert node["match"] == other.labels[partner]
                    assert node["confidence"] == pytest.approx(marked[i].confidence)
                    assert node["coupling"] == pytest.approx(marked[i].coupling)
                    assert node["tied"] is marked[i].tied
            back = read_graph(files[f"{side}.{kind}"], name="back").graph
            assert back.labels == graph.labels
            assert (back.weights != graph.weights).nnz == 0
    with zipfile.ZipFile(io.BytesIO(writers.graphs_zip(result))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("write", [graphml, gexf])
def test_awkward_labels_survive(write: object, directed: bool) -> None:
    labels = AWKWARD[:-1]
    rows = [(a, b, 0.1 + k) for k, (a, b) in enumerate(pairwise(labels))]
    graph = Graph.from_edges([*rows, (labels[0], labels[0], 3.0)], directed)
    values = {0: NodeValues("line\nbreak", np.float64(0.5), np.float32(0.25), np.bool_(True))}
    back = read_graph(write(graph, values), name="back").graph
    assert back.labels == graph.labels
    assert back.directed == directed
    assert np.array_equal(back.weights.toarray(), graph.weights.toarray())


def test_what_a_node_list_said_is_written_beside_the_match() -> None:
    given = {"team": ("a & b", ""), "match": ("<i>x</i>", "=1"), 'odd "name"': ("", "é\x00")}
    edges = Graph.from_edges([("ann", "bob", 1.0)])
    graph = replace(edges, attributes=given)
    values = {0: NodeValues("partner", 0.5, 0.25, False)}
    for write, read in ((graphml, nx.read_graphml), (gexf, nx.read_gexf)):
        found = read(io.BytesIO(write(graph, values))).nodes
        assert found["ann"]["match"] == "partner"
        assert {name: found["ann"].get(name) for name in ("team", "match (given)")} == {
            "team": "a & b", "match (given)": "<i>x</i>",
        }  # fmt: skip
        assert found["bob"]['odd "name"'] == "é\\u0000"
        assert "team" not in found["bob"]


def test_characters_that_xml_cannot_hold_are_spelled_out_and_stay_distinct() -> None:
    assert xml_names(["\x0b", "\\u000b", "\ud800", "a"]) == ["\\u000b_", "\\u000b", "\\ud800", "a"]
    back = read_graph(graphml(Graph.from_edges([("a\x00", "\x1f", 1.0)]), {}), name="back").graph
    assert back.labels == ("a\\u0000", "\\u001f")


def test_references_name_method_and_data(result: Result) -> None:
    text = writers.references_bib(result).decode()
    assert "@inproceedings{xu2019gromov" in text
    assert text.count("SHA-256") == 2
    pair = load_pair("geant")
    known = writers.references_bib(replace(result, problem=pair)).decode()
    assert "@misc{geant," in known
    assert "The Internet Topology Zoo" in known
    renamed = replace(result, problem=MatchingProblem(replace(pair.source, name="mine_1.csv"), pair.target))
    assert r"title = {{mine\_1.csv}}" in writers.references_bib(renamed).decode()
    assert latex("a&b {c}\n\\d 50%") == r"a\&b \{c\} \textbackslash{}d 50\%"


def test_the_coupling_carries_its_origin(result: Result) -> None:
    with np.load(io.BytesIO(writers.coupling_npz(result)), allow_pickle=False) as archive:
        run = json.loads(str(archive["run"]))
    assert run["seed"] == result.config.seed
    assert len(run["source"]["sha256"]) == 64
    assert run["config"]
    assert run["versions"]["numpy"]
