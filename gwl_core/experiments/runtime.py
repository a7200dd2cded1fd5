"""Section "Runtime": seconds by phase against the number of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from gwl_core.experiments.asking import TRIALS, choice, chosen, numbers, seeds, whole
from gwl_core.experiments.grouping import cells, curve, groups, of
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
from gwl_core.experiments.trials.runtime import PHASES, run_trial
from gwl_core.experiments.trials.solve import FAMILIES, METHODS

PUBLISHED = {100: 15.0, 622: 480.0}
"""Nodes → seconds: "about 15 seconds" for synthetic graphs, "about 8 minutes" for MC3, on a CPU."""
_SIZES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"nodes": (8,), "trials": 1, "settings": ("default",), "methods": ("GWL-C",)},
    "quick": {"nodes": (25, 100), "trials": 1, "settings": FAMILIES, "methods": ("GWL-C",)},
    "paper": {"nodes": (50, 100, 200, 400, 622), "trials": 3, "settings": FAMILIES, "methods": ("GWL-C", "GWD")},
}
_NOISE = 0.1


def plan(request: Request) -> Plan:
    """K-NN pairs of growing size, one run at a time with the threads asked for."""
    size = _SIZES[request.size]
    threads = whole(request, "threads", 2, 1, 256)
    combined = product(
        (int(n) for n in numbers(request, "nodes", size["nodes"], 5, 2000)),
        chosen(request, "method", METHODS, size["methods"]),
        chosen(request, "settings", FAMILIES, size["settings"]),
        seeds(request, whole(request, "trials", size["trials"])),
    )
    names = ("nodes", "method", "settings", "seed")
    trials: list[Parameters] = [
        {**dict(zip(names, values, strict=True)), "threads": threads, "noise": _NOISE} for values in combined
    ]
    return Plan(tuple(trials))


def summarise(rows: Sequence[Row]) -> Report:
    """Seconds by phase, and the total beside the paper's."""
    lines = [
        {
            **key, "runs": len(found), **cells("seconds", found, "total_seconds"),
            "as published, seconds": PUBLISHED.get(key["nodes"]) if key["method"] != "GWD" else None,
            "processor seconds": of(found, "processor_seconds").mean,  # type: ignore[union-attr]
            **{phase: of(found, f"{phase}_seconds").mean for phase in PHASES},  # type: ignore[union-attr]
            "by coupling": of(found, "correct_by_coupling").mean,  # type: ignore[union-attr]
        }
        for key, found in groups(rows, "settings", "method", "nodes", "threads")
    ]  # fmt: skip
    table = Table(
        "seconds", "Seconds by phase", tuple(lines), frozenset({"as published, seconds"}), frozenset({"by coupling"}),
        ("Wall time of one run after its libraries are loaded; the paper's machine is not known, and its 622 nodes are "
         "the MC3 graphs, here a K-NN pair. Other work on the machine shows in seconds more than in processor "
         "seconds.",),
    )  # fmt: skip
    return Report(tuple(_findings(lines)), (table,), (_totals(rows), _phases(rows)))


def _findings(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        f"{line['nodes']} nodes, {line['method']}, {line['settings']} settings, {line['threads']} threads: "
        f"{line['seconds']:.1f} s; the paper states {line['as published, seconds']:g} s."
        for line in lines
        if line["as published, seconds"] is not None
    ]


def _totals(rows: Sequence[Row]) -> Figure:
    series = [
        curve({k["nodes"]: of(part, "total_seconds") for k, part in groups(found, "nodes")},
              f"{key['method']}, {key['settings']}")
        for key, found in groups(rows, "method", "settings")
    ]  # fmt: skip
    published = Series("paper", tuple(PUBLISHED), tuple(PUBLISHED.values()), kind="mark", published=True)
    return Figure(
        "seconds", "Seconds against nodes",
        "Wall seconds of a run against the number of source nodes, on logarithmic axes, with the paper's two values.",
        "source nodes", "seconds", (Panel("All phases", (*series, published)),), log_x=True, log_y=True, columns=1,
    )  # fmt: skip


def _phases(rows: Sequence[Row]) -> Figure:
    panels = []
    for key, found in groups(rows, "method", "settings"):
        series = []
        for phase in PHASES:
            means = [(str(k["nodes"]), of(part, f"{phase}_seconds")) for k, part in groups(found, "nodes")]
            known = [(name, mean.mean) for name, mean in means if mean is not None]
            series.append(Series(phase, tuple(n for n, _ in known), tuple(m for _, m in known), kind="bar"))
        panels.append(Panel(f"{key['method']}, {key['settings']} settings", tuple(series)))
    return Figure(
        "phases", "Seconds by phase",
        "Bars of mean wall seconds by phase for each number of nodes.",
        "source nodes", "seconds", tuple(panels), own_y=True,
    )  # fmt: skip


EXPERIMENT = Experiment(
    "runtime", "Runtime",
    "Seconds of a run by phase and number of nodes. The paper states 15 seconds for 100 nodes and 8 minutes for 622.",
    plan, run_trial, summarise,
    (
        TRIALS, Option("nodes", "V", "source nodes; may be given several times", many=True),
        Option("threads", "K", "threads of a run; 2 unless given"), choice("method", METHODS),
        choice("settings", FAMILIES),
    ),
    alone=True,
)  # fmt: skip
