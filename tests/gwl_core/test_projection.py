"""A projection meets the marginals, whatever it is given."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from gwl_core import sweep
from gwl_core.projection import project
from gwl_core.sinkhorn import LIMITS, marginal_error


def masses(n: int, seed: int, zeros: int = 0) -> Tensor:
    mass = np.random.default_rng(seed).uniform(0.1, 1, n)
    mass[:zeros] = 0
    return torch.tensor(mass / mass.sum())


def test_a_projection_is_in_float64_and_drops_what_the_floor_left() -> None:
    source, target = masses(5, 1), masses(4, 2)
    rough = torch.outer(source, target).float()
    rough[0, 0] = LIMITS[torch.float32].floor
    found = project(rough, source, target)
    assert found.dtype == torch.float64
    assert marginal_error(found, source, target) < 1e-14
    assert found[0, 0] < 1e-12 < found[1, 1]


@given(st.integers(1, 6), st.integers(1, 6), st.floats(-300, 0), st.floats(0, 1), st.integers(0, 10**6))
def test_projection_meets_the_marginals_of_any_matrix(
    n: int, m: int, log_least: float, empty: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    matrix = 10 ** rng.uniform(log_least, 3, (n, m)) * (rng.uniform(size=(n, m)) >= empty)
    source, target = masses(n, seed, zeros=n // 3), masses(m, seed + 1, zeros=m // 3)
    found = project(torch.tensor(matrix), source, target)
    assert marginal_error(found, source, target) < 1e-12
    assert (found >= 0).all()
    assert (found[source == 0] == 0).all()
    assert (found[:, target == 0] == 0).all()


@pytest.mark.parametrize("matrix", [np.zeros((3, 3)), np.eye(3), np.diag([1.0, 0, 0]), np.full((3, 3), 1e-320)])
def test_projection_meets_the_marginals_of_hard_cases(matrix: np.ndarray) -> None:
    source, target = masses(3, 1), masses(3, 2)
    assert marginal_error(project(torch.tensor(matrix), source, target), source, target) < 1e-14


def test_a_coupling_that_meets_its_marginals_is_left_alone() -> None:
    matrix = torch.tensor(np.random.default_rng(0).dirichlet(np.ones(20)).reshape(4, 5))
    np.testing.assert_allclose(project(matrix, matrix.sum(1), matrix.sum(0)), matrix, rtol=1e-12)


def test_blocks_and_threads_do_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = masses(90, 1), masses(70, 2)
    matrix = torch.rand(90, 70, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    kept, whole = matrix.clone(), project(matrix, source, target)
    monkeypatch.setattr(sweep, "BLOCK", 2**10)
    torch.set_num_threads(2)
    try:
        np.testing.assert_allclose(project(matrix, source, target), whole, rtol=1e-12)
    finally:
        torch.set_num_threads(1)
    assert torch.equal(matrix, kept)
