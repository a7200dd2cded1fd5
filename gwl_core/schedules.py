"""What is in force at a state: α, γ, and what the round of a search tries."""

from __future__ import annotations

from gwl_core import rounds
from gwl_core.settings import Hyperparameters, alpha_at
from gwl_core.state import State
from gwl_core.workspace import Workspace

_ANNEAL_FROM, _ANNEAL_TO = 2.0, 1 / 8
"""γ "auto" falls geometrically between these multiples of the gain s over the inner loop (design 4.3)."""


def alpha_of(hyperparameters: Hyperparameters, state: State) -> float:
    """α_m at a state."""
    return alpha_at(hyperparameters.alpha, state.progress)


def embedding_alpha(space: Workspace, hyperparameters: Hyperparameters, state: State) -> float:
    """α of objective (emb): that of the outer iteration that will use the embeddings (config.alpha_ahead), else α_m."""
    progress = next_progress(hyperparameters, state) if space.config.alpha_ahead else state.progress
    return alpha_at(hyperparameters.alpha, progress)


def gamma_of(space: Workspace, hyperparameters: Hyperparameters, state: State) -> float:
    """γ at a state: as given, or annealed against the gain s; a warm start goes on at the end of the descent."""
    if hyperparameters.gamma is not None:
        return hyperparameters.gamma
    if state.outer and space.config.warm_start:
        return space.gain * _ANNEAL_TO
    steps, heat = hyperparameters.inner, _ANNEAL_FROM
    if (kind := round_kind(space, hyperparameters, state)) is not None:
        steps, heat = kind.steps(hyperparameters.inner), kind.heat or _ANNEAL_TO
    share = min(1.0, state.inner / max(1, steps - 1))
    return space.gain * heat * (_ANNEAL_TO / heat) ** share


def round_kind(space: Workspace, hyperparameters: Hyperparameters, state: State) -> rounds.Kind | None:
    """What the round of a search that a state is in tries; None without a search."""
    if not rounds.count(space, hyperparameters):
        return None
    return rounds.JOINT if state.outer else rounds.kind_of(space, hyperparameters, state.round)


def next_progress(hyper: Hyperparameters, state: State) -> float:
    """What is left of the α ramp, spread over what is left of M: m/M, unless M has changed on the way."""
    left = hyper.outer - state.outer
    return 1.0 if left <= 1 else state.progress + (1 - state.progress) / left
