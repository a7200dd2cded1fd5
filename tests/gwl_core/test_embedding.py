"""Objective (emb): value against loops, gradient against finite differences, unbiased minibatches, Adam."""

from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
import torch
from torch import Tensor

from gwl_core.embedding import EmbeddingProblem, Embeddings, _split, adam_start, epoch, random_start
from gwl_core.kernels import make_kernel
from gwl_core.losses import LOSSES

torch.set_num_threads(1)
N_S, N_T, DIM = 4, 5, 3
SETTINGS = list(product(["cosine", "rbf"], ["square", "kl"], [True, False], [True, False]))


def make(kernel: str, loss: str, mean: bool, anchors: bool, alpha: float = 0.4, beta: float = 1.7) -> EmbeddingProblem:
    rng = np.random.default_rng(0)
    source, target, anchor = (torch.tensor(rng.uniform(0.2, 1, s)) for s in ((N_S, N_S), (N_T, N_T), (N_S, N_T)))
    coupling = torch.tensor(rng.dirichlet(np.ones(N_S * N_T)).reshape(N_S, N_T))
    width = 2.0 if kernel == "cosine" else 3.0
    return EmbeddingProblem(
        source, target, anchor if anchors else None, coupling, make_kernel(kernel, width, DIM), LOSSES[loss], alpha,
        beta, mean,
    )  # fmt: skip


def start(n_s: int = N_S, n_t: int = N_T) -> Embeddings:
    rng = np.random.default_rng(3)
    return Embeddings(torch.tensor(rng.normal(size=(n_s, DIM))), torch.tensor(rng.normal(size=(n_t, DIM))))


def gradient(value: Callable[[Embeddings], Tensor], x: Embeddings) -> np.ndarray:
    leaves = Embeddings(x.source.clone().requires_grad_(), x.target.clone().requires_grad_())
    parts = torch.autograd.grad(value(leaves), (leaves.source, leaves.target))
    return torch.cat(parts).numpy()


@pytest.mark.parametrize(("kernel", "loss", "mean", "anchors"), SETTINGS)
def test_the_value_is_objective_emb_written_out(kernel: str, loss: str, mean: bool, anchors: bool) -> None:
    problem, x = make(kernel, loss, mean, anchors), start()

    def kappa(a: np.ndarray, b: np.ndarray) -> float:
        if kernel == "cosine":
            return 1 - np.exp(-2.0 * (1 - a @ b / np.linalg.norm(a) / np.linalg.norm(b)))
        return 1 - np.exp(-((a - b) ** 2).sum() / 9)

    def total(left: np.ndarray, right: np.ndarray, cost: np.ndarray) -> float:
        losses = []
        for i, j in np.ndindex(*cost.shape):
            a, b = kappa(left[i], right[j]), cost[i, j]
            a = max(a, 1e-6) if loss == "kl" else a
            losses.append((a - b) ** 2 if loss == "square" else a * np.log(a / b) - a + b)
        return np.mean(losses) if mean else np.sum(losses)

    s, t = x.source.numpy(), x.target.numpy()
    expected = total(s, s, problem.source_cost.numpy()) + total(t, t, problem.target_cost.numpy())
    if problem.anchor_cost is not None:
        expected += total(s, t, problem.anchor_cost.numpy())
    wasserstein = sum(kappa(s[i], t[j]) * float(problem.coupling[i, j]) for i, j in np.ndindex(N_S, N_T))
    assert float(problem.regularizer(x)) == pytest.approx(expected, rel=1e-9)
    assert float(problem.value(x)) == pytest.approx(0.4 * wasserstein + 1.7 * expected, rel=1e-9)


@pytest.mark.parametrize(("kernel", "loss", "mean", "anchors"), SETTINGS)
def test_the_gradient_agrees_with_finite_differences(kernel: str, loss: str, mean: bool, anchors: bool) -> None:
    problem, x, width = make(kernel, loss, mean, anchors), start(), 1e-6
    found, joined = gradient(problem.value, x), torch.cat([x.source, x.target])
    for i, j in np.ndindex(*joined.shape):
        ends = []
        for sign in (1, -1):
            moved = joined.clone()
            moved[i, j] += sign * width
            ends.append(float(problem.value(Embeddings(moved[:N_S], moved[N_S:]))))
        assert found[i, j] == pytest.approx((ends[0] - ends[1]) / (2 * width), abs=1e-7, rel=1e-5)


