"""The command line: align two graphs, generate a synthetic pair, list the built-in pairs.

Results go to standard output; progress, notices and errors go to standard error. Exit status 0 on success, 2 on bad
input with one sentence, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from gwl_core import __version__
from gwl_core.datasets.builtin import list_pairs, load_pair
from gwl_core.datasets.files import write_problem
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.errors import InputError
from gwl_core.large import finish as large
from gwl_core.large.plan import check_supported, estimate, is_sparse
from gwl_core.large.solver import POLISH_STEPS
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_anchors, read_graph, read_truth
from gwl_core.result import Result, SparseResult
from gwl_core.settings import PARAMETER, PARAMETERS, PRESETS, Parameter, with_changes
from gwl_core.writers import usable_folder, write_all
from gwl_core.writers.record import describe, measures, method, truth_pairs
from gwl_core.writers.strict_json import strict_json

if TYPE_CHECKING:
    from gwl_core.large.solver import Space, State
    from gwl_core.state import StepInfo

_COLUMN = 17


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal without Greek letters gets escapes, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = _parser().parse_args(argv)
        arguments.command(arguments)
        sys.stdout.flush()
    except InputError as error:
        print("gwl_core:", " ".join(str(error).split()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("gwl_core: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of the output has gone; keep the interpreter from flushing into it on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"gwl_core: {error.filename} cannot be used ({error.strerror}); choose another path.", file=sys.stderr)
        return 2
    return 0


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line like any other bad input."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help).")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m gwl_core", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"gwl_core {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    align = commands.add_parser("align", help="align two graphs", allow_abbrev=False)
    align.set_defaults(command=_align)
    align.add_argument("source", metavar="SOURCE", nargs="?", help="file with the source graph")
    align.add_argument("target", metavar="TARGET", nargs="?", help="file with the target graph")
    align.add_argument("--pair", metavar="KEY", help="align a built-in pair in place of two files")
    align.add_argument("--truth", metavar="F", help="file of known pairs to measure against")
    align.add_argument("--anchors", metavar="F", help="file of known pairs to align with")
    align.add_argument("--preset", metavar="NAME", default="default", help=", ".join(PRESETS))
    direction = align.add_mutually_exclusive_group()
    direction.add_argument("--directed", dest="directed", action="store_true", default=None)
    direction.add_argument("--undirected", dest="directed", action="store_false", default=None)
    align.add_argument("--out", metavar="DIR", help="write matches.csv, coupling.npz, embeddings.npz, … to DIR")
    align.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    settings = align.add_argument_group("settings (the preset's unless given)")
    for parameter in PARAMETERS:
        _add_setting(settings, parameter)

    generate = commands.add_parser("generate", help="write a synthetic pair with its truth", allow_abbrev=False)
    generate.set_defaults(command=_generate)
    generate.add_argument("kind", choices=("knn", "ba"))
    # The generators check and convert these.
    generate.add_argument("--nodes", metavar="V", required=True, help="source nodes")
    generate.add_argument("--noise", metavar="Q", required=True, help="nodes and edges to add, as a fraction")
    generate.add_argument("--mean-degree", metavar="K", help="knn only; 0.1 V unless given")
    generate.add_argument("--attach", metavar="M", help="ba only; 2 unless given")
    generate.add_argument("--seed", metavar="S", default=0)
    generate.add_argument("--out", metavar="DIR", required=True)

    pairs = commands.add_parser("pairs", help="list the built-in pairs", allow_abbrev=False)
    pairs.set_defaults(command=_pairs)
    pairs.add_argument("--json", action="store_true", help="print a JSON list and nothing else")
    return parser


def _add_setting(group: argparse._ArgumentGroup, parameter: Parameter) -> None:
    """An option for one row of the settings table, which also checks its value."""
    flag = "--" + parameter.name.replace("_", "-")
    if parameter.kind == "bool":
        group.add_argument(flag, dest=parameter.name, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS)
    else:
        group.add_argument(flag, dest=parameter.name, metavar="X", default=argparse.SUPPRESS, help=parameter.rule)


def _align(arguments: argparse.Namespace) -> None:
    given = {p.name: getattr(arguments, p.name) for p in PARAMETERS if hasattr(arguments, p.name)}
    config, hyperparameters = with_changes(arguments.preset, given)
    problem, notices = _problem(arguments)
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
        from gwl_core.trajectory import run

        result = run(problem, config, hyperparameters, arguments.preset, _progress())
    for notice in result.notices:
        print("notice:", notice, file=sys.stderr)
    result = replace(result, notices=(*notices, *result.notices))
    written = [] if arguments.out is None else write_all(result, arguments.out, _origin(arguments))
    if arguments.json:
        print(strict_json(_summary(result), ascii_only=True))
    else:
        print(_report(result, written))


def _problem(arguments: argparse.Namespace) -> tuple[MatchingProblem, list[str]]:
    """The graphs, truth and anchors that were asked for, and what their readers noticed."""
    notices: list[str] = []
    if arguments.pair is not None:
        if arguments.source is not None or arguments.truth is not None or arguments.directed is not None:
            raise InputError("--pair brings its own graphs, truth and direction; leave out files and --directed.")
        problem = load_pair(arguments.pair)
    elif arguments.target is None:
        raise InputError("Give two files, SOURCE and TARGET, or a built-in pair with --pair KEY.")
    else:
        source, target = (
            read_graph(Path(path), name=path, directed=arguments.directed)
            for path in (arguments.source, arguments.target)
        )
        problem = MatchingProblem(source.graph, target.graph)
        notices += [*source.notices, *target.notices]
    if arguments.truth is not None:
        path = Path(arguments.truth)
        truth = read_truth(path, name=str(path), source_graph=problem.source, target_graph=problem.target)
        problem = replace(problem, truth=truth.pairs)
        notices += truth.notices
    if arguments.anchors is not None:
        path = Path(arguments.anchors)
        anchors = read_anchors(path, name=str(path), source_graph=problem.source, target_graph=problem.target)
        problem = replace(problem, anchors=anchors.matrix)
        notices += anchors.notices
    return problem, notices


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


def _origin(arguments: argparse.Namespace) -> dict[str, Any]:
    names = ("pair", "source", "target", "truth", "anchors", "directed")
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def _summary(result: Result | SparseResult) -> dict[str, Any]:
    """The object that --json prints; its keys are a stable interface, to which keys may be added."""
    return {
        "status": result.status.code,
        "message": result.status.message,
        "preset": result.preset,
        "seed": result.config.seed,
        "method": method(result),
        "source": describe(result.problem.source),
        "target": describe(result.problem.target),
        **measures(result),
        "outer_iterations": result.outer_iterations,
        "inner_iterations": result.inner_iterations,
        "seconds": result.seconds,
        "truth_pairs": truth_pairs(result),
        "notices": result.notices,
        "config": asdict(result.config),
        "hyperparameters": asdict(result.hyperparameters),
    }


def _report(result: Result | SparseResult, written: list[Path]) -> str:
    """The same for a human reader."""
    summary = _summary(result)
    rows = [(side, _sizes(summary[side])) for side in ("source", "target")]
    rows.append(("status", f"{result.status.code}: {result.status.message}"))
    correctness = summary["node_correctness"]
    if correctness:
        shares = ", ".join(f"{kind.replace('_', ' ')} {_percent(share)}" for kind, share in correctness.items())
        rows.append(("node correctness", f"{shares} (of {summary['truth_pairs']} known pairs)"))
    edges = ", ".join(f"{name} {_percent(summary[key])}" for name, key in (("ICS", "ics"), ("S3", "s3")))
    rows.append(("edge correctness", f"{_percent(summary['edge_correctness'])}, {edges}"))
    rows.append(("unmatched", f"{summary['unmatched']} nodes"))
    rows.append(("discrepancy", f"{result.measures.gw_discrepancy:.6g}"))
    rows.append(("marginal error", f"{result.measures.marginal_error:.1e}"))
    iterations = f"{result.outer_iterations} outer, {result.inner_iterations} inner iterations"
    rows.append(("effort", f"{iterations}, {result.seconds:.1f} s"))
    rows += [("wrote", str(path)) for path in written]
    return "\n".join(f"{name:<{_COLUMN}}{text}" for name, text in rows)


def _sizes(graph: dict[str, Any]) -> str:
    kind = "directed" if graph["directed"] else "undirected"
    return f"{graph['nodes']} nodes ({graph['isolated']} isolated), {graph['edges']} {kind} edges"


def _percent(share: float | None) -> str:
    return "not defined" if share is None else f"{share:.1%}"


def _generate(arguments: argparse.Namespace) -> None:
    rng = np.random.default_rng(PARAMETER["seed"].check(arguments.seed))
    if arguments.kind == "knn":
        if arguments.attach is not None:
            raise InputError("--attach applies to ba only; knn takes --mean-degree.")
        problem = knn(arguments.nodes, arguments.noise, rng, mean_degree=arguments.mean_degree)
    else:
        if arguments.mean_degree is not None:
            raise InputError("--mean-degree applies to knn only; ba takes --attach.")
        attach = {} if arguments.attach is None else {"attach": arguments.attach}
        problem = barabasi_albert(arguments.nodes, arguments.noise, rng, **attach)
    folder = usable_folder(arguments.out)
    write_problem(problem, folder)
    for graph in (problem.source, problem.target):
        print(f"{folder / graph.name}.csv: {graph.n_nodes} nodes, {graph.n_edges} edges")


def _pairs(arguments: argparse.Namespace) -> None:
    infos = list_pairs()
    if arguments.json:
        print(strict_json([asdict(info) for info in infos], ascii_only=True))
        return
    rows = [("key", "source", "target", "known", "title (sizes: nodes/edges)")]
    for info in infos:
        sizes = f"{info.source_nodes}/{info.source_edges}", f"{info.target_nodes}/{info.target_edges}"
        rows.append((info.key, *sizes, str(info.known), info.title))
    width = max(len(row[0]) for row in rows)
    for key, source, target, known, title in rows:
        print(f"{key:<{width}}  {source:>10}  {target:>10}  {known:>5}  {title}")
