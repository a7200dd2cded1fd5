"""`generate`: write a synthetic pair with its truth."""

from __future__ import annotations

import argparse

import numpy as np

from gwl_core.datasets.files import write_problem
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.errors import InputError
from gwl_core.settings import PARAMETER
from gwl_core.writers import usable_folder


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The parser of this command."""
    parser = commands.add_parser("generate", help="write a synthetic pair with its truth", allow_abbrev=False)
    parser.set_defaults(command=run)
    parser.add_argument("kind", choices=("knn", "ba"))
    # The generators check and convert these.
    parser.add_argument("--nodes", metavar="V", required=True, help="source nodes")
    parser.add_argument("--noise", metavar="Q", required=True, help="nodes and edges to add, as a fraction")
    parser.add_argument("--mean-degree", metavar="K", help="knn only; 0.1 V unless given")
    parser.add_argument("--attach", metavar="M", help="ba only; 2 unless given")
    parser.add_argument("--seed", metavar="S", default=0)
    parser.add_argument("--out", metavar="DIR", required=True)


def run(arguments: argparse.Namespace) -> None:
    """Write the pair and say where."""
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
