"""Runs of several methods on the same data, held against each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

import numpy as np
from scipy.stats import t as student

from benchmarks.report import Row

_DRAWS = 4000
MEASURES = ("node_correctness", "symmetry_aware", "edge_correctness")


def interval(differences: Sequence[float]) -> Row:
    """Mean, 95% interval by Student's t (None for fewer than two) and how many there are."""
    values = np.asarray(differences, dtype=np.float64)
    found: Row = {"mean": float(values.mean()) if len(values) else None, "low": None, "high": None, "n": len(values)}
    if len(values) > 1:
        half = float(student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
        found |= {"low": found["mean"] - half, "high": found["mean"] + half}
    return found


def resampled(groups: Sequence[Sequence[float]], seed: int = 0) -> Row:
    """95% percentile interval of the mean of group means, by drawing groups, then values within each, with replacement.

    It needs no normal law, which a single file where a peer fails is far from. None for fewer than two groups.
    """
    if len(groups) < 2:
        return {"drawn_low": None, "drawn_high": None}
    rng = np.random.default_rng(seed)
    drawn = np.empty(_DRAWS)
    for k in range(_DRAWS):
        picked = (np.asarray(groups[at]) for at in rng.integers(len(groups), size=len(groups)))
        drawn[k] = fmean(group[rng.integers(len(group), size=len(group))].mean() for group in picked)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return {"drawn_low": float(low), "drawn_high": float(high)}


def comparisons(rows: Sequence[Row], own: str, peers: Sequence[str]) -> list[Row]:
    """own − peer for each peer and measure: paired by data and seed, averaged by data, with intervals over data."""
    at = {(row["data"], row["seed"], row["method"]): row for row in rows}
    found = []
    for peer in peers:
        for measure in MEASURES:
            by_data: defaultdict[str, list[float]] = defaultdict(list)
            for (data, seed, method), row in at.items():
                other = at.get((data, seed, peer), {})
                if method == own and row.get(measure) is not None and other.get(measure) is not None:
                    by_data[data].append(row[measure] - other[measure])
            told = interval([fmean(values) for values in by_data.values()]) | resampled(list(by_data.values()))
            cut = sum(row["method"] == peer and row["capped"] for row in rows)
            lost = sum(row["method"] == peer and row.get(measure) is None for row in rows)
            found.append({"peer": peer, "measure": measure, **told, "cut_short": cut, "without_result": lost})
    return found


def by_file(rows: Sequence[Row], methods: Sequence[str], measure: str) -> list[Row]:
    """One row per data, one column per method: the mean over seeds, starred where a run was cut short."""
    found = []
    for data in dict.fromkeys(row["data"] for row in rows):
        of_data = [row for row in rows if row["data"] == data]
        told: Row = {"data": data, "nodes": of_data[0]["nodes"], "seeds": len({row["seed"] for row in of_data})}
        if measure == "node_correctness":
            told |= {name: fmean(row[name] for row in of_data) for name in ("ceiling_low", "ceiling_high")}
        for method in methods:
            runs = [row for row in of_data if row["method"] == method]
            values = [row[measure] for row in runs if row.get(measure) is not None]
            mean = fmean(values) if values else None
            cut = any(row["capped"] for row in runs)
            told[method] = mean if not cut else "*" if mean is None else f"{mean:.4g}*"
        found.append(told)
    return found


def standing(rows: Sequence[Row], methods: Sequence[str]) -> list[Row]:
    """One row per method, best mean node correctness first: means over seeds, then over files with a result."""
    means: dict[str, dict[str, dict[str, float]]] = {measure: {} for measure in (*MEASURES, "cpu_seconds")}
    for measure, of_measure in means.items():
        for method in methods:
            by_data: defaultdict[str, list[float]] = defaultdict(list)
            for row in rows:
                if row["method"] == method and row.get(measure) is not None:
                    by_data[row["data"]].append(row[measure])
            of_measure[method] = {data: fmean(values) for data, values in by_data.items()}
    found = []
    for method in methods:
        correct = means["node_correctness"][method]
        best = {data: max(m.get(data, 0.0) for m in means["node_correctness"].values()) for data in correct}
        told: Row = {"method": method, "files": len(correct)}
        for name, measure in zip(("NC", "sym.", "EC", "CPU s"), means, strict=True):
            values = list(means[measure][method].values())
            told[name] = fmean(values) if values else None
        told["first"] = sum(value >= best[data] - 1e-12 for data, value in correct.items())
        told["cut"] = sum(row["capped"] for row in rows if row["method"] == method)
        told["refused"] = sum(bool(row.get("refused")) for row in rows if row["method"] == method)
        found.append(told)
    return sorted(found, key=lambda told: -1.0 if told["NC"] is None else told["NC"], reverse=True)


def behind(rows: Sequence[Row], own: str, margin: float = 0.01) -> list[Row]:
    """Where `own` is more than the margin below the best method, by mean over seeds, for each measure."""
    found = []
    for measure in MEASURES:
        for data in dict.fromkeys(row["data"] for row in rows):
            values: defaultdict[str, list[float]] = defaultdict(list)
            for row in rows:
                if row["data"] == data and row.get(measure) is not None:
                    values[row["method"]].append(row[measure])
            means = {method: fmean(found) for method, found in values.items()}
            if own in means and max(means.values()) - means[own] > margin:
                best = max(means, key=lambda method: means[method])
                found.append({"measure": measure, "data": data, own: means[own], "best": best, "value": means[best]})
    return found
