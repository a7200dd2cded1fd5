"""Table "mc3": matching a company's calls with its emails, sparse and dense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gwl_core.experiments.asking import TRIALS, choice, chosen, seeds, whole
from gwl_core.experiments.company_source import GENERATED_NOTE, OPTIONS, PUBLISHED_SIZES, company_of_request
from gwl_core.experiments.grouping import cells, groups, of, parts, wanting
from gwl_core.experiments.protocol import (
    Experiment,
    Figure,
    Option,
    Panel,
    Plan,
    Report,
    Request,
    Row,
    Scalar,
    Series,
    Table,
)  # fmt: skip
from gwl_core.experiments.trials.aligners import ALIGNERS
from gwl_core.experiments.trials.communication import DENSITIES, run_trial
from gwl_core.experiments.trials.solve import FAMILIES, METHODS

PUBLISHED: Mapping[str, tuple[tuple[float, float | None], tuple[float, float | None]]] = {
    "GAA": ((34.22, None), (0.53, None)),
    "LRSA": ((38.20, None), (2.93, None)),
    "TAME": ((37.39, None), (2.67, None)),
    "GRAAL": ((39.67, None), (0.48, None)),
    "MI-GRAAL": ((35.53, None), (0.64, None)),
    "MAGNA++": ((7.88, None), (0.09, None)),
    "HubAlign": ((36.21, None), (3.86, None)),
    "NETAL": ((36.87, None), (1.77, None)),
    "GWD": ((23.16, 0.46), (1.77, 0.22)),
    "GWL-R": ((39.64, 0.57), (3.80, 0.23)),
    "GWL-C": ((40.45, 0.53), (4.23, 0.27)),
}
"""Node correctness in percent and ±, on sparse and on dense graphs: the paper's table "mc3"."""
ALL = (*METHODS, *ALIGNERS)
OWN = "its own"
"""The settings of a system that is not GWL."""
_SIZES: Mapping[str, Mapping[str, Any]] = {
    "tiny": {"people": 16, "trials": 2, "methods": ("GWL-C", "GWD", "LRSA", "MAGNA++"), "generations": 5,
             "settings": ("default",)},
    "quick": {"people": 40, "trials": 2, "methods": ("GWL-C", "GWD", *ALIGNERS), "generations": 30,
              "settings": FAMILIES},
    "paper": {"people": 630, "trials": 10, "methods": ALL, "generations": 300, "settings": FAMILIES},
}  # fmt: skip
_CAP = 120
"""CPU seconds of a system's trial, unless --cap says otherwise."""


def plan(request: Request) -> Plan:
    """Every density, method and settings from every start."""
    size = _SIZES[request.size]
    company, data, notices = company_of_request(request, size["people"])
    methods = chosen(request, "method", ALL, size["methods"])
    families = chosen(request, "settings", FAMILIES, size["settings"])
    cap = whole(request, "cap", _CAP, high=100_000)
    generations = whole(request, "generations", size["generations"], high=10_000)
    starts = seeds(request, whole(request, "trials", size["trials"]))
    budgets = {name: {"cap": cap, "generations": generations if name == "MAGNA++" else None} for name in ALIGNERS}
    free: dict[str, int | None] = {"outer": None}
    kinds = [(name, family, free) for name in methods if name in METHODS for family in families]
    kinds += [(name, OWN, budgets[name]) for name in methods if name in ALIGNERS]
    trials = [
        {**company, "density": density, "method": name, "settings": family, "seed": seed, **more}
        for density in chosen(request, "density", tuple(DENSITIES), tuple(DENSITIES))
        for name, family, more in kinds
        for seed in starts
    ]
    return Plan(tuple(trials), data, notices)


def summarise(rows: Sequence[Row]) -> Report:
    """The paper's table with the measured values beside, and the sizes of the networks."""
    notes: tuple[str, ...] = (
        "± is half of a 95% confidence interval over starts; of other systems, over orders of the nodes.",
        "Best of trials: as the paper lists other systems. Their matching is their own, or one-to-one by assignment.",
    )
    cut = sum(row.values.get("status") == "cut short" for row in rows)
    if cut:
        notes += (f"{cut} trials of other systems were ended by the cap and count with the best they had.",)
    if any(row["logs"] is None for row in rows):
        notes += (GENERATED_NOTE,)
    return Report(
        (*_findings(rows), *wanting(rows, "starts")), (_table(rows, notes), _networks(rows)), (_figure(rows),)
    )


