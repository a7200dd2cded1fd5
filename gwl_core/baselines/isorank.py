"""IsoRank: two nodes are as alike as their neighbours are.

Singh, Xu and Berger 2008: R_ij = α Σ R_uv/(d_u d_v) over the neighbours u of i and v of j, plus (1−α) E_ij, iterated
until it rests. Without sequences, E is how alike the degrees are: 1 − |d_i − d_j|/max(d_i, d_j).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from gwl_core.baselines.greedy import greedy_matching
from gwl_core.baselines.pacing import waiting
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Topology, direction_notice, topology
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    one, other = topology(problem.source), topology(problem.target)
    most = np.maximum.outer(one.degrees, other.degrees)
    prior = 1 - np.abs(np.subtract.outer(one.degrees, other.degrees)) / np.maximum(most, 1)
    prior /= prior.sum() or 1.0
    spread, gather = _shared(one), _shared(other)
    rank = prior
    for done in range(settings["iterations"]):
        yield Progress(done / settings["iterations"], f"iteration {done + 1}", Outcome(scores=rank))
        passed = (gather @ (spread @ rank).T).T
        after = settings["alpha"] * passed / (passed.sum() or 1.0) + (1 - settings["alpha"]) * prior
        change = float(np.abs(after - rank).sum())
        rank = after
        if change < settings["tolerance"]:
            break
    notices = direction_notice(problem)
    if settings["rounding"] == "assignment":
        return Outcome(scores=rank, notices=notices)
    matching = np.full(one.n, -1, dtype=np.int64)
    pairs = yield from waiting(
        lambda: greedy_matching(-rank, np.arange(one.n), np.arange(other.n), generator), 1.0, "greedy matching"
    )
    matching[[row for row, _ in pairs]] = [column for _, column in pairs]
    return Outcome(scores=rank, matching=matching, notices=notices)


def _shared(graph: Topology) -> sparse.csr_array:
    """A D⁻¹: every node hands its rank on in equal parts."""
    return sparse.csr_array(graph.adjacency @ sparse.diags_array(1 / np.maximum(graph.degrees, 1)))


ISORANK = Baseline(
    key="isorank",
    title="IsoRank",
    citation="Singh, Xu, Berger, Global alignment of multiple protein interaction networks with application to "
    "functional orthology detection, PNAS 105(35), 2008.",
    year=2008,
    uses=("topology",),
    cost="O(n (|E_s| + |E_t|)) an iteration",
    largest=5000,
    settings=(
        Parameter("alpha", "float", live=False, low=0, high=1),
        Parameter("iterations", "int", live=False, low=1, high=10_000),
        Parameter("tolerance", "float", live=False, low=0, high=1),
        Parameter("rounding", "choice", live=False, choices=("greedy", "assignment")),
    ),
    defaults={"alpha": 0.9, "iterations": 100, "tolerance": 1e-6, "rounding": "greedy"},
    steps=_steps,
)
