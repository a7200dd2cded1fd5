"""What a run may take of the machine: precision, memory, threads."""

from __future__ import annotations

import math
import os
from pathlib import Path

from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.settings import Config

SINGLE_FROM = 500
"""Padded nodes from which "auto" computes couplings in float32, on the square loss."""

BYTES_PER_PAIR = {(True, False): 80, (False, False): 102, (True, True): 138, (False, True): 200}
"""Bytes that a run takes at its peak per pair of padded nodes, by float32 and embeddings: measured as what the resident
memory of whole runs, results included, grows by from 1,250 to 2,500 nodes, and rounded up."""

MOST_MEMORY = 14e9
"""Bytes a run may take on a machine of any size."""

_SHARE = 0.7
"""Share of the memory at hand that a run may take."""


def is_single(problem: MatchingProblem, config: Config) -> bool:
    """Whether couplings are float32. Shortest paths and given costs have no sparse form to gain from it."""
    if config.precision != "auto":
        return config.precision == "float32"
    sparse = config.cost != "shortest-path" and problem.source_cost is None
    return sparse and config.loss == "square" and _padded(problem) >= SINGLE_FROM


def _padded(problem: MatchingProblem) -> int:
    return max(problem.source.n_nodes, problem.target.n_nodes)


def memory_cap() -> float:
    """Bytes a run may take: a share of what is at hand, at most MOST_MEMORY, and the megabytes of GWL_MEMORY_MB."""
    told = os.environ.get("GWL_MEMORY_MB", "")
    return min(MOST_MEMORY, _SHARE * available_memory(), 1e6 * int(told) if told.isdecimal() else math.inf)


def available_memory() -> float:
    """Bytes that processes can still take here, as far as the system says; infinite where it does not."""
    found = [math.inf]
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found += [1024.0 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        if limit != "max":
            found.append(float(limit) - float(Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):
        pass
    return max(0.0, min(found))


def dense_bytes(problem: MatchingProblem, config: Config) -> float:
    """Bytes of a run with a dense coupling, estimated."""
    return float(_per_pair(problem, config) * _padded(problem) ** 2)


def _per_pair(problem: MatchingProblem, config: Config) -> int:
    return BYTES_PER_PAIR[is_single(problem, config), config.embeddings]


def check_size(problem: MatchingProblem, config: Config) -> None:
    """Refuse a problem whose dense matrices would not fit, before anything is allocated.

    Raises:
        InputError: with the estimate, the cap and the way out.
    """
    n, need, cap = _padded(problem), dense_bytes(problem, config), memory_cap()
    if need > cap:
        most = int((cap / _per_pair(problem, config)) ** 0.5)
        raise InputError(
            f"Aligning {n} nodes needs about {need / 1e9:.0f} GB, above the cap of {cap / 1e9:.0f} GB; "
            f"take at most {most} nodes, for example the largest component, "
            "or align on the command line with --scale sparse."
        )


def cores() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_threads(n: int) -> int:
    """One thread for small problems, where handing out the work costs more than it saves; else every core at hand.

    Where GWL_THREADS_SHARE says that so many runs share the machine, a run takes its part of the cores.
    """
    if n < 400:
        return 1
    share = os.environ.get("GWL_THREADS_SHARE", "")
    return max(1, cores() // max(1, int(share) if share.isdecimal() else 1))
