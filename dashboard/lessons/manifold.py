"""Embeddings in the plane: what α and β do to them at a fixed coupling (eq. emb)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch

from dashboard.lessons.pairs import SEVEN, right, shuffled
from dashboard.lessons.transport import Small, run, small
from gwl_core.embedding import EmbeddingProblem, adam_start, epoch, random_start
from gwl_core.kernels import make_kernel
from gwl_core.losses import SQUARE
from gwl_core.matching import by_embedding
from gwl_core.metrics import node_correctness

EPOCHS, RATE, SIGMA, SPREAD = 100, 0.05, 1.0, 0.1


@dataclass(frozen=True, eq=False)
class Learned:
    """Embeddings after EPOCHS epochs.

    Attributes:
        source, target: (n, 2).
        matching: (n,) nearest target of each source.
        correct: node correctness by embedding.
        apart: mean ‖x_i − x_j‖ over the true pairs.
        regularizer: R, how far the kernels are from the observed costs.
        wasserstein: ⟨K(X_s, X_t), T⟩.
    """

    source: np.ndarray
    target: np.ndarray
    matching: np.ndarray
    correct: float
    apart: float
    regularizer: float
    wasserstein: float


@lru_cache(maxsize=1)
def case() -> tuple[Small, np.ndarray]:
    """The pair, and the coupling that transport finds for it."""
    held = small(shuffled(SEVEN, 1))
    return held, run(held, "proximal", 0.05, 1, 60).couplings[-1]


@lru_cache(maxsize=128)
def learn(alpha: float, beta: float, seed: int) -> Learned:
    """Embeddings in two dimensions with the RBF kernel, from small random ones."""
    held, coupling = case()
    kernel = make_kernel("rbf", SIGMA, 2)
    source_cost, target_cost = (torch.as_tensor(cost) for cost in held.costs)
    fixed = torch.as_tensor(coupling)
    problem = EmbeddingProblem(source_cost, target_cost, None, fixed, kernel, SQUARE, alpha, beta, mean=True)
    generator = torch.Generator().manual_seed(seed)
    n = len(held.source)
    x = random_start(n, n, 2, "normal", SPREAD, generator)
    adam = adam_start(x)
    for _ in range(EPOCHS):
        x, adam, _ = epoch(problem, x, adam, RATE, n, generator)
    cross = kernel.cross(x.source, x.target)
    matching = by_embedding(cross.numpy())
    source, target = x.source.numpy(), x.target.numpy()
    return Learned(
        source, target, matching, node_correctness(matching, held.problem.truth) or 0.0,
        float(np.linalg.norm(source - target[right(held.problem)], axis=1).mean()),
        float(problem.regularizer(x)), float((cross * fixed).sum()),
    )  # fmt: skip
