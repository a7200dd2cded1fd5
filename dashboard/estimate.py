"""What a run will take, said before it starts: time and memory, roughly. No torch: the page does not load it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dashboard.limits import limits
from gwl_core.limits import cores, dense_bytes
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config, Hyperparameters, auto_rounds

_STEP_SECONDS = 2.4e-3
_PAIR_SECONDS = {True: 1.9e-7, False: 1.3e-7}
"""Measured with one thread, K-NN pairs of 50 to 600 nodes: a step, and what each pair of padded nodes adds to it, with
embeddings and without; within a third of every measurement."""
_PROCESS_BYTES = 3.5e8
_SHARES = (1.0, 1.0, 0.4)
_KICK_SHARES = (0.0, 0.4, 0.0, 0.4)
_EXCHANGED_MOST, _SMALL_KICK_SHARES = 60, (0.0, 0.0, 0.4, 0.0, 0.0, 0.4)
_POLISH = 6
"""The rounds of a search, as `gwl_core.rounds` has them."""
_EXCHANGE_SECONDS = 1.1e-2
"""A third of the kicks of small graphs are tabu searches, which take so long for every node."""


@dataclass(frozen=True)
class Estimate:
    """Seconds on this machine with nobody else at work, and bytes at the peak."""

    seconds: float
    bytes: float


def estimate(problem: MatchingProblem, config: Config, hyper: Hyperparameters) -> Estimate:
    """What a whole run takes."""
    n = max(problem.source.n_nodes, problem.target.n_nodes)
    threads = config.threads or (1 if n < 400 else max(1, cores() // limits().runs))
    step = _STEP_SECONDS + _PAIR_SECONDS[config.embeddings] * n * n / threads
    seconds = steps(problem, config, hyper) * step
    if n <= _EXCHANGED_MOST:
        seconds += _rounds(problem, config, hyper) / 3 * n * _EXCHANGE_SECONDS
    return Estimate(seconds, _PROCESS_BYTES + dense_bytes(problem, config))


def steps(problem: MatchingProblem, config: Config, hyper: Hyperparameters) -> int:
    """Steps of a whole run if no loop ends early."""
    n = max(problem.source.n_nodes, problem.target.n_nodes)
    epochs = hyper.epochs or max(20, math.ceil(100 / math.ceil(n / hyper.batch_size)))
    plain = hyper.outer * (hyper.inner + (epochs if config.embeddings else 0))
    rounds = _rounds(problem, config, hyper)
    if not rounds:
        return plain
    starts = _SHARES[: 3 if n <= 460 else 2] if rounds >= 8 and config.start == "prior" else _SHARES[:1]
    of = _SMALL_KICK_SHARES if n <= _EXCHANGED_MOST else _KICK_SHARES
    kicks = [of[k % len(of)] for k in range(max(0, rounds - len(starts)))]
    shares = [*starts[:rounds], *kicks]
    return plain - hyper.inner + sum(math.ceil(share * hyper.inner) + _POLISH for share in shares)


def _rounds(problem: MatchingProblem, config: Config, hyper: Hyperparameters) -> int:
    """Of a search, 0 without one."""
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    if config.marginals != "uniform" or not (config.unmatched or n_s == n_t):
        return 0
    return auto_rounds(max(n_s, n_t)) if hyper.rounds is None else hyper.rounds
