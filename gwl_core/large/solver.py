"""A sparse run: `prepare`, `first_state`, `step`. Annealing on a support that follows the gains, then a polish.

An annealing iteration sets T to the Sinkhorn scaling of exp(gain/γ) over the best entries of the unmasked product
S_s T S_tᵀ of every row (new pairs come in as soon as neighbours of heavy pairs propose them, and weak ones fall out)
and the few most alike targets of every node, which never leave. γ falls from s to s/16. The polish takes Frank-Wolfe
steps to a one-to-one matching. Every state can be measured, so a run may be stopped between any two steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from gwl_core.large.classes import Candidates, Features, features, nearest
from gwl_core.large.gains import Edges, best_gains, edges_of
from gwl_core.large.plan import Estimate, check_supported, estimate
from gwl_core.large.rounding import as_coupling, assign, filled, toward
from gwl_core.large.scaling import as_csr, coupling_from_scores, merged
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters

ANNEAL_FROM, ANNEAL_TO = 1.0, 1 / 16
"""γ at both ends of the annealing, in gains s."""

PRIOR_SHARE = 0.3
"""Weight of the likeness of two nodes, in gains s per unit of mean feature difference."""

STANDING = 3
"""Most alike targets of every source that stay candidates throughout."""

POLISH_STEPS = 30
SETTLED, SETTLED_AFTER = 1e-3, 3
"""Mean change of a node's mass that counts as rest, and for how many iterations before annealing ends."""

_ANCHOR_GAIN = 4.0
_FIRST_WIDTH = 0.15
_UNLIKE = -2.0


