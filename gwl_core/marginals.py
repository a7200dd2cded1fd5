"""Node distributions μ_s and μ_t, and how many dummy nodes take up the difference in size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config


@dataclass(frozen=True, eq=False)
class Marginals:
    """μ of the padded problem.

    Attributes:
        source, target: (n_s + dummies) and (n_t + dummies) masses, each summing to 1, float64.
        source_dummies, target_dummies: dummy nodes appended to each side; at most one is not 0.
        notices: sentences for the user.
    """

    source: np.ndarray
    target: np.ndarray
    source_dummies: int = 0
    target_dummies: int = 0
    notices: tuple[str, ...] = ()


def marginals(problem: MatchingProblem, config: Config) -> Marginals:
    """Marginals of a problem: given, uniform (with unmatched mass if the sizes differ) or by degree.

    Under uniform marginals with `config.unmatched` the smaller side gets dummy nodes, and every node the mass
    1/max(n_s, n_t).

    Raises:
        InputError: degree marginals of a graph without edges, or with weights too large to add up.
    """
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    given = problem.source_marginal is not None or problem.target_marginal is not None
    if config.marginals == "uniform" and config.unmatched and not given:
        n = max(n_s, n_t)
        return Marginals(np.full(n, 1 / n), np.full(n, 1 / n), n - n_s, n - n_t)
    notices: list[str] = []
    sides = [
        _one_side(graph, mass, config.marginals, notices)
        for graph, mass in ((problem.source, problem.source_marginal), (problem.target, problem.target_marginal))
    ]
    return Marginals(sides[0], sides[1], notices=tuple(notices))


def _one_side(graph: Graph, given: np.ndarray | None, kind: str, notices: list[str]) -> np.ndarray:
    if given is not None:
        mass = np.asarray(given, dtype=np.float64)
        return mass / mass.sum()
    if kind == "uniform":
        return np.full(graph.n_nodes, 1 / graph.n_nodes)
    total = graph.degrees.sum()
    if not np.isfinite(total):
        raise InputError(f"{graph.name} has weights too large to add up; divide them all by one number.")
    if total == 0:
        raise InputError(f"{graph.name} has no edges, so degree marginals are not defined; use uniform marginals.")
    if graph.n_isolated:
        notices.append(
            f"{graph.name}: {graph.n_isolated} isolated nodes have no mass under degree marginals and are not matched."
        )
    return graph.degrees / total
