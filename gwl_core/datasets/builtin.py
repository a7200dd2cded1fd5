"""The built-in real pairs: what there is, and how to load one.

They live in assets/pairs of the repository, one folder each, made by assets/pairs/build.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph, read_truth

PAIRS_FOLDER = Path(__file__).resolve().parents[2] / "assets" / "pairs"


@dataclass(frozen=True)
class PairInfo:
    """What to say about a pair before loading it.

    Attributes:
        key: its name on the command line and in the URL.
        source_name, target_name: what to call the two graphs.
        description: one paragraph.
        licence, citation, attribution: terms of the data, the publication to cite, and the credit to show.
        source_nodes, source_edges, target_nodes, target_edges: sizes; an undirected edge counts once.
        known: number of truth pairs.
    """

    key: str
    title: str
    source_name: str
    target_name: str
    description: str
    licence: str
    citation: str
    attribution: str
    source_nodes: int
    source_edges: int
    target_nodes: int
    target_edges: int
    directed: bool
    known: int


@lru_cache(maxsize=1)
def list_pairs() -> tuple[PairInfo, ...]:
    """The built-in pairs in alphabetical order of their keys.

    Raises InputError where the assets folder is missing, as in a copy of the package without its repository.
    """
    abouts = sorted(PAIRS_FOLDER.glob("*/about.json"))
    if not abouts:
        raise InputError("The built-in pairs are missing: run from a checkout that has the folder assets/pairs.")
    names = {field.name for field in fields(PairInfo)} - {"key"}
    texts = ((path.parent.name, json.loads(path.read_text(encoding="utf-8"))) for path in abouts)
    return tuple(PairInfo(key=key, **{name: text[name] for name in names}) for key, text in texts)


def load_pair(key: str) -> MatchingProblem:
    """Load a built-in pair, its truth included; raises InputError for an unknown key."""
    infos = {info.key: info for info in list_pairs()}
    if key not in infos:
        raise InputError(f"There is no built-in pair {key!r}: choose one of {', '.join(infos)}.")
    folder = PAIRS_FOLDER / key
    source = read_graph(folder / "source.csv", name=infos[key].source_name).graph
    target = read_graph(folder / "target.csv", name=infos[key].target_name).graph
    truth = read_truth(folder / "truth.csv", name=f"{key} truth", source_graph=source, target_graph=target)
    return MatchingProblem(source, target, truth.pairs)
