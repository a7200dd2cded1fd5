"""The graphs that benchmarks align. Every target is permuted and relabelled, so that no index gives a match away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse

from gwl_core.datasets.noise import permute_and_relabel
from gwl_core.datasets.synthetic import barabasi_albert
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph

FILES = Path(__file__).resolve().parents[2] / "shared" / "data"
"""Larger graphs that may lie beside the repository; they are not part of it."""


def permuted(problem: MatchingProblem, seed: int = 0) -> MatchingProblem:
    """The same problem, its target's nodes in another order."""
    target, permutation = permute_and_relabel(problem.target, np.random.default_rng(seed), "t")
    truth = None if problem.truth is None else np.column_stack([problem.truth[:, 0], permutation[problem.truth[:, 1]]])
    return MatchingProblem(problem.source, target, truth)


def same_labels(source: Graph, target: Graph) -> MatchingProblem:
    """Nodes of equal label are the known pairs."""
    truth = [(i, target.index[label]) for i, label in enumerate(source.labels) if label in target.index]
    return MatchingProblem(source, target, np.array(truth, dtype=np.int64))


def without_edges(graph: Graph, share: float, seed: int = 0) -> Graph:
    """The graph without a random share of its edges; all its nodes stay."""
    rows, columns, weights = graph.edges
    kept = np.random.default_rng(seed).choice(len(rows), len(rows) - round(share * len(rows)), replace=False)
    half = sparse.coo_array((weights[kept], (rows[kept], columns[kept])), shape=graph.weights.shape).tocsr()
    return replace(graph, weights=half if graph.directed else sparse.csr_array(half + half.T))


def sparse_pair(nodes: int, attach: int = 3, noise: float = 0.0, seed: int = 0) -> MatchingProblem:
    """A Barabási–Albert graph of about `attach` edges a node, and a permuted copy, with noise if asked for."""
    return barabasi_albert(nodes, noise, np.random.default_rng(seed), attach)


def file_problems(folder: Path = FILES) -> Mapping[str, Callable[[], MatchingProblem]]:
    """Pairs made from the files beside the repository, by name; none where there is no such folder.

    The source is always the one with fewer edges, so that an edge correctness of 1 is within reach.
    """
    if not folder.is_dir():
        return {}
    pairs = {
        "highschool 80%": ("pairs/highschool/highschool_80.txt", "pairs/highschool/highschool_100.txt"),
        "yeast 5%": ("pairs/yeast/yeast0.txt", "pairs/yeast/yeast5.txt"),
        "yeast 25%": ("pairs/yeast/yeast0.txt", "pairs/yeast/yeast25.txt"),
    }
    networks = {"ca-netscience": "ca-netscience", "bio-celegans": "bio-celegans", "euroroad": "inf-euroroad"}
    return {name: partial(_from_pair, folder / source, folder / target) for name, (source, target) in pairs.items()} | {
        f"{name} −5%": partial(_from_network, folder / "networks" / f"{file}.txt") for name, file in networks.items()
    }


def _from_pair(source: Path, target: Path) -> MatchingProblem:
    return permuted(same_labels(_read(source), _read(target)))


def _from_network(path: Path) -> MatchingProblem:
    graph = _read(path)
    return permuted(same_labels(without_edges(graph, 0.05), graph))


def _read(path: Path) -> Graph:
    return read_graph(path, name=path.name).graph