@dataclass(frozen=True, eq=False)
class Space:
    """Constants of a run.

    Attributes:
        edges: closeness of both graphs by weight class.
        features: what nodes look like.
        near: rows and columns of the first candidates.
        standing: rows and columns of those that stay.
        bonus: (n_s, n_t) CSR, what known pairs gain on top.
        notices: sentences for the user.
    """

    problem: MatchingProblem
    config: Config
    hyperparameters: Hyperparameters
    plan: Estimate
    edges: Edges
    features: Features
    near: tuple[np.ndarray, np.ndarray]
    standing: tuple[np.ndarray, np.ndarray]
    bonus: sparse.csr_array | None
    notices: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return self.problem.source.n_nodes, self.problem.target.n_nodes

    def prior(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """(k,) what given pairs gain beside their edges: likeness (at most 0) and anchors."""
        found = PRIOR_SHARE * self.edges.scale * self.features.likeness(rows, columns)
        if self.bonus is not None:
            found = found + np.asarray(self.bonus[rows, columns]).ravel()
        return found


@dataclass(frozen=True, eq=False)
class State:
    """A run between two steps.

    Attributes:
        step: steps taken so far.
        phase: "annealing", "polish" or "done".
        iteration: of the phase, from 0.
        coupling: (n_s, n_t) CSR of T in units of a node's mass.
        gamma: of the last annealing iteration, in gains s; 0 before the first.
        change: mean L1 change of a source's mass in the last step.
        settled: iterations at rest so far.
        matching: (n_s,) once the run is done.
    """

    step: int
    phase: str
    iteration: int
    coupling: sparse.csr_array
    gamma: float = 0.0
    change: float = float("inf")
    settled: int = 0
    matching: np.ndarray | None = None


def prepare(problem: MatchingProblem, config: Config, hyperparameters: Hyperparameters) -> Space:
    """Features, the coarse match and the first candidates.

    Raises:
        InputError: settings or given matrices that the sparse mode does not take.
    """
    check_supported(problem, config)
    plan = estimate(problem, config, hyperparameters)
    rng = np.random.default_rng(config.seed)
    looks = features(problem.source, problem.target)
    edges = edges_of(problem.source, problem.target)
    searches = ((looks.white_source, looks.white_target), (looks.source, looks.target))
    forth = [nearest(*pair, plan.candidates, rng) for pair in searches]
    # Also seen from the targets, so that none is left without a source that looks at it.
    back = nearest(looks.target, looks.source, STANDING, rng)
    shape = problem.source.n_nodes, problem.target.n_nodes
    closest = nearest(looks.source, looks.target, STANDING, rng)
    standing = [(closest.rows, closest.columns), (back.columns, back.rows)]
    bonus = None
    if problem.anchors is not None:
        bonus = sparse.csr_array(problem.anchors, dtype=np.float64)
        bonus.data = _ANCHOR_GAIN * edges.scale * bonus.data / (bonus.data + 1)
        known = bonus.tocoo()
        standing.append((known.row.astype(np.int64), known.col.astype(np.int64)))
    kept = _united(standing, shape)
    near = _united([*((found.rows, found.columns) for found in forth), kept], shape)
    return Space(
        problem, config, hyperparameters, plan, edges, looks, near, kept, bonus, _coarse_notices(forth[-1], back)
    )  # fmt: skip


def first_state(space: Space) -> State:
    """The coupling of the first candidates by likeness alone."""
    rows, columns = space.near
    unit = PRIOR_SHARE * space.edges.scale * _FIRST_WIDTH
    scores = as_csr(rows, columns, space.prior(rows, columns) / unit, space.shape)
    return State(0, "annealing", 0, coupling_from_scores(scores, _UNLIKE / _FIRST_WIDTH))


def step(space: Space, state: State) -> State:
    """One annealing iteration or one step of the polish.

    Raises:
        ValueError: the run is done.
    """
    if state.phase == "annealing":
        return _anneal(space, state)
    if state.phase == "polish":
        return _polish(space, state)
    raise ValueError("the run is done")


def states(space: Space) -> Iterator[State]:
    """Every state from the first to the last."""
    state = first_state(space)
    yield state
    while state.phase != "done":
        state = step(space, state)
        yield state


def gamma_at(space: Space, iteration: int) -> float:
    """γ of an annealing iteration in gains s; a given γ, which is per pair of masses 1/n, is kept."""
    if space.hyperparameters.gamma is not None:
        return space.hyperparameters.gamma * max(space.shape) / 2 / space.edges.scale
    share = iteration / max(1, space.plan.iterations - 1)
    return ANNEAL_FROM * (ANNEAL_TO / ANNEAL_FROM) ** share


def scored(space: Space, coupling: sparse.csr_array) -> sparse.csr_array:
    """(n_s, n_t) CSR of the scores of the support that follows from a coupling: gain plus prior."""
    gains = best_gains(space.edges, coupling, space.plan.candidates, space.plan.threads)
    rows, columns, values = merged(gains, *space.standing)
    return as_csr(rows, columns, values + space.prior(rows, columns), space.shape)


def softened(space: Space, coupling: sparse.csr_array, gamma: float) -> sparse.csr_array:
    """The coupling one annealing iteration on, at γ in gains s."""
    scores = scored(space, coupling)
    scores.data = scores.data / (gamma * space.edges.scale)
    return coupling_from_scores(scores, _UNLIKE * PRIOR_SHARE / gamma)


def _anneal(space: Space, state: State) -> State:
    gamma = gamma_at(space, state.iteration)
    coupling = softened(space, state.coupling, gamma)
    change = float(abs(coupling - state.coupling).sum()) / max(1, space.shape[0])
    settled = state.settled + 1 if change < SETTLED else 0
    last = state.iteration + 1 >= space.plan.iterations or settled >= SETTLED_AFTER
    after = State(state.step + 1, "annealing", state.iteration + 1, coupling, gamma, change, settled)
    if not last:
        return after
    return replace(after, phase="polish", iteration=0, coupling=as_coupling(assign(coupling), space.shape[1]))


def _polish(space: Space, state: State) -> State:
    vertex = as_coupling(assign(scored(space, state.coupling)), space.shape[1])
    moved = toward(space.edges, state.coupling, vertex, (_total(space, state.coupling), _total(space, vertex)))
    change = float(abs(moved.coupling - state.coupling).sum()) / max(1, space.shape[0])
    after = replace(
        state, step=state.step + 1, iteration=state.iteration + 1, coupling=moved.coupling, change=change
    )  # fmt: skip
    if moved.step > 0 and after.iteration < POLISH_STEPS:
        return after
    matching = filled(space.edges, assign(moved.coupling), space.plan.candidates, space.plan.threads)
    final = softened(space, as_coupling(matching, space.shape[1]), state.gamma)
    return replace(after, phase="done", coupling=final, matching=matching)


def _coarse_notices(forth: Candidates, back: Candidates) -> tuple[str, ...]:
    return tuple(
        f"Coarse match: {found.bare} {side} nodes fell into classes without a node of the other graph; their "
        "candidates come from the nearest classes."
        for side, found in (("source", forth), ("target", back))
        if found.bare
    )


def _total(space: Space, coupling: sparse.csr_array) -> float:
    """⟨prior, T⟩."""
    pairs = coupling.tocoo()
    return float(space.prior(pairs.row.astype(np.int64), pairs.col.astype(np.int64)) @ pairs.data)


def _united(pairs: list[tuple[np.ndarray, np.ndarray]], shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    keys = np.unique(np.concatenate([rows.astype(np.int64) * shape[1] + columns for rows, columns in pairs]))
    return keys // shape[1], keys % shape[1]
