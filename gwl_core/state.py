"""A run between two steps, and what a step did."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from gwl_core.embedding import AdamState, Embeddings
from gwl_core.result import Measures
from gwl_core.search import Best


@dataclass(frozen=True, eq=False)
class State:
    """A run between two steps.

    Attributes:
        step: steps taken so far.
        outer, inner, epoch: m, n and the embedding epoch, counted from 0, of the step to come.
        phase: "coupling", "polish", "embedding", "averaging" or "done"; inner counts the steps of all but epochs.
        progress: position of the α ramp, 0 at the start and 1 after the last outer iteration.
        coupling: (n, m) padded T, float64 or float32 (config.precision).
        log_scaling: (n,) log a of Algorithm 1.
        embeddings, adam: X_s, X_t and their optimiser; None without embeddings.
        generator: state of the random generator.
        change: ‖T^(n+1) − T^(n)‖₁ of the last inner iteration.
        settled: inner iterations in a row below the tolerance.
        inner_total: proximal iterations spent so far, those of every round included.
        round: the round of the search that the step to come belongs to, from 0.
        best: the best candidate so far, with the round that found it; None without a search.
    """

    step: int
    outer: int
    inner: int
    epoch: int
    phase: str
    progress: float
    coupling: Tensor
    log_scaling: Tensor
    embeddings: Embeddings | None
    adam: AdamState | None
    generator: Tensor
    change: float
    settled: int
    inner_total: int
    round: int = 0
    best: Best | None = None
    best_round: int = 0


@dataclass(frozen=True)
class StepInfo:
    """What one step did: the iteration it belonged to, the values in force, and the objective it reached.

    objective is f(T) of eq. (ot) after an inner iteration (on the observed costs, α = 0, in the rounds of a search),
    the minibatch mean of (emb) during an epoch, −F(P)/n of `likeliest` while averaging, where γ is in nats; change is
    ‖T^(n+1) − T^(n)‖₁ (0 for an epoch).
    ends_phase marks the last inner iteration, or the last epoch, of an outer iteration. round and candidate say which
    round of a search it was and how that began; event is a sentence if something out of the ordinary was done. measures
    are those of the state after the step, where the trajectory took them.
    """

    step: int
    outer: int
    inner: int
    phase: str
    alpha: float
    gamma: float
    objective: float
    change: float
    marginal_error: float
    ends_phase: bool
    round: int = 0
    candidate: str | None = None
    event: str | None = None
    measures: Measures | None = None
