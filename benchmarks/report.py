"""What a benchmark gives back, and how it is shown and kept."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from gwl_core import __version__
from gwl_core.writers.record import versions
from gwl_core.writers.strict_json import strict_json

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A title, plain rows, and sentences on how to read them; a row may lack a column."""

    title: str
    rows: Sequence[Row]
    notes: Sequence[str] = ()


def progress(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr, flush=True)


def as_text(table: Table) -> str:
    """The table with aligned columns."""
    columns = list(dict.fromkeys(name for row in table.rows for name in row))
    cells = [columns] + [[_cell(row.get(name)) for name in columns] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in cells]
    return "\n".join([table.title, *(lines if columns else ()), *table.notes])


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "NO"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def machine() -> Row:
    """What timings depend on."""
    packages: Row = {"gwl_core": __version__, **versions()}
    for package in ("POT", "scikit-learn", "streamlit", "plotly"):
        try:
            packages[package] = version(package)
        except PackageNotFoundError:
            packages[package] = None
    return {"cores": cores(), "processor": _processor(), "versions": packages}


def cores() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def entry(found: Sequence[Table], seconds: float, load: float | None, quick: bool) -> Row:
    """A finished benchmark as it is kept; load is that of the machine before it began (1-minute average)."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "load_before": load,
        "quick": quick,
        "tables": [{"title": t.title, "rows": list(t.rows), "notes": list(t.notes)} for t in found],
    }


def keep(path: Path, name: str, found: Mapping[str, Any]) -> None:
    """Add a benchmark to the file; what it holds of other benchmarks stays if it was made on an equal machine."""
    here = machine()
    kept: Row = {}
    if path.is_file():
        before = json.loads(path.read_text(encoding="utf-8"))
        kept = before["benchmarks"] if before["machine"] == here else {}
    kept[name] = found
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(strict_json({"machine": here, "benchmarks": kept}, indent=1) + "\n", encoding="utf-8")
