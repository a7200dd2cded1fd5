"""One input through every reader: what may come back is a graph, pairs, nodes, or one sentence."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from gwl_core import Graph, InputError
from gwl_core.readers import POLICY_VALUES, Policies, read_anchors, read_graph, read_nodes, read_truth

SOURCE = Graph.from_edges([("a", "b", 1.0), ("b", "01", 1.0), ("01", "1", 1.0)])
TARGET = Graph.from_edges([("x", "y", 1.0), ("y", "T3", 1.0), ("T3", "4", 1.0)])
GRAPHS = {"source_graph": SOURCE, "target_graph": TARGET}
NAMES = ("g", "g.csv", "g.sif", "g.net", "g.zip", "g.csv.gz", "g.graphml")


@dataclass(frozen=True)
class Probe:
    """What became of one input: read, refused, or what went wrong; and the CPU seconds it took."""

    outcome: str
    trouble: str
    seconds: float


def probe(data: bytes, k: int) -> Probe:
    """Read `data` with the k-th reader and policies."""
    name = NAMES[k % len(NAMES)]
    readers: tuple[Callable[[], object], ...] = (
        lambda: _check(read_graph(data, name=name, policies=_policies(k))),
        lambda: _check(read_graph(data, name=name)),
        lambda: read_truth(data, name=name, **GRAPHS, convert=k % 3 == 0, by_order=k % 7 < 3),
        lambda: read_anchors(data, name=name, **GRAPHS, convert=k % 3 == 0, by_order=k % 7 < 3),
        lambda: read_nodes(data, name=name),
    )
    read = readers[(0, 1, 0, 1, 0, 1, 2, 0, 3, 4)[k % 10]]
    start = time.process_time()
    outcome, trouble = "read", ""
    try:
        read()
    except InputError as error:
        outcome, message = "refused", str(error)
        if not message.startswith(name) or not message.endswith(".") or "\n" in message or len(message) > 700:
            trouble = f"not one sentence about the file: {message[:300]!r}"
    except Exception as error:  # noqa: BLE001 -- what this is about
        outcome, trouble = "raised", f"{type(error).__name__}: {error}"
    seconds = time.process_time() - start
    return Probe(outcome, trouble or (f"{seconds:.1f} s" if seconds > 2 else ""), seconds)


def _policies(k: int) -> Policies:
    values = {name: choices[k % len(choices)] for name, choices in POLICY_VALUES.items()}
    return Policies(**values, largest_component=k % 3 == 0)


def _check(report: object) -> None:
    graph = report.graph  # type: ignore[attr-defined]
    assert graph.n_edges > 0 or graph.n_nodes > 0
    assert all(graph.labels)
    assert all(type(label) is str for label in graph.labels)
    assert report.rows_read <= report.rows_present  # type: ignore[attr-defined]
