"""Word2Vec, GloVe and DWL find planted clusters of codes; DWL's parts against POT."""

import numpy as np
import ot
import pytest
import torch
from scipy import sparse

from gwl_core.baselines import dwl as distilled
from gwl_core.baselines.glove import glove
from gwl_core.baselines.word2vec import word2vec

GROUPS, SIZE = 3, 8
LABELS = np.repeat(np.arange(GROUPS), SIZE)


@pytest.fixture(scope="module")
def records() -> sparse.csr_array:
    """Records of four codes of one group, every fifth with a code of any group; the last code is in none."""
    generator = np.random.default_rng(0)
    rows = np.zeros((300, GROUPS * SIZE + 1))
    for row in rows:
        row[generator.integers(GROUPS) * SIZE + generator.choice(SIZE, 4, replace=False)] = 1
        if generator.random() < 0.2:
            row[generator.integers(GROUPS * SIZE)] = 1
    return sparse.csr_array(rows)


def cosines(embeddings: np.ndarray) -> tuple[float, float]:
    """Mean cosine within a planted group, and across groups."""
    assert np.isfinite(embeddings).all()
    assert not embeddings[-1].any(), "a code that no record has gets the zero vector"
    unit = embeddings[:-1] / np.linalg.norm(embeddings[:-1], axis=1, keepdims=True)
    inner, same = unit @ unit.T, LABELS[:, None] == LABELS
    return float(inner[same & ~np.eye(len(unit), dtype=bool)].mean()), float(inner[~same].mean())


def test_word2vec_finds_the_planted_groups(records: sparse.csr_array) -> None:
    within, across = cosines(word2vec(records, 16, 10, np.random.default_rng(1)))
    assert within > across + 0.4


def test_word2vec_repeats_itself(records: sparse.csr_array) -> None:
    first, second = (word2vec(records, 8, 2, np.random.default_rng(1)) for _ in range(2))
    assert np.array_equal(first, second)


def test_glove_finds_the_planted_groups_and_its_loss_falls(records: sparse.csr_array) -> None:
    embeddings, losses = glove(records, 16, 50, np.random.default_rng(1))
    within, across = cosines(embeddings)
    assert within > across + 0.5
    assert losses[-1] < 0.1 * losses[0]


def test_dwl_finds_the_planted_groups_and_its_objective_falls(records: sparse.csr_array) -> None:
    learned = distilled.dwl(records, 16, 12, np.random.default_rng(2))
    within, across = cosines(learned.embeddings)
    assert within > across + 0.3
    assert learned.objective[-1] < learned.objective[0] - 0.1
    assert np.all(np.diff(learned.objective) < 0.02)
    assert learned.topics.sum(axis=1) == pytest.approx(1)


def test_dwl_goes_on_from_given_embeddings(records: sparse.csr_array) -> None:
    start = word2vec(records, 16, 10, np.random.default_rng(1))
    learned = distilled.dwl(records, 16, 3, np.random.default_rng(2), start)
    unit = [x[:-1] / np.linalg.norm(x[:-1], axis=1, keepdims=True) for x in (start, learned.embeddings)]
    assert (unit[0] * unit[1]).sum(axis=1).min() > 0.8


@pytest.fixture(scope="module")
def small() -> tuple[torch.Tensor, np.ndarray, torch.Tensor, torch.Tensor]:
    """A Gibbs kernel with its cost, and three pairs of distributions, the right ones with zeros."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(12, 4, dtype=torch.float64, generator=generator)
    left, right = torch.rand(2, 3, 12, dtype=torch.float64, generator=generator)
    right[:, :5] = 0
    left, right = (m / m.sum(1, keepdim=True) for m in (left, right))
    return distilled.gibbs(x, 0.5), distilled.cost(x).pow(0.5).numpy(), left, right


def test_transports_agree_with_pot(small: tuple[torch.Tensor, np.ndarray, torch.Tensor, torch.Tensor]) -> None:
    kernel, cost, left, right = small
    u, v, value = distilled.duals(left, right, kernel, 2000)
    plans = distilled.transports(u, v, kernel)
    for i in range(len(left)):
        a, b = left[i].numpy(), right[i].numpy()
        plan = ot.sinkhorn(
            a, b[5:], cost[:, 5:], distilled.ENTROPY, method="sinkhorn_log", numItermax=5000, stopThr=1e-12
        )
        assert np.abs(plans[i, :, 5:].numpy() - plan).max() < 1e-6
        assert float(plans[i, :, :5].sum()) == 0
        entropic = (plan * cost[:, 5:]).sum() + distilled.ENTROPY * (plan * np.log(plan)).sum()
        assert float(value[i]) == pytest.approx(entropic, abs=1e-8)
    assert torch.allclose(distilled.total_transport(u, v, kernel), plans.sum(0), atol=1e-12)


def test_barycentres_agree_with_pot(small: tuple[torch.Tensor, np.ndarray, torch.Tensor, torch.Tensor]) -> None:
    kernel, cost, topics, _ = small
    mean = distilled.barycentres(topics.log(), torch.full((1, 3), 1 / 3, dtype=torch.float64), kernel, 500)[0]
    expected = ot.bregman.barycenter(topics.numpy().T, cost, distilled.ENTROPY, numItermax=5000, stopThr=1e-12)
    assert np.abs(mean.numpy() - expected).max() < 1e-6


def test_weighted_barycentres_are_optimal(small: tuple[torch.Tensor, np.ndarray, torch.Tensor, torch.Tensor]) -> None:
    """At the minimum of Σ_k λ_k W(mean, b_k) the weighted slopes ε log u_k are the same for every code."""
    kernel, _, topics, _ = small
    weights = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
    mean = distilled.barycentres(topics.log(), weights[None], kernel, 500)
    slopes, _, _ = distilled.duals(mean.expand(3, -1), topics, kernel, 2000)
    total = (weights[:, None] * slopes).sum(0)
    assert float(total.max() - total.min()) < 1e-8


def test_the_dual_gives_the_slope_of_the_transport_cost(
    small: tuple[torch.Tensor, np.ndarray, torch.Tensor, torch.Tensor],
) -> None:
    """ε log u against finite differences of W between two entries of the left distribution."""
    kernel, _, left, right = small
    u, _, _ = distilled.duals(left, right, kernel, 2000)
    step = torch.zeros_like(left)
    step[:, 0], step[:, 7] = 1e-6, -1e-6
    up, down = (distilled.duals(left + s, right, kernel, 2000)[2] for s in (step, -step))
    assert ((up - down) / 2e-6).numpy() == pytest.approx((distilled.ENTROPY * (u[:, 0] - u[:, 7])).numpy(), abs=1e-5)
