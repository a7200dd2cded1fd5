"""Does learning embeddings jointly raise node correctness over the same transport without them?

Both sides run `gwd`'s transport, without a search of starts: alone, and with embeddings that weigh in over four outer
iterations as in `default`. Graphs, noise and seed are shared, so differences are paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.paired import interval
from benchmarks.report import Row, Table, progress
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.metrics import node_correctness
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
    keys = list(dict.fromkeys((r["graphs"], r["nodes"], r["noise"], r["kernel"]) for r in runs))
    wheres = [dict(zip(("graphs", "nodes", "noise", "kernel"), key, strict=True)) for key in keys]
    yield Table(
        "Mean node correctness: gwd (none) and with embeddings (joint)",
        [{**where, **{name: _mean(chosen, name) for name in READINGS}} for where, chosen in _grouped(wheres, runs)],
        ("argmax: of the coupling's rows; one_to_one: linear assignment on it; embedding: nearest target, or linear",
         "assignment on the cross cost (embedding_one_to_one)."),
    )  # fmt: skip
    groups: list[Row] = [{"kernel": kernel} for kernel in dict.fromkeys(r["kernel"] for r in runs)]
    groups += [{"graphs": family, **group} for family in dict.fromkeys(r["graphs"] for r in runs) for group in groups]
    rows = [
        {**where, "embeddings": name, "against": other, **_gain(chosen, name, other)}
        for where, chosen in _grouped(groups, runs)
        for name, other in COMPARED
    ]
    notes = (
        "Differences are paired by graphs and seed; 95% intervals by Student's t over all pairs of a group.",
        "better, worse: pairs where embeddings raise or lower it. Like is held against like: rows, or one-to-one.",
    )
    yield Table("What embeddings add on noisy graphs", rows, notes)


READINGS = (
    "none_argmax", "none_one_to_one", "joint_argmax", "joint_one_to_one", "joint_embedding",
    "joint_embedding_one_to_one",
)  # fmt: skip
COMPARED = (
    ("joint_one_to_one", "none_one_to_one"),
    ("joint_embedding_one_to_one", "none_one_to_one"),
    ("joint_argmax", "none_argmax"),
    ("joint_embedding", "none_argmax"),
)


def _grouped(wheres: Iterable[Row], runs: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """The runs that have each group's values."""
    return [(where, [r for r in runs if all(r[k] == v for k, v in where.items())]) for where in wheres]


def _mean(runs: Sequence[Row], name: str) -> float:
    return float(np.mean([run[name] for run in runs]))


def _gain(runs: Sequence[Row], name: str, other: str) -> Row:
    gains = [run[name] - run[other] for run in runs]
    return interval(gains) | {"better": sum(gain > 0 for gain in gains), "worse": sum(gain < 0 for gain in gains)}


def paired_runs(
    family: str, nodes: int, noise: float, seeds: Iterable[int], changes: Mapping[str, Any] | None = None
) -> Iterator[Row]:
    """A row for every seed and kernel; `changes` to both sides are for trying things."""
    for seed in seeds:
        problem = make(family, nodes, noise, seed)
        shared = {"seed": seed, "device": "cpu", "threads": 1, **(changes or {})}
        alone = _readings(problem, shared, "none")
        for kernel in ("cosine", "rbf"):
            joint = _readings(problem, {**joint_changes(), **shared, "kernel": kernel}, "joint")
            yield {"graphs": family, "nodes": nodes, "noise": noise, "kernel": kernel, "seed": seed, **alone, **joint}
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


def _readings(problem: MatchingProblem, changes: Mapping[str, Any], label: str) -> Row:
    """Node correctness of one run, read in every way it can be."""
    from gwl_core.trajectory import run

    result = run(problem, *with_changes("gwd", changes), "gwd")
    measures = result.measures
    found = {"argmax": measures.node_correctness_coupling, "one_to_one": measures.node_correctness_one_to_one}
    if result.cross_cost is not None:
        rows, columns = linear_sum_assignment(result.cross_cost)
        matching = np.full(problem.source.n_nodes, -1)
        matching[rows] = columns
        found["embedding"] = measures.node_correctness_embedding
        found["embedding_one_to_one"] = node_correctness(matching, problem.truth)
    return {f"{label}_{name}": value for name, value in found.items()}
