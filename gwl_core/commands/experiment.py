"""`experiment`: measure a figure or table of the paper again."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any

from gwl_core.errors import InputError
from gwl_core.settings import PARAMETER

if TYPE_CHECKING:
    from gwl_core.experiments.engine import Progress
    from gwl_core.experiments.protocol import Experiment, Request, Table


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The parser of this command. What follows the name is parsed when the experiment is known."""
    parser = commands.add_parser(
        "experiment",
        help="measure a figure or table of the paper again",
        description="Without NAME: list the experiments. `experiment NAME --help` lists the options of one.",
        allow_abbrev=False,
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="which one")
    parser.add_argument("rest", metavar="OPTION", nargs=argparse.REMAINDER, help="--quick, --out DIR, --seed S, …")
    parser.set_defaults(command=partial(run, parser_class=type(parser)))


def run(arguments: argparse.Namespace, parser_class: type[argparse.ArgumentParser]) -> None:
    """List the experiments, or run one and print its tables."""
    from gwl_core.experiments.registry import everything, find

    if arguments.name is None:
        for experiment in everything():
            print(f"{experiment.key:<15}{experiment.title}: {experiment.description}")
        return
    experiment = find(arguments.name)
    given = _parser(experiment, parser_class).parse_args(arguments.rest)
    _perform(experiment, _request(experiment, given), given)


def _parser(experiment: Experiment, parser_class: type[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    parser = parser_class(
        prog=f"python -m gwl_core experiment {experiment.key}",
        description=f"{experiment.title}. {experiment.description}",
        allow_abbrev=False,
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", dest="size", action="store_const", const="quick", help="under a minute on 2 cores")
    size.add_argument("--tiny", dest="size", action="store_const", const="tiny", help="a few seconds, to try it out")
    parser.set_defaults(size="paper")
    parser.add_argument("--out", metavar="DIR", type=Path, help="finished trials, tables and figures; finished trials "
                        "found there are not run again ($GWL_RESULTS or results/experiments unless given)")  # fmt: skip
    parser.add_argument("--scheduler", metavar="ADDRESS", help="run on the Dask cluster at tcp://host:port")
    parser.add_argument("--workers", metavar="N", help="processes on this machine; as many as it has room for")
    parser.add_argument("--seed", metavar="S", default=0, help="first seed; 0 unless given")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--progress-json", action="store_true", help="progress as JSON lines on standard error")
    group = parser.add_argument_group("of this experiment")
    for option in experiment.options:
        action = "append" if option.many else "store"
        group.add_argument(f"--{option.name}", dest=f"option {option.name}", metavar=option.metavar, action=action,
                           help=option.help)  # fmt: skip
    return parser


def _request(experiment: Experiment, given: argparse.Namespace) -> Request:
    from gwl_core.experiments.protocol import Request

    options: dict[str, str | tuple[str, ...]] = {}
    for option in experiment.options:
        value: Any = getattr(given, f"option {option.name}")
        if value is not None:
            options[option.name] = tuple(value) if option.many else value
    return Request(given.size, PARAMETER["seed"].check(given.seed), options)


def _perform(experiment: Experiment, request: Request, given: argparse.Namespace) -> None:
    from gwl_core.experiments.asking import whole_number
    from gwl_core.experiments.session import default_folder, perform

    workers = None if given.workers is None else whole_number("workers", given.workers, 1, 1024)
    signal.signal(signal.SIGTERM, _interrupt)
    say = _say_json if given.progress_json else _say
    try:
        finished = perform(
            experiment, request, given.out or default_folder(), given.scheduler, workers, _Every(say), _notice
        )
    except KeyboardInterrupt:
        print("Finished trials are kept: the same command goes on where this one stopped.", file=sys.stderr)
        raise
    if given.json:
        print(finished.json)
    else:
        for sentence in finished.stored.report.findings:
            print(sentence)
        for table in finished.stored.report.tables:
            print(f"\n{_as_text(table)}")
        print()
        for path in finished.files:
            print(f"wrote {path}")
    failures = finished.stored.failures
    if failures:
        raise InputError(f"{len(failures)} trials failed ({'; '.join(failures)}); the others are kept and shown.")


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A request to end is met like Ctrl-C: workers are ended, finished trials stay."""
    raise KeyboardInterrupt


def _notice(sentence: str) -> None:
    print("notice:", sentence, file=sys.stderr, flush=True)


class _Every:
    """Passes progress on now and then; the first and the last always."""

    def __init__(self, say: Callable[[Progress], None]) -> None:
        self._say, self._next = say, 0.0

    def __call__(self, progress: Progress) -> None:
        ended = progress.done + progress.failed == progress.total
        if ended or monotonic() >= self._next:
            self._say(progress)
            self._next = monotonic() + (0.2 if self._say is _say_json or sys.stderr.isatty() else 5)


def _say(progress: Progress) -> None:
    left = "" if progress.left is None else f", about {_duration(progress.left)} left"
    reused = f" ({progress.reused} reused)" if progress.reused else ""
    failed = f", {progress.failed} failed" if progress.failed else ""
    text = f"{progress.done} of {progress.total} trials{reused}{failed}{left}"
    ended = progress.done + progress.failed == progress.total
    print(text, file=sys.stderr, flush=True, end="\n" if ended or not sys.stderr.isatty() else "      \r")


def _say_json(progress: Progress) -> None:
    print(json.dumps(vars(progress)), file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _as_text(table: Table) -> str:
    """Aligned columns; values as published stand in [brackets]."""
    cells = [[f"[{c}]" if c in table.published else c for c in table.columns]]
    cells += [[_cell(table, name, row.get(name)) for name in table.columns] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines: Sequence[str] = ["  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cells]
    return "\n".join([table.title, *(lines if table.columns else ["(nothing yet)"]), *table.notes])


def _cell(table: Table, name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool) and name in table.percent:
        text = f"{100 * value:.{2 if name in table.published else 1}f}%"
    else:
        text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return f"[{text}]" if name in table.published else text
