"""TAME: triangular alignment. A power iteration on the triangles of both graphs, in factors of low rank.

Mohammadi et al. 2017. With X the relation of nodes, X̂_ii' = 2 ΣΣ (X_jj' X_kk' + X_jk' X_kj') over the triangles
{i,j,k} and {i',j',k'}; X ← (X̂ + βλX)/‖·‖ from the uniform X, λ = ⟨X̂, X⟩
putting the shift β in units of X̂ (unscaled, it is lost beside large triangle counts, and fewer triangles are found).
Every X is assigned, the one that conserves most triangles is kept. With X = Σ σ_a u_a v_aᵀ,
X̂ = Σ σ_a σ_b p_ab q_abᵀ, p_ab[i] = Σ (u_a[j] u_b[k] + u_a[k] u_b[j]) over the triangles at i.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from gwl_core.baselines.pacing import Pace, waiting
from gwl_core.baselines.protocol import Baseline, Outcome, Progress, Steps
from gwl_core.baselines.topology import Sides, Topology, direction_notice
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    sides = Sides.of(problem)
    yield Progress(0.0, "listing triangles")
    first, second = triangles(sides.smaller), triangles(sides.larger)
    joined = sides.larger.adjacency.toarray() > 0
    left = np.full((sides.smaller.n, 1), sides.smaller.n**-0.5)
    right = np.full((sides.larger.n, 1), sides.larger.n**-0.5)
    weights = np.ones(1)
    before, best, most = np.inf, np.arange(sides.smaller.n), -1
    pace = Pace()
    for done in range(settings["iterations"]):
        raised = []
        for side, factor in ((first, left), (second, right)):
            columns = []
            for a, b in combinations_with_replacement(range(len(weights)), 2):
                columns.append(products(side, factor[:, a], factor[:, b], len(factor)))
                if pace.due:
                    yield Progress(done / settings["iterations"], f"iteration {done + 1}", _outcome(sides, best, most))
            raised.append(np.column_stack(columns))
        core = np.array([(1 if a == b else 2) * weights[a] * weights[b]
                         for a, b in combinations_with_replacement(range(len(weights)), 2)])  # fmt: skip
        growth = float(core @ ((raised[0].T @ left) * (raised[1].T @ right)) @ weights)  # λ = ⟨X̂, X⟩
        left, weights, right = compressed(
            np.hstack([raised[0], left]), np.append(core, settings["shift"] * growth * weights),
            np.hstack([raised[1], right]), settings["rank"],
        )  # fmt: skip
        values = (left * weights) @ right.T
        text = f"assignment {done + 1}"
        image = yield from waiting(
            partial(_assigned, values), done / settings["iterations"], text, _outcome(sides, best, most)
        )
        conserved = conserved_triangles(first, image, joined)
        if conserved > most:
            best, most = image, conserved
        if abs(growth - before) < 1e-6 * max(1.0, abs(growth)):
            break
        before = growth
    note = f"{most} of {len(first)} triangles of the smaller graph are conserved."
    return Outcome(matching=sides.matching(best), notices=(*direction_notice(problem), note))


def _assigned(values: np.ndarray) -> np.ndarray:
    return np.asarray(linear_sum_assignment(values, maximize=True)[1])


def _outcome(sides: Sides, image: np.ndarray, conserved: int) -> Outcome | None:
    return Outcome(matching=sides.matching(image)) if conserved >= 0 else None


def triangles(graph: Topology) -> np.ndarray:
    """(t, 3) nodes of every triangle once, ascending."""
    upper = sparse.csr_array(sparse.triu(graph.adjacency, k=1))
    found = []
    for i in range(graph.n):
        later = upper.indices[upper.indptr[i] : upper.indptr[i + 1]]
        pairs = sparse.coo_array(upper[later][:, later])
        found.append(np.column_stack([np.full(pairs.nnz, i), later[pairs.row], later[pairs.col]]))
    return np.concatenate(found).astype(np.int64)


def products(sides: np.ndarray, first: np.ndarray, second: np.ndarray, n: int) -> np.ndarray:
    """(n,) p[i] = Σ over the triangles {i, j, k} at i of first[j]·second[k] + first[k]·second[j]."""
    total = np.zeros(n)
    for at, j, k in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        one, other = sides[:, j], sides[:, k]
        total += np.bincount(sides[:, at], first[one] * second[other] + first[other] * second[one], minlength=n)
    return total


def compressed(
    left: np.ndarray, core: np.ndarray, right: np.ndarray, rank: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Orthonormal (n_s, k), (k,) and (n_t, k) nearest to left·diag(core)·rightᵀ at norm 1, k ≤ rank."""
    q, r = np.linalg.qr(left)
    p, s = np.linalg.qr(right)
    u, values, v = np.linalg.svd((r * core) @ s.T)
    kept = min(rank, max(1, int((values > 1e-12 * values[0]).sum())))
    u, values, v = u[:, :kept], values[:kept], v[:kept]
    return q @ u, values / max(float(np.linalg.norm(values)), 1e-300), p @ v.T


def conserved_triangles(sides: np.ndarray, image: np.ndarray, joined: np.ndarray) -> int:
    """How many triangles have a triangle as their image."""
    i, j, k = image[sides].T
    return int((joined[i, j] & joined[i, k] & joined[j, k]).sum())


TAME = Baseline(
    key="tame",
    title="TAME",
    citation="Mohammadi et al., Triangular alignment (TAME): a tensor-based approach for higher-order network "
    "alignment, IEEE/ACM TCBB 14(6), 2017.",
    year=2017,
    uses=("topology", "triangles"),
    cost="O(n³) an iteration at worst, for the assignment",
    largest=2000,
    settings=(
        Parameter("iterations", "int", live=False, low=1, high=1000),
        Parameter("shift", "float", live=False, low=0, high=1e9),
        Parameter("rank", "int", live=False, low=1, high=50),
    ),
    defaults={"iterations": 100, "shift": 1.0, "rank": 12},
    steps=_steps,
)
