"""Proximal iterations timed: the library's own, POT's, and the paper's dense formulation, all on the same matrices."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import torch
from threadpoolctl import threadpool_limits

from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes
from gwl_core.solver import init, step
from gwl_core.workspace import workspace


@dataclass(frozen=True, eq=False)
class Job:
    """Equal work for every method: padded costs and marginals, product start, square loss, J = 1, γ fixed."""

    problem: MatchingProblem
    source_cost: np.ndarray
    target_cost: np.ndarray
    source: np.ndarray
    target: np.ndarray
    gamma: float
    iterations: int
    threads: int

    @classmethod
    def of(cls, problem: MatchingProblem, iterations: int, threads: int) -> Job:
        """γ is the problem's gain s, where the annealed default spends most of its time."""
        space = workspace(problem, with_changes("gwd", {"device": "cpu"})[0])
        source, target = (operator.dense().numpy() for operator in (space.source_cost, space.target_cost))
        return cls(problem, source, target, space.masses.source, space.masses.target, space.gain, iterations, threads)


@dataclass(frozen=True, eq=False)
class Timing:
    """Seconds for the iterations alone (None where they cannot be told apart) and with set-up; the coupling reached."""

    loop: float | None
    total: float
    coupling: np.ndarray


Method = Callable[[Job], Timing]


def own(job: Job) -> Timing:
    """The library's solver, as a run takes its steps."""
    changes = {
        "start": "product", "device": "cpu", "threads": job.threads, "gamma": job.gamma, "inner": job.iterations,
        "tolerance": 0.0,
    }  # fmt: skip
    config, hyperparameters = with_changes("gwd", changes)
    workspace.cache_clear()
    start = perf_counter()
    state = init(job.problem, config, hyperparameters)
    ready = perf_counter()
    while state.phase != "done":
        state, _ = step(job.problem, config, hyperparameters, state)
    end = perf_counter()
    if state.inner_total != job.iterations:
        raise RuntimeError(f"took {state.inner_total} iterations in place of {job.iterations}")
    return Timing(end - ready, end - start, state.coupling.numpy())


def pot_float64(job: Job) -> Timing:
    """POT's proximal solver on NumPy arrays."""
    return _pot(job, np.asarray)


def pot_float32(job: Job) -> Timing:
    """POT's proximal solver on torch tensors of half the precision."""
    return _pot(job, lambda array: torch.as_tensor(array, dtype=torch.float32))


def pot_steps(job: Job, every: int) -> Iterator[tuple[float, np.ndarray]]:
    """POT's proximal solver in float64: seconds so far and the coupling, after every few iterations of a job."""
    from ot.gromov import entropic_gromov_wasserstein

    coupling, seconds = np.outer(job.source, job.target), 0.0
    symmetric = all(np.array_equal(c, c.T) for c in (job.source_cost, job.target_cost))
    for _ in range(job.iterations // every):
        start = perf_counter()
        coupling = entropic_gromov_wasserstein(
            job.source_cost, job.target_cost, job.source, job.target, loss_fun="square_loss", epsilon=2 * job.gamma,
            symmetric=symmetric, G0=coupling, max_iter=every, tol=-1, solver="PPA", numItermax=1, stopThr=0, warn=False,
        )  # fmt: skip
        seconds += perf_counter() - start
        yield seconds, coupling


def _pot(job: Job, convert: Callable[[np.ndarray], object]) -> Timing:
    """ε = 2γ makes POT's iteration the same one; its Sinkhorn scaling restarts at every step."""
    from ot.gromov import entropic_gromov_wasserstein

    arrays = [convert(a) for a in (job.source_cost, job.target_cost, job.source, job.target)]
    symmetric = all(np.array_equal(c, c.T) for c in (job.source_cost, job.target_cost))
    with warnings.catch_warnings(), np.errstate(all="ignore"), torch.no_grad():
        warnings.simplefilter("ignore")  # underflow at float32: the agreement says what came of it
        start = perf_counter()
        coupling = entropic_gromov_wasserstein(
            *arrays, loss_fun="square_loss", epsilon=2 * job.gamma, symmetric=symmetric, max_iter=job.iterations,
            tol=-1, solver="PPA", numItermax=1, stopThr=0, warn=False,
        )  # fmt: skip
        end = perf_counter()
    return Timing(None, end - start, np.asarray(coupling, dtype=np.float64))


def dense(job: Job) -> Timing:
    """Algorithm 1 as printed, on dense float64 tensors: L = f1(C_s)μ_s1ᵀ + 1(f2(C_t)μ_t)ᵀ − h1(C_s)T h2(C_t)ᵀ."""
    c_s, c_t, mu_s, mu_t = (torch.as_tensor(a) for a in (job.source_cost, job.target_cost, job.source, job.target))
    start = perf_counter()
    constants = (c_s.square() @ mu_s)[:, None] + (c_t.square() @ mu_t)[None, :]
    coupling = torch.outer(mu_s, mu_t)
    for _ in range(job.iterations):
        cost = constants - c_s @ coupling @ (2 * c_t).T
        kernel = (-cost / job.gamma).exp() * coupling
        b = mu_t / kernel.sum(0)
        a = mu_s / (kernel @ b)
        coupling = a[:, None] * kernel * b[None, :]
    return Timing(None, perf_counter() - start, coupling.numpy())


METHODS: Mapping[str, Method] = {
    "gwl_core": own,
    "POT float64 numpy": pot_float64,
    "POT float32 torch": pot_float32,
    "dense float64 torch": dense,
}


@contextmanager
def limited_threads(count: int) -> Iterator[None]:
    """The same number of threads for torch, BLAS and OpenMP."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        with threadpool_limits(count):
            yield
    finally:
        torch.set_num_threads(before)