@pytest.mark.parametrize(("kernel", "loss", "mean", "anchors"), SETTINGS)
@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (N_S, N_T)])
def test_minibatch_gradients_average_to_the_full_one(
    kernel: str, loss: str, mean: bool, anchors: bool, sizes: tuple[int, int]
) -> None:
    # A batch of one node has no within-graph entry, so that case is unbiased without R only.
    problem = make(kernel, loss, mean, anchors, beta=0.0 if min(sizes) < 2 else 1.7)
    x, total, values = start(), torch.zeros(N_S + N_T, DIM).double(), []
    batches = list(product(combinations(range(N_S), sizes[0]), combinations(range(N_T), sizes[1])))
    for rows, columns in batches:
        value, slope = problem.batch(x, torch.tensor(rows), torch.tensor(columns))
        total += torch.cat([slope.source, slope.target])
        values.append(float(value))
    np.testing.assert_allclose(total / len(batches), gradient(problem.value, x), atol=1e-12)
    if not mean and not anchors and problem.beta == 0:
        assert np.mean(values) == pytest.approx(float(problem.value(x)))


@pytest.mark.parametrize(("kernel", "loss", "mean", "anchors"), SETTINGS)
def test_twenty_epochs_of_one_batch_are_twenty_steps_of_torchs_adam(
    kernel: str, loss: str, mean: bool, anchors: bool
) -> None:
    problem, x = make(kernel, loss, mean, anchors), start()
    leaves = Embeddings(x.source.clone().requires_grad_(), x.target.clone().requires_grad_())
    optimiser = torch.optim.Adam([leaves.source, leaves.target], lr=0.01)
    adam, generator = adam_start(x), torch.Generator()
    for _ in range(20):
        optimiser.zero_grad()
        problem.value(leaves).backward()
        optimiser.step()
        x, adam, _ = epoch(problem, x, adam, 0.01, 100, generator)
    assert adam.count == 20
    np.testing.assert_allclose(x.source, leaves.source.detach(), atol=1e-11)
    np.testing.assert_allclose(x.target, leaves.target.detach(), atol=1e-11)


def test_an_epoch_leaves_its_inputs_alone_and_repeats_under_the_same_generator() -> None:
    problem, x = make("cosine", "square", True, False), start()
    adam = adam_start(x)
    tensors = [x.source, x.target, adam.first.source, adam.second.target, problem.coupling, problem.source_cost]
    copies = [t.clone() for t in tensors]
    first, second, other = (
        epoch(problem, x, adam, 0.01, 2, torch.Generator().manual_seed(seed))[0] for seed in (1, 1, 2)
    )
    assert all(torch.equal(a, b) for a, b in zip(tensors, copies, strict=True))
    assert not x.source.requires_grad
    assert not first.source.requires_grad
    assert torch.equal(first.source, second.source)
    assert torch.equal(first.target, second.target)
    assert not torch.equal(first.source, other.source)


def test_every_node_is_visited_once_per_epoch() -> None:
    problem, x = make("rbf", "square", True, False), start()
    moved, adam, _ = epoch(problem, x, adam_start(x), 0.01, 2, torch.Generator().manual_seed(0))
    assert adam.count == 3
    assert (moved.source != x.source).any(dim=1).all()
    assert (moved.target != x.target).any(dim=1).all()


def test_many_epochs_lower_the_objective() -> None:
    problem, x = make("cosine", "square", True, False), start()
    adam, generator, before = adam_start(x), torch.Generator().manual_seed(0), float(problem.value(x))
    for _ in range(60):
        x, adam, _ = epoch(problem, x, adam, 0.02, 3, generator)
    assert float(problem.value(x)) < 0.9 * before


@pytest.mark.parametrize(("n_s", "n_t"), [(1, 1), (1, 7), (7, 1)])
def test_graphs_of_one_node_make_no_nan(n_s: int, n_t: int) -> None:
    problem = EmbeddingProblem(
        torch.zeros(n_s, n_s).double(), torch.zeros(n_t, n_t).double(), None, torch.ones(n_s, n_t).double() / n_s / n_t,
        make_kernel("cosine", None, 2), LOSSES["square"], 0.0, 0.0, True,
    )  # fmt: skip
    x = start(n_s, n_t)
    moved, _, value = epoch(problem, x, adam_start(x), 0.1, 2, torch.Generator().manual_seed(0))
    assert torch.isfinite(moved.source).all()
    assert torch.isfinite(moved.target).all()
    assert value == 0


