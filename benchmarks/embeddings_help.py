"""Does learning embeddings jointly raise node correctness over the same transport without them?

Both sides run `gwd`'s transport, without a search of starts: alone, and with embeddings that weigh in over four outer
iterations as in `default`. Graphs, noise and seed are shared, so differences are paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from benchmarks.paired import interval
from benchmarks.report import Row, Table, progress
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS, with_changes

FAMILIES = ("knn", "ba")
OUTER = 4
_TRANSPORT = ("inner", "rounds")


def tables(quick: bool) -> Iterator[Table]:
    """Every family, size and noise with 10 seeds, then all of them together; one cell with 2 seeds if quick."""
    cells = [(family, nodes, noise) for family in FAMILIES for nodes in (50, 100) for noise in (0.2, 0.35, 0.5)]
    runs = [
        run
        for family, nodes, noise in (cells[:1] if quick else cells)
        for run in paired_runs(family, nodes, noise, range(2 if quick else 10))
    ]
    notes = (
        "Node correctness one-to-one; gain: with embeddings minus gwd, mean and 95% interval (Student's t) over seeds.",
        "better, worse: seeds where embeddings raise or lower it.",
    )
    keys = list(dict.fromkeys((r["graphs"], r["nodes"], r["noise"], r["kernel"]) for r in runs))
    yield Table(
        "Embeddings against none, by graphs and noise",
        [_cell(dict(zip(("graphs", "nodes", "noise", "kernel"), key, strict=True)), runs) for key in keys],
        notes,
    )
    kernels = list(dict.fromkeys(r["kernel"] for r in runs))
    yield Table("All noisy graphs together", [_cell({"kernel": kernel}, runs) for kernel in kernels], notes)


def _cell(where: Mapping[str, Any], runs: Iterable[Row]) -> Row:
    """What the runs with these values say together."""
    chosen = [run for run in runs if all(run[name] == value for name, value in where.items())]
    gains = [run["joint"] - run["gwd"] for run in chosen]
    told = interval(gains)
    return {
        **where,
        "gwd": float(np.mean([run["gwd"] for run in chosen])),
        "joint": float(np.mean([run["joint"] for run in chosen])),
        "by_embedding": float(np.mean([run["embedding"] for run in chosen])),
        "gain": told["mean"], "low": told["low"], "high": told["high"], "n": told["n"],
        "better": sum(gain > 0 for gain in gains), "worse": sum(gain < 0 for gain in gains),
    }  # fmt: skip


def paired_runs(
    family: str, nodes: int, noise: float, seeds: Iterable[int], changes: Mapping[str, Any] | None = None
) -> Iterator[Row]:
    """A row for every seed and kernel; `changes` to both sides are for trying things."""
    for seed in seeds:
        problem = make(family, nodes, noise, seed)
        shared = {"seed": seed, "device": "cpu", "threads": 1, **(changes or {})}
        alone = _correctness(problem, shared)["one_to_one"]
        for kernel in ("cosine", "rbf"):
            joint = _correctness(problem, {**joint_changes(), **shared, "kernel": kernel})
            yield {
                "graphs": family, "nodes": nodes, "noise": noise, "kernel": kernel, "seed": seed,
                "gwd": alone, "joint": joint["one_to_one"], "embedding": joint["embedding"],
            }  # fmt: skip
        progress(f"  {family}, {nodes} nodes, noise {noise}, seed {seed}")


def joint_changes() -> dict[str, Any]:
    """What makes `gwd` learn embeddings: the default's other settings, its own transport kept."""
    default = PRESETS["default"]
    values = asdict(default.config) | asdict(default.hyperparameters)
    return {name: value for name, value in values.items() if name not in _TRANSPORT} | {"outer": OUTER}


def make(family: str, nodes: int, noise: float, seed: int) -> MatchingProblem:
    """A pair of the paper's generated graphs."""
    generator = np.random.default_rng(seed)
    return knn(nodes, noise, generator) if family == "knn" else barabasi_albert(nodes, noise, generator)


def _correctness(problem: MatchingProblem, changes: Mapping[str, Any]) -> Row:
    from gwl_core.trajectory import run

    measures = run(problem, *with_changes("gwd", changes), "gwd").measures
    return {
        "one_to_one": measures.node_correctness_one_to_one,
        "embedding": measures.node_correctness_embedding,
    }
