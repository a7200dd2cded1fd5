"""A problem as three files that the readers take back."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem


def write_problem(problem: MatchingProblem, folder: Path) -> None:
    """Write source.csv, target.csv and, where the truth is known, truth.csv into the folder, which is made if absent.

    A graph has the columns source, target, weight and type (Directed or Undirected), one row per edge, row by row;
    self-loops are edges here. A node without any is a row of weight 0 from it to itself, at the end. What is read back
    is the same labelled graph, its nodes in order of appearance (give read_graph the labels as `nodes` to keep theirs).
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, graph in (("source", problem.source), ("target", problem.target)):
        _write_rows(folder / f"{name}.csv", ("source", "target", "weight", "type"), _edge_rows(graph))
    if problem.truth is not None:
        pairs = ((problem.source.labels[i], problem.target.labels[j]) for i, j in problem.truth)
        _write_rows(folder / "truth.csv", ("source", "target"), pairs)


def _edge_rows(graph: Graph) -> Iterator[tuple[str, str, str, str]]:
    kind = "Directed" if graph.directed else "Undirected"
    weights = graph.weights.tocoo()
    for i, j, weight in zip(weights.row, weights.col, weights.data, strict=True):
        if graph.directed or i <= j:
            yield graph.labels[i], graph.labels[j], _number(weight), kind
    named = np.union1d(weights.row, weights.col)
    for i in np.setdiff1d(np.arange(graph.n_nodes), named):
        yield graph.labels[i], graph.labels[i], "0", kind


def _number(weight: float) -> str:
    """The shortest text that reads back as the same float; whole numbers without a point."""
    return str(int(weight)) if float(weight).is_integer() else repr(float(weight))


def _write_rows(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
