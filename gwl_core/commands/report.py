"""What `align` says of a result: one object for programs, a few lines for a reader."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from gwl_core.result import Result, SparseResult
from gwl_core.writers.record import describe, measures, method, truth_pairs

_COLUMN = 17


def summary(result: Result | SparseResult) -> dict[str, Any]:
    """The object that --json prints; its keys are a stable interface, to which keys may be added."""
    return {
        "status": result.status.code,
        "message": result.status.message,
        "preset": result.preset,
        "seed": result.config.seed,
        "method": method(result),
        "source": describe(result.problem.source),
        "target": describe(result.problem.target),
        **measures(result),
        "outer_iterations": result.outer_iterations,
        "inner_iterations": result.inner_iterations,
        "seconds": result.seconds,
        "truth_pairs": truth_pairs(result),
        "notices": result.notices,
        "config": asdict(result.config),
        "hyperparameters": asdict(result.hyperparameters),
    }


def report(result: Result | SparseResult, written: list[Path]) -> str:
    """The same for a human reader."""
    told = summary(result)
    rows = [(side, _sizes(told[side])) for side in ("source", "target")]
    rows.append(("status", f"{result.status.code}: {result.status.message}"))
    correctness = told["node_correctness"]
    if correctness:
        shares = ", ".join(f"{kind.replace('_', ' ')} {_percent(share)}" for kind, share in correctness.items())
        rows.append(("node correctness", f"{shares} (of {told['truth_pairs']} known pairs)"))
    edges = ", ".join(f"{name} {_percent(told[key])}" for name, key in (("ICS", "ics"), ("S3", "s3")))
    rows.append(("edge correctness", f"{_percent(told['edge_correctness'])}, {edges}"))
    rows.append(("unmatched", f"{told['unmatched']} nodes"))
    rows.append(("discrepancy", f"{result.measures.gw_discrepancy:.6g}"))
    rows.append(("marginal error", f"{result.measures.marginal_error:.1e}"))
    iterations = f"{result.outer_iterations} outer, {result.inner_iterations} inner iterations"
    rows.append(("effort", f"{iterations}, {result.seconds:.1f} s"))
    rows += [("wrote", str(path)) for path in written]
    return "\n".join(f"{name:<{_COLUMN}}{text}" for name, text in rows)


def _sizes(graph: dict[str, Any]) -> str:
    kind = "directed" if graph["directed"] else "undirected"
    return f"{graph['nodes']} nodes ({graph['isolated']} isolated), {graph['edges']} {kind} edges"


def _percent(share: float | None) -> str:
    return "not defined" if share is None else f"{share:.1%}"
