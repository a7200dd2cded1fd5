"""The graphs, truth and anchors that a command line names."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from gwl_core.datasets.builtin import load_pair
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_anchors, read_graph, read_truth


def add_graphs(parser: argparse.ArgumentParser) -> None:
    """The arguments that `read_problem` understands."""
    parser.add_argument("source", metavar="SOURCE", nargs="?", help="file with the source graph")
    parser.add_argument("target", metavar="TARGET", nargs="?", help="file with the target graph")
    parser.add_argument("--pair", metavar="KEY", help="align a built-in pair in place of two files")
    parser.add_argument("--truth", metavar="F", help="file of known pairs to measure against")
    parser.add_argument("--anchors", metavar="F", help="file of known pairs to align with")
    direction = parser.add_mutually_exclusive_group()
    direction.add_argument("--directed", dest="directed", action="store_true", default=None)
    direction.add_argument("--undirected", dest="directed", action="store_false", default=None)


def read_problem(arguments: argparse.Namespace) -> tuple[MatchingProblem, list[str]]:
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


def origin(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was named, for the record of a run."""
    names = ("pair", "source", "target", "truth", "anchors", "directed")
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}
