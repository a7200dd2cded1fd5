"""Scaling stays finite at every γ and cost, in either form of arithmetic."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from gwl_core import sinkhorn
from gwl_core.projection import project
from gwl_core.sinkhorn import LIMITS, Scaled, marginal_error, scale, sums

torch.set_num_threads(1)
PRECISIONS = [torch.float64, torch.float32]
GAMMAS = [10.0**k for k in range(-6, 2)]


def masses(n: int, seed: int, zeros: int = 0) -> Tensor:
    mass = np.random.default_rng(seed).uniform(0.1, 1, n)
    mass[:zeros] = 0
    return torch.tensor(mass / mass.sum())


def costs(n: int, m: int, seed: int, size: float = 1.0) -> Tensor:
    return torch.tensor(np.random.default_rng(seed).normal(size=(n, m)) * size)


def check(found: Scaled, source: Tensor, target: Tensor) -> None:
    """Finite, non-negative, exact rows, nothing where there is no mass and something everywhere else."""
    coupling = found.coupling
    assert torch.isfinite(coupling).all()
    assert torch.isfinite(found.log_a).all()
    assert np.isfinite(found.change)
    exact = 1e-12 if coupling.dtype == torch.float64 else 1e-6
    np.testing.assert_allclose(coupling.sum(1), source, atol=exact)
    np.testing.assert_allclose(coupling.sum(0), found.columns, atol=exact)
    massive = (source > 0)[:, None] & (target > 0)[None, :]
    assert (coupling[~massive] == 0).all()
    assert (coupling[massive] >= LIMITS[coupling.dtype].floor).all()


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3, 1e12])
@pytest.mark.parametrize("passes", [1, 20])
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_a_run_of_steps_stays_finite(gamma: float, size: float, passes: int, dtype: torch.dtype) -> None:
    source, target = masses(5, 1, zeros=1), masses(6, 2, zeros=2)
    coupling, log_a = torch.outer(source, target).to(dtype), torch.zeros(5).double()
    for k in range(5):
        found = scale(costs(5, 6, k, size).to(dtype), gamma, coupling, source, target, log_a, passes)
        check(found, source, target)
        before, (coupling, log_a, change, _) = coupling, found
        assert change == pytest.approx(float((coupling - before).abs().sum()), abs=1e-6)
    assert marginal_error(project(coupling, source, target), source, target) < 1e-12


@given(
    st.integers(1, 6), st.integers(1, 6), st.floats(-6, 1), st.floats(-8, 12), st.integers(1, 30), st.booleans(),
    st.booleans(), st.integers(0, 10**6), st.sampled_from(PRECISIONS),
)  # fmt: skip
def test_any_step_is_finite_with_exact_rows(
    n: int, m: int, log_gamma: float, log_size: float, passes: int, proximal: bool, carried: bool, seed: int,
    dtype: torch.dtype,
) -> None:  # fmt: skip
    source, target = masses(n, seed, zeros=n // 3), masses(m, seed + 1, zeros=m // 3)
    prior = None
    if proximal:
        least = np.log10(LIMITS[dtype].floor)
        prior = torch.tensor(np.random.default_rng(seed).uniform(least, 0, (n, m))).mul(np.log(10)).exp().to(dtype)
    log_a = costs(n, 1, seed)[:, 0] * 200 if carried else torch.zeros(n).double()
    cost = costs(n, m, seed, 10**log_size).to(dtype)
    check(scale(cost, 10**log_gamma, prior, source, target, log_a, passes), source, target)


@pytest.mark.parametrize("proximal", [True, False])
@pytest.mark.parametrize("zeros", [0, 1])
@pytest.mark.parametrize("passes", [1, 3])
def test_both_forms_of_arithmetic_agree(
    monkeypatch: pytest.MonkeyPatch, proximal: bool, zeros: int, passes: int
) -> None:
    source, target = masses(5, 1, zeros), masses(4, 2, zeros)
    prior = torch.outer(source, target) * costs(5, 4, 3).exp() if proximal else None
    arguments = (costs(5, 4, 4), 0.05, prior, source, target, costs(5, 1, 5)[:, 0], passes)
    direct = scale(*arguments)
    monkeypatch.setattr(sinkhorn, "_direct", lambda *_: None)
    logarithmic = scale(*arguments)
    np.testing.assert_allclose(direct[0], logarithmic[0], rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(direct[1], logarithmic[1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("shift", [-500.0, 0.0, 500.0])
@pytest.mark.parametrize("zeros", [0, 1])
def test_scalings_that_lie_far_apart_need_no_logarithms(
    dtype: torch.dtype, shift: float, zeros: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = masses(30, 1, zeros), masses(20, 2, zeros)
    log_a = torch.tensor(np.random.default_rng(4).uniform(-60, 0, 30)) + shift
    cost, prior = costs(30, 20, 3), torch.outer(source, target)
    with monkeypatch.context() as patch:
        patch.setattr(sinkhorn, "_direct", lambda *_: None)
        expected = scale(cost, 0.1, prior, source, target, log_a, 1)
    monkeypatch.setattr(sinkhorn, "_log_domain", None)
    found = scale(cost.to(dtype), 0.1, prior.to(dtype), source, target, log_a, 1)
    close = 1e-12 if dtype == torch.float64 else 1e-5
    np.testing.assert_allclose(found.coupling, expected.coupling, rtol=close, atol=LIMITS[dtype].nothing)


@pytest.mark.parametrize("gamma", [10.0, 0.3, 0.05, 1e-3])
@pytest.mark.parametrize("passes", [1, 3])
def test_half_the_digits_give_half_the_digits(gamma: float, passes: int) -> None:
    source, target, cost = masses(7, 1), masses(6, 2), costs(7, 6, 3)
    start, product = torch.zeros(7).double(), torch.outer(source, target)
    expected = scale(cost, gamma, product, source, target, start, passes)
    found = scale(cost.float(), gamma, product.float(), source, target, start, passes)
    assert found.coupling.dtype == torch.float32
    np.testing.assert_allclose(found.coupling, expected.coupling, rtol=2e-4, atol=1e-6)
    np.testing.assert_allclose(found.columns, expected.columns, atol=1e-6)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.parametrize("threads", [1, 2])
def test_blocks_and_threads_do_not_change_a_step(dtype: torch.dtype, threads: int) -> None:
    n, m = 700, 400
    source, target, cost = masses(n, 1), masses(m, 2), costs(n, m, 3, 0.1).to(dtype)
    prior, start = torch.outer(source, target).to(dtype), torch.zeros(n).double()
    torch.set_num_threads(threads)
    try:
        found, again = (scale(cost, 0.05, prior, source, target, start, 2) for _ in range(2))
    finally:
        torch.set_num_threads(1)
    assert torch.equal(found.coupling, again.coupling)
    check(found, source, target)
    kernel = np.exp(-cost.double().numpy() / 0.05) * np.outer(source, target)
    a = np.ones(n)
    for _ in range(2):
        b = target.numpy() / (a @ kernel)
        a = source.numpy() / (kernel @ b)
    np.testing.assert_allclose(
        found.coupling, a[:, None] * kernel * b, rtol=1e-9 if dtype == torch.float64 else 1e-4, atol=1e-20
    )
    rows, columns = sums(found.coupling)
    np.testing.assert_allclose(rows, found.coupling.double().sum(1), rtol=1e-5)
    np.testing.assert_allclose(columns, found.columns, rtol=1e-5)


def test_the_scaling_is_that_of_the_textbook() -> None:
    source, target, cost, gamma = masses(4, 1), masses(5, 2), costs(4, 5, 3).numpy(), 0.7
    kernel = np.exp(-cost / gamma)
    a = np.array([0.3, 1.0, 2.0, 0.5])
    log_a = torch.tensor(np.log(a))
    for _ in range(3):
        b = target.numpy() / (kernel.T @ a)
        a = source.numpy() / (kernel @ b)
    found, *_ = scale(torch.tensor(cost), gamma, None, source, target, log_a, 3)
    np.testing.assert_allclose(found, a[:, None] * kernel * b[None, :], rtol=1e-10)


def test_carrying_the_scaling_on_equals_more_passes() -> None:
    source, target, cost = masses(4, 1), masses(5, 2), costs(4, 5, 3)
    start = torch.zeros(4).double()
    at_once, *_ = scale(cost, 0.1, None, source, target, start, 6)
    _, log_a, *_ = scale(cost, 0.1, None, source, target, start, 2)
    in_two, *_ = scale(cost, 0.1, None, source, target, log_a, 4)
    np.testing.assert_allclose(at_once, in_two, rtol=1e-10)


def test_a_constant_added_to_rows_or_columns_changes_nothing() -> None:
    source, target, cost = masses(4, 1), masses(5, 2), costs(4, 5, 3)
    start, product = torch.zeros(4).double(), torch.outer(source, target)
    moved = cost + 3 * torch.arange(4)[:, None] - torch.arange(5)[None, :]
    expected = scale(cost, 0.5, product, source, target, start, 400)[0]
    np.testing.assert_allclose(scale(moved, 0.5, product, source, target, start, 400)[0], expected, atol=1e-12)


@pytest.mark.parametrize("gamma", [1e-6, 1e-3, 1.0])
def test_rounding_errors_of_the_cost_do_not_tell_nodes_apart(gamma: float) -> None:
    source, target = torch.full((4,), 0.25).double(), torch.full((4,), 0.25).double()
    noise = costs(4, 4, 0, 1e-15)
    found, *_ = scale(1 + noise, gamma, torch.outer(source, target), source, target, torch.zeros(4).double(), 1)
    np.testing.assert_allclose(found, 1 / 16, rtol=1e-12)


def test_inputs_stay_untouched() -> None:
    source, target = masses(4, 1, 1), masses(5, 2, 1)
    inputs = (costs(4, 5, 3), torch.outer(source, target), source, target, torch.zeros(4).double())
    copies = [t.clone() for t in inputs]
    for gamma in (1e-6, 1.0):
        scale(inputs[0], gamma, inputs[1], inputs[2], inputs[3], inputs[4], 3)
    assert all(torch.equal(a, b) for a, b in zip(inputs, copies, strict=True))


def test_marginal_error_is_the_sum_of_both_absolute_differences() -> None:
    error = marginal_error(
        torch.tensor([[0.5, 0.1], [0.2, 0.1]]).double(), masses(2, 0) * 0 + 0.5, masses(2, 0) * 0 + 0.5
    )
    assert error == pytest.approx(0.1 + 0.2 + 0.2 + 0.3)
