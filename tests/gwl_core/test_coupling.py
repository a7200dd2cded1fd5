"""The transport step: gradient by finite differences, the paper's one-sided form, POT's proximal solver."""

import warnings

import numpy as np
import pytest
import torch
from torch import Tensor

from gwl_core.coupling import Decomposed, Linearization, TransportProblem
from gwl_core.graph import Graph
from gwl_core.losses import LOSSES, SQUARE, Loss
from gwl_core.operators import Dense
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters
from gwl_core.solver import init, step

with warnings.catch_warnings():  # what POT's optional back ends say while being imported is not ours
    warnings.simplefilter("ignore")
    from ot.gromov import entropic_gromov_wasserstein

torch.set_num_threads(1)
N_S, N_T = 5, 6
ALPHA = 0.3


def random_costs(directed: bool, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    pair = [rng.uniform(0.1, 1, (n, n)) for n in (N_S, N_T)]
    if not directed:
        pair = [(c + c.T) / 2 for c in pair]
    for cost in pair:
        np.fill_diagonal(cost, 0.1)
    return pair[0], pair[1]


def random_coupling(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(N_S * N_T, 0.5)).reshape(N_S, N_T)


def problem(loss: Loss, directed: bool, alpha: float = ALPHA, one_sided: bool = False) -> TransportProblem:
    source, target = (Dense(torch.tensor(c)) for c in random_costs(directed))
    cross = torch.tensor(np.random.default_rng(9).uniform(size=(N_S, N_T)))
    return TransportProblem(source, target, cross, alpha, loss, symmetric=not directed, one_sided=one_sided)


def linearize(transport: TransportProblem, coupling: np.ndarray) -> Linearization:
    return Decomposed.of(transport).linearize(torch.tensor(coupling))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("directed", [False, True])
def test_a_coupling_of_few_entries_is_multiplied_by_those_alone(
    dtype: torch.dtype, directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    n, m = 130, 150
    costs = [rng.uniform(size=(k, k)) for k in (n, m)]
    source, target = (Dense(torch.tensor(c if directed else (c + c.T) / 2), 0.5) for c in costs)
    transport = Decomposed.of(TransportProblem(source, target, None, 0.0, SQUARE, not directed))
    matrix = np.exp(-rng.uniform(60, 80, (n, m)))  # next to nothing
    matrix[np.arange(n), rng.permutation(m)[:n]] = rng.dirichlet(np.ones(n))
    coupling = torch.tensor(matrix, dtype=dtype)
    half = transport.halves[0].cast(dtype)
    assert half._from_few(coupling) is not None
    found = transport.linearize(coupling)
    monkeypatch.setattr("gwl_core.coupling._FEW", 0.0)
    assert half._from_few(coupling) is None
    expected = transport.linearize(torch.tensor(matrix))
    close = 1e-14 if dtype == torch.float64 else 1e-6
    torch.testing.assert_close(found.cost.double(), expected.cost, rtol=0, atol=close)
    assert found.discrepancy == pytest.approx(expected.discrepancy, rel=10 * close)


@pytest.mark.parametrize("alpha", [0.0, ALPHA, 1.0])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("loss", LOSSES.values(), ids=lambda loss: loss.name)
def test_the_step_cost_is_half_the_gradient_of_the_objective(loss: Loss, directed: bool, alpha: float) -> None:
    transport, coupling, width = problem(loss, directed, alpha), random_coupling(), 1e-4
    numeric = np.zeros((N_S, N_T))
    for i in range(N_S):
        for j in range(N_T):
            nudge = np.zeros((N_S, N_T))
            nudge[i, j] = width
            up, down = (linearize(transport, coupling + sign * nudge).objective for sign in (1, -1))
            numeric[i, j] = (up - down) / (2 * width)
    np.testing.assert_allclose(linearize(transport, coupling).cost, numeric / 2, atol=1e-9)


def test_the_objective_adds_alpha_times_the_cross_cost() -> None:
    transport, coupling = problem(SQUARE, True), random_coupling()
    found = linearize(transport, coupling)
    assert transport.cross is not None
    assert found.wasserstein == pytest.approx(float((transport.cross.numpy() * coupling).sum()))
    assert found.objective == pytest.approx(found.discrepancy + ALPHA * found.wasserstein)


@pytest.mark.parametrize("directed", [False, True])
def test_the_one_sided_form_is_l_plus_alpha_k(directed: bool) -> None:
    transport, coupling = problem(SQUARE, directed, one_sided=True), random_coupling()
    assert transport.cross is not None
    half = Decomposed.of(transport).half(torch.tensor(coupling))
    found = linearize(transport, coupling)
    np.testing.assert_allclose(found.cost, half + ALPHA * transport.cross, atol=1e-15)
    exact = linearize(problem(SQUARE, directed), coupling)
    assert found.objective == pytest.approx(exact.objective)
    without_cross = found.cost - ALPHA * transport.cross, exact.cost - ALPHA / 2 * transport.cross
    assert np.allclose(*without_cross) != directed


def ours(
    costs: tuple[np.ndarray, np.ndarray], masses: tuple[np.ndarray, np.ndarray], loss: str, gamma: float, passes: int,
    method: str,
) -> Tensor:  # fmt: skip
    graphs = [Graph.from_matrix(np.ones((n, n))) for n in (N_S, N_T)]
    task = MatchingProblem(graphs[0], graphs[1], None, None, *costs, *masses)
    config = Config(unmatched=False, start="product", embeddings=False, loss=loss, method=method, threads=1)
    hyper = Hyperparameters(gamma=gamma, inner=1000, outer=1, sinkhorn=passes, tolerance=0)
    state = init(task, config, hyper)
    for _ in range(50):
        state, _ = step(task, config, hyper, state)
    return state.coupling


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(
    ("loss", "passes", "method", "solver"),
    [
        ("square", 1, "proximal", "PPA"),
        ("square", 500, "proximal", "PPA"),
        ("kl", 1, "proximal", "PPA"),
        ("square", 20, "entropic", "PGD"),
    ],
)
def test_fifty_iterations_equal_those_of_pot(loss: str, directed: bool, passes: int, method: str, solver: str) -> None:
    costs, rng = random_costs(directed), np.random.default_rng(3)
    masses = rng.dirichlet(np.full(N_S, 5.0)), rng.dirichlet(np.full(N_T, 5.0))
    expected = entropic_gromov_wasserstein(
        *costs, *masses, loss_fun=f"{loss}_loss", epsilon=0.2, symmetric=not directed, solver=solver, max_iter=50,
        tol=-1, numItermax=passes, stopThr=0, warn=False,
    )  # fmt: skip
    found = ours(costs, masses, loss, 0.1, passes, method)
    np.testing.assert_allclose(found, expected, atol=1e-8)
    assert np.abs(found.numpy() - np.outer(*masses)).max() > 0.01


@pytest.mark.parametrize("size", [1.0, 1e9])
def test_a_perfect_match_of_heavy_graphs_has_no_discrepancy(size: float) -> None:
    rng = np.random.default_rng(0)
    weights = np.triu(rng.integers(1, 9, (12, 12)) * size * (rng.uniform(size=(12, 12)) < 0.4), 1)
    cost = Dense(torch.tensor(weights + weights.T))
    perfect = torch.eye(12).double() / 12
    for loss_free in (perfect, perfect.float()):
        found = Decomposed.of(TransportProblem(cost, cost, None, 0.0, SQUARE, True)).linearize(loss_free)
        assert found.discrepancy == 0
    spread = Decomposed.of(TransportProblem(cost, cost, None, 0.0, SQUARE, True)).linearize(perfect * 0 + 1 / 144)
    assert spread.discrepancy > 1e-3 * size**2


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("one_sided", [False, True])
def test_half_the_digits_give_half_the_digits(directed: bool, one_sided: bool) -> None:
    transport = Decomposed.of(problem(SQUARE, directed, one_sided=one_sided))
    coupling = torch.tensor(random_coupling())
    expected, found = transport.linearize(coupling), transport.linearize(coupling.float())
    assert found.cost.dtype == torch.float32
    np.testing.assert_allclose(found.cost, expected.cost, atol=1e-6)
    assert found.objective == pytest.approx(expected.objective, rel=1e-5)
    np.testing.assert_allclose(found.rows, expected.rows, atol=1e-7)
    assert found.rows.dtype == found.columns.dtype == torch.float64


def test_memory_to_spare_is_used() -> None:
    transport, coupling = Decomposed.of(problem(SQUARE, False)), torch.tensor(random_coupling())
    spare = torch.empty_like(coupling)
    found = transport.linearize(coupling, out=spare)
    assert found.step.matrix.data_ptr() == spare.data_ptr()
    np.testing.assert_array_equal(found.cost, transport.linearize(coupling).cost)


@pytest.mark.parametrize("loss", list(LOSSES.values()), ids=list(LOSSES))
@pytest.mark.parametrize("directed", [True, False])
def test_flat_is_where_the_cost_is_a_sum_of_rows_and_columns(loss: Loss, directed: bool) -> None:
    rng = np.random.default_rng(0)
    uneven = rng.uniform(0.2, 1, (6, 6))
    uneven = uneven if directed else (uneven + uneven.T) / 2
    circulant = np.array([[0.2 + 0.1 * ((j - i) % 5) for j in range(5)] for i in range(5)])
    circulant = circulant if directed else (circulant + circulant.T) / 2
    even = [np.full(n, 1 / n) for n in (5, 6)]
    for one, other, flat in ((circulant, uneven, True), (uneven, uneven, False)):
        transport = TransportProblem(*(Dense(torch.tensor(c)) for c in (one, other)), None, 0.0, loss, not directed)
        source, target = (torch.tensor(even[len(c) - 5]) for c in (one, other))
        found = Decomposed.of(transport)
        cost = found.linearize(torch.outer(source, target)).cost
        centred = cost - cost.mean(0) - cost.mean(1, keepdim=True) + cost.mean()
        assert found.is_flat(source, target) == flat == bool(centred.abs().max() < 1e-12)


def test_costs_are_flat_to_the_half_of_the_gradient_that_is_used() -> None:
    cost = np.zeros((5, 5))
    cost[~np.eye(5, dtype=bool)] = np.random.default_rng(0).permuted([[0.5, 0.5, 1, 1]] * 5, axis=1).ravel()
    assert len(set(cost.sum(1))) == 1 < len(set(cost.sum(0)))
    even = torch.full((5,), 0.2, dtype=torch.float64)
    operator = Dense(torch.tensor(cost))
    for one_sided in (True, False):
        found = Decomposed.of(TransportProblem(operator, operator, None, 0.0, LOSSES["square"], False, one_sided))
        assert found.is_flat(even, even) == one_sided
