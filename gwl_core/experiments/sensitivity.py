"""How much β, D, the kernel, its width and the α schedule matter, one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gwl_core.experiments.asking import TRIALS, choice, chosen, seeds, whole
from gwl_core.experiments.grouping import cells, groups, of, parts, wanting
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
from gwl_core.experiments.trials.settings import pair_of, run_trial
from gwl_core.experiments.trials.solve import FAMILIES

VALUES: Mapping[str, tuple[Scalar, ...]] = {
    "beta": (0.0, 1.0, 10.0, 100.0, 1000.0),
    "dim": (10, 32, 100, 200),
    "kernel": ("cosine", "rbf"),
    "sigma": (1.0, 3.0, 10.0, 30.0, 100.0),
    "alpha": ("linear", "smooth", "delayed:0.5", "constant:0.1", "constant:0.5", "constant:1"),
}
"""The values of each setting; the paper tried these β."""
STABLE_BETA = (1.0, 10.0, 100.0)
"""Where the paper finds β stable."""
_STABLE = 0.02
_SIZES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"pair": "knn:8:0.2", "trials": 2, "vary": ("beta",), "settings": ("default",), "short": True},
    "quick": {"pair": "knn:20:0.2", "trials": 2, "vary": tuple(VALUES), "settings": ("default",), "short": True},
    "paper": {"pair": "knn:50:0.2", "trials": 20, "vary": tuple(VALUES), "settings": FAMILIES, "short": False},
}


def plan(request: Request) -> Plan:
    """Each setting at each value, the others as in the preset."""
    size = _SIZES[request.size]
    pair = request.text("pair") or size["pair"]
    pair_of(pair, request.seed)
    trials: list[Parameters] = []
    for preset in chosen(request, "settings", FAMILIES, size["settings"]):
        for name in chosen(request, "vary", tuple(VALUES), size["vary"]):
            # The quick size takes every third value; of β all, for the paper's claim is about it.
            fewer = size["short"] and name not in ("beta", "kernel")
            trials += [
                {"pair": pair, "preset": preset, "vary": name, name: value, "seed": seed}
                for value in VALUES[name][:: 3 if fewer else 1]
                for seed in seeds(request, whole(request, "trials", size["trials"]))
            ]
    return Plan(tuple(trials))


def summarise(rows: Sequence[Row]) -> Report:
    """Means by setting and value."""
    lines = [
        {
            "settings": row["preset"], "varied": row["vary"], "value": _text(row[row["vary"]]), "trials": len(found),
            **cells("by coupling", found, "correct_by_coupling"),
            **cells("by embedding", found, "correct_by_embedding"), **cells("discrepancy", found, "discrepancy"),
            "as published": _published(row),
        }
        for row, found in _by_value(rows)
    ]  # fmt: skip
    table = Table(
        "sensitivity", "One setting at a time", tuple(lines), frozenset({"as published"}),
        frozenset({"by coupling", "by coupling ±", "by embedding", "by embedding ±"}),
        ("Everything else is as in the preset. ± is half of a 95% confidence interval over trials, each with graphs of "
         "its own.",),
    )  # fmt: skip
    return Report((*_findings(rows), *wanting(rows)), (table,), (_figure(rows),))


def _by_value(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """One row of each value with all rows of that value."""
    return [
        (found[0], found)
        for preset in FAMILIES
        for name in VALUES
        for _, found in groups([r for r in rows if r["preset"] == preset and r["vary"] == name], name)
    ]


def _text(value: Scalar) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _published(row: Row) -> str | None:
    if row["vary"] != "beta":
        return None
    return "stable" if row["beta"] in STABLE_BETA else "tried, not among the stable ones"


def _findings(rows: Sequence[Row]) -> list[str]:
    said = []
    for key, found in groups([row for row in rows if row["vary"] == "beta"], "preset"):
        means = {k["beta"]: of(part, "correct_by_coupling") for k, part in groups(found, "beta")}
        known = [mean for beta, mean in means.items() if beta in STABLE_BETA and mean is not None]
        if len(known) < 2:
            continue
        inside = [mean.mean for mean in known]
        spread = max(inside) - min(inside)
        verdict = "is stable, as published" if spread <= _STABLE else "is not stable, unlike published"
        if any(mean.half is None for mean in known):
            verdict = "is no verdict yet: the trials are too few"
        said.append(
            f"{str(key['preset']).capitalize()} settings: node correctness by coupling moves by {100 * spread:.1f} "
            f"points over β in [1, 100], which {verdict}."
        )
    return said


def _figure(rows: Sequence[Row]) -> Figure:
    panels = []
    for preset in FAMILIES:
        for name in VALUES:
            part = [row for row in rows if row["preset"] == preset and row["vary"] == name]
            if part:
                series = (_series(part, name, "coupling", "gwl"), _series(part, name, "embedding", "gwd"))
                panels.append(Panel(f"{name}, {preset} settings", series))
    return Figure(
        "sensitivity", "Node correctness against one setting at a time",
        "Mean node correctness by coupling and by embedding at each value of a setting, with 95% intervals.",
        "value", "node correctness", tuple(panels), percent=True, columns=3,
    )  # fmt: skip


def _series(rows: Sequence[Row], name: str, by: str, role: str) -> Series:
    means = [(_text(key[name]), of(found, f"correct_by_{by}")) for key, found in groups(rows, name)]
    known = [(text, mean) for text, mean in means if mean is not None]
    return Series(
        f"by {by}", tuple(text for text, _ in known), *parts([mean for _, mean in known]), role=role
    )  # fmt: skip


EXPERIMENT = Experiment(
    "sensitivity", "Sensitivity to settings",
    "Node correctness over β, D, the kernel, its width and the α schedule, one at a time. The paper tries β of 0 to "
    "1000 and finds 1 to 100 stable.",
    plan, run_trial, summarise,
    (
        TRIALS, choice("vary", tuple(VALUES)), choice("settings", FAMILIES),
        Option("pair", "PAIR", "what to align, as for sweep --pairs"),
    ),
)  # fmt: skip
