"""What the user may decide about a file, and what the report says of it."""

import pytest

from gwl_core.readers import GraphReport, Policies, read_graph

ROWS = "source,target,weight\na,b,1\nb,a,4\nb,c,2\nx,y,8\ny,y,1\n"


def read(text: str = ROWS, **policies: object) -> GraphReport:
    return read_graph(text.encode(), name="g", policies=Policies(**policies))


@pytest.mark.parametrize(("repeats", "weight"), [("sum", 5.0), ("largest", 4.0), ("mean", 2.5)])
def test_rows_of_one_edge(repeats: str, weight: float) -> None:
    report = read(repeats=repeats)
    assert report.graph.weights[0, 1] == report.graph.weights[1, 0] == weight
    assert report.duplicates_merged == 1
    directed = read(repeats=repeats, direction="directed")
    assert (directed.graph.weights[0, 1], directed.graph.weights[1, 0]) == (1, 4)
    both = "a,b,3\nb,a,3\nb,c,1\nc,b,1\n"
    assert read(both, repeats=repeats).graph.edges[2].tolist() == [3, 1]


def test_facts_of_a_report() -> None:
    report = read()
    assert (report.components, report.self_loops, report.weight_range) == (2, 1, (2.0, 8.0))
    largest = read(largest_component=True)
    assert largest.graph.labels == ("a", "b", "c")
    assert any("2 nodes outside the largest component" in notice for notice in largest.notices)


def test_weights() -> None:
    assert read(weights="ones").weight_range == (1, 1)
    assert read(weights="log").weight_range == pytest.approx((1.0986122886681098, 2.1972245773362196))
    signed = read("a,b,-2\nb,c,1\n", weights="absolute")
    assert signed.weight_range == (1, 2)
    assert any("without the sign" in notice for notice in signed.notices)


def test_direction_wins_over_the_file() -> None:
    text = "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] edge [ source 2 target 1 ] ]"
    assert read(text).graph.n_edges == 2
    report = read(text, direction="undirected")
    assert report.graph.n_edges == 1
    assert any("says it is directed, and was read as undirected" in notice for notice in report.notices)
    matrix = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    assert read(matrix, direction="directed").graph.n_edges == 4


def test_a_first_line_of_sizes_is_no_edge() -> None:
    report = read("3 5\n1 2\n2 3\n1 3\n1 2\n3 2\n")
    assert report.rows_present == 5
    assert any("numbers of nodes and edges" in notice for notice in report.notices)
    assert read("3 2\n1 2\n2 3\n").rows_present == 3
