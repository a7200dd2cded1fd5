"""Pins as a CSV file, and back."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.pins import APART, SAME, Pin, check_pins
from gwl_core.writers.tables import csv_table, safe_cell

RULES = {"soft": (SAME, False), "fixed": (SAME, True), "avoid": (APART, False), "forbid": (APART, True)}
_NAMES = {rule: name for name, rule in RULES.items()}
MOST_BYTES = 5_000_000
MOST_PINS = 20_000


def pins_csv(pins: Sequence[Pin], source: Graph, target: Graph) -> bytes:
    """Columns source, target and rule (soft, fixed, avoid, forbid); labels as in the graphs."""
    rows = (
        (safe_cell(source.labels[pin.source]), safe_cell(target.labels[pin.target]), _NAMES[pin.kind, pin.hard])
        for pin in pins
    )
    return csv_table(("source", "target", "rule"), rows)


def read_pins(content: bytes, name: str, source: Graph, target: Graph) -> tuple[Pin, ...]:
    """The pins of a CSV file: source label, target label and, where there is one, the rule; soft without.

    Raises:
        InputError: the file is too large, not text, or names an unknown node or rule.
    """
    if len(content) > MOST_BYTES:
        raise InputError(f"{name} is larger than {MOST_BYTES // 10**6} MB; a list of pins is small.")
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text; save it as CSV with that encoding.") from None
    found: list[Pin] = []
    for number, row in enumerate(csv.reader(lines), start=1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if number == 1 and [cell.lower() for cell in cells[:2]] == ["source", "target"]:
            continue
        if len(cells) < 2:
            raise InputError(f"{name}, line {number}: a pin needs a source and a target, separated by a comma.")
        rule = cells[2].lower() if len(cells) > 2 and cells[2] else "soft"
        if rule not in RULES:
            raise InputError(f"{name}, line {number}: the rule must be one of {', '.join(RULES)}, got {rule[:40]!r}.")
        nodes = [
            _node(cell, graph, f"{name}, line {number}")
            for cell, graph in zip(cells, (source, target), strict=False)
        ]  # fmt: skip
        found.append(Pin(nodes[0], nodes[1], *RULES[rule]))
        if len(found) > MOST_PINS:
            raise InputError(f"{name} has more than {MOST_PINS:,} pins; give the surest ones.")
    check_pins(found, (source.n_nodes, target.n_nodes))
    return tuple(found)


def _node(label: str, graph: Graph, where: str) -> int:
    """The node of a label, also of one that was written with an apostrophe in front for a spreadsheet."""
    for known in (label, label.removeprefix("'")):
        if known in graph.index:
            return graph.index[known]
    raise InputError(f"{where}: {label[:40]!r} is not a node of {graph.name}.")
