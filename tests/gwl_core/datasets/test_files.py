"""A written problem is complete in its three files: every node, edge, weight and known pair."""

import csv

import numpy as np
import pytest

from gwl_core.datasets.files import write_problem
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph, read_truth


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_rows_are_edges_and_isolated_nodes(tmp_path):
    source = Graph.from_edges([("b", "a", 2), ("a", "b", 0.1), ("x,y", "x,y", 3)], directed=True, nodes=["z", "a"])
    write_problem(MatchingProblem(source, Graph.from_edges([("ä", "é", 1)])), tmp_path / "new" / "folder")
    text = (tmp_path / "new" / "folder" / "source.csv").read_text(encoding="utf-8")
    assert text == (
        "source,target,weight,type\na,b,0.1,Directed\nb,a,2,Directed\n"
        '"x,y","x,y",3,Directed\nz,z,0,Directed\n'
    )  # fmt: skip
    assert rows(tmp_path / "new" / "folder" / "target.csv") == [
        {"source": "ä", "target": "é", "weight": "1", "type": "Undirected"}
    ]
    assert not (tmp_path / "new" / "folder" / "truth.csv").exists()


PROBLEMS = [
    knn(40, 0.5, np.random.default_rng(0), mean_degree=0.5),  # with isolated nodes
    knn(50, 0.2, np.random.default_rng(1)),
    barabasi_albert(30, 0.3, np.random.default_rng(2)),
    MatchingProblem(
        Graph.from_edges([("a", "b", 1 / 3), ("b", "b", 2)], directed=True, nodes=["z"]),
        Graph.from_edges([("a,1", "0 b", 1e-9), ("c", "é", 1e15)]),
        np.array([[0, 3], [2, 0]]),
    ),
]


@pytest.mark.parametrize("problem", PROBLEMS[:3])
def test_row_counts_are_edge_counts(problem, tmp_path):
    write_problem(problem, tmp_path)
    for name, graph in (("source", problem.source), ("target", problem.target)):
        written = rows(tmp_path / f"{name}.csv")
        assert sum(float(row["weight"]) > 0 for row in written) == graph.n_edges
        assert sum(float(row["weight"]) == 0 for row in written) == graph.n_isolated
        assert {row[side] for row in written for side in ("source", "target")} == set(graph.labels)
    truth = rows(tmp_path / "truth.csv")
    assert [row["source"] for row in truth] == list(problem.source.labels)
    assert [row["target"] for row in truth] == [problem.target.labels[j] for j in problem.truth[:, 1]]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_readers_take_back_the_same_problem(problem, tmp_path):
    write_problem(problem, tmp_path)
    read = []
    for name, graph in (("source", problem.source), ("target", problem.target)):
        back = read_graph(tmp_path / f"{name}.csv", name=name).graph
        assert set(back.labels) == set(graph.labels)
        assert back.directed == graph.directed
        order = [back.index[label] for label in graph.labels]
        np.testing.assert_array_equal(back.weights.toarray()[np.ix_(order, order)], graph.weights.toarray())
        assert read_graph(tmp_path / f"{name}.csv", name=name, nodes=graph.labels).graph.labels == graph.labels
        read.append(back)
    source, target = read
    truth = read_truth(tmp_path / "truth.csv", name="truth", source_graph=source, target_graph=target).pairs
    assert {(source.labels[i], target.labels[j]) for i, j in truth} == {
        (problem.source.labels[i], problem.target.labels[j]) for i, j in problem.truth
    }
