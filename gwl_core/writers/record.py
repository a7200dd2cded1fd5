"""The record of a run as strict JSON: enough to repeat it, and every number it ended with."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import gwl_core
from gwl_core.graph import Graph
from gwl_core.matching import ONE_TO_ONE_RULE
from gwl_core.result import Result, SparseResult
from gwl_core.writers.strict_json import plain, strict_json
from gwl_core.writers.tables import result_pairs

SPARSE_RULE = "one-to-one: sparse linear assignment, polished by the edges it conserves"


def run_json(result: Result | SparseResult, origin: Mapping[str, Any] | None = None) -> bytes:
    """Settings, versions, seed, inputs, status, measures (null with a reason where undefined), rule, notices."""
    problem = result.problem
    record = {
        **provenance(result),
        "origin": origin or {},
        "truth_pairs": truth_pairs(result),
        "anchors": 0 if problem.anchors is None else problem.anchors.nnz,
        "given_costs": problem.source_cost is not None,
        "given_marginals": [problem.source_marginal is not None, problem.target_marginal is not None],
        "status": asdict(result.status),
        **measures(result),
        "undefined": undefined(result),
        "matching": matching_record(result),
        "outer_iterations": result.outer_iterations,
        "inner_iterations": result.inner_iterations,
        "seconds": result.seconds,
        "notices": result.notices,
    }
    return (strict_json(record, indent=1) + "\n").encode("utf-8")


def provenance(result: Result | SparseResult) -> dict[str, Any]:
    """Which program, settings, seed and graphs a result comes from."""
    source, target = result.problem.source, result.problem.target
    return {
        "gwl_core": gwl_core.__version__,
        "versions": versions(),
        "preset": result.preset,
        "seed": result.config.seed,
        "method": method(result),
        "config": asdict(result.config),
        "hyperparameters": asdict(result.hyperparameters),
        "source": describe(source) | {"name": source.name, "sha256": fingerprint(source)},
        "target": describe(target) | {"name": target.name, "sha256": fingerprint(target)},
    }


def matching_record(result: Result | SparseResult) -> dict[str, Any]:
    """The rule behind matches.csv, and the nodes that it leaves out or cannot tell apart."""
    pairs = result_pairs(result)
    source, target = result.problem.source.labels, result.problem.target.labels
    matched = {pair.source for pair in pairs}, {pair.target for pair in pairs}
    return {
        "rule": SPARSE_RULE if isinstance(result, SparseResult) else ONE_TO_ONE_RULE,
        "pairs": len(pairs),
        "unmatched_sources": [label for i, label in enumerate(source) if i not in matched[0]],
        "unmatched_targets": [label for j, label in enumerate(target) if j not in matched[1]],
        "tied_sources": [source[pair.source] for pair in pairs if pair.tied],
    }


def describe(graph: Graph) -> dict[str, Any]:
    """Sizes of a graph; edges as `Graph.n_edges` counts them."""
    return {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "directed": graph.directed,
        "isolated": graph.n_isolated,
    }


def method(result: Result | SparseResult) -> str:
    """Which solver ran: sparse, or config.method of the dense one."""
    return "sparse" if isinstance(result, SparseResult) else result.config.method


def truth_pairs(result: Result | SparseResult) -> int:
    """Known pairs that node correctness divides by."""
    return 0 if result.problem.truth is None else len(result.problem.truth)


def measures(result: Result | SparseResult) -> dict[str, Any]:
    """The measures by name, None where undefined; node_correctness as a whole is None without truth."""
    numbers = {name: plain(value) for name, value in asdict(result.measures).items()}
    correctness = {
        kind: numbers.pop(f"node_correctness_{kind}")
        for kind in ("coupling", "embedding", "one_to_one", "symmetry_aware")
    }
    return numbers | {"node_correctness": correctness if truth_pairs(result) else None}


def undefined(result: Result | SparseResult) -> dict[str, str]:
    """Why each measure that is None has no value."""
    no_embedding = "the run has no embeddings"
    no_truth = "no true pairs were given"
    reasons = {
        "node_correctness": no_truth,
        "node_correctness.embedding": no_embedding,
        "wasserstein": no_embedding,
        "regularizer": no_embedding,
        "edge_correctness": "the source has no edges",
        "ics": "no target edge joins two matched nodes",
        "s3": "neither the source nor the matched targets have an edge",
    }
    numbers = measures(result)
    for kind, value in (numbers.pop("node_correctness") or {}).items():
        numbers[f"node_correctness.{kind}"] = value
    if not truth_pairs(result):
        numbers["node_correctness"] = None
    return {
        name: reasons.get(name, "the value is not finite or was not computed")
        for name, value in numbers.items()
        if value is None
    }


def versions() -> dict[str, str | None]:
    """Versions of what a result depends on, read from the installed metadata: nothing is imported."""
    found: dict[str, str | None] = {"python": platform.python_version(), "platform": platform.platform()}
    for package in ("torch", "numpy", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def fingerprint(graph: Graph) -> str:
    """SHA-256 of a graph as read: direction, labels in order, and weights. Names and files play no part."""
    weights = graph.weights.tocsr().sorted_indices()
    digest = hashlib.sha256()
    digest.update(json.dumps([graph.directed, graph.labels]).encode("utf-8"))
    for part, kind in ((weights.indptr, "<i8"), (weights.indices, "<i8"), (weights.data, "<f8")):
        digest.update(part.astype(kind).tobytes())
    return digest.hexdigest()
