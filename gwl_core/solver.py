"""Algorithms 1 and 2 as a state machine: `init`, `step`, `status`. The only place that knows the order of phases.

One step is one inner (proximal) iteration or one embedding epoch. States are never changed in place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from gwl_core.coupling import update
from gwl_core.embedding import AdamState, EmbeddingProblem, Embeddings, adam_start, epoch
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures, Status
from gwl_core.settings import Config, Hyperparameters, alpha_at
from gwl_core.sinkhorn import marginal_error, sums_error
from gwl_core.start import carried_over, coordinate_unit, first_coupling, first_embeddings, first_scaling
from gwl_core.workspace import Workspace, workspace

SETTLED_AFTER = 3
"""Inner iterations in a row that must move less than the tolerance before the inner loop ends."""

MARGINALS_MET = 0.1
"""‖T1 − μ_s‖₁ + ‖Tᵀ1 − μ_t‖₁ above which a coupling at rest is no solution: too few passes for so small a γ."""

_ANNEAL_FROM, _ANNEAL_TO = 2.0, 1 / 8
"""γ "auto" falls geometrically between these multiples of the gain s over the inner loop (design 4.3)."""


@dataclass(frozen=True, eq=False)
class State:
    """A run between two steps.

    Attributes:
        step: steps taken so far.
        outer, inner, epoch: m, n and the embedding epoch, counted from 0, of the step to come.
        phase: "coupling", "embedding" or "done".
        progress: position of the α ramp, 0 at the start and 1 after the last outer iteration.
        coupling: (n, m) padded T, float64.
        log_scaling: (n,) log a of Algorithm 1.
        embeddings, adam: X_s, X_t and their optimiser; None without embeddings.
        generator: state of the random generator.
        change: ‖T^(n+1) − T^(n)‖₁ of the last inner iteration.
        settled: inner iterations in a row below the tolerance.
        inner_total: inner iterations spent so far.
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


@dataclass(frozen=True)
class StepInfo:
    """What one step did: the iteration it belonged to, the values in force, and the objective it reached.

    objective is f(T) of eq. (ot) after an inner iteration, the minibatch mean of (emb) during an epoch; change is
    ‖T^(n+1) − T^(n)‖₁ (0 for an epoch).
    ends_phase marks the last inner iteration, or the last epoch, of an outer iteration. measures are those of the state
    after the step, where the trajectory took them.
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
    measures: Measures | None = None


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
    start = first_coupling(space, generator) if coupling is None else coupling.to(space.device, torch.float64)
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
    with torch.no_grad():
        if state.phase == "coupling":
            return _coupling_step(space, hyperparameters, state)
        return _embedding_step(space, hyperparameters, state)


def _use_threads(space: Workspace) -> None:
    """Sums depend on how they are shared out, so the same settings always use the same number of threads."""
    if torch.get_num_threads() != space.threads:
        torch.set_num_threads(space.threads)


def status(problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters, state: State) -> Status:
    """How the run stands, with a sentence that says what to do."""
    if not bool(torch.isfinite(state.coupling).all()):
        return Status("diverged", "The coupling is no longer finite; raise γ or choose another start, then reset.")
    if state.phase != "done":
        return Status("running", f"Outer iteration {state.outer + 1} of {hyperparameters.outer}, {state.phase} phase.")
    space = workspace(problem, config)
    if is_stuck(space, state.coupling):
        return Status(
            "stuck at the symmetric start",
            "Every node looks like every other, so the coupling never left its symmetric start and matches nothing; "
            "run again from a perturbed start, or give anchors.",
        )
    astray = marginal_error(state.coupling, space.source, space.target)
    if astray > MARGINALS_MET:
        return Status(
            "iteration limit",
            f"The last coupling was off its marginals by {astray:.2f} of the mass: J is too low for so small a γ; "
            "raise one of them.",
        )
    tolerance = max(hyperparameters.tolerance, 1e-6)
    if state.change <= tolerance:
        return Status("converged", f"Converged: the last iteration moved {state.change:.1e} of the mass.")
    return Status(
        "iteration limit",
        f"All iterations are done, but the last one still moved {state.change:.1e} of the mass; "
        "raise N or M, or lower γ, if the matches are not good enough.",
    )


def is_stuck(space: Workspace, coupling: Tensor) -> bool:
    """Whether the coupling is still the product of its marginals, though another one would be possible."""
    if min(int((space.source > 0).sum()), int((space.target > 0).sum())) < 2:
        return False
    return float((coupling - space.product).abs().max()) <= 1e-9 * float(space.product.max())


def alpha_of(hyperparameters: Hyperparameters, state: State) -> float:
    """α_m at a state."""
    return alpha_at(hyperparameters.alpha, state.progress)


def embedding_alpha(space: Workspace, hyperparameters: Hyperparameters, state: State) -> float:
    """α of objective (emb): that of the outer iteration that will use the embeddings (config.alpha_ahead), else α_m."""
    progress = _next_progress(hyperparameters, state) if space.config.alpha_ahead else state.progress
    return alpha_at(hyperparameters.alpha, progress)


def gamma_of(space: Workspace, hyperparameters: Hyperparameters, state: State) -> float:
    """γ at a state: as given, or annealed against the gain s; a warm start goes on at the end of the descent."""
    if hyperparameters.gamma is not None:
        return hyperparameters.gamma
    if state.outer and space.config.warm_start:
        return space.gain * _ANNEAL_TO
    share = min(1.0, state.inner / max(1, hyperparameters.inner - 1))
    return space.gain * _ANNEAL_FROM * (_ANNEAL_TO / _ANNEAL_FROM) ** share


def embedding_problem(space: Workspace, hyperparameters: Hyperparameters, state: State) -> EmbeddingProblem:
    """Objective (emb) at a state's coupling."""
    return EmbeddingProblem(
        space.source_dense, space.target_dense, space.anchor_cost, real_tensor(space, state.coupling),
        space.kernel, space.loss, embedding_alpha(space, hyperparameters, state), hyperparameters.beta,
        space.config.regularizer == "mean",
    )  # fmt: skip


