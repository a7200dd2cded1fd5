"""Rows by setting, and the cells of tables: means with their 95% intervals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from gwl_core.experiments.intervals import ENOUGH, Interval, interval, within
from gwl_core.experiments.protocol import Row, Scalar, Series

Group = dict[str, Any]


def groups(rows: Sequence[Row], *names: str) -> Iterator[tuple[Group, list[Row]]]:
    """Rows of equal named parameters, sorted by them (numbers before texts); the rows by seed."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.parameters.get(name) for name in names), []).append(row)
    for key in sorted(found, key=lambda key: [_rank(part) for part in key]):
        yield dict(zip(names, key, strict=True)), sorted(found[key], key=lambda row: str(row.parameters.get("seed")))


def _rank(value: Any) -> tuple[int, float, str]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return 0, float(value), ""
    return (1, 0.0, str(value)) if value is not None else (2, 0.0, "")


def of(rows: Sequence[Row], name: str) -> Interval | None:
    """Mean and interval of a value."""
    return interval((row.values.get(name) for row in rows), *within(name))  # type: ignore[misc]


def cells(name: str, rows: Sequence[Row], value: str) -> dict[str, Scalar]:
    """Two cells: a mean and the half width of its interval."""
    found = of(rows, value)
    return {name: None, f"{name} ±": None} if found is None else {name: found.mean, f"{name} ±": found.half}


def curve(points: Mapping[float, Interval | None], name: str, **more: Any) -> Series:
    """Means with intervals against a number; places without a value are left out."""
    known = {x: found for x, found in sorted(points.items()) if found is not None}
    return Series(name, tuple(known), *parts(known.values()), **more)


def parts(known: Collection[Interval]) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Means, lower and upper bounds, as a series has them; no bounds where no interval is known."""
    means = tuple(found.mean for found in known)
    if all(found.half is None for found in known):
        return means, (), ()
    return means, tuple(found.low for found in known), tuple(found.high for found in known)


def wanting(rows: Sequence[Row], given: str = "trials") -> tuple[str, ...]:
    """How many more trials the intervals need, in a sentence, if any are missing.

    Args:
        given: what the trials of a setting are.
    """
    counts: dict[tuple[Any, ...], int] = {}
    for row in rows:
        key = tuple(sorted((name, str(value)) for name, value in row.parameters.items() if name != "seed"))
        counts[key] = counts.get(key, 0) + 1
    missing = ENOUGH - min(counts.values(), default=ENOUGH)
    if missing <= 0:
        return ()
    more = "one more of each is" if missing == 1 else f"{missing} more of each are"
    return (f"Intervals and verdicts need {ENOUGH} {given} of a setting: {more} needed.",)


def paired(rows: Sequence[Row], value: str, by: str, first: str, second: str) -> tuple[float, ...]:
    """value(first) − value(second) over trials that differ in the parameter `by` alone."""
    found: dict[tuple[Any, ...], dict[Any, float]] = {}
    for row in rows:
        rest = tuple(sorted((k, str(v)) for k, v in row.parameters.items() if k != by))
        number = row.values.get(value)
        if number is not None:
            found.setdefault(rest, {})[row.parameters[by]] = number  # type: ignore[assignment]
    return tuple(pair[first] - pair[second] for pair in found.values() if first in pair and second in pair)
