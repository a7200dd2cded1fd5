"""The sample files beside the repository, each as its expected.json says; their kinds are tested elsewhere inline."""

import json
from pathlib import Path

import pytest

from gwl_core import Graph, InputError
from gwl_core.readers import GraphReport, Policies, read_graph, read_nodes, read_truth


@pytest.fixture
def cases(shared_dir: Path) -> Path:
    return shared_dir / "cases"


def graph(path: Path, **options: object) -> Graph:
    return read_graph(path, name=path.name, **options).graph


def edges(g: Graph) -> dict[frozenset[str], float]:
    rows, columns, weights = g.edges
    return {frozenset((g.labels[i], g.labels[j])): w for i, j, w in zip(rows, columns, weights, strict=True)}


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as error:
        graph(path)
    return str(error.value)


def used(path: Path, source: Graph, target: Graph) -> tuple[int, tuple[str, ...]]:
    report = read_truth(path, name=path.name, source_graph=source, target_graph=target)
    return report.rows_used, report.notices


def test_files_that_equal_the_base_pair(cases: Path) -> None:
    base = edges(graph(cases / "base/g1.csv"))
    assert len(base) == 6
    files = json.loads((cases / "IN01/expected.json").read_text())["files"]
    for file in [*files, "utf16.csv"]:
        assert edges(graph(cases / "IN01" / file)) == base, file
    plain = {
        frozenset(label.removeprefix("urn:x#") for label in pair) for pair in edges(graph(cases / "IN02/hash_ids.txt"))
    }
    assert plain == set(base)
    assert used(cases / "base/truth.csv", graph(cases / "base/g1.csv"), graph(cases / "base/g2.csv")) == (7, ())
    assert used(cases / "IN02/truth.csv", graph(cases / "IN02/hash_ids.txt"), graph(cases / "IN02/g2.csv"))[0] == 7


def test_files_to_refuse(cases: Path) -> None:
    assert "line 2" in refusal(cases / "IN01/latin1_umlaut.csv")
    assert "no edges" in refusal(cases / "IN01/empty.csv")
    assert "no edges" in refusal(cases / "IN01/only_header.csv")
    assert "lines 1, 2 and 3" in refusal(cases / "IN03/nonfinite.txt")
    assert "line 2" in refusal(cases / "IN03/negative.txt")
    assert "'strong'" in refusal(cases / "IN03/text_weight.txt")
    for file in (cases / "IN11").iterdir():
        if file.name != "expected.json":
            assert "pickles are not read because" in refusal(file)
            assert "CANARY" not in refusal(file)


def test_weights(cases: Path) -> None:
    def of(file: str) -> dict[str, float]:
        return {"".join(sorted(pair)): w for pair, w in edges(graph(cases / "IN03" / file)).items()}

    assert of("decimal_comma.csv") == {"AB": 1.5, "BC": 2.25}
    assert of("glued_spaces.txt") == {"AB": 2, "BC": 3}
    assert of("dict_attr.txt") == {"AB": 1.5, "BC": 2}
    assert of("ragged.tsv") == {"AB": 2, "BC": 4, "CD": 1, "DE": 1}
    assert graph(cases / "IN03/zero_weight.txt").labels == ("A", "B", "C")


def test_ids_and_truth(cases: Path) -> None:
    for file, truth in (("leading_zeros.csv", "truth.csv"), ("big_ids.csv", "truth_big.csv")):
        source = graph(cases / "IN05" / file)
        assert (source.n_nodes, source.n_edges) == (7, 6)
        assert used(cases / "IN05" / truth, source, graph(cases / "IN05/g2.csv"))[0] == 7
    numbers, hundreds = graph(cases / "IN06/g1.graphml"), graph(cases / "IN06/g2.json")
    assert (numbers.n_edges, hundreds.n_edges) == (6, 6)
    assert used(cases / "IN06/truth_int.csv", numbers, hundreds)[0] == 7
    assert used(cases / "IN06/truth_spaces.csv", numbers, hundreds)[0] == 7
    with pytest.raises(InputError, match=r"0 of 7 rows match.*'0' instead of '0\.0'"):
        used(cases / "IN06/truth_float.csv", numbers, hundreds)
    with pytest.raises(InputError, match=r"0 of 1 rows match.*'ann' instead of 'Ann'"):
        used(cases / "IN06/truth_case.csv", graph(cases / "base/g1.csv"), graph(cases / "base/g2.csv"))
    assert used(cases / "NU07/truth.csv", graph(cases / "NU07/g1.csv"), graph(cases / "NU07/g2.csv"))[0] == 7


