"""`align`: align two graphs, print and write the result."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from gwl_core.commands.problems import add_graphs, origin, read_problem
from gwl_core.commands.report import report, summary
from gwl_core.large import finish as large
from gwl_core.large.plan import check_supported, estimate, is_sparse
from gwl_core.large.solver import POLISH_STEPS
from gwl_core.result import Result, SparseResult
from gwl_core.settings import PARAMETERS, PRESETS, Parameter, with_changes
from gwl_core.writers import usable_folder, write_all
from gwl_core.writers.strict_json import strict_json

if TYPE_CHECKING:
    from gwl_core.large.solver import Space, State
    from gwl_core.state import StepInfo


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The parser of this command."""
    parser = commands.add_parser("align", help="align two graphs", allow_abbrev=False)
    parser.set_defaults(command=run)
    add_graphs(parser)
    parser.add_argument("--preset", metavar="NAME", default="default", help=", ".join(PRESETS))
    parser.add_argument("--out", metavar="DIR", help="write matches.csv, coupling.npz, embeddings.npz, … to DIR")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    settings = parser.add_argument_group("settings (the preset's unless given)")
    for parameter in PARAMETERS:
        _add_setting(settings, parameter)


def _add_setting(group: argparse._ArgumentGroup, parameter: Parameter) -> None:
    """An option for one row of the settings table, which also checks its value."""
    flag = "--" + parameter.name.replace("_", "-")
    if parameter.kind == "bool":
        group.add_argument(flag, dest=parameter.name, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS)
    else:
        group.add_argument(flag, dest=parameter.name, metavar="X", default=argparse.SUPPRESS, help=parameter.rule)


def run(arguments: argparse.Namespace) -> None:
    """Align, write, print."""
    given = {p.name: getattr(arguments, p.name) for p in PARAMETERS if hasattr(arguments, p.name)}
    config, hyperparameters = with_changes(arguments.preset, given)
    problem, notices = read_problem(arguments)
    if arguments.out is not None:
        usable_folder(arguments.out)
    for notice in notices:
        print("notice:", notice, file=sys.stderr)
    result: Result | SparseResult
    if is_sparse(problem, config):
        check_supported(problem, config)
        print(estimate(problem, config, hyperparameters).text, file=sys.stderr, flush=True)
        result = large.run(problem, config, hyperparameters, arguments.preset, _large_progress())
    else:
        # Imported here: it loads torch, which nothing above waits for.
        from gwl_core import trajectory

        result = trajectory.run(problem, config, hyperparameters, arguments.preset, _progress())
    for notice in result.notices:
        print("notice:", notice, file=sys.stderr)
    result = replace(result, notices=(*notices, *result.notices))
    written = [] if arguments.out is None else write_all(result, arguments.out, origin(arguments))
    if arguments.json:
        print(strict_json(summary(result), ascii_only=True))
    else:
        print(report(result, written))


def _progress() -> Callable[[StepInfo], None]:
    """A callback that reports a step on standard error, at most one a second."""
    last = time.monotonic()

    def show(step: StepInfo) -> None:
        nonlocal last
        if time.monotonic() - last >= 1:
            last = time.monotonic()
            place = f"outer {step.outer + 1}, {step.phase} {step.inner + 1}"
            print(f"{place}: objective {step.objective:.6g}", file=sys.stderr, flush=True)

    return show


def _large_progress() -> Callable[[Space, State], None]:
    """The same for the sparse mode."""
    last = time.monotonic()

    def show(space: Space, state: State) -> None:
        nonlocal last
        if state.step and time.monotonic() - last >= 1:
            last = time.monotonic()
            most = space.plan.iterations if state.phase == "annealing" else POLISH_STEPS
            place = f"{state.phase} {state.iteration} of at most {most}"
            text = f"{place}: {state.coupling.nnz:,} candidates, {state.change:.2g} of the mass moved"
            print(text, file=sys.stderr, flush=True)

    return show
