"""The user's files as read so far: reports, pairs, and what is wrong or asked; no Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import sparse

from dashboard import text
from dashboard.limits import limits
from dashboard.origin import Origin, of_files
from gwl_core.errors import InputError, OfferError
from gwl_core.problem import MatchingProblem
from gwl_core.readers import GraphReport, NodeList, Policies, read_anchors, read_graph, read_nodes, read_truth

SIDES = ("source", "target")
PAIRS = ("truth", "anchors")
File = tuple[str, bytes]


@dataclass(frozen=True)
class Wishes:
    """What the user decided about the files.

    Attributes:
        policies: how to read the graph of each side.
        convert, by_order: kinds of pairs ("truth", "anchors") whose ids are spelled anew, or follow the nodes.
    """

    policies: Mapping[str, Policies] = field(default_factory=dict)
    convert: frozenset[str] = frozenset()
    by_order: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Draft:
    """What was read of the files chosen so far.

    Attributes:
        faults: what is wrong with a side's files, in a sentence.
        errors: the same for pairs and for both graphs together.
        offers: "convert" or "order" by the kind of pairs it would help.
        origin: of the problem.
    """

    source: GraphReport | None = None
    target: GraphReport | None = None
    problem: MatchingProblem | None = None
    faults: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    offers: Mapping[str, str] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)


def read(files: Mapping[str, File | None], wishes: Wishes = Wishes()) -> Draft:
    """Read the files there are, with every size checked here: the browser's limit is only advice.

    Args:
        files: (name, content) of "source", "target", "truth", "anchors", "source_nodes" and "target_nodes".
    """
    reports, faults = {}, {}
    for side in SIDES:
        chosen = files.get(side)
        if chosen is None:
            continue
        try:
            policies = wishes.policies.get(side, Policies())
            reports[side] = read_side(chosen, files.get(f"{side}_nodes"), policies)
        except InputError as error:
            faults[side] = str(error)
    return joined(reports, faults, files, wishes)


def read_side(graph: File, nodes: File | None, policies: Policies) -> GraphReport:
    """One graph, with its node list if there is one; raises InputError."""
    listed = read_nodes(nodes[1], name=nodes[0], limits=limits().files, policies=policies) if nodes else NodeList()
    return read_graph(graph[1], name=graph[0], limits=limits().files, nodes=listed, policies=policies)


def joined(
    reports: Mapping[str, GraphReport],
    faults: Mapping[str, str],
    files: Mapping[str, File | None],
    wishes: Wishes,
) -> Draft:
    """The draft of the graphs that could be read; pairs are read once there are both."""
    draft = Draft(reports.get("source"), reports.get("target"), faults=faults)
    if draft.source is None or draft.target is None:
        return draft
    errors: list[str] = []
    notices: list[str] = []
    noticed = [*draft.source.notices, *draft.target.notices]
    offers: dict[str, str] = {}
    truth: np.ndarray | None = None
    anchors: sparse.csr_array | None = None
    for kind in PAIRS:
        chosen = files.get(kind)
        if chosen is None:
            continue
        try:
            found, said, offer = _pairs(kind, chosen, draft.source, draft.target, wishes)
        except InputError as error:
            errors.append(str(error))
            if isinstance(error, OfferError):
                offers[kind] = error.offer
            continue
        notices += said
        noticed += said[1:]
        if offer:
            offers[kind] = offer
        if kind == "truth":
            truth = found
        else:
            anchors = found
    if errors:
        return replace(draft, errors=tuple(errors), notices=tuple(notices), offers=offers)
    try:
        problem = MatchingProblem(draft.source.graph, draft.target.graph, truth=truth, anchors=anchors)
    except InputError as error:
        return replace(draft, errors=(str(error),), notices=tuple(notices), offers=offers)
    names = {place: file[0] for place, file in files.items() if file is not None}
    agreed = {"convert_ids": tuple(wishes.convert), "by_order": tuple(wishes.by_order)}
    origin = of_files(names, wishes.policies, agreed, noticed)
    return replace(draft, problem=problem, notices=tuple(notices), offers=offers, origin=origin)


def _pairs(
    kind: str, chosen: File, source: GraphReport, target: GraphReport, wishes: Wishes
) -> tuple[np.ndarray | sparse.csr_array, list[str], str]:
    """Known pairs, what to say about them (first how many rows), and the offer that would use more of them."""
    reader = read_truth if kind == "truth" else read_anchors
    report = reader(
        chosen[1],
        name=chosen[0],
        source_graph=source.graph,
        target_graph=target.graph,
        limits=limits().files,
        policies=Policies(encoding=source.policies.encoding),
        convert=kind in wishes.convert,
        by_order=kind in wishes.by_order,
    )
    used = text.PAIRS_READ.format(name=chosen[0], used=report.rows_used, present=report.rows_present)
    found = report.pairs if kind == "truth" else report.matrix  # type: ignore[union-attr]
    return found, [used, *report.notices], "convert" if report.convertible else ""
