"""Real files, edge by edge, against a few lines that know only that one file."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gwl_core.readers import read_graph

Row = tuple[str, str, float]
Found = tuple[set[str], bool, list[Row]]
"""Nodes, whether the graph is directed, and its rows."""


def text(path: Path) -> str:
    """Only the byte-order mark gone: line ends are each file's own."""
    return path.read_bytes().decode("utf-8-sig")


def csv_with_cr_alone(path: Path) -> Found:
    rows = [(r[0], r[1], float(r[3])) for r in csv.reader(line for line in text(path).split("\r")[1:] if line)]
    return ends(rows), False, rows


def plain(path: Path) -> Found:
    """Two ids a line; a first line of words is a header."""
    pairs = [line.split()[:2] for line in text(path).splitlines()]
    rows = [(a, b, 1.0) for a, b in pairs if a != "source"]
    return ends(rows), False, rows


def mtx(path: Path) -> Found:
    lines = [line.split() for line in text(path).splitlines() if line[0] != "%"]
    rows = [(a, b, float(w)) for a, b, w in lines[1:] if int(a) < int(b)]
    return {str(k + 1) for k in range(int(lines[0][0]))}, False, rows


def leda(path: Path) -> Found:
    lines = text(path).split("\n")
    at = 4 if lines[3].strip() in ("-1", "-2") else 3
    count = int(lines[at])
    labels = [line.strip()[2:-2] for line in lines[at + 1 : at + 1 + count]]
    pairs = [line.split()[:2] for line in lines[at + 2 + count :] if line.strip()]
    return set(labels), False, [(labels[int(a) - 1], labels[int(b) - 1], 1.0) for a, b in pairs]


def pajek(path: Path) -> Found:
    vertices, _, edges = text(path).partition("*Arcs")
    labels = dict(re.findall(r'^\s*(\d+)\s+"([^"]*)"', vertices, re.MULTILINE))
    cells = [line.split() for line in edges.split("*Edges")[1].splitlines() if line.strip()]
    return set(labels.values()), False, [(labels[a], labels[b], float(w)) for a, b, w in cells]


def gml(path: Path) -> Found:
    whole = text(path)
    labels = {}
    for block in re.findall(r"node\s*\[(.*?)\]", whole, re.DOTALL):
        label = re.search(r'label\s+"?([^"\n]*)', block)
        assert label
        labels[re.findall(r"id\s+(\S+)", block)[0]] = label[1].strip()
    rows = []
    for block in re.findall(r"edge\s*\[(.*?)\]", whole, re.DOTALL):
        weight = re.findall(r"(?:value|weight)\s+(\S+)", block) or ["1"]
        (a,), (b,) = re.findall(r"source\s+(\S+)", block), re.findall(r"target\s+(\S+)", block)
        rows.append((labels[a], labels[b], float(weight[0])))
    return set(labels.values()), "directed 1" in whole, rows


def gexf(path: Path) -> Found:
    root = ET.parse(path).getroot()
    labels = {node.get("id"): node.get("label", "") for node in root.findall(".//{*}node")}
    edges = root.findall(".//{*}edge")
    rows = [(labels[e.get("source")], labels[e.get("target")], float(e.get("weight", 1))) for e in edges]
    graph = root.find("{*}graph")
    assert graph is not None
    return set(labels.values()), graph.get("defaultedgetype") == "directed", rows


def sif(path: Path) -> Found:
    lines = [line.split() for line in text(path).splitlines()]
    return {n for a, *rest in lines for n in (a, *rest[1:])}, False, [
        (a, b, 1.0) for a, *rest in lines for b in rest[1:]
    ]  # fmt: skip


def node_link(path: Path) -> Found:
    found = json.loads(text(path))
    names = [node["name"] for node in found["nodes"]]
    return set(names), False, [(names[e["source"]], names[e["target"]], float(e["value"])) for e in found["links"]]


def ends(rows: list[Row]) -> set[str]:
    return {node for a, b, _ in rows for node in (a, b)}


FILES: dict[str, Callable[[Path], Found]] = {
    "asoiaf-book1-edges.CR-only.csv": csv_with_cr_alone, "napabench_2dmc1A.net": plain, "calvin_crawled.txt": plain,
    "calvin_anonymized.txt": plain, "karate.mtx": mtx, "syeast0.gw": leda, "syeast05.gw": leda, "testGraph1.gw": leda,
    "testGraph2.gw": leda, "USAir97.net": pajek, "lesmis.gml": gml, "jazz.gml": gml, "LesMiserables.gexf": gexf,
    "galFiltered.sif": sif, "webcola_miserables_BOM.json": node_link,
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_edge_and_weight(shared_dir: Path, name: str) -> None:
    path = shared_dir / "data/formats" / name
    nodes, directed, rows = FILES[name](path)
    expected: Counter[tuple[str, str]] = Counter()
    for a, b, weight in rows:
        expected[(a, b) if directed or a < b else (b, a)] += weight  # type: ignore[assignment]
    graph = read_graph(path, name=name).graph
    matrix = graph.weights.tocoo()
    found = {
        (graph.labels[i], graph.labels[j]): float(w)
        for i, j, w in zip(matrix.row, matrix.col, matrix.data, strict=True)
        if directed or graph.labels[i] <= graph.labels[j]
    }
    assert set(graph.labels) == nodes
    assert graph.directed == directed
    assert found == pytest.approx(dict(expected), rel=1e-12)
