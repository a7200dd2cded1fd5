"""GloVe on admissions: embeddings whose inner products are the logarithms of how often two codes meet in a record.

Pennington, Socher and Manning, GloVe: global vectors for word representation, EMNLP 2014: minimise
Σ f(X_ij) (w_i·w̃_j + b_i + b̃_j − ln X_ij)² with f(x) = min(1, (x/100)^0.75) by AdaGrad; the embedding is w + w̃.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

RATE = 0.05
COUNT_CAP, POWER = 100.0, 0.75
BATCH = 512


def glove(
    records: sparse.csr_array, dim: int, epochs: int, generator: np.random.Generator
) -> tuple[np.ndarray, list[float]]:
    """Embeddings (codes, dim) of the codes of (records, codes) 0/1 rows, and the mean loss of each epoch.

    A code that no record has gets the zero vector.
    """
    import torch

    counts = sparse.coo_array(sparse.csr_array(records.T @ records))
    apart = counts.row != counts.col
    pairs = torch.as_tensor(np.stack([counts.row[apart], counts.col[apart]]).astype(np.int64))
    meet = torch.as_tensor(counts.data[apart])
    weight, goal = (meet / COUNT_CAP).pow(POWER).clamp_max(1), meet.log()

    n = records.shape[1]
    draws = torch.as_tensor((generator.random((2, n, dim)) - 0.5) / dim)
    words, contexts = draws[0].clone().requires_grad_(), draws[1].clone().requires_grad_()
    biases = torch.zeros(2, n, dtype=torch.float64, requires_grad=True)
    # The sums of squared slopes start at 1, as in the original, so that the first steps are no longer than the rate.
    adagrad = torch.optim.Adagrad([words, contexts, biases], lr=RATE, initial_accumulator_value=1.0)

    losses = []
    for _ in range(epochs):
        total = 0.0
        for batch in torch.as_tensor(generator.permutation(len(meet))).split(BATCH):
            i, j = pairs[0, batch], pairs[1, batch]
            error = (words[i] * contexts[j]).sum(1) + biases[0, i] + biases[1, j] - goal[batch]
            loss = (weight[batch] * error.square()).sum()
            adagrad.zero_grad()
            loss.backward()
            adagrad.step()
            total += float(loss.detach())
        losses.append(total / max(1, len(meet)))
    met = np.asarray(records.sum(axis=0)).ravel() > 0
    found: np.ndarray = (words + contexts).detach().numpy()
    return found * met[:, None], losses
