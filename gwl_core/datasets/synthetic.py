"""The paper's synthetic problems (section "Synthetic data"): a random graph, and a noisy, shuffled copy of it.

With noise q the target has exactly round(q·|V_s|) nodes and round(q·|E_s|) edges more than the source, and no fewer:
the source's own edges and weights are all in it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from gwl_core.datasets.files import write_problem
from gwl_core.datasets.noise import add_noise_edges, add_noise_nodes, interaction_counts, permute_and_relabel
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

__all__ = [
    "add_noise_edges",
    "add_noise_nodes",
    "barabasi_albert",
    "knn",
    "permute_and_relabel",
    "write_problem",
]

MAX_NODES = 200_000
MAX_MEAN_EDGES = 5_000_000
"""Edges that a K-NN graph may be expected to have."""
MAX_NOISE = 5.0


def knn(n_nodes: int, noise: float, rng: np.random.Generator, mean_degree: float | None = None) -> MatchingProblem:
    """A directed graph in which every node selects K ~ Poisson(mean degree) others, with Poisson(10) interactions.

    The mean degree is 0.1·|V_s| unless given; K is clipped to the other nodes there are, weights of zero are redrawn,
    and a node may stay isolated. Each added node selects one node (while the added edges last); the rest of the added
    edges are drawn uniformly from the ordered pairs of the target that have none.

    Raises InputError for an argument out of range, and where the target has no free pair left for an added edge.
    """
    n = _checked("n_nodes", n_nodes, "int", 2, MAX_NODES)
    noise = _checked("noise", noise, "float", 0, MAX_NOISE)
    mean = 0.1 * n if mean_degree is None else _checked("mean_degree", mean_degree, "float", 0, n - 1)
    if n * mean > MAX_MEAN_EDGES:
        raise InputError(
            f"{n} nodes of mean degree {mean:g} are about {n * mean:.0f} edges, over the cap of {MAX_MEAN_EDGES}; "
            "give a smaller mean degree."
        )
    selected = np.minimum(rng.poisson(mean, n), n - 1)
    rows = np.repeat(np.arange(n), selected)
    columns = np.concatenate([rng.choice(n - 1, size, replace=False) for size in selected])
    columns += columns >= rows  # positions among the others: step over the node itself
    weights = sparse.coo_array((interaction_counts(rng, len(rows)), (rows, columns)), shape=(n, n)).tocsr()
    source = Graph(_labels("s", n), weights, directed=True, name="source")

    nodes, edges = round(noise * n), round(noise * source.n_edges)
    linked = min(nodes, edges)
    noisy = add_noise_nodes(source, linked, 1, rng, interaction_counts)
    noisy = add_noise_nodes(noisy, nodes - linked, 0, rng)
    noisy = add_noise_edges(noisy, edges - linked, rng, interaction_counts)
    return _shuffled_problem(source, noisy, rng)


def barabasi_albert(n_nodes: int, noise: float, rng: np.random.Generator, attach: int = 2) -> MatchingProblem:
    """A graph grown by preferential attachment, all weights 1, from a star of `attach` + 1 nodes.

    The target grows on in the same way; its added edges are shared out evenly among its added nodes, which comes to
    `attach` links each, or one fewer for a few of them.

    Raises InputError for an argument out of range, and where the target has no free pair left for an added edge.
    """
    n = _checked("n_nodes", n_nodes, "int", 2, MAX_NODES)
    noise = _checked("noise", noise, "float", 0, MAX_NOISE)
    attach = _checked("attach", attach, "int", 1, n - 1)
    star = Graph.from_edges((("s0", f"s{i}", 1) for i in range(1, attach + 1)), name="source")
    grown = add_noise_nodes(star, n - attach - 1, attach, rng, preferential=True)
    source = replace(grown, labels=_labels("s", n))

    nodes, edges = round(noise * n), round(noise * source.n_edges)
    links, one_more = divmod(edges, max(nodes, 1))
    one_more = min(one_more, nodes)
    noisy = add_noise_nodes(source, one_more, links + 1, rng, preferential=True)
    noisy = add_noise_nodes(noisy, nodes - one_more, links, rng, preferential=True)
    noisy = add_noise_edges(noisy, source.n_edges + edges - noisy.n_edges, rng)
    return _shuffled_problem(source, noisy, rng)


def _shuffled_problem(source: Graph, noisy: Graph, rng: np.random.Generator) -> MatchingProblem:
    target, permutation = permute_and_relabel(replace(noisy, name="target"), rng, "t")
    truth = np.column_stack([np.arange(source.n_nodes), permutation[: source.n_nodes]])
    return MatchingProblem(source, target, truth)


def _labels(prefix: str, n: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{i}" for i in range(n))


def _checked(name: str, value: Any, kind: str, low: float, high: float) -> Any:
    return Parameter(name, kind, live=False, low=low, high=high).check(value)
