"""The graphs, truth and anchors that a command line names."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from gwl_core.datasets.builtin import load_pair
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.readers import NodeList, Policies, read_anchors, read_graph, read_nodes, read_truth

_POLICIES = {
    "direction": "directed or undirected, whatever the files say",
    "repeats": "of rows that give one edge: sum, largest or mean of their weights",
    "weights": "given, absolute (drop signs), log (log(1 + w)) or ones",
    "names": "call nodes by their labels or by their ids, where a file has both",
    "encoding": "utf-8, or latin-1 for text that is not UTF-8",
}


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
    files = parser.add_argument_group("how files are read")
    files.add_argument("--source-nodes", metavar="F", help="list of the source's nodes, to keep those without edges")
    files.add_argument("--target-nodes", metavar="F", help="the same for the target")
    for name, words in _POLICIES.items():
        files.add_argument(f"--{name}", metavar="X", default=getattr(Policies(), name), help=words)
    files.add_argument("--largest-component", action="store_true", help="keep the largest component only")
    files.add_argument("--convert-ids", action="store_true", help="spell ids of known pairs as the graphs do")
    files.add_argument("--by-order", action="store_true", help="one column of known pairs follows the nodes' order")


def read_problem(arguments: argparse.Namespace) -> tuple[MatchingProblem, list[str]]:
    """The graphs, truth and anchors that were asked for, and what their readers noticed."""
    notices: list[str] = []
    policies = _policies(arguments)
    if arguments.pair is not None:
        given = (arguments.source, arguments.truth, arguments.directed, arguments.source_nodes, arguments.target_nodes)
        if any(value is not None for value in given):
            raise InputError("--pair brings its own graphs, truth and direction; leave out files and --directed.")
        problem = load_pair(arguments.pair)
    elif arguments.target is None:
        raise InputError("Give two files, SOURCE and TARGET, or a built-in pair with --pair KEY.")
    else:
        graphs = ((arguments.source, arguments.source_nodes), (arguments.target, arguments.target_nodes))
        source, target = (
            read_graph(
                _file(path),
                name=_name(path),
                directed=arguments.directed,
                nodes=_nodes(nodes, policies),
                policies=policies,
            )
            for path, nodes in graphs
        )
        problem = MatchingProblem(source.graph, target.graph)
        notices += [*source.notices, *target.notices]
    if arguments.truth is not None:
        truth = read_truth(**_pairs(arguments.truth, problem, policies, arguments))
        problem = replace(problem, truth=truth.pairs)
        notices += truth.notices
    if arguments.anchors is not None:
        anchors = read_anchors(**_pairs(arguments.anchors, problem, policies, arguments))
        problem = replace(problem, anchors=anchors.matrix)
        notices += anchors.notices
    return problem, notices


def _file(path: str) -> Path:
    if not path:
        raise InputError("The name of a file is empty ('' on the command line); give its path.")
    return Path(path)


def _name(path: str) -> str:
    """A path as text: bytes of it that are not UTF-8 are written as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _policies(arguments: argparse.Namespace) -> Policies:
    chosen = {name: getattr(arguments, name) for name in _POLICIES}
    return Policies(**chosen, largest_component=arguments.largest_component)


def _nodes(path: str | None, policies: Policies) -> NodeList:
    return NodeList() if path is None else read_nodes(_file(path), name=_name(path), policies=policies)


def _pairs(path: str, problem: MatchingProblem, policies: Policies, arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "source": _file(path),
        "name": _name(path),
        "source_graph": problem.source,
        "target_graph": problem.target,
        "policies": policies,
        "convert": arguments.convert_ids,
        "by_order": arguments.by_order,
    }


def origin(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was named, for the record of a run."""
    names = ("pair", "source", "target", "truth", "anchors", "directed", "source_nodes", "target_nodes")
    given = {name: value for name in names if (value := getattr(arguments, name)) is not None}
    found = {name: _name(value) if isinstance(value, str) else value for name, value in given.items()}
    standard = Policies()
    changed = {name: value for name in _POLICIES if (value := getattr(arguments, name)) != getattr(standard, name)}
    flags = {name: True for name in ("largest_component", "convert_ids", "by_order") if getattr(arguments, name)}
    return found | changed | flags