def _table(rows: Sequence[Row], notes: tuple[str, ...]) -> Table:
    lines: list[dict[str, Scalar]] = []
    for key, found in groups(rows, "density", "settings", "method"):
        lines.append({
            **key, "starts": len(found), **cells("by coupling", found, "correct_by_coupling"),
            **cells("by embedding", found, "correct_by_embedding"), **cells("one-to-one", found, "correct_one_to_one"),
            "best of trials": _best(found), **cells("discrepancy", found, "discrepancy"),
            **_published(key["density"], key["method"]),
        })  # fmt: skip
    measured = {(row["density"], row["method"]) for row in rows}
    for density in DENSITIES:
        others = [name for name in PUBLISHED if (density, name) not in measured]
        lines += [{"density": density, "method": name, **_published(density, name)} for name in others]
    return Table(
        "correctness", "Node correctness of calls → emails", tuple(lines),
        frozenset({"as published", "as published ±"}),
        frozenset({
            "by coupling", "by coupling ±", "by embedding", "by embedding ±", "one-to-one", "one-to-one ±",
            "best of trials", "as published", "as published ±",
        }),
        notes,
    )  # fmt: skip


def _best(rows: Sequence[Row]) -> float | None:
    """The greatest one-to-one correctness of a system that is not GWL; GWL is given as a mean, as in the paper."""
    known = [row["correct_one_to_one"] for row in rows if row["method"] in ALIGNERS]
    return max((value for value in known if value is not None), default=None)


def _bests(rows: Sequence[Row]) -> dict[str, float]:
    bests = {key["method"]: _best(found) for key, found in groups(rows, "method")}
    return {name: best for name, best in bests.items() if best is not None}


def _published(density: str, method: str) -> dict[str, Scalar]:
    value, half = PUBLISHED[method][list(DENSITIES).index(density)]
    return {"as published": value / 100, "as published ±": None if half is None else half / 100}


def _networks(rows: Sequence[Row]) -> Table:
    lines = []
    for key, found in groups(rows, "density"):
        for channel in ("call", "email"):
            edges, people = of(found, f"{channel}_edges"), of(found, "people")
            lines.append({
                "network": f"{channel}s, {key['density']}",
                "employees": None if people is None else round(people.mean),
                "edges": None if edges is None else round(edges.mean),
                "employees, as published": PUBLISHED_SIZES["people"],
                "edges, as published": PUBLISHED_SIZES[key["density"], channel],
            })  # fmt: skip
    return Table(
        "networks", "The networks", tuple(lines), frozenset({"employees, as published", "edges, as published"}),
        notes=("Selected: employees with more than 10 contacts with somebody, in one direction, in either network. "
               "Sparse: pairs with more than 8 contacts; dense: all. Edges are ordered pairs.",),
    )  # fmt: skip


def _findings(rows: Sequence[Row]) -> list[str]:
    found = []
    for key, part in groups(rows, "density", "settings"):
        if key["settings"] == OWN:
            told = ", ".join(f"{name} {100 * best:.2f}" for name, best in _bests(part).items())
            found.append(f"{key['density'].capitalize()}, other systems, percent one-to-one, best of trials: {told}.")
            continue
        means = {m["method"]: of(some, "correct_by_coupling") for m, some in groups(part, "method")}
        told = ", ".join(f"{name} {mean.text(percent=True)}" for name, mean in means.items() if mean is not None)
        found.append(f"{key['density'].capitalize()}, {key['settings']} settings, percent by coupling: {told}.")
    return found


def _figure(rows: Sequence[Row]) -> Figure:
    panels = []
    for place, density in enumerate(DENSITIES):
        series = []
        for key, part in groups([row for row in rows if row["density"] == density], "settings"):
            if key["settings"] == OWN:
                named = _bests(part)
                series.append(Series(
                    "measured, other systems, best of trials", tuple(named), tuple(named.values()), kind="bar",
                    role="gwd",
                ))  # fmt: skip
                continue
            means = {m["method"]: of(some, "correct_by_coupling") for m, some in groups(part, "method")}
            known = {name: mean for name, mean in means.items() if mean is not None}
            series.append(Series(
                f"measured, {key['settings']} settings", tuple(known), *parts(known.values()), kind="bar",
                role="gwl" if key["settings"] == "paper" else "gwl embedding",
            ))  # fmt: skip
        values = {name: PUBLISHED[name][place][0] / 100 for name in PUBLISHED}
        series.append(Series("all systems", tuple(values), tuple(values.values()), kind="bar", published=True))
        panels.append(Panel(f"Calls → emails, {density}", tuple(series)))
    return Figure(
        "correctness", "Node correctness of calls → emails",
        "Bars of node correctness by coupling: measured, filled, and as published, hollow.",
        "", "node correctness", tuple(panels), percent=True, columns=2,
    )  # fmt: skip


EXPERIMENT = Experiment(
    "communication", "Communication networks",
    "Who is who in a company's calls and emails, from a sparse and from a dense network. The paper finds GWL-C ahead "
    "of GWL-R, GWD and eight other systems: 40.45% of 622 employees on sparse graphs, 4.23% on dense ones.",
    plan, run_trial, summarise,
    (
        TRIALS, *OPTIONS, choice("density", tuple(DENSITIES)), choice("method", ALL), choice("settings", FAMILIES),
        Option("cap", "SECONDS", "CPU seconds for a trial of another system, then its best so far counts"),
        Option("generations", "N", "generations of MAGNA++"),
    ),
)  # fmt: skip
