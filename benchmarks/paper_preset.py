"""Which reading of the paper's settings reproduces its claims: R as mean or as sum, a normal or a uniform start of the
embeddings?

The claims (section "Synthetic data"): nearly 100% node correctness without noise, and the same by coupling as by
embedding; GWD, without embeddings, falls behind at a noise above 20%.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.report import Row, Table
from benchmarks.synthetic_runs import correctness, synthetic_runs

NODES = 50


def tables(quick: bool) -> Iterator[Table]:
    """The `paper` preset in every reading, beside `gwd-paper`, on K-NN graphs of 50 nodes."""
    seeds = range(1 if quick else 5)
    noises = (0.2,) if quick else (0.0, 0.2, 0.5)
    readings = [("cosine", "mean", "uniform"), ("cosine", "sum", "uniform")]
    if not quick:
        readings += [("cosine", "mean", "normal"), ("rbf", "mean", "uniform")]
    rows = [row("gwd-paper", noise, seeds, {}) for noise in noises]
    for kernel, regularizer, law in readings:
        changes = {"kernel": kernel, "regularizer": regularizer, "embedding_law": law}
        rows += [row("paper", noise, seeds, changes) for noise in noises]
    notes = ("Mean node correctness. discrepancy is that of the observed costs.",)
    yield Table(f"The paper's settings on K-NN graphs of {NODES} nodes", rows, notes)


def row(preset: str, noise: float, seeds: Iterable[int], changes: Mapping[str, Any], nodes: int = NODES) -> Row:
    """Means over the seeds, and the median time of a run."""
    results = synthetic_runs(preset, "K-NN", nodes, noise, seeds, changes)
    found: Row = {"preset": preset, "kernel": None, "regularizer": None, "embedding_law": None}
    found |= {name: changes[name] for name in found if name in changes}
    found |= {"noise": noise, "seeds": len(results)}
    for kind in ("coupling", "embedding", "one_to_one"):
        values = correctness(results, kind)
        found[kind] = float(np.mean(values)) if values else None
    found["discrepancy"] = float(np.mean([result.measures.gw_discrepancy for result in results]))
    found["seconds"] = float(np.median([result.seconds for result in results]))
    return found