def test_node_lists(cases: Path) -> None:
    lists = [read_nodes(cases / f"IN13/nodes{k}.csv", name="nodes") for k in (1, 2)]
    source, target = (graph(cases / f"IN13/g{k}.csv", nodes=lists[k - 1]) for k in (1, 2))
    assert (source.n_nodes, target.n_nodes) == (8, 8)
    assert used(cases / "IN13/truth.csv", source, target) == (8, ())
    count, (notice,) = used(cases / "IN13/truth.csv", graph(cases / "IN13/g1.csv"), graph(cases / "IN13/g2.csv"))
    assert count == 7
    assert "'zoe'" in notice
    assert "'T7'" in notice
    assert used(cases / "IN13/truth_unknown.csv", source, target)[0] == 7
    report = read_graph(cases / "IN13/edges_with_unknown_node.csv", name="e.csv", nodes=lists[0])
    assert any("'ivy'" in notice for notice in report.notices)
    assert graph(cases / "AL05/d6_1.csv", directed=True).n_edges == 9


@pytest.mark.parametrize(
    ("file", "nodes", "rows"),
    [
        ("formats/asoiaf-book1-edges.CR-only.csv", 187, 684),
        ("formats/napabench_2dmc1A.net", 3000, 6090),
        ("formats/calvin_anonymized.txt", 1000, 12156),
        ("networks/bio-celegans.txt", 453, 2025),
        ("networks/inf-power.txt", 4941, 6594),
        ("formats/LesMiserables.gexf", 77, 254),
        ("formats/USAir97.net", 332, 2126),
        ("formats/galFiltered.sif", 330, 359),
        ("formats/jazz.gml", 198, 5484),
        ("formats/karate.mtx", 34, 156),
        ("formats/lesmis.gml", 77, 254),
        ("formats/syeast0.gw", 1004, 8323),
        ("formats/syeast05.gw", 1004, 8739),
        ("formats/testGraph1.gw", 100, 300),
        ("formats/testGraph2.gw", 100, 300),
        ("formats/webcola_miserables_BOM.json", 77, 254),
        ("pairs/yeast/yeast0.txt", 1004, 8323),
        ("pairs/bio2/bio2_g1.edges", 2831, 4562),
    ],
)
def test_real_files(shared_dir: Path, file: str, nodes: int, rows: int) -> None:
    report = read_graph(shared_dir / "data" / file, name=Path(file).name)
    assert (report.graph.n_nodes, report.rows_present, report.rows_read) == (nodes, rows, rows)


def test_a_real_truth_without_header_is_all_data(shared_dir: Path) -> None:
    formats = shared_dir / "data/formats"
    pair = graph(formats / "calvin_anonymized.txt"), graph(formats / "calvin_crawled.txt")
    assert used(formats / "calvin_pair_a_c.txt", *pair)[0] == 1000


