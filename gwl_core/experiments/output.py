"""What an experiment leaves in its folder: tidy tables, figures, and the report as JSON for the page."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gwl_core.errors import InputError
from gwl_core.experiments.protocol import (
    Experiment,
    Figure,
    Heatmap,
    Panel,
    Report,
    Request,
    Row,
    Scalar,
    Series,
    Table,
)  # fmt: skip
from gwl_core.experiments.webpage import figure_html, write_pngs
from gwl_core.writers.strict_json import strict_json
from gwl_core.writers.tables import safe_cell

REPORT = "report.json"


def result_folder(folder: Path, experiment: str, request: Request) -> Path:
    """Where the tables and figures of a request go: <folder>/<experiment>/<size>-seed<seed>, with a hash of options."""
    name = f"{request.size}-seed{request.seed}"
    if request.options:
        asked = strict_json(sorted((key, value) for key, value in request.options.items()), ascii_only=True)
        name += "-" + hashlib.sha256(asked.encode("ascii")).hexdigest()[:8]
    return folder / experiment / name


def table_csv(table: Table) -> bytes:
    """A table as CSV; an "origin" of the published columns is in their names."""
    return _csv(table.columns, table.rows)


def trials_csv(rows: Sequence[Row]) -> bytes:
    """One line a trial: parameters, plain values, seconds. Curves and coordinates are in report.json only."""
    lines = [
        {
            **row.parameters,
            **{name: value for name, value in row.values.items() if not isinstance(value, list)},
            "seconds": round(row.seconds, 4),
        }
        for row in rows
    ]
    return _csv(tuple(dict.fromkeys(name for line in lines for name in line)), lines)


def _csv(columns: Sequence[str], rows: Sequence[Mapping[str, Scalar]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(row.get(name)) for name in columns] for row in rows)
    return text.getvalue().encode("utf-8")


def _cell(value: Scalar) -> str:
    if value is None:
        return ""
    return safe_cell(value) if isinstance(value, str) else str(value) if isinstance(value, bool) else repr(value)


@dataclass(frozen=True)
class Stored:
    """A report as it was written: what was asked for, how many trials it is of, and the versions that made it."""

    report: Report
    done: int
    total: int
    seconds: float
    failures: tuple[str, ...]


def report_json(experiment: Experiment, request: Request, stored: Stored) -> str:
    """The report as strict JSON."""
    tables = [asdict(t) | {k: sorted(getattr(t, k)) for k in ("published", "percent")} for t in stored.report.tables]
    return strict_json({
        "experiment": experiment.key, "title": experiment.title, "size": request.size, "seed": request.seed,
        "options": dict(request.options), "done": stored.done, "total": stored.total, "seconds": stored.seconds,
        "failures": stored.failures, "findings": stored.report.findings, "tables": tables,
        "figures": [asdict(figure) for figure in stored.report.figures],
    }, ascii_only=True)  # fmt: skip


def read_report(path: Path) -> Stored | None:
    """The report that is there; None if there is none, or one that an older version wrote."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        report = Report(
            tuple(told["findings"]),
            tuple(_table(table) for table in told["tables"]),
            tuple(_figure(figure) for figure in told["figures"]),
        )
        return Stored(report, told["done"], told["total"], told["seconds"], tuple(told["failures"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _table(told: dict[str, Any]) -> Table:
    sets = {name: frozenset(told[name]) for name in ("published", "percent")}
    return Table(**{**told, **sets, "rows": tuple(told["rows"]), "notes": tuple(told["notes"])})


def _figure(told: dict[str, Any]) -> Figure:
    panels = tuple(
        Panel(
            panel["title"],
            tuple(_series(told) for told in panel["series"]),
            None if panel["heatmap"] is None else _heatmap(panel["heatmap"]),
        )
        for panel in told["panels"]
    )
    return Figure(**{**told, "panels": panels})


def _series(told: dict[str, Any]) -> Series:
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in told.items()}
    return Series(**values)


def _heatmap(told: dict[str, Any]) -> Heatmap:
    return Heatmap(tuple(told["x"]), tuple(told["y"]), tuple(tuple(row) for row in told["z"]))


def write_report(folder: Path, content: str) -> None:
    """Replace the report in one step, so that a reader never sees half of it."""
    put(folder / REPORT, content.encode("ascii"))


def write_files(folder: Path, report: Report, rows: Sequence[Row]) -> list[Path]:
    """trials.csv, a CSV for every table, an HTML page for every figure, and PNGs where kaleido can run."""
    files = {"trials.csv": trials_csv(rows)}
    files |= {f"{table.key}.csv": table_csv(table) for table in report.tables}
    drawn = [figure for figure in report.figures if any(p.series or p.heatmap for p in figure.panels)]
    files |= {f"{figure.key}.html": figure_html(figure).encode("utf-8") for figure in drawn}
    for name, content in files.items():
        put(folder / name, content)
    pngs = [path for figure in drawn for path in write_pngs(figure, folder)]
    return [*(folder / name for name in files), *pngs]


def put(path: Path, content: bytes) -> None:
    """Write a file in one step.

    Raises:
        InputError: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}); choose another folder with --out.") from error
