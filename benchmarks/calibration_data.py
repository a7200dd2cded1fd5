"""The problems that the coefficients of `gwl_core.confidence` are fitted on; nothing here is measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product

import numpy as np
from scipy.spatial import Delaunay

from benchmarks.problems import Loader, permuted, same_labels, without_edges
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

FITTED_PAIRS = ("celegans-adult", "geant", "new-testament")
"""Built-in pairs that take part in the fit; the others, and every file beside the repository, are held out."""


def fit_problems() -> Mapping[str, Loader]:
    """Every problem of the fit by name."""
    return dict([*_noisy(), *_files(), *_both_sides(), *_roads(), *_unrelated()])


def thinned(problem: MatchingProblem, share: float, seed: int) -> MatchingProblem:
    """The problem without a random share of the edges on either side."""
    sides = without_edges(problem.source, share, seed), without_edges(problem.target, share, seed + 1000)
    return permuted(MatchingProblem(*sides, problem.truth), seed)


def roads(nodes: int, share: float, seed: int) -> Graph:
    """A share of the edges of a Delaunay triangulation: sparse and flat, like streets."""
    rng = np.random.default_rng(seed)
    triangles = Delaunay(rng.random((nodes, 2))).simplices
    sides = np.sort(np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [0, 2]]]), axis=1)
    edges = np.unique(sides, axis=0)
    kept = rng.choice(len(edges), round(share * len(edges)), replace=False)
    rows = ((str(a), str(b), 1.0) for a, b in edges[np.sort(kept)].tolist())
    return Graph.from_edges(rows, nodes=[str(i) for i in range(nodes)])


def unrelated(source: Graph, target: Graph) -> MatchingProblem:
    """Two graphs that have nothing to do with each other, and a truth that nobody could know."""
    rng = np.random.default_rng(source.n_nodes)
    truth = np.column_stack([np.arange(source.n_nodes), rng.permutation(target.n_nodes)[: source.n_nodes]])
    return MatchingProblem(source, target, truth)


def _noisy() -> Iterator[tuple[str, Loader]]:
    for seed, noise in product(range(2), (0.0, 0.1, 0.3, 0.5)):
        yield f"knn 60, noise {noise}, seed {seed}", partial(_knn, 60, noise, seed)
        yield f"knn 100 of degree 3, noise {noise}, seed {seed}", partial(_knn, 100, noise, seed, 3)
        for attach in (1, 2, 3):
            yield f"ba 100 by {attach}, noise {noise}, seed {seed}", partial(_ba, 100, noise, seed, attach)
    for noise in (0.0, 0.05, 0.2, 0.5):
        yield f"ba 250 by 3, noise {noise}", partial(_ba, 250, noise, 7, 3)


def _files() -> Iterator[tuple[str, Loader]]:
    for key in FITTED_PAIRS:
        yield key, partial(_pair, key)
        for share in (0.05, 0.15, 0.3):
            yield f"{key} source −{share}", partial(_pair, key, "source", share)
            yield f"{key} target −{share}", partial(_pair, key, "target", share)


def _both_sides() -> Iterator[tuple[str, Loader]]:
    for share in (0.1, 0.2, 0.3, 0.45):
        for key in FITTED_PAIRS:
            yield f"{key} −{share} on both sides", partial(_thinned_pair, key, share)
        for attach in (3, 6):
            yield f"ba 150 by {attach} −{share} on both sides", partial(_thinned_ba, 150, 0.0, attach, share)
        yield f"knn 100 of degree 5 −{share} on both sides", partial(_thinned_knn, 100, 5, share)
    for attach, noise, share in product((1, 2), (0.0, 0.3), (0.1, 0.25)):
        yield f"ba 150 by {attach}, noise {noise}, −{share}", partial(_thinned_ba, 150, noise, attach, share)


def _roads() -> Iterator[tuple[str, Loader]]:
    for (seed, share), lost in product(enumerate((0.4, 0.5, 0.7), 1), (0.0, 0.05, 0.15)):
        yield f"roads 200 of {share} −{lost}", partial(_road_pair, 200, share, lost, seed)
    yield "roads 400 of 0.42 −0.05", partial(_road_pair, 400, 0.42, 0.05, 5)


def _unrelated() -> Iterator[tuple[str, Loader]]:
    yield "unrelated ba by 2", lambda: unrelated(_ba(100, 0, 21, 2).source, _ba(100, 0, 22, 2).source)
    yield "unrelated ba by 4", lambda: unrelated(_ba(100, 0, 21, 4).source, _ba(110, 0, 22, 4).source)
    yield "unrelated knn", lambda: unrelated(_knn(60, 0, 21).source, _knn(60, 0, 22).source)
    yield "unrelated roads", lambda: unrelated(roads(150, 0.5, 21), roads(150, 0.5, 22))


def _knn(nodes: int, noise: float, seed: int, degree: float | None = None) -> MatchingProblem:
    return knn(nodes, noise, np.random.default_rng(seed), degree)


def _ba(nodes: int, noise: float, seed: int, attach: int) -> MatchingProblem:
    return barabasi_albert(nodes, noise, np.random.default_rng(seed), attach)


def _pair(key: str, side: str = "", share: float = 0.0) -> MatchingProblem:
    """A built-in pair, or one of its graphs against itself without some edges."""
    pair = load_pair(key)
    if not side:
        return permuted(pair)
    graph = pair.source if side == "source" else pair.target
    return permuted(same_labels(without_edges(graph, share, 1), graph), 1)


def _thinned_pair(key: str, share: float) -> MatchingProblem:
    graph = load_pair(key).target
    return thinned(same_labels(graph, graph), share, 3)


def _thinned_ba(nodes: int, noise: float, attach: int, share: float) -> MatchingProblem:
    return thinned(_ba(nodes, noise, 31, attach), share, 3)


def _thinned_knn(nodes: int, degree: float, share: float) -> MatchingProblem:
    return thinned(_knn(nodes, 0.0, 11, degree), share, 3)


def _road_pair(nodes: int, share: float, lost: float, seed: int) -> MatchingProblem:
    graph = roads(nodes, share, seed)
    return permuted(same_labels(without_edges(graph, lost, seed), graph), seed)
