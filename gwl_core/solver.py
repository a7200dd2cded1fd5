"""Algorithms 1 and 2 as a state machine: `init`, `step`, `status`. The only place that knows the order of phases.

One step is one inner (proximal) iteration or one embedding epoch. States are never changed in place.
"""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from gwl_core import likeliest, rounds, search
from gwl_core.coupling import Decomposed, update
from gwl_core.embedding import EmbeddingProblem, adam_start, epoch, epochs_of
from gwl_core.outcome import is_stuck
from gwl_core.outcome import status as status
from gwl_core.problem import MatchingProblem
from gwl_core.schedules import alpha_of, embedding_alpha, gamma_of, next_progress, round_kind
from gwl_core.settings import Config, Hyperparameters
from gwl_core.sinkhorn import Scaled, StepCost, marginal_error, sums_error
from gwl_core.start import carried_over, coordinate_unit, first_coupling, first_embeddings, first_scaling
from gwl_core.state import State, StepInfo
from gwl_core.sweep import alone
from gwl_core.workspace import Workspace, workspace

SETTLED_AFTER = 3
"""Inner iterations in a row that must move less than the tolerance before the inner loop ends."""

_DOUBLINGS = 40
"""Times that γ may be doubled before a step that is not finite is given up."""


def init(
    problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters, coupling: Tensor | None = None
) -> State:
    """The state before the first step.

    Args:
        coupling: a padded coupling to start from, in place of `config.start`.

    Raises:
        InputError: costs or marginals that are not defined for this problem.
    """
    space = workspace(problem, config)
    _use_threads(space)
    generator = torch.Generator().manual_seed(config.seed)
    embeddings = adam = None
    if config.embeddings:
        embeddings = first_embeddings(space, generator)
        adam = adam_start(embeddings)
    start = first_coupling(space, generator) if coupling is None else coupling.to(space.device, space.dtype)
    return State(
        step=0, outer=0, inner=0, epoch=0, phase="coupling", progress=0.0, coupling=start,
        log_scaling=first_scaling(space), embeddings=embeddings, adam=adam, generator=generator.get_state(),
        change=float("inf"), settled=0, inner_total=0,
    )  # fmt: skip


def step(
    problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters, state: State
) -> tuple[State, StepInfo]:
    """One inner iteration or one embedding epoch.

    Raises:
        ValueError: the run is done.
    """
    if state.phase == "done":
        raise ValueError("the run is done; start a new one or fork an earlier step")
    space = workspace(problem, config)
    _use_threads(space)
    with torch.no_grad(), alone():
        state = _begun(space, hyperparameters, state)
        if state.phase == "coupling":
            return _coupling_step(space, hyperparameters, state)
        if state.phase == "polish":
            return _polish_step(space, hyperparameters, state)
        if state.phase == "averaging":
            return _averaging_step(space, hyperparameters, state)
        return _embedding_step(space, hyperparameters, state)


def _use_threads(space: Workspace) -> None:
    """Sums depend on how they are shared out, so the same settings always use the same number of threads."""
    if torch.get_num_threads() != space.threads:
        torch.set_num_threads(space.threads)


def embedding_problem(space: Workspace, hyperparameters: Hyperparameters, state: State) -> EmbeddingProblem:
    """Objective (emb) at a state's coupling."""
    return EmbeddingProblem(
        space.source_dense, space.target_dense, space.anchor_cost, real_tensor(space, state.coupling),
        space.kernel, space.loss, embedding_alpha(space, hyperparameters, state), hyperparameters.beta,
        space.config.regularizer == "mean",
    )  # fmt: skip


def epochs(problem: MatchingProblem, hyperparameters: Hyperparameters) -> int:
    """Embedding epochs of an outer iteration."""
    nodes = max(problem.source.n_nodes, problem.target.n_nodes)
    return epochs_of(hyperparameters.epochs, nodes, hyperparameters.batch_size)


def real_tensor(space: Workspace, coupling: Tensor) -> Tensor:
    """The (n_s, n_t) block of a padded coupling."""
    return coupling[: space.problem.source.n_nodes, : space.problem.target.n_nodes]


