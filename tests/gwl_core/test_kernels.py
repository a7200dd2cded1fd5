"""Kernels against their formulas, at zero rows, and on identical embeddings."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from gwl_core.kernels import make_kernel

torch.set_num_threads(1)


def normal(n: int, dim: int, seed: int = 0) -> torch.Tensor:
    return torch.tensor(np.random.default_rng(seed).normal(size=(n, dim)))


def test_cosine_equals_its_formula() -> None:
    x, y = normal(4, 3), normal(5, 3, 1)
    cos = (x.numpy() @ y.numpy().T) / np.outer(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1))
    np.testing.assert_allclose(make_kernel("cosine", 2.5, 3).cross(x, y), 1 - np.exp(-2.5 * (1 - cos)), atol=1e-11)


def test_rbf_equals_its_formula() -> None:
    x, y = normal(4, 3), normal(5, 3, 1)
    squared = ((x.numpy()[:, None] - y.numpy()[None]) ** 2).sum(-1)
    np.testing.assert_allclose(make_kernel("rbf", 2.5, 3).cross(x, y), 1 - np.exp(-squared / 2.5**2), atol=1e-13)


def test_widths_are_those_of_the_paper_unless_given() -> None:
    assert make_kernel("cosine", None, 7).sigma == 10
    assert make_kernel("rbf", None, 7).sigma == 7
    assert make_kernel("rbf", 0.5, 7).sigma == 0.5


@pytest.mark.parametrize("name", ["cosine", "rbf"])
def test_a_zero_row_has_finite_costs_and_a_finite_gradient(name: str) -> None:
    x = torch.cat([normal(3, 4), torch.zeros(2, 4).double()]).requires_grad_()
    matrix = make_kernel(name, None, 4).within(x)
    found = matrix.detach().numpy()
    assert np.isfinite(found).all()
    assert not found.diagonal().any()
    np.testing.assert_allclose(found, found.T, atol=1e-15)
    (gradient,) = torch.autograd.grad(matrix.sum(), x)
    assert torch.isfinite(gradient).all()


def test_a_zero_row_is_at_right_angles_to_all() -> None:
    found = make_kernel("cosine", 10.0, 4).cross(torch.zeros(1, 4).double(), normal(3, 4))
    np.testing.assert_allclose(found, 1 - np.exp(-10), atol=1e-12)


@pytest.mark.parametrize("name", ["cosine", "rbf"])
@pytest.mark.parametrize("size", [0.01, 1.0, 1e3])
def test_identical_embeddings_are_at_cost_zero(name: str, size: float) -> None:
    x = torch.full((5, 4), size, dtype=torch.float64)
    kernel = make_kernel(name, None, 4)
    np.testing.assert_allclose(kernel.within(x), 0, atol=1e-7)
    np.testing.assert_allclose(kernel.cross(x, x), 0, atol=1e-7)


@given(st.sampled_from(["cosine", "rbf"]), st.floats(1e-3, 1e3), st.floats(1e-6, 1e6), st.integers(0, 99))
def test_costs_lie_between_0_and_1_at_every_width_and_length(name: str, sigma: float, length: float, seed: int) -> None:
    x = (normal(6, 3, seed) * length).requires_grad_()
    kernel = make_kernel(name, sigma, 3)
    matrix = kernel.cross(x, normal(4, 3, seed + 1))
    assert ((matrix >= 0) & (matrix <= 1)).all()
    (gradient,) = torch.autograd.grad(matrix.sum() + kernel.within(x).sum(), x)
    assert torch.isfinite(gradient).all()
