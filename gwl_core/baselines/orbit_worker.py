"""The process of one count of orbits: `python -m gwl_core.baselines.orbit_worker 15|73`.

An .npz with the (2, e) ends of the edges and n comes in by standard input; the counts go out as an .npy.
"""

from __future__ import annotations

import io
import os
import sys

import numpy as np
from scipy import sparse

from gwl_core.baselines.orbits import orbit_counts
from gwl_core.baselines.topology import Topology


def main() -> None:
    """The process of one count."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # the counter prints
    given = np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False)
    (rows, columns), n = given["edges"], int(given["n"])
    half = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    graph = Topology(sparse.csr_array(half + half.T))
    with answers:
        np.save(answers, orbit_counts(graph, sys.argv[1]))


if __name__ == "__main__":
    main()
