"""How well do the presets align real graphs, and at what cost?"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.problems import permuted
from benchmarks.report import Row, Table, progress
from gwl_core.datasets.builtin import list_pairs, load_pair
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes


def tables(quick: bool) -> Iterator[Table]:
    """The built-in pairs under every preset; `accuracy_files` has the files beside the repository."""
    keys = ("geant", "vtlwavenet") if quick else [info.key for info in list_pairs()]
    presets = ("default", "gwd") if quick else ("default", "gwd", "paper")
    notes = (
        "Node correctness by coupling, by embedding, one-to-one and symmetry-aware; targets permuted, one seed.",
        "Sizes are source/target; seconds are the solver's, without reading.",
    )
    rows = [row(key, permuted(load_pair(key)), preset) for key in keys for preset in presets]
    yield Table("Built-in pairs", rows, notes)


def row(name: str, problem: MatchingProblem, preset: str) -> Row:
    """One run and what it found."""
    from gwl_core.trajectory import run

    config, hyperparameters = with_changes(preset, {})
    result = run(problem, config, hyperparameters, preset)
    measures = result.measures
    found = {
        "data": name,
        "preset": preset,
        "nodes": f"{problem.source.n_nodes}/{problem.target.n_nodes}",
        "edges": f"{problem.source.n_edges}/{problem.target.n_edges}",
        "coupling": measures.node_correctness_coupling,
        "embedding": measures.node_correctness_embedding,
        "one_to_one": measures.node_correctness_one_to_one,
        "symmetry_aware": measures.node_correctness_symmetry_aware,
        "edge_correctness": measures.edge_correctness,
        "discrepancy": measures.gw_discrepancy,
        "unmatched": measures.unmatched,
        "seconds": result.seconds,
        "inner_iterations": result.inner_iterations,
    }
    progress(f"  {name}, {preset}: {result.seconds:.1f} s")
    return found
