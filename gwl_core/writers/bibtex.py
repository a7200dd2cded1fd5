"""What to cite: the method, and the data that a result is of."""

from __future__ import annotations

import re

from gwl_core.datasets.builtin import PairInfo, list_pairs
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.result import Result, SparseResult
from gwl_core.writers.record import fingerprint

METHOD = """@inproceedings{xu2019gromov,
  title     = {{Gromov-Wasserstein} Learning for Graph Matching and Node Embedding},
  author    = {Xu, Hongteng and Luo, Dixin and Zha, Hongyuan and Carin, Lawrence},
  booktitle = {Proceedings of the 36th International Conference on Machine Learning},
  series    = {Proceedings of Machine Learning Research},
  volume    = {97},
  pages     = {6932--6941},
  year      = {2019}
}
"""

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
}  # fmt: skip


def references_bib(result: Result | SparseResult) -> bytes:
    """BibTeX entries of the method and of the data: a built-in pair's citation, or each graph by name and SHA-256."""
    source, target = result.problem.source, result.problem.target
    info = _builtin(source, target)
    data = [_pair(info)] if info else [_graph("source", source), _graph("target", target)]
    return "\n".join((METHOD, *data)).encode("utf-8")


def _builtin(source: Graph, target: Graph) -> PairInfo | None:
    try:
        pairs = list_pairs()
    except InputError:
        return None
    sizes = (source.name, target.name, source.n_nodes, target.n_nodes, source.n_edges, target.n_edges)
    return next(
        (
            info
            for info in pairs
            if sizes
            == (
                info.source_name,
                info.target_name,
                info.source_nodes,
                info.target_nodes,
                info.source_edges,
                info.target_edges,
            )
        ),
        None,
    )


def _pair(info: PairInfo) -> str:
    note = f"{info.citation} {info.attribution} Licence: {info.licence}."
    return _entry(info.key, info.title, note)


def _graph(key: str, graph: Graph) -> str:
    kind = "directed" if graph.directed else "undirected"
    note = f"{kind} graph of {graph.n_nodes} nodes and {graph.n_edges} edges; SHA-256 {fingerprint(graph)}"
    return _entry(f"data-{key}", graph.name, note)


def _entry(key: str, title: str, note: str) -> str:
    return f"@misc{{{key},\n  title = {{{{{latex(title)}}}}},\n  note  = {{{latex(note)}}}\n}}\n"


def latex(text: str) -> str:
    """Text as BibTeX takes it: one line, special characters escaped."""
    line = " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", text).split())
    return "".join(_SPECIAL.get(c, c) for c in line)