def _coupling_step(space: Workspace, hyper: Hyperparameters, state: State) -> tuple[State, StepInfo]:
    kind = round_kind(space, hyper, state)
    if state.outer and state.inner == 0:
        if not space.config.warm_start:
            state = replace(state, coupling=space.product, log_scaling=first_scaling(space))
        elif state.best is not None:
            state = replace(state, coupling=search.softened(space, state.best.matching))
    alpha, gamma = alpha_of(hyper, state), gamma_of(space, hyper, state)
    searching = kind is not None and not state.outer
    transport = search.relaxed(space, space.one_sided) if searching else space.transport(state.embeddings, alpha)
    moved, gamma, event = _moved(space, hyper, state, kind, transport, gamma)
    coupling, scaling, change, _ = moved
    reached = space.linearize(transport, coupling)
    settled = state.settled + 1 if change < hyper.tolerance else 0
    cooled = hyper.gamma is not None or (state.outer > 0 and space.config.warm_start)
    helped = state.embeddings is not None and space.anchor_cost is not None  # anchors break symmetries through R
    stuck = state.inner == 0 and not helped and is_stuck(space, state.coupling) and is_stuck(space, coupling)
    steps = hyper.inner if kind is None else kind.steps(hyper.inner)
    last = stuck or state.inner + 1 >= steps or (cooled and settled >= SETTLED_AFTER)
    info = StepInfo(
        state.step + 1, state.outer, state.inner, "coupling", alpha, gamma, reached.objective,
        change, sums_error(reached.rows, reached.columns, space.source, space.target), last,
        state.round, None if kind is None else kind.name, event,
    )  # fmt: skip
    after = replace(
        state, step=state.step + 1, inner=state.inner + 1, coupling=coupling, log_scaling=scaling, change=change,
        settled=settled, inner_total=state.inner_total + 1,
    )  # fmt: skip
    if stuck and state.best is None:  # a fixed point of every further iteration; only rounding errors could leave it
        return replace(after, phase="done"), info
    if stuck:
        return _next_round(space, hyper, after), info
    if not last:
        return after, info
    if kind is not None:
        return replace(after, phase="polish", inner=0, settled=0), info
    return _coupling_done(space, hyper, after), info


def _moved(
    space: Workspace,
    hyper: Hyperparameters,
    state: State,
    kind: rounds.Kind | None,
    transport: Decomposed,
    gamma: float,
) -> tuple[Scaled, float, str | None]:
    """The next coupling and scaling; a step that is not finite is taken back and tried again at twice γ."""
    here = space.linearize(transport, state.coupling)
    cost: Tensor | StepCost = here.step
    if (tilt := rounds.step_tilt(space, kind)) is not None:
        cost = here.cost + tilt / 2
    # A proximal step keeps the last scaling within its prior; an entropic one would lose it.
    carried = space.config.carry_scaling or space.config.method == "entropic"
    scaling = state.log_scaling if carried else torch.zeros_like(state.log_scaling)
    for doubled in range(_DOUBLINGS):
        used = gamma * 2**doubled
        moved = update(
            space.config.method, cost, state.coupling, used, space.source, space.target, scaling, hyper.sinkhorn
        )
        if math.isfinite(float(moved.columns.sum())):
            break
    event = f"γ was doubled {doubled} times, to {used:.3g}: the step was not finite" if doubled else None
    return moved, used, event


def _coupling_done(space: Workspace, hyper: Hyperparameters, state: State) -> State:
    """The state after the last inner iteration of an outer one."""
    if state.embeddings is None:
        return _next_outer(space, hyper, state)
    if space.config.joint_start and not state.outer:
        state = replace(state, embeddings=carried_over(space, state.coupling, state.embeddings))
    return replace(state, phase="embedding", epoch=0)


def _polish_step(space: Workspace, hyper: Hyperparameters, state: State) -> tuple[State, StepInfo]:
    kind = round_kind(space, hyper, state)
    polished = search.polish(space, state.coupling)
    last = polished.settled or state.inner + 1 >= search.POLISH_STEPS
    info = StepInfo(
        state.step + 1, state.outer, state.inner, "polish", alpha_of(hyper, state), gamma_of(space, hyper, state),
        polished.discrepancy, polished.change, marginal_error(polished.coupling, space.source, space.target), last,
        state.round, None if kind is None else kind.name,
    )  # fmt: skip
    after = replace(
        state, step=state.step + 1, inner=state.inner + 1, coupling=polished.coupling, change=polished.change,
    )  # fmt: skip
    if not last:
        return after, info
    found = search.candidate(space, after.coupling, "" if kind is None else kind.name)
    better = after.best is None or found.score < after.best.score - 1e-9 * space.gain
    after = replace(after, coupling=search.coupling_of(space, found.matching))
    after = replace(after, best=found, best_round=state.round) if better else after
    return _next_round(space, hyper, after), info


