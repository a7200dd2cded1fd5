"""Distilled Wasserstein learning: a Wasserstein topic model of records whose ground cost is learned with it.

After Xu, Wang, Liu and Carin, Distilled Wasserstein learning for word embedding and topic modeling, NeurIPS 2018. A
record m is a distribution y_m over codes; topics b_k = softmax(a_k), weights λ_m = softmax(θ_m), embeddings X with the
cost C_ij = ‖x_i − x_j‖² over its mean. Σ_m W(barycentre(B, λ_m), y_m) is lowered in turns, batch by batch: (1) topics
and weights by the slope of W at the distilled cost C^τ, through the iterations of the barycentre; (2) embeddings by the
slope of Σ⟨T, C(X)⟩ at the transports T of (1). W is entropic, of weight ε, and its value is that of its dual. Costs are
divided by their mean because ⟨T, C⟩ alone would pull all embeddings into one point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

TOPICS = 8
DISTILLATION = 0.5
"""τ: small costs grow against large ones, so that early, wrong costs decide less."""
ENTROPY = 0.1
BARYCENTRE_ITERATIONS, SINKHORN_ITERATIONS = 8, 30
BATCH = 32
TOPIC_RATE, WEIGHT_RATE, EMBEDDING_RATE = 0.1, 0.5, 0.003
HELD = 0.3
"""Share of the epochs in which embeddings wait: transports of topics that mean nothing yet would tie any codes."""
BLEND, SHARPNESS = 0.2, 4.0
"""Share of the mean record in a first topic; how strongly a record's first weights prefer topics that overlap it."""
_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Learned:
    """Embeddings (codes, dim), topics (topics, codes), and the mean objective of a record in each epoch."""

    embeddings: np.ndarray
    topics: np.ndarray
    objective: tuple[float, ...]


def dwl(
    records: sparse.csr_array,
    dim: int,
    epochs: int,
    generator: np.random.Generator,
    start: np.ndarray | None = None,
    distillation: float = DISTILLATION,
) -> Learned:
    """Learn from (records, codes) 0/1 rows, from random embeddings or from given ones.

    Records without codes are left out. A code that no record has keeps a zero embedding.
    """
    met = np.asarray(records.sum(axis=0)).ravel() > 0
    filled = np.asarray(records.sum(axis=1)).ravel() > 0
    documents = torch.as_tensor(records[filled][:, met].toarray(), dtype=torch.float64)
    documents = documents / documents.sum(1, keepdim=True)
    n, m = documents.shape[1], documents.shape[0]

    first = generator.normal(size=(n, dim)) if start is None else start[met].astype(np.float64)
    first = first / max(1e-12, float(np.sqrt((first**2).sum(1).mean())))
    x = torch.as_tensor(first).clone().requires_grad_()
    topics = _first_topics(documents, generator).requires_grad_()
    weights = (documents @ topics.detach().softmax(1).T).log().mul(SHARPNESS).requires_grad_()
    model = torch.optim.Adam([{"params": [topics], "lr": TOPIC_RATE}, {"params": [weights], "lr": WEIGHT_RATE}])
    embed = torch.optim.Adam([x], lr=EMBEDDING_RATE)

    objective = []
    for epoch in range(epochs):
        total = 0.0
        for batch in torch.as_tensor(generator.permutation(m)).split(BATCH):
            kernel = gibbs(x.detach(), distillation)
            means = barycentres(topics.log_softmax(1), weights[batch].softmax(1), kernel)
            u, v, value = duals(means.detach(), documents[batch], kernel)
            model.zero_grad()
            (ENTROPY * u * means).sum().div(len(batch)).backward()
            model.step()
            total += float(value.sum())
            if epoch >= HELD * epochs:
                embed.zero_grad()
                (total_transport(u, v, kernel) * cost(x)).sum().div(len(batch)).backward()
                embed.step()
        objective.append(total / m)
    embeddings = np.zeros((len(met), dim))
    embeddings[met] = x.detach().numpy()
    found = np.zeros((TOPICS, len(met)))
    found[:, met] = topics.detach().softmax(1).numpy()
    return Learned(embeddings, found, tuple(objective))


def _first_topics(documents: Tensor, generator: np.random.Generator) -> Tensor:
    """(topics, n) logits: records drawn at random, blended with the mean of all."""
    drawn = documents[torch.as_tensor(generator.choice(len(documents), TOPICS, replace=len(documents) < TOPICS))]
    return ((1 - BLEND) * drawn + BLEND * documents.mean(0)).log()


def cost(x: Tensor) -> Tensor:
    """(n, n) squared distances of embeddings taken to length 1, divided by their mean."""
    unit = x * torch.rsqrt(x.square().sum(1, keepdim=True) + 1e-12)
    apart = (2 - 2 * unit @ unit.T).clamp_min(0)
    return apart / apart.mean().clamp_min(1e-12)


def gibbs(x: Tensor, distillation: float) -> Tensor:
    """exp(−C^τ/ε), (n, n)."""
    return torch.exp(-cost(x).pow(distillation) / ENTROPY)


def barycentres(log_topics: Tensor, weights: Tensor, kernel: Tensor, iterations: int = BARYCENTRE_ITERATIONS) -> Tensor:
    """(records, n) entropic Wasserstein means of the topics (topics, n), one for each row of weights (records, topics).

    Iterative Bregman projections with scalings kept as logarithms (Benamou et al. 2015); normalised to sum 1.
    """
    log_v = torch.zeros(len(weights), *log_topics.shape, dtype=log_topics.dtype)
    log_mean = log_v.sum(1)
    for _ in range(iterations):
        spread = _log_product(log_topics - _log_product(log_v, kernel), kernel)
        log_mean = (weights[:, :, None] * spread).sum(1)
        log_v = log_mean[:, None, :] - spread
    return log_mean.softmax(1)


def duals(
    left: Tensor, right: Tensor, kernel: Tensor, iterations: int = SINKHORN_ITERATIONS
) -> tuple[Tensor, Tensor, Tensor]:
    """log u and log v (records, n) of the entropic transports between rows of left and right, and W of each record.

    W is the dual value ⟨ε log u, left⟩ + ⟨ε log v, right⟩; a code without mass on the right has log v = −∞.
    """
    log_left, log_right = left.clamp_min(_TINY).log(), right.log()
    log_v = torch.where(right > 0, 0.0, -torch.inf).to(left)
    log_u = torch.zeros_like(log_left)
    for _ in range(iterations):
        log_u = log_left - _log_product(log_v, kernel)
        log_v = log_right - _log_product(log_u, kernel)
    held = torch.where(right > 0, log_v, 0.0)
    return log_u, log_v, ENTROPY * ((log_u * left).sum(1) + (held * right).sum(1))


def transports(log_u: Tensor, log_v: Tensor, kernel: Tensor) -> Tensor:
    """(records, n, n) plans diag(u) K diag(v)."""
    return (log_u[:, :, None] + log_v[:, None, :]).exp() * kernel


def total_transport(log_u: Tensor, log_v: Tensor, kernel: Tensor) -> Tensor:
    """(n, n) sum of the plans of all records, without holding them."""
    level = log_u.amax(1, keepdim=True)
    return ((log_u - level).exp().T @ (log_v + level).exp()) * kernel


def _log_product(log_vector: Tensor, kernel: Tensor) -> Tensor:
    """log(exp(log_vector) K) along the last axis, shifted by its maximum; the kernel is symmetric."""
    top = log_vector.detach().amax(-1, keepdim=True)
    return ((log_vector - top).exp() @ kernel).clamp_min(_TINY).log() + top
