"""Graphlet orbits: how often each node lies where in small connected subgraphs, and how alike two such counts are.

Milenković and Pržulj 2008. Orbits 0–14 are those of graphlets of 2 to 4 nodes, 15–72 of 5 nodes. A count cannot be
interrupted, so that of a dense graph runs as a process of its own, see `orbit_worker`.
"""

from __future__ import annotations

import ctypes
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from gwl_core.baselines.pacing import PAUSE
from gwl_core.baselines.protocol import Progress
from gwl_core.baselines.topology import Topology
from gwl_core.errors import InputError, MethodError

_ROOT = Path(__file__).resolve().parents[2]

DEPENDENCIES = np.array(
    [
        1, 2, 2, 2, 3, 4, 3, 3, 4, 3, 4, 4, 4, 4, 3, 4, 6, 5, 4, 5, 6, 6, 4, 4, 5, 5, 8, 4, 6, 6, 7, 5, 6, 6, 6, 5, 6,
        7, 7, 5, 7, 7, 7, 6, 5, 5, 6, 8, 7, 6, 6, 8, 6, 9, 6, 6, 4, 6, 6, 8, 10, 7, 6, 8, 8, 6, 7, 8, 8, 5, 6, 6, 4,
    ]
)  # fmt: skip
"""o_i: how many orbits an orbit depends on, itself included."""

SIZES = {"15": 4, "73": 5}
"""Nodes of the largest graphlet by the number of orbits."""

_COLUMNS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, 14, 15]
"""Columns of the counter's table in the order of the orbits: it has the 4-cycle later."""


LIGHT = 5_000_000
"""Σ d² up to which a count takes well below a second, and is done in place."""


def counted(graph: Topology, orbits: str = "15") -> Generator[Progress, None, np.ndarray]:
    """The same as `orbit_counts`, for a caller who may stop: reports several times a second.

    Raises:
        InputError: 73 orbits without the optional counter.
        MethodError: the process of a dense graph ended without an answer.
    """
    yield Progress(0.0, "orbits")
    five = 1 if orbits == "15" else 20  # graphlets of 5 nodes are that much more work
    if five * float(np.square(graph.degrees.astype(np.float64)).sum()) <= LIGHT:
        return orbit_counts(graph, orbits)
    if orbits == "73":
        _five_node_counter()
    given = io.BytesIO()
    np.savez(given, edges=np.array(graph.edges), n=graph.n)
    command = (sys.executable, "-m", "gwl_core.baselines.orbit_worker", orbits)
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        stdin.write(given.getvalue())
        stdin.seek(0)
        process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, cwd=_ROOT)
        try:
            while process.poll() is None:
                yield Progress(0.0, "orbits of a dense graph")
                with suppress(subprocess.TimeoutExpired):
                    process.wait(PAUSE)
        finally:  # also where the caller stops
            process.kill()
            process.wait()
        if process.returncode != 0:
            raise MethodError("The orbits of so dense a graph could not be counted; leave this method out.")
        stdout.seek(0)
        return np.load(stdout, allow_pickle=False)


def orbit_counts(graph: Topology, orbits: str = "15") -> np.ndarray:
    """(n, 15) or (n, 73) orbit counts, float64.

    Raises:
        InputError: 73 orbits without the optional counter.
    """
    if orbits == "73":
        return _five_node_counts(graph)
    from pyfglt import fglt

    if not graph.adjacency.nnz:
        return np.zeros((graph.n, 15))
    adjacency = sparse.csc_matrix(graph.adjacency)
    with _silenced():
        counts = fglt.compute(adjacency)
    return np.asarray(counts, dtype=np.float64)[:, _COLUMNS]


@contextmanager
def _silenced() -> Iterator[None]:
    """The counter writes its timing to the process's standard output, which may be somebody's JSON or pipe.

    Only what is written meanwhile is lost, so no other thread may write there: count in the main one.
    """
    library = ctypes.CDLL(None)
    sys.stdout.flush()
    library.fflush(None)
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        library.fflush(None)
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)


def _five_node_counter() -> Any:
    try:
        import orbit_count
    except ImportError:
        raise InputError(
            "73 orbits need the package orbit-count, which is not installed; install it, or take 15 orbits."
        ) from None
    return orbit_count


def _five_node_counts(graph: Topology) -> np.ndarray:
    orbit_count = _five_node_counter()
    import networkx as nx

    named = nx.from_scipy_sparse_array(graph.adjacency)
    with _silenced():
        counts = orbit_count.node_orbit_counts(named, graphlet_size=5, node_list=list(range(graph.n)))
    return np.asarray(counts, dtype=np.float64)


def signature_similarity(first: np.ndarray, second: np.ndarray) -> Generator[Progress, None, np.ndarray]:
    """(n_s, n_t) similarity of (n, k) orbit counts: 1 − Σ D_i/Σ w_i.

    w_i = 1 − ln o_i/ln 73 and D_i = w_i |ln(a_i+1) − ln(b_i+1)| / ln(max(a_i, b_i)+2).
    """
    count = first.shape[1]
    weights = 1 - np.log(DEPENDENCIES[:count]) / np.log(73)
    distance = np.zeros((len(first), len(second)))
    for k in range(count):
        yield Progress(k / count, "signatures")
        one, other = first[:, k], second[:, k]
        gap = np.abs(np.subtract.outer(np.log(one + 1), np.log(other + 1)))
        distance += weights[k] * gap / np.maximum.outer(np.log(one + 2), np.log(other + 2))
    return 1 - distance / weights.sum()