def real_tensor(space: Workspace, coupling: Tensor) -> Tensor:
    """The (n_s, n_t) block of a padded coupling."""
    return coupling[: space.problem.source.n_nodes, : space.problem.target.n_nodes]


def _coupling_step(space: Workspace, hyper: Hyperparameters, state: State) -> tuple[State, StepInfo]:
    if state.outer and state.inner == 0 and not space.config.warm_start:
        state = replace(state, coupling=space.product, log_scaling=first_scaling(space))
    alpha, gamma = alpha_of(hyper, state), gamma_of(space, hyper, state)
    transport = space.transport(state.embeddings, alpha)
    here = space.linearize(transport, state.coupling)
    # A proximal step keeps the last scaling within its prior; an entropic one would lose it.
    carried = space.config.carry_scaling or space.config.method == "entropic"
    scaling = state.log_scaling if carried else torch.zeros_like(state.log_scaling)
    coupling, scaling = update(
        space.config.method, here.cost, state.coupling, gamma, space.source, space.target, scaling, hyper.sinkhorn
    )
    reached = space.linearize(transport, coupling)
    change = float((coupling - state.coupling).abs_().sum())
    settled = state.settled + 1 if change < hyper.tolerance else 0
    cooled = hyper.gamma is not None or (state.outer > 0 and space.config.warm_start)
    helped = state.embeddings is not None and space.anchor_cost is not None  # anchors break symmetries through R
    stuck = state.inner == 0 and not helped and is_stuck(space, state.coupling) and is_stuck(space, coupling)
    last = stuck or state.inner + 1 >= hyper.inner or (cooled and settled >= SETTLED_AFTER)
    info = StepInfo(
        state.step + 1, state.outer, state.inner, "coupling", alpha, gamma, reached.objective,
        change, sums_error(reached.rows, reached.columns, space.source, space.target), last,
    )  # fmt: skip
    after = replace(
        state, step=state.step + 1, inner=state.inner + 1, coupling=coupling, log_scaling=scaling, change=change,
        settled=settled, inner_total=state.inner_total + 1,
    )  # fmt: skip
    if stuck:  # a fixed point of every further iteration; only rounding errors could leave it
        return replace(after, phase="done"), info
    if not last:
        return after, info
    if state.embeddings is not None:
        if space.config.joint_start and not state.outer:
            after = replace(after, embeddings=carried_over(space, coupling, state.embeddings))
        return replace(after, phase="embedding", epoch=0), info
    return _next_outer(hyper, after), info


def _embedding_step(space: Workspace, hyper: Hyperparameters, state: State) -> tuple[State, StepInfo]:
    if state.embeddings is None or state.adam is None:
        raise ValueError("an embedding step needs embeddings")
    generator = torch.Generator()
    generator.set_state(state.generator)
    problem = embedding_problem(space, hyper, state)
    rate = hyper.learning_rate * coordinate_unit(space)
    embeddings, adam, value = epoch(problem, state.embeddings, state.adam, rate, hyper.batch_size, generator)
    last = state.epoch + 1 >= hyper.epochs
    info = StepInfo(
        state.step + 1, state.outer, state.epoch, "embedding", alpha_of(hyper, state),
        gamma_of(space, hyper, state), value, 0.0, marginal_error(state.coupling, space.source, space.target), last,
    )  # fmt: skip
    after = replace(
        state, step=state.step + 1, epoch=state.epoch + 1, embeddings=embeddings, adam=adam,
        generator=generator.get_state(),
    )  # fmt: skip
    return (_next_outer(hyper, after) if last else after), info


def _next_outer(hyper: Hyperparameters, state: State) -> State:
    """The head of the next outer iteration."""
    phase = "coupling" if state.outer + 1 < hyper.outer else "done"
    progress = _next_progress(hyper, state)
    return replace(state, outer=state.outer + 1, inner=0, epoch=0, settled=0, progress=progress, phase=phase)


def _next_progress(hyper: Hyperparameters, state: State) -> float:
    """What is left of the α ramp, spread over what is left of M: m/M, unless M has changed on the way."""
    left = hyper.outer - state.outer
    return 1.0 if left <= 1 else state.progress + (1 - state.progress) / left