def test_what_real_files_say_beyond_their_rows(shared_dir: Path) -> None:
    def report(file: str, **policies: str) -> GraphReport:
        return read_graph(shared_dir / "data/formats" / file, name=file, policies=Policies(**policies))

    air = report("USAir97.net")
    assert not air.graph.directed
    assert "Wiley Post-Will Rogers Mem" in air.graph.labels
    assert report("LesMiserables.gexf").graph.directed
    jazz = report("jazz.gml")
    assert (jazz.graph.directed, jazz.duplicates_merged, jazz.weight_range) == (True, 2742, (2.0, 2.0))
    karate = report("karate.mtx")
    assert (karate.graph.n_edges, karate.graph.directed) == (78, False)
    assert report("syeast0.gw").graph.labels[:2] == ("PAP1", "YSH1")
    assert report("syeast0.gw", names="ids").graph.labels[:2] == ("1", "2")
    assert report("napabench_2dmc1A.net").format == "tab-separated edge list"
    # Its first line gives the sizes; its last is cut by a space in a file of tabs.
    with pytest.raises(InputError, match=r"out\.ucidata-gama, line 60: '3 16' is not tab-separated, as the file is"):
        report("out.ucidata-gama")
    whole = (shared_dir / "data/formats/out.ucidata-gama").read_bytes().removesuffix(b"3 16\n")
    with pytest.raises(InputError, match=r"g, lines 3, 4, .* weights '-1' are negative"):
        read_graph(whole, name="g")
    gama = read_graph(whole, name="g", policies=Policies(weights="absolute"))
    assert (gama.graph.n_nodes, gama.graph.n_edges) == (16, 58)
    assert any("(16 58) was read as the numbers of nodes and edges" in notice for notice in gama.notices)


def test_graphml_kinds(cases: Path) -> None:
    assert edges(graph(cases / "IN08/two_weight_keys.graphml")) == {frozenset("ab"): 1.5, frozenset("bc"): 2.0}
    assert edges(graph(cases / "IN08/parallel_edges.graphml"))[frozenset("ab")] == 3
    some = read_graph(cases / "IN08/weight_on_some_edges.graphml", name="g")
    assert edges(some.graph) == {frozenset("ab"): 1.5, frozenset("bc"): 1.0}
    assert any("without a weight got 1" in notice for notice in some.notices)
    assert "'d7'" in refusal(cases / "IN08/undeclared_key.graphml")
    assert "mixed" in refusal(cases / "IN08/mixed_direction.graphml")
    assert "more than one graph" in refusal(cases / "IN08/two_graphs.graphml")


def test_hostile_xml(cases: Path) -> None:
    for file in ("mini_bomb", "external_entity"):
        message = refusal(cases / f"IN10/{file}.graphml")
        assert "entities" in message
        assert "MARKER" not in message
        assert "zzz" not in message
    assert "line 1, column 123" in refusal(cases / "IN10/truncated.graphml")
    notices = read_graph(cases / "IN10/dtd_only.graphml", name="g").notices
    assert any("DOCTYPE was ignored" in notice for notice in notices)


def test_matrices_and_labels_of_several_lines(cases: Path) -> None:
    isolated = graph(cases / "IN13/adjacency_with_isolated.csv")
    assert (isolated.n_nodes, isolated.n_edges) == (3, 1)
    assert graph(cases / "NU04/int_matrix.csv").n_edges == 3
    assert "different names" in refusal(cases / "AL08/scores.csv")
    assert graph(cases / "EX03/g1.csv").labels == ("a b", "c", "line\nbreak")
    assert "not the lists nodes and links" in refusal(cases / "EX03/result_with_nan.json")


def test_latin_1_is_read_where_it_is_asked_for(cases: Path) -> None:
    report = read_graph(cases / "IN01/latin1_umlaut.csv", name="g.csv", policies=Policies(encoding="latin-1"))
    assert report.graph.labels == ("ann", "b\u00f6b")
    assert any("Latin-1" in notice and "line 2" in notice for notice in report.notices)


def test_every_sample_file_is_read_or_refused_in_one_sentence(shared_dir: Path) -> None:
    files = [p for part in ("cases", "data/formats") for p in (shared_dir / part).rglob("*") if p.is_file()]
    assert len(files) > 100
    for path in files:
        message, edges_read = "", 0
        try:
            edges_read = read_graph(path, name=path.name).graph.n_edges
        except InputError as error:
            message = str(error)
        assert edges_read > 0 or (message.startswith(path.name) and message.endswith(".")), path
        assert "CANARY" not in message, path
