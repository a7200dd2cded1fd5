"""Figure "cmp": the proximal iteration against the entropic one over γ and the number of Sinkhorn passes J."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from gwl_core.experiments.asking import TRIALS, seeds, whole
from gwl_core.experiments.grouping import Group, curve, groups
from gwl_core.experiments.intervals import interval
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
from gwl_core.experiments.trials.proximal import FORMS, run_trial

METHODS = ("proximal", "entropic")
SINKHORN = (1, 10, 100)
GAMMA = (1e-3, 1e-2, 1e-1, 1.0)
_SIZES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"nodes": 10, "inner": 20, "trials": 1, "sinkhorn": (1, 10)},
    "quick": {"nodes": 30, "inner": 100, "trials": 1, "sinkhorn": SINKHORN},
    "paper": {"nodes": 50, "inner": 2000, "trials": 3, "sinkhorn": SINKHORN},
}
_NOISE = 0.1
_WOBBLE = 0.01
"""A discrepancy that still rises by more than this share of itself in one step, in the second half, fluctuates."""
_OFF = 0.01
"""Mass that may be off the marginals at the end."""
_PUBLISHED = {
    1e-3: "both at high risk of instability; entropic lower at J = 1",
    1e-2: "proximal stable, small discrepancy",
    1e-1: "proximal stable and good; entropic slow",
    1.0: "proximal stable and good; entropic slow",
}


def plan(request: Request) -> Plan:
    """The grid of the figure, by the printed algorithm and in the log domain."""
    size = _SIZES[request.size]
    inner = whole(request, "inner", size["inner"], 2, 5000)
    nodes = whole(request, "nodes", size["nodes"], 5, 500)
    combined = product(
        size["sinkhorn"], GAMMA, METHODS, FORMS, seeds(request, whole(request, "trials", size["trials"]))
    )
    trials: list[Parameters] = [
        {
            "sinkhorn": passes, "gamma": gamma, "method": method, "form": form, "seed": seed, "inner": inner,
            "nodes": nodes, "noise": _NOISE,
        }
        for passes, gamma, method, form, seed in combined
    ]  # fmt: skip
    return Plan(tuple(trials))


def verdict(rows: Sequence[Row]) -> str:
    """How one cell of the grid ended, the worst over its trials."""
    broke = [int(row["broke"]) for row in rows if row["broke"] is not None]
    if broke:
        return f"breaks at {min(broke)}"
    off = any(row["marginal_error"] > _OFF for row in rows)
    shaky = any(row["rises"] > _WOBBLE * abs(row["final"]) + 1e-12 for row in rows)
    return ", ".join([*["off the marginals"] * off, *["fluctuates"] * shaky]) or "stable"


def summarise(rows: Sequence[Row]) -> Report:
    """A table of verdicts and final discrepancies, and the 3 × 4 grid of curves."""
    table = _table(rows)
    return Report(tuple(_findings(rows)), (table,), (_figure(rows),))


def _table(rows: Sequence[Row]) -> Table:
    lines = []
    for key, found in groups(rows, "sinkhorn", "gamma"):
        line: dict[str, Scalar] = {"J": key["sinkhorn"], "γ": key["gamma"], "as published": _PUBLISHED[key["gamma"]]}
        for method, form in product(METHODS, FORMS):
            part = [row for row in found if row["method"] == method and row["form"] == form]
            if part:
                final = interval(row.values["final"] for row in part)  # type: ignore[misc]
                line[f"{method}, {form}"] = verdict(part)
                line[f"{method}, {form}: final"] = None if final is None else final.mean
        lines.append(line)
    return Table(
        "stability", "Stability and last discrepancy", tuple(lines), frozenset({"as published"}),
        notes=(
            "breaks at n: a value is no longer finite after n inner iterations. fluctuates: in the second half the "
            "discrepancy still rises by more than 1% in a step. off the marginals: more than 1% of the mass is "
            "misplaced at the end; such a discrepancy can lie below that of any coupling, and proves nothing. final: "
            "the last finite discrepancy, mean over trials.",
            "The printed form takes exponentials as they are; the log-domain form scales logarithms, and never breaks.",
        ),
    )  # fmt: skip


def _findings(rows: Sequence[Row]) -> list[str]:
    found = []
    for key, part in groups(rows, "method", "form"):
        cells = [(cell, verdict(some)) for cell, some in groups(part, "sinkhorn", "gamma")]
        broken = [_place(cell) for cell, said in cells if said.startswith("breaks")]
        shaky = [_place(cell) for cell, said in cells if said != "stable" and not said.startswith("breaks")]
        name = f"{key['method'].capitalize()}, {key['form']}"
        said = f"breaks at {'; '.join(broken)}" if broken else "no cell breaks"
        found.append(f"{name}: {said}{'; unsteady at ' + '; '.join(shaky) if shaky else ''}.")
    return found


def _place(cell: Group) -> str:
    return f"J={cell['sinkhorn']}, γ={cell['gamma']:g}"


def _figure(rows: Sequence[Row]) -> Figure:
    panels = []
    for key, found in groups(rows, "sinkhorn", "gamma"):
        series = []
        for method in METHODS:
            for form in FORMS:
                part = [row for row in found if row["method"] == method and row["form"] == form]
                name = method if form == "printed" else f"{method}, log-domain"
                role = method if form == "printed" else f"{method} log-domain"
                series.append(_mean_curve(part, name, role))
                if form == "printed":
                    series.append(_break(part, method))
        title = f"J = {key['sinkhorn']}, γ = {key['gamma']:g}"
        panels.append(Panel(title, tuple(s for s in series if s.x)))
    return Figure(
        "grid", "Proximal against entropic iterations",
        "Twelve panels, J by γ: the discrepancy against inner iterations, proximal and entropic; a red cross marks "
        "where the printed form breaks.",
        "inner iteration", "discrepancy", tuple(panels), log_x=True, columns=4,
    )  # fmt: skip


def _mean_curve(rows: Sequence[Row], name: str, role: str) -> Series:
    points: dict[float, list[float]] = {}
    for row in rows:
        for step, value in zip(row["steps"], row["curve"], strict=True):
            points.setdefault(step, []).append(value)
    return curve({step: interval(values) for step, values in points.items()}, name, role=role)


def _break(rows: Sequence[Row], method: str) -> Series:
    """A cross at the last finite value of the first trial that breaks; at the start if there is none."""
    first = min((row for row in rows if row["broke"] is not None), key=lambda row: int(row["broke"]), default=None)
    if first is None:
        return Series("", (), ())
    place, value = max(1, int(first["broke"]) - 1), first["final"]
    return Series(f"{method} breaks", (place,), (0.0 if value is None else value,), kind="mark", role="unstable")


EXPERIMENT = Experiment(
    "proximal", "Proximal against entropic",
    "Convergence of the proximal and the entropic iteration for J of 1, 10, 100 and γ from 0.001 to 1. The paper finds "
    "both at risk at γ = 0.001, the proximal one stable beyond, and the entropic one slow above 0.01.",
    plan, run_trial, summarise,
    (TRIALS, Option("inner", "N", "inner iterations"), Option("nodes", "V", "source nodes of the K-NN pair")),
)  # fmt: skip
