"""Every measure of a one-to-one matching in one row: what tables of methods show."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gwl_core import metrics
from gwl_core.matching import is_one_to_one
from gwl_core.metrics import Correctness
from gwl_core.problem import MatchingProblem
from gwl_core.symmetry import find_symmetry, symmetry_aware_correctness


@dataclass(frozen=True)
class Scorecard:
    """Measures of a matching, fractions 0–1; None where one is not defined.

    Attributes:
        correctness: node correctness with its denominator; None without truth.
        symmetry_aware: node correctness that does not blame a matching for nodes that nothing tells apart.
        one_to_one: whether no two sources share a target; always so for what `scorecard` accepts.
        edge_correctness, ics, s3: conserved edges against those of the source, of the image, of both.
        lccs_nodes, lccs_edges: size of the largest component of conserved edges.
        mnc: mean conservation of neighbourhoods.
        hits: Hits@1, @5, @10 by rank among the scores, ties at their average rank; None without truth or scores.
        mrr: mean reciprocal rank, alike.
        unmatched: sources without a target.
    """

    correctness: Correctness | None
    symmetry_aware: float | None
    one_to_one: bool
    edge_correctness: float | None
    ics: float | None
    s3: float | None
    lccs_nodes: int
    lccs_edges: int
    mnc: float | None
    hits: tuple[float, float, float] | None
    mrr: float | None
    unmatched: int


def scorecard(problem: MatchingProblem, matching: np.ndarray, scores: np.ndarray | None = None) -> Scorecard:
    """Measure a matching.

    Args:
        problem: the graphs, and the truth if there is one.
        matching: (n_s,) target indices, −1 for none, one-to-one.
        scores: (n_s, n_t), higher is better, where the method has them.

    Raises:
        InputError: two sources share a target.
    """
    source, target, truth = problem.source, problem.target, problem.truth
    counts = metrics.edge_counts(matching, source, target)
    component = metrics.largest_conserved_component(matching, source, target)
    aware, hits, mrr = None, None, None
    if truth is not None:
        aware = symmetry_aware_correctness(matching, truth, find_symmetry(source), find_symmetry(target))
        if scores is not None:
            ranks = metrics.true_ranks(scores, truth)
            hits = (float(np.mean(ranks <= 1)), float(np.mean(ranks <= 5)), float(np.mean(ranks <= 10)))
            mrr = float(np.mean(1 / ranks))
    return Scorecard(
        correctness=metrics.correctness(matching, truth),
        symmetry_aware=aware,
        one_to_one=is_one_to_one(matching),
        edge_correctness=counts.edge_correctness,
        ics=counts.ics,
        s3=counts.s3,
        lccs_nodes=component.nodes,
        lccs_edges=component.edges,
        mnc=metrics.mean_neighbourhood_conservation(matching, source, target),
        hits=hits,
        mrr=mrr,
        unmatched=int((matching < 0).sum()),
    )
