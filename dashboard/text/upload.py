"""Words of the form for the user's own files."""

from __future__ import annotations

from collections.abc import Sequence

from gwl_core.readers import GraphReport

INTRO = (
    "Two graph files: edge lists (CSV, TSV, spaces), adjacency matrices, GraphML, GEXF, GML, Pajek, LEDA, SIF, TGF, "
    "Matrix Market, node-link JSON, NumPy; also in gzip or zip. Nothing is used before you have seen what was read."
)
MORE_FILES = "Node lists (optional)"
NODES = {"source": "All nodes of the source", "target": "All nodes of the target"}
NODES_HELP = (
    "One id a line, or a table with an id column: keeps nodes that no edge names. What its other columns say is shown "
    "in Inspect and written into the graph files."
)
FILE_HELP = "The format is found by the file's content, not by its name. Ids are kept as text, exactly as spelled."

KEPT = "{name} ({size}) is kept; another file takes its place."
REMOVE, REMOVE_HELP = "Remove", "Forget this file; graphs that are in use stay."
CHANGE = "Change files…"
CHANGE_HELP = "Add or replace a file, or change how one is read; the present graphs stay until you use others."

POLICIES = "Read it otherwise"
POLICIES_CHANGED = "Read otherwise"
POLICY_LABELS = {
    "direction": "Direction", "repeats": "Rows of one edge", "weights": "Weights", "names": "Nodes are called by",
    "encoding": "Text",
}  # fmt: skip
POLICY_HELP = {
    "direction": "Whether an edge from a to b differs from one from b to a; your choice wins over the file.",
    "repeats": "What becomes of several rows that give the same edge.",
    "weights": "Weights count interactions: more is closer. Numbers below 0 are refused unless signs are dropped.",
    "names": "Where a file gives both: GEXF, GML, Pajek, LEDA, GraphML and JSON.",
    "encoding": "For text that is neither UTF-8 nor marked as UTF-16; see whether accents come out right.",
}  # fmt: skip
POLICY_CHOICES = {
    "file": "as the file says", "directed": "directed", "undirected": "undirected",
    "sum": "add up", "largest": "largest", "mean": "mean",
    "given": "as given", "absolute": "without signs", "log": "log(1 + w)", "ones": "all 1",
    "labels": "labels", "ids": "ids",
    "utf-8": "UTF-8", "latin-1": "Latin-1",
}  # fmt: skip
LARGEST = "Largest component only"
LARGEST_HELP = "Leave out every node that has no path to the largest connected part."

CONVERT = "Spell the ids of {name} as the graphs do"
ORDER = "The lines of {name} follow the nodes of the graph"

FACTS = (
    "Rows read", "Nodes", "Edges", "Weights", "Isolated nodes", "Self-loops", "Merged duplicates", "Components",
    "Direction", "First nodes",
)  # fmt: skip


def facts(report: GraphReport, directed: str) -> dict[str, str]:
    """What was read, by name, as plain text; `directed` is the direction in words."""
    graph = report.graph
    values = (
        f"{report.rows_read:,} of {report.rows_present:,}",
        f"{graph.n_nodes:,}",
        f"{graph.n_edges:,}",
        weights(report.weight_range),
        f"{graph.n_isolated:,}",
        f"{report.self_loops:,}",
        f"{report.duplicates_merged:,}",
        f"{report.components:,}",
        directed,
        first_nodes(graph.labels),
    )
    return dict(zip(FACTS, values, strict=True))


def size(count: int) -> str:
    """Bytes, as files are measured."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(1, round(count / 1e3))} kB"


def weights(span: tuple[float, float] | None) -> str:
    """The least and the greatest weight."""
    if span is None:
        return "–"
    return f"all {span[0]:g}" if span[0] == span[1] else f"{span[0]:.4g} to {span[1]:.4g}"


def first_nodes(labels: Sequence[str], most: int = 3) -> str:
    """A few labels, to see how they are spelled."""
    few = [label if len(label) <= 24 else label[:23] + "…" for label in labels[:most]]
    return ", ".join(few) + (", …" if len(labels) > most else "")
