"""An experiment from request to files: plan, run, report now and then, files at the end."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from gwl_core.experiments import engine
from gwl_core.experiments.engine import Progress
from gwl_core.experiments.output import Stored, report_json, result_folder, write_files, write_report
from gwl_core.experiments.protocol import Experiment, Request, Row
from gwl_core.writers import usable_folder

_REPORT_SECONDS = 2.0
"""Seconds between two reports of a run under way; more where making one takes long."""


def default_folder() -> Path:
    """Where results are kept unless another folder is named: $GWL_RESULTS, or results/experiments."""
    return Path(os.environ.get("GWL_RESULTS") or "results/experiments")


@dataclass(frozen=True)
class Finished:
    """What a run left: its report as JSON and as objects, and the files written."""

    folder: Path
    stored: Stored
    json: str
    files: tuple[Path, ...]
    reused: int


def perform(
    experiment: Experiment,
    request: Request,
    folder: Path,
    scheduler: str | None = None,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
    on_notice: Callable[[str], None] = lambda _: None,
) -> Finished:
    """Run what is not finished, and write the report, the tables and the figures.

    Raises:
        InputError: see `engine.run`; also an unusable folder or option.
    """
    usable_folder(folder)
    plan = experiment.plan(request)
    for notice in plan.notices:
        on_notice(notice)
    place = result_folder(folder, experiment.key, request)
    reporter = _Reporter(experiment, request, place, len(engine.tasks_of(experiment, plan)))
    run = engine.run(experiment, plan, folder, scheduler, workers, on_progress, reporter.row)
    stored, content = reporter.write(run.rows, run.failures)
    files = write_files(place, stored.report, run.rows)
    return Finished(place, stored, content, (*files, place / "report.json"), run.reused)


class _Reporter:
    """Writes the report of what is finished, so that a page can show a run under way."""

    def __init__(self, experiment: Experiment, request: Request, folder: Path, total: int) -> None:
        self._experiment, self._request, self._folder, self._total = experiment, request, folder, total
        self._next = monotonic() + _REPORT_SECONDS

    def row(self, rows: Sequence[Row]) -> None:
        start = monotonic()
        if start >= self._next:
            self.write(rows, ())
            self._next = monotonic() + max(_REPORT_SECONDS, 20 * (monotonic() - start))

    def write(self, rows: Sequence[Row], failures: tuple[str, ...]) -> tuple[Stored, str]:
        report = self._experiment.summarise(rows)
        stored = Stored(report, len(rows), self._total, sum(row.seconds for row in rows), failures)
        content = report_json(self._experiment, self._request, stored)
        write_report(self._folder, content)
        return stored, content
