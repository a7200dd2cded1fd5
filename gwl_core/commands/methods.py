"""`methods`: list every method that `compare` runs."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from gwl_core.baselines import BASELINES, EXTERNAL_PROBLEMS
from gwl_core.comparison import OWN, method_keys, method_title
from gwl_core.settings import PARAMETERS, Parameter
from gwl_core.writers.strict_json import strict_json

_OWN_CITATION = "Xu, Luo, Zha, Carin, Gromov-Wasserstein learning for graph matching and node embedding, ICML 2019."


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The parser of this command."""
    parser = commands.add_parser("methods", help="list the methods that compare runs", allow_abbrev=False)
    parser.set_defaults(command=run)
    parser.add_argument("--json", action="store_true", help="print a JSON list and nothing else")


def run(arguments: argparse.Namespace) -> None:
    """Print the list."""
    for sentence in EXTERNAL_PROBLEMS:
        print("notice:", sentence, file=sys.stderr)
    rows = [_row(key) for key in method_keys()]
    if arguments.json:
        print(strict_json(rows, ascii_only=True))
        return
    cells = [("key", "year", "limit", "uses", "title")]
    for row in rows:
        limit = "" if row["size_limit"] is None else str(row["size_limit"])
        cells.append((row["key"], str(row["year"]), limit, ", ".join(row["uses"]), row["title"]))
    widths = [max(len(line[at]) for line in cells) for at in range(4)]
    for line in cells:
        print("  ".join([*(text.ljust(width) for text, width in zip(line, widths, strict=False)), line[4]]))


def _row(key: str) -> dict[str, Any]:
    if key in OWN:
        return {
            "key": key, "title": method_title(key), "year": 2019, "citation": _OWN_CITATION, "preset": OWN[key],
            "uses": ["topology", "weights"], "cost": "O(n (|E_s| + |E_t|) + n²) an iteration", "size_limit": None,
            "settings": [_setting(row, None) for row in PARAMETERS],
        }  # fmt: skip
    baseline = BASELINES[key]
    return {
        "key": key, "title": baseline.title, "year": baseline.year, "citation": baseline.citation,
        "uses": baseline.uses, "cost": baseline.cost, "size_limit": baseline.largest,
        "settings": [_setting(row, baseline.defaults[row.name]) for row in baseline.settings],
    }  # fmt: skip


def _setting(row: Parameter, default: Any) -> dict[str, Any]:
    told = {"name": row.name, "rule": row.rule}
    return told if default is None else {**told, "default": default}
