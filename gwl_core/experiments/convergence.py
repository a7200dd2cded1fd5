"""Figures "conv" and "epoch29": discrepancy and node correctness against outer iterations, and the embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from gwl_core.experiments.asking import TRIALS, choice, chosen, seeds, whole
from gwl_core.experiments.company_source import GENERATED_NOTE, OPTIONS, company_of_request
from gwl_core.experiments.grouping import curve, groups, wanting
from gwl_core.experiments.intervals import Interval, interval, within
from gwl_core.experiments.protocol import (
    Experiment,
    Figure,
    Option,
    Panel,
    Parameters,
    Plan,
    Report,
    Request,
    Row,
    Scalar,
    Series,
    Table,
)  # fmt: skip
from gwl_core.experiments.trials.communication import DENSITIES, run_trial

_METHODS = ("GWL-C", "GWL-R")
_SIZES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"people": 16, "trials": 2, "methods": ("GWL-C",), "outer": 2},
    "quick": {"people": 60, "trials": 3, "methods": ("GWL-C",), "outer": 30},
    "paper": {"people": 630, "trials": 10, "methods": _METHODS, "outer": 30},
}
_CURVES = ("discrepancy_curve", "coupling_curve", "embedding_curve")


def plan(request: Request) -> Plan:
    """The paper's settings from every start; the first start of each method is projected too."""
    size = _SIZES[request.size]
    company, data, notices = company_of_request(request, size["people"])
    outer = whole(request, "outer", size["outer"], 1, 200)
    combined = product(
        chosen(request, "density", tuple(DENSITIES), ("sparse",)),
        chosen(request, "method", _METHODS, size["methods"]),
        seeds(request, whole(request, "trials", size["trials"])),
    )
    trials: list[Parameters] = [
        {
            **company, "density": density, "method": method, "settings": "paper", "seed": seed, "outer": outer,
            "curves": True, "project": seed == request.seed,
        }
        for density, method, seed in combined
    ]  # fmt: skip
    return Plan(tuple(trials), data, notices)


def summarise(rows: Sequence[Row]) -> Report:
    """Curves with intervals, the ends of the curves as a table, and the t-SNE of a start."""
    notes: tuple[str, ...] = (
        "Start and end are after the first and the last outer iteration; ± is half of a 95% interval over starts.",
    )
    if any(row["logs"] is None for row in rows):
        notes += (GENERATED_NOTE,)
    return Report(
        (*_findings(rows), *wanting(rows, "starts")), (_ends(rows, notes),), (*_curves(rows), _embedding(rows))
    )


def _at(rows: Sequence[Row], name: str) -> dict[float, Interval | None]:
    """Outer iteration → mean of a curve."""
    curves = [row.values[name] for row in rows if isinstance(row.values.get(name), list)]
    length = max((len(c) for c in curves), default=0)  # type: ignore[arg-type]
    return {
        k + 1: interval((c[k] for c in curves if k < len(c)), *within(name))  # type: ignore[index, arg-type, misc]
        for k in range(length)
    }


def _ends(rows: Sequence[Row], notes: tuple[str, ...]) -> Table:
    lines = []
    for key, found in groups(rows, "density", "method"):
        line: dict[str, Scalar] = {**key, "starts": len(found)}
        for name, words in zip(_CURVES, ("discrepancy", "by coupling", "by embedding"), strict=True):
            points = list(_at(found, name).values())
            for place, point in (("start", points[:1]), ("end", points[-1:])):
                if point and point[0] is not None:
                    line |= {f"{words}, {place}": point[0].mean, f"{words}, {place} ±": point[0].half}
        lines.append(line)
    shares = {f"{w}, {p}{s}" for w in ("by coupling", "by embedding") for p in ("start", "end") for s in ("", " ±")}
    return Table("ends", "First and last outer iteration", tuple(lines), percent=frozenset(shares), notes=notes)


def _findings(rows: Sequence[Row]) -> list[str]:
    found = []
    for key, part in groups(rows, "density", "method"):
        values = {name: list(_at(part, name).values()) for name in _CURVES}
        if not all(points and points[0] and points[-1] for points in values.values()):
            continue
        first, last = ({name: points[k].mean for name, points in values.items()} for k in (0, -1))  # type: ignore[union-attr]
        start, end = first["discrepancy_curve"], last["discrepancy_curve"]
        falls, agree = end < start, abs(last["coupling_curve"] - last["embedding_curve"]) <= 0.02
        found.append(
            f"{key['method']}, {key['density']}: the discrepancy {'falls' if falls else 'does not fall'} "
            f"({start:.4g} → {end:.4g}); at the end {100 * last['coupling_curve']:.1f}% are right by coupling and "
            f"{100 * last['embedding_curve']:.1f}% by embedding, which "
            f"{'agree' if agree else 'differ'}. The paper reports a falling discrepancy and agreement."
        )
    return found


def _curves(rows: Sequence[Row]) -> tuple[Figure, Figure]:
    first, second = [], []
    for key, part in groups(rows, "density", "method"):
        title = f"{key['method']}, {key['density']}"
        first.append(Panel(title, (curve(_at(part, "discrepancy_curve"), "discrepancy", role="gwl"),)))
        second.append(Panel(title, (
            curve(_at(part, "coupling_curve"), "by coupling", role="gwl"),
            curve(_at(part, "embedding_curve"), "by embedding", role="gwd"),
        )))  # fmt: skip
    return (
        Figure("discrepancy", "Discrepancy against outer iterations",
               "The mean discrepancy after every outer iteration, with its 95% interval over starts as a band.",
               "outer iteration", "discrepancy", tuple(first), own_y=True),
        Figure("correctness", "Node correctness against outer iterations",
               "Mean node correctness by coupling and by embedding after every outer iteration, with 95% bands.",
               "outer iteration", "node correctness", tuple(second), percent=True),
    )  # fmt: skip


def _embedding(rows: Sequence[Row]) -> Figure:
    panels = []
    for key, part in groups(rows, "density", "method"):
        row = next((row for row in part if "tsne_x" in row.values), None)
        if row is None:
            continue
        values: Mapping[str, Any] = row.values
        x, y, names = (tuple(values[name]) for name in ("tsne_x", "tsne_y", "names"))
        half = len(x) // 2
        series = tuple(
            Series(side, x[part], y[part], kind="points", role=role, labels=tuple(f"{side} {n}" for n in names[part]))
            for side, role, part in (("calls", "source", slice(half)), ("emails", "target", slice(half, None)))
        )
        panels.append(Panel(f"{key['method']}, {key['density']}", series))
    return Figure(
        "embedding", "The learned embeddings (t-SNE)",
        "Both networks' node embeddings placed by t-SNE: where calls and emails overlap, they are on one manifold. "
        "Distances between clusters mean little.",
        "", "", tuple(panels), own_y=True, columns=2,
    )  # fmt: skip


EXPERIMENT = Experiment(
    "convergence", "Convergence and embeddings",
    "Discrepancy and node correctness against outer iterations over several starts, and a t-SNE of the embeddings. The "
    "paper shows the discrepancy falling and both correctnesses rising and agreeing.",
    plan, run_trial, summarise, (TRIALS, *OPTIONS, choice("density", tuple(DENSITIES)), choice("method", _METHODS),
     Option("outer", "M", "outer iterations")),
)  # fmt: skip
