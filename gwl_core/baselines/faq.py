"""FAQ: Frank-Wolfe on the indefinite relaxation of the quadratic assignment problem.

The same steps as SciPy's, which cannot be stopped between them; a test holds the two equal.

Maximises trace(A P Bᵀ Pᵀ) over doubly stochastic P, then rounds. `faq` starts at the uniform P; `faq-convex` at the
solution of the convex relaxation (Lyzinski et al. 2016), which costs time and finds far more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from gwl_core.baselines.pacing import waiting
from gwl_core.baselines.padding import ENTRIES, from_coupling, from_permutation, padded_matrices
from gwl_core.baselines.protocol import Baseline, Steps
from gwl_core.convex_start import convex_steps
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    A, B = padded_matrices(problem, settings["entries"])
    n = A.shape[0]
    P, most = np.full((n, n), 1 / n), settings.get("convex_iterations", 0)
    if most:
        relaxing, done = convex_steps(A, B, most), 0
        text = "convex relaxation, iteration {}"
        step = partial(next, relaxing, None)  # an assignment each
        while (relaxed := (yield from waiting(step, 0.5 * done / most, text.format(done)))) is not None:
            P, done = relaxed, min(most, done + 1)
    for done in range(settings["iterations"]):
        told = 0.5 + 0.5 * done / settings["iterations"]
        gradient = (B @ (A @ P).T).T + (B.T @ (A.T @ P).T).T
        columns = yield from waiting(partial(_assigned, gradient), told, "Frank-Wolfe", from_coupling(problem, P))
        P, change = _line_search(A, B, P, columns)
        if change / np.sqrt(n) < settings["tolerance"]:
            break
    columns = yield from waiting(partial(_assigned, P), 1.0, "rounding", from_coupling(problem, P))
    return from_permutation(problem, columns)


def _assigned(values: np.ndarray) -> np.ndarray:
    return np.asarray(linear_sum_assignment(values, maximize=True)[1])


def _line_search(
    A: sparse.csr_array, B: sparse.csr_array, P: np.ndarray, columns: np.ndarray
) -> tuple[np.ndarray, float]:
    """The best P between P and the permutation Q: i → columns[i], and how far it moved."""
    Q = np.zeros_like(P)
    Q[np.arange(len(P)), columns] = 1
    R = P - Q
    moved = (B @ (A @ R).T).T  # A R Bᵀ; the objective at Q + x R is f(Q) + b x + a x²
    a = float((moved * R).sum())
    b = float((moved * Q).sum() + ((B @ (A @ Q).T).T * R).sum())
    x = min(1.0, max(0.0, -b / (2 * a))) if a < 0 else float(a + b > 0)
    return Q + x * R, float((1 - x) * np.linalg.norm(R))


_SETTINGS = (
    Parameter("entries", "choice", live=False, choices=ENTRIES),
    Parameter("iterations", "int", live=False, low=1, high=10_000),
    Parameter("tolerance", "float", live=False, low=1e-12, high=1),
)
_DEFAULTS = {"entries": "closeness", "iterations": 30, "tolerance": 0.03}  # the last two are SciPy's

FAQ = Baseline(
    key="faq",
    title="FAQ",
    citation="Vogelstein et al., Fast approximate quadratic programming for graph matching, PLOS ONE 10(4), 2015.",
    year=2015,
    uses=("topology", "weights"),
    cost="O(n³) an iteration",
    largest=6000,
    settings=_SETTINGS,
    defaults=_DEFAULTS,
    steps=_steps,
)

FAQ_CONVEX = replace(
    FAQ,
    key="faq-convex",
    title="FAQ from the convex relaxation",
    citation="Lyzinski et al., Graph matching: relax at your own risk, IEEE TPAMI 38(1), 2016.",
    year=2016,
    largest=3000,
    settings=(*_SETTINGS, Parameter("convex_iterations", "int", live=False, low=1, high=10_000)),
    defaults={**_DEFAULTS, "convex_iterations": 100},
)