@pytest.mark.parametrize(("law", "deviation"), [("normal", 0.5), ("uniform", 0.5 / 12**0.5)])
def test_random_starts_have_the_spread_asked_for_and_depend_on_the_generator_only(law: str, deviation: float) -> None:
    draws = [random_start(300, 200, 8, law, 0.5, torch.Generator().manual_seed(s)) for s in (0, 0, 1)]
    assert draws[0].source.shape == (300, 8)
    assert draws[0].target.shape == (200, 8)
    assert float(draws[0].source.std()) == pytest.approx(deviation, rel=0.05)
    assert torch.equal(draws[0].target, draws[1].target)
    assert not torch.equal(draws[0].target, draws[2].target)


@pytest.mark.parametrize("kernel", ["cosine", "rbf"])
@pytest.mark.parametrize("loss", ["square", "kl"])
@pytest.mark.parametrize("anchors", [True, False])
def test_the_gradient_of_a_batch_is_that_of_its_value(kernel: str, loss: str, anchors: bool) -> None:
    problem, x = make(kernel, loss, True, anchors), start()
    for rows, columns in (
        (torch.arange(N_S), torch.arange(N_T)),
        (torch.randperm(N_S, generator=torch.Generator().manual_seed(1)), torch.tensor([0])),
        (torch.tensor([2, 0]), torch.tensor([1, 3, 0])),
    ):
        leaves = Embeddings(x.source.clone().requires_grad_(), x.target.clone().requires_grad_())
        expected = torch.autograd.grad(problem.batch(leaves, rows, columns)[0], (leaves.source, leaves.target))
        _, found = problem.batch(x, rows, columns)
        for ours, theirs in zip((found.source, found.target), expected, strict=True):
            torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=1e-9)


def test_threads_do_not_change_a_batch() -> None:
    g = torch.Generator().manual_seed(3)
    costs = [torch.rand(n, n, generator=g, dtype=torch.float64) for n in (210, 200)]
    coupling = torch.rand(210, 200, generator=g, dtype=torch.float64)
    problem = EmbeddingProblem(*costs, None, coupling, make_kernel("cosine", None, 4), LOSSES["square"], 0.3, 2.0, True)
    x = random_start(210, 200, 4, "normal", 1.0, g)
    rows, columns = torch.randperm(210, generator=g)[:205], torch.arange(200)
    found = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        with torch.no_grad():
            found.append(problem.batch(x, rows, columns))
        torch.set_num_threads(1)
    (value, gradient), (other_value, other) = found
    assert float(value) == pytest.approx(float(other_value), rel=1e-12)
    torch.testing.assert_close(gradient.source, other.source)
    torch.testing.assert_close(gradient.target, other.target)


@pytest.mark.parametrize(("n_s", "n_t", "size"), [(5, 31, 2), (4, 31, 3), (31, 5, 1)])
def test_batches_of_an_epoch_average_to_the_full_gradient_on_unequal_graphs(n_s: int, n_t: int, size: int) -> None:
    rng = np.random.default_rng(1)
    source, target, coupling = (torch.tensor(rng.uniform(0.2, 1, s)) for s in ((n_s, n_s), (n_t, n_t), (n_s, n_t)))
    kernel = make_kernel("rbf", 3.0, DIM)
    problem = EmbeddingProblem(source, target, None, coupling, kernel, LOSSES["square"], 0.0, 1.0, False)
    x, generator, total = start(n_s, n_t), torch.Generator().manual_seed(0), torch.zeros(n_s + n_t, DIM).double()
    batches, rounds = -(-max(n_s, n_t) // size), 400
    for _ in range(rounds):
        parts = (_split(n, batches, size, generator) for n in (n_s, n_t))
        for rows, columns in zip(*parts, strict=True):
            assert min(len(rows), len(columns)) >= 2
            slope = problem.batch(x, rows, columns)[1]
            total += torch.cat([slope.source, slope.target])
    full = gradient(problem.value, x)
    np.testing.assert_allclose(total / (rounds * batches), full, atol=0.15 * np.abs(full).max())
