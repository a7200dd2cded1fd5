"""Any grid over settings, pairs and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from gwl_core.errors import InputError
from gwl_core.experiments.asking import TRIALS, chosen, seeds, whole
from gwl_core.experiments.grouping import cells, curve, groups, of, parts, wanting
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
    Series,
    Table,
)  # fmt: skip
from gwl_core.experiments.trials.settings import PAIRS, pair_of, run_trial
from gwl_core.settings import PARAMETER, PRESETS, with_changes

MAX_TRIALS = 100_000
_SIZES = {
    "tiny": (("gamma=0.01,0.1",), ("knn:8:0.2",), 1),
    "quick": (("gamma=0.003,0.01,0.03,0.1", "sinkhorn=1,10"), ("knn:30:0.2",), 3),
    "paper": (("gamma=0.001,0.003,0.01,0.03,0.1", "sinkhorn=1,10"), ("knn:50:0.2", "ba:50:0.2"), 20),
}
"""Grid, pairs and seeds where none are given: γ and J of the coupling alone."""
_FIXED = ("seed", "threads", "device", "scale")
_OTHERS = ("pair", "preset", "seed")


def plan(request: Request) -> Plan:
    """Every combination; every pair, preset and setting is checked before the first trial runs."""
    grid, pairs, count = _SIZES[request.size]
    presets = chosen(request, "preset", tuple(PRESETS), ("gwd-paper" if not request.texts("grid") else "default",))
    axes = [_axis(text) for text in request.texts("grid") or grid]
    if len({name for name, _ in axes}) < len(axes):
        raise InputError("--grid names a setting twice; give all its values in one, as in --grid beta=1,10.")
    pairs = tuple(dict.fromkeys(request.texts("pairs"))) or pairs
    for name in pairs:
        pair_of(name, request.seed)
    total = whole(request, "trials", count)
    trials: list[Parameters] = []
    for preset, name, values in product(presets, pairs, product(*(values for _, values in axes))):
        settings = dict(zip((axis for axis, _ in axes), values, strict=True))
        with_changes(preset, settings)
        trials += [{"pair": name, "preset": preset, **settings, "seed": seed} for seed in seeds(request, total)]
        if len(trials) > MAX_TRIALS:
            raise InputError(f"The grid has more than {MAX_TRIALS:,} trials; sweep over fewer values at a time.")
    return Plan(tuple(trials))


def _axis(text: str) -> tuple[str, tuple[Any, ...]]:
    """A setting and its values, from name=value,value,…; values are checked and take their right types."""
    name, equals, rest = text.partition("=")
    name = name.strip().replace("-", "_")
    if not equals or not rest:
        raise InputError(f"--grid must be SETTING=VALUE,VALUE,…, as in gamma=0.01,0.1; got {text!r}.")
    if name not in PARAMETER or name in _FIXED:
        possible = ", ".join(key for key in PARAMETER if key not in _FIXED)
        raise InputError(f"--grid cannot vary {name!r}: choose from {possible}.")
    words = {"true": True, "false": False}
    values = [words.get(part, part) if PARAMETER[name].kind == "bool" else part for part in rest.split(",")]
    return name, tuple(dict.fromkeys(PARAMETER[name].check(value) for value in values))


def summarise(rows: Sequence[Row]) -> Report:
    """Means by combination, and node correctness against the first setting with several values."""
    names = list(dict.fromkeys(name for row in rows for name in row.parameters if name not in _OTHERS))
    lines = [
        {
            **key, "seeds": len(found), **cells("by coupling", found, "correct_by_coupling"),
            **cells("by embedding", found, "correct_by_embedding"), **cells("one-to-one", found, "correct_one_to_one"),
            **cells("edge correctness", found, "edge_correctness"), **cells("discrepancy", found, "discrepancy"),
            "seconds": sum(row.seconds for row in found) / len(found),
        }
        for key, found in groups(rows, "pair", "preset", *names)
    ]  # fmt: skip
    shares = ("by coupling", "by embedding", "one-to-one", "edge correctness")
    table = Table(
        "sweep", "Every combination", tuple(lines),
        percent=frozenset(name + end for name in shares for end in ("", " ±")),
        notes=("± is half of a 95% confidence interval over seeds; a generated pair differs from seed to seed.",),
    )  # fmt: skip
    best = max(lines, key=lambda line: line["by coupling"] or 0.0, default=None)
    findings: tuple[str, ...] = ()
    if best is not None and best["by coupling"] is not None:
        told = ", ".join(f"{name} {best[name]}" for name in ("pair", "preset", *names))
        findings = (f"Best by coupling: {told}, with {100 * best['by coupling']:.1f}% right.",)
    return Report((*findings, *wanting(rows, "seeds")), (table,), (_figure(rows, names),) if rows and names else ())


def _figure(rows: Sequence[Row], names: Sequence[str]) -> Figure:
    sizes = {name: len({row[name] for row in rows}) for name in names}
    x = next((name for name in names if sizes[name] > 1), names[0])
    rest = [name for name in names if name != x]
    panels = []
    for key, part in groups(rows, "pair", "preset"):
        series = []
        for other, found in groups(part, *rest):
            name = ", ".join(f"{setting} {value}" for setting, value in other.items()) or "by coupling"
            series.append(_series(found, x, name))
        panels.append(Panel(f"{key['pair']}, {key['preset']}", tuple(s for s in series if s.x)))
    numbers = all(isinstance(row[x], int | float) and row[x] > 0 for row in rows)
    return Figure(
        "sweep", f"Node correctness by coupling against {x}",
        f"Mean node correctness by coupling against {x}, one line for each combination of the other settings, with 95% "
        "intervals.",
        x, "node correctness", tuple(panels), log_x=numbers and sizes[x] > 2, percent=True,
    )  # fmt: skip


def _series(rows: Sequence[Row], x: str, name: str) -> Series:
    points = {key[x]: of(found, "correct_by_coupling") for key, found in groups(rows, x)}
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in points):
        return curve(points, name)
    known = [(str(value), found) for value, found in points.items() if found is not None]
    return Series(
        name, tuple(v for v, _ in known), *parts([found for _, found in known])
    )  # fmt: skip


EXPERIMENT = Experiment(
    "sweep", "Sweep over settings",
    "Any grid over settings, pairs and seeds, on this machine or on a Dask cluster. Without a grid of its own it "
    "varies γ and J of the coupling alone.",
    plan, run_trial, summarise,
    (
        TRIALS, Option("grid", "SETTING=V,V", "values of a setting; may be given several times", many=True),
        Option("pairs", "PAIR", f"{PAIRS}; may be given several times", many=True),
        Option("preset", "NAME", f"{', '.join(PRESETS)}; may be given several times", many=True),
    ),
)  # fmt: skip
