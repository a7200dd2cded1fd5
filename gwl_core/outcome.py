"""How a run stands, with a sentence that says what to do."""

from __future__ import annotations

import torch
from torch import Tensor

from gwl_core.problem import MatchingProblem
from gwl_core.result import Status
from gwl_core.settings import Config, Hyperparameters
from gwl_core.sinkhorn import marginal_error
from gwl_core.state import State
from gwl_core.workspace import Workspace, workspace

MARGINALS_MET = 0.1
"""‖T1 − μ_s‖₁ + ‖Tᵀ1 − μ_t‖₁ above which a coupling at rest is no solution: too few passes for so small a γ."""


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
    if state.best is not None:
        return Status(
            "converged",
            f"Kept candidate {state.best_round + 1} of {state.round} ({state.best.name}): it leaves the least "
            f"discrepancy of all, {state.best.discrepancy:.4g}.{_moved(space, state)}",
        )
    tolerance = max(hyperparameters.tolerance, 1e-6)
    if state.change <= tolerance:
        return Status("converged", f"Converged: the last iteration moved {state.change:.1e} of the mass.")
    return Status(
        "iteration limit",
        f"All iterations are done, but the last one still moved {state.change:.1e} of the mass; "
        "raise N or M, or lower γ, if the matches are not good enough.",
    )


def _moved(space: Workspace, state: State) -> str:
    """A sentence on the sources that the end of a search sends elsewhere than its best candidate does."""
    assert state.best is not None
    n_s, n_t = space.problem.source.n_nodes, space.problem.target.n_nodes
    now, best = (found[:n_s].cpu().clamp_max(n_t) for found in (state.coupling.argmax(1), state.best.matching))
    moved = int((now != best).sum())
    nodes = "1 node was" if moved == 1 else f"{moved} nodes were"
    return f" Then {nodes} sent where most matchings of about that fit send them." if moved else ""


def is_stuck(space: Workspace, coupling: Tensor) -> bool:
    """Whether the coupling is still the product of its marginals and stays there, though another one would be possible.

    At a large γ a step moves by no more than the rounding errors of float32; then the costs tell.
    """
    if min(int((space.source > 0).sum()), int((space.target > 0).sum())) < 2:
        return False
    rounding = 1e-9 if coupling.dtype == torch.float64 else 1e-5
    if float((coupling - space.product).abs().max()) > rounding * float(space.product.max()):
        return False
    return space.remember("flat", (), lambda: space.observed.is_flat(space.source, space.target))