def _next_round(space: Workspace, hyper: Hyperparameters, state: State) -> State:
    """The head of the next round of the search, or what follows the search: the best candidate is the coupling then.

    At the head of a round the coupling is still the candidate of the round before, which is what is shown and measured.
    """
    if state.best is None:
        raise ValueError("a round ends with a candidate")
    number = state.round + 1
    if state.outer == 0 and number < rounds.count(space, hyper) and not _searched_out(space, state, state.best):
        phase = "coupling" if rounds.kind_of(space, hyper, number).share else "polish"
        return replace(
            state, inner=0, settled=0, round=number, phase=phase, log_scaling=first_scaling(space)
        )  # fmt: skip
    best = replace(state, coupling=search.coupling_of(space, state.best.matching), round=number, change=0.0)
    return _coupling_done(space, hyper, best)


def _begun(space: Workspace, hyper: Hyperparameters, state: State) -> State:
    """The state with the coupling that its round starts from, where the step to come is the first of a later round."""
    if state.outer or state.inner or state.best is None or state.phase not in ("coupling", "polish"):
        return state
    kind = rounds.kind_of(space, hyper, state.round)
    if state.phase == "polish" and kind.share:  # the polish that ends a round
        return state
    generator = torch.Generator()
    generator.set_state(state.generator)
    coupling = rounds.begin(space, kind, state.best, generator)
    return replace(state, coupling=coupling, generator=generator.get_state())


def _searched_out(space: Workspace, state: State, best: search.Best) -> bool:
    """Whether nothing better is to be had, or was had for long."""
    if state.round - state.best_round >= search.PATIENCE:
        return True
    return best.score <= search.least_discrepancy(space) + 1e-9 * space.gain


def _embedding_step(space: Workspace, hyper: Hyperparameters, state: State) -> tuple[State, StepInfo]:
    if state.embeddings is None or state.adam is None:
        raise ValueError("an embedding step needs embeddings")
    generator = torch.Generator()
    generator.set_state(state.generator)
    problem = embedding_problem(space, hyper, state)
    rate = hyper.learning_rate * coordinate_unit(space)
    embeddings, adam, value = epoch(problem, state.embeddings, state.adam, rate, hyper.batch_size, generator)
    last = state.epoch + 1 >= epochs(space.problem, hyper)
    info = StepInfo(
        state.step + 1, state.outer, state.epoch, "embedding", alpha_of(hyper, state),
        gamma_of(space, hyper, state), value, 0.0, marginal_error(state.coupling, space.source, space.target), last,
    )  # fmt: skip
    after = replace(
        state, step=state.step + 1, epoch=state.epoch + 1, embeddings=embeddings, adam=adam,
        generator=generator.get_state(),
    )  # fmt: skip
    return (_next_outer(space, hyper, after) if last else after), info


def _averaging_step(space: Workspace, hyper: Hyperparameters, state: State) -> tuple[State, StepInfo]:
    """Ends on the likeliest matches; the best candidate stays known."""
    if state.best is None:
        raise ValueError("an average is taken around the best candidate of a search")
    found = likeliest.average(space, state.best.matching, state.coupling, state.log_scaling)
    last = found.settled or state.inner + 1 >= likeliest.MOST_STEPS
    info = StepInfo(
        state.step + 1, state.outer - 1, state.inner, "averaging", alpha_of(hyper, state), likeliest.GAMMA,
        found.free_energy, found.change, marginal_error(found.coupling, space.source, space.target), last,
    )  # fmt: skip
    after = replace(
        state, step=state.step + 1, inner=state.inner + 1, coupling=found.coupling, log_scaling=found.log_scaling,
        change=found.change,
    )  # fmt: skip
    if not last:
        return after, info
    answer = search.coupling_of(space, likeliest.matching_of(space, found.coupling))
    return replace(after, coupling=answer, log_scaling=first_scaling(space), inner=0, change=0.0, phase="done"), info


def _next_outer(space: Workspace, hyper: Hyperparameters, state: State) -> State:
    """The head of the next outer iteration, or of what ends the run."""
    progress = next_progress(hyper, state)
    after = replace(state, outer=state.outer + 1, inner=0, epoch=0, settled=0, progress=progress, phase="coupling")
    if after.outer < hyper.outer:
        return after
    if after.best is None or not likeliest.applies(space, after.best.matching):
        return replace(after, phase="done")
    start = search.softened(space, after.best.matching)
    return replace(after, phase="averaging", coupling=start, log_scaling=torch.zeros_like(state.log_scaling))
