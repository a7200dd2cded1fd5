"""From the entries of a square matrix to edge rows: what CSV matrices, Matrix Market and NumPy arrays share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.direction import measure_reciprocity
from gwl_core.readers.phrases import shown, values
from gwl_core.readers.report import SIGNED, EdgeRows
from gwl_core.readers.weights import MOST


def matrix_rows(
    content: Content,
    labels: tuple[str, ...],
    places: tuple[np.ndarray, np.ndarray],
    entries: np.ndarray,
    kind: str,
    symmetric: bool = False,
    has_weights: bool = True,
    notices: Iterable[str] = (),
) -> EdgeRows:
    """The rows of a matrix whose non-zero entries stand at places (rows, columns).

    A symmetric matrix is undirected and any other is directed, except that one with entries in one triangle only says
    nothing. `symmetric` says that each edge is given once.
    """
    n = len(labels)
    twice = [label for label, times in Counter(labels).items() if times > 1]
    if twice:
        raise InputError(f"{content.name} has several rows called {values(twice)}; names must be distinct.")
    if len(entries) and entries.max() > MOST:
        k = int(entries.argmax())
        raise InputError(
            f"{content.name}, row {shown(labels[places[0][k]])}, column {shown(labels[places[1][k]])}: the entry "
            f"{entries[k]:g} is over {MOST:g}, too large for sums; divide all entries by one number."
        )
    directed, reason, said = None, "", list(notices)
    if symmetric:
        directed, reason = False, "The file says the matrix is symmetric."
        if content.policies.direction == "directed":
            off = places[0] != places[1]
            one, two = places
            places = np.concatenate([one, two[off]]), np.concatenate([two, one[off]])
            entries = np.concatenate([entries, entries[off]])
    elif len(entries):
        summed, counts = (
            sparse.coo_array((data, places), shape=(n, n)).tocsr() for data in (entries, np.ones(len(entries)))
        )
        if not measure_reciprocity(summed, counts).mirrored:
            rising = places[0] - places[1]
            if (rising <= 0).all() or (rising >= 0).all():
                said.append("Only one triangle of the matrix has entries, so it says nothing about direction.")
            else:
                directed, reason = True, "The matrix is not symmetric."
    return EdgeRows(
        labels=labels,
        starts=places[0],
        ends=places[1],
        weights=entries,
        format=kind,
        directed=directed,
        direction_reason=reason,
        has_weights=has_weights and bool(len(entries)) and not bool((entries == 1).all()),
        notices=tuple(said),
    )


def check_entries(content: Content, labels: tuple[str, ...], matrix: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """A dense (n, n) matrix of numbers as counts, and what was done to it.

    Raises:
        InputError: naming the row and column of an entry that is not finite or is negative.
    """
    notices: list[str] = []
    bad = ~np.isfinite(matrix)
    what, remedy = "not finite", "give finite numbers of 0 or more"
    if not bad.any():
        bad = matrix < 0
        what, remedy = "negative", "give 0 or more, or choose to drop the signs (--weights absolute)"
        if bad.any() and content.policies.weights in SIGNED:
            notices.append(f"{int(bad.sum()):,} entries below 0 read without the sign, as asked.")
            return np.abs(matrix), notices
    if bad.any():
        i, j = (int(k) for k in np.argwhere(bad)[0])
        raise InputError(
            f"{content.name}, row {shown(labels[i])}, column {shown(labels[j])}: the entry {matrix[i, j]:g} is {what}; "
            f"{remedy}."
        )
    return matrix, notices
