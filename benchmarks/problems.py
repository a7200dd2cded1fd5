"""The graphs that benchmarks align. Every target is permuted and relabelled, so that no index gives a match away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from scipy import sparse

from gwl_core.datasets.builtin import list_pairs, load_pair
from gwl_core.datasets.noise import permute_and_relabel
from gwl_core.datasets.synthetic import barabasi_albert
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph

Loader = Callable[[], MatchingProblem]

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


def file_problems(folder: Path = FILES, seed: int = 0, large: bool = False) -> Mapping[str, Loader]:
    """Pairs made from the files beside the repository, by name; none where there is no such folder.

    The source is always the one with fewer edges, so that an edge correctness of 1 is within reach. The seed decides
    which edges go and how the target is permuted; `large` adds the power grid of 4,941 nodes.
    """
    if not folder.is_dir():
        return {}
    pairs = {
        "highschool 80%": ("pairs/highschool/highschool_80.txt", "pairs/highschool/highschool_100.txt"),
        "yeast 5%": ("pairs/yeast/yeast0.txt", "pairs/yeast/yeast5.txt"),
        "yeast 15%": ("pairs/yeast/yeast0.txt", "pairs/yeast/yeast15.txt"),
        "yeast 25%": ("pairs/yeast/yeast0.txt", "pairs/yeast/yeast25.txt"),
    }
    networks = [
        ("ca-netscience", "ca-netscience", 0.05), ("ca-netscience", "ca-netscience", 0.15),
        ("bio-celegans", "bio-celegans", 0.05), ("bio-celegans", "bio-celegans", 0.15),
        ("euroroad", "inf-euroroad", 0.05),
    ]  # fmt: skip
    if large:
        networks.append(("power", "inf-power", 0.05))
    return {
        name: partial(_from_pair, folder / source, folder / target, seed) for name, (source, target) in pairs.items()
    } | {
        f"{name} −{share:.0%}": partial(_from_network, folder / "networks" / f"{file}.txt", share, seed)
        for name, file, share in networks
    }


def builtin_problems(seed: int = 0) -> Mapping[str, Loader]:
    """The built-in pairs by key, their targets permuted by the seed."""
    return {info.key: partial(_builtin, info.key, seed) for info in list_pairs()}


def _builtin(key: str, seed: int) -> MatchingProblem:
    return permuted(load_pair(key), seed)


def _from_pair(source: Path, target: Path, seed: int) -> MatchingProblem:
    return permuted(same_labels(read_file(source), read_file(target)), seed)


def _from_network(path: Path, share: float, seed: int) -> MatchingProblem:
    graph = read_file(path)
    return permuted(same_labels(without_edges(graph, share, seed), graph), seed)


def read_file(path: Path) -> Graph:
    """The graph in a file, nodes in the order of their appearance."""
    return read_graph(path, name=path.name).graph
