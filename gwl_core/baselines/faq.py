"""FAQ: Frank-Wolfe on the indefinite relaxation of the quadratic assignment problem, as SciPy has it.

Maximises trace(A P Bᵀ Pᵀ) over doubly stochastic P, then rounds. `faq` starts at the uniform P; `faq-convex` at the
solution of the convex relaxation (Lyzinski et al. 2016), which costs time and finds far more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import quadratic_assignment

from gwl_core.baselines.padding import ENTRIES, from_coupling, from_permutation, padded_matrices
from gwl_core.baselines.protocol import Baseline, Progress, Steps
from gwl_core.convex_start import convex_start
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Parameter


def _steps(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    A, B = padded_matrices(problem, settings["entries"])
    start: str | np.ndarray = "barycenter"
    best = None
    if settings.get("convex_iterations"):
        yield Progress(0.0, "convex relaxation")
        start = convex_start(A, B, settings["convex_iterations"])
        best = from_coupling(problem, start)
    yield Progress(0.5, "Frank-Wolfe", best)
    found = quadratic_assignment(
        A.toarray(), B.toarray(), method="faq",
        options={
            "maximize": True, "P0": start, "maxiter": settings["iterations"], "tol": settings["tolerance"],
            "rng": generator,
        },
    )  # fmt: skip
    return from_permutation(problem, found.col_ind)


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
