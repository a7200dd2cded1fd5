"""GAA: graduated assignment. A soft assignment is hardened step by step while it follows the conserved edges.

Gold and Rangarajan 1996: maximise ½ Σ M_ai M_bj A_ab B_ij over soft assignments M with one slack row and column. For β
rising by a factor each time, M = exp(β Q) with Q = A M B is normalised by rows and columns alternately. Q is divided by
its largest entry, or exp would overflow at hubs. With that, the printed end of β = 10 leaves M too soft: "scaled" goes
on to 200.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gwl_core.baselines.pacing import Pace
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import direction_notice, topology
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter

BETA_FROM, BETA_RATE = 0.5, 1.075
BETA_TO = {"scaled": 200.0, "paper": 10.0}
ASSIGNMENTS, ASSIGNED = 4, 0.5
"""Most assignments at one β, and the change of M below which the next β is due."""
NORMALISATIONS, NORMALISED = 30, 0.05


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    first, second = (topology(graph).adjacency for graph in (problem.source, problem.target))
    shape = (problem.source.n_nodes, problem.target.n_nodes)
    soft = 1 + 1e-3 * generator.random(shape)
    beta, end = BETA_FROM, BETA_TO[settings["annealing"]]
    yield Progress(0.0, f"β = {beta:.3g}")
    pace = Pace()
    notices = direction_notice(problem)
    while beta < end:
        share = float(np.log(beta / BETA_FROM) / np.log(end / BETA_FROM))
        for _ in range(ASSIGNMENTS):
            support = (second @ (first @ soft).T).T  # B is symmetric
            if pace.due:
                yield Progress(share, f"β = {beta:.3g}", Outcome(scores=soft))
            assigned = softassign(beta * support / (support.max() or 1.0))
            change = float(np.abs(assigned - soft).sum())
            soft = assigned
            if pace.due:
                yield Progress(share, f"β = {beta:.3g}", Outcome(scores=soft))
            if change < ASSIGNED:
                break
        beta *= BETA_RATE
    return Outcome(scores=soft, notices=notices)


def softassign(exponents: np.ndarray) -> np.ndarray:
    """(n_s, n_t) real block of exp(exponents) with slack of 1, its rows then columns normalised until they rest.

    The scalings are kept as vectors. What one round of normalising moves is Σ|row sum − 1| + Σ|column sum − 1|.
    """
    kernel = np.exp(exponents)
    rows, columns = np.ones(len(kernel)), np.ones(kernel.shape[1])
    for _ in range(NORMALISATIONS):
        sums = rows * (kernel @ columns + 1)
        rows = rows / sums
        totals = columns * (rows @ kernel + 1)
        columns = columns / totals
        if np.abs(sums - 1).sum() + np.abs(totals - 1).sum() < NORMALISED:
            break
    kernel *= rows[:, None]
    kernel *= columns
    return kernel


GAA = Baseline(
    key="gaa",
    title="GAA",
    citation="Gold and Rangarajan, A graduated assignment algorithm for graph matching, IEEE TPAMI 18(4), 1996.",
    year=1996,
    uses=("topology",),
    cost="O(n (|E_s| + |E_t|) + n²) a step, some 300 steps",
    largest=2500,
    settings=(Parameter("annealing", "choice", live=False, choices=tuple(BETA_TO)),),
    defaults={"annealing": "scaled"},
    steps=_steps,
)
