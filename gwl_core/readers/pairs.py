"""Lists of known pairs: truth for measuring, anchors as prior knowledge."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.readers.content import Content
from gwl_core.readers.pair_rows import PairRow, read_pair_rows
from gwl_core.readers.phrases import at, counted, line_list, shown, values
from gwl_core.readers.report import AnchorsReport, TruthReport
from gwl_core.readers.weights import WeightColumn


def read_truth_pairs(
    content: Content, source: Graph, target: Graph, convert: bool = False, by_order: bool = False
) -> TruthReport:
    """The truth in a file; rows naming unknown nodes are left out, with a notice.

    Raises:
        InputError: if no row fits the graphs, or a source has two targets.
    """
    found = read_pair_rows(content, source, target, convert, by_order)
    first: dict[str, PairRow] = {}
    repeats = []
    for row in found.rows:
        earlier = first.setdefault(row.source, row)
        if earlier.target != row.target:
            raise InputError(
                f"{at(content.name, (earlier.line, row.line))}: source {shown(row.source)} has two targets, "
                f"{shown(earlier.target)} and {shown(row.target)}; keep one."
            )
        if earlier is not row:
            repeats.append(row.line)
    notices = [*content.notices, *found.notices]
    if any(row.weight for row in found.rows):
        notices.append("Only the two columns of ids were used.")
    if repeats:
        notices.append(f"{counted(len(repeats), 'repeated row')} left out ({line_list(repeats)}).")
    shared = [t for t, times in Counter(row.target for row in first.values()).items() if times > 1]
    if shared:
        notices.append(f"{counted(len(shared), 'target')} given for more than one source: {values(shared)}.")
    pairs = np.array([(source.index[r.source], target.index[r.target]) for r in first.values()], dtype=np.int64)
    return TruthReport(pairs, found.present, len(pairs), tuple(notices), found.swapped, found.convertible)


def read_anchor_pairs(
    content: Content, source: Graph, target: Graph, convert: bool = False, by_order: bool = False
) -> AnchorsReport:
    """The anchors in a file: pairs with a count in an optional third column (1 where absent); repeated pairs add up.

    Raises:
        InputError: if no row fits the graphs, or a count is no finite number of 0 or more, or all are 0.
    """
    found = read_pair_rows(content, source, target, convert, by_order)
    column = WeightColumn(content.name, found.decimal_comma)
    weights = [column.read(row.weight, row.line) for row in found.rows]
    notices = [*content.notices, *found.notices, *column.finish("made no anchor")]
    ends = ([source.index[r.source] for r in found.rows], [target.index[r.target] for r in found.rows])
    matrix = sparse.coo_array((weights, ends), shape=(source.n_nodes, target.n_nodes), dtype=np.float64).tocsr()
    matrix.eliminate_zeros()
    if not matrix.nnz:
        raise InputError(f"{content.name}: every anchor has weight 0; give at least one a positive weight.")
    return AnchorsReport(matrix, found.present, len(found.rows), tuple(notices), found.swapped, found.convertible)
