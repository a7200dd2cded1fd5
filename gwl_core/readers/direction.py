"""Whether the edges are directed: the file's own word, the caller's, or a look at the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.readers.phrases import at, counted, shown


class TypeColumn:
    """A column whose cells say Directed or Undirected, as Gephi writes it; or the same said of each edge.

    `what` is what says so, in words.
    """

    def __init__(self, name: str, what: str = "type column") -> None:
        self._name = name
        self._what = what
        self._first: dict[str, int] = {}
        self.notices: list[str] = []

    def read(self, cell: str, line: int) -> None:
        self._first.setdefault(cell.strip().lower(), line)

    def finish(self) -> tuple[bool | None, str]:
        """(directed, why), or (None, "") if the column states no direction.

        Raises:
            InputError: if directed and undirected edges, or directions and other words, are mixed.
        """
        first = {value: line for value, line in self._first.items() if value}
        stated = [value for value in ("directed", "undirected") if value in first]
        other = [value for value in first if value not in stated]
        if len(stated) == 2:
            raise InputError(
                f"{at(self._name, sorted(first[v] for v in stated))}: directed and undirected edges are mixed; "
                "give every edge the same type."
            )
        if stated and other:
            raise InputError(
                f"{at(self._name, first[other[0]])}: type {shown(other[0])} is neither Directed nor Undirected; "
                "give every edge the same type."
            )
        if other:
            self.notices.append(f"The {self._what} does not say Directed or Undirected and was ignored.")
        if not stated:
            return None, ""
        return stated[0] == "directed", f"The {self._what} says {stated[0].capitalize()}."


@dataclass(frozen=True)
class Reciprocity:
    """How often node pairs are given in both orders; self-loops aside.

    pairs: ordered pairs given; both: those whose reverse is given too; mirrored: all are, equally often and with the
    same weight, so that the rows list every undirected edge twice.
    """

    pairs: int
    both: int
    mirrored: bool


def measure_reciprocity(weights: sparse.csr_array, counts: sparse.csr_array) -> Reciprocity:
    """Compare (n, n) sums of row weights and (n, n) numbers of rows, by start and end, with their transposes."""
    own, times = (sparse.csr_array(m - sparse.diags_array(m.diagonal())) for m in (weights, counts))
    for matrix in (own, times):
        matrix.eliminate_zeros()
    pattern = times.astype(bool)
    both = pattern.multiply(pattern.T).nnz
    mirrored = pattern.nnz > 0 and both == pattern.nnz and abs(times - times.T).sum() == 0
    if mirrored:
        # Equal rows summed in another order may differ in the last digits.
        mirrored = (abs(own - own.T) - 1e-12 * own.maximum(own.T)).max() <= 0
    return Reciprocity(pattern.nnz, both, bool(mirrored))


def choose_direction(
    name: str, stated: bool | None, reason: str, asked: bool | None, rows: Reciprocity, decided: str = "file"
) -> tuple[bool, str, list[str]]:
    """(directed, one sentence why, notices).

    `decided` as "directed" or "undirected" settles it. Otherwise the file's own statement wins over `asked`, with a
    notice where they differ; without either the graph is undirected. Then a notice suggests a directed graph if some
    pairs are given in both orders but not all, or with different weights: a list of undirected edges gives each pair
    once, or every pair twice with one weight.
    """
    words = {True: "directed", False: "undirected"}
    if decided != "file":
        against = stated is not None and words[stated] != decided
        notices = [f"{name} says it is {words[bool(stated)]}, and was read as {decided}, as asked."] if against else []
        return decided == "directed", f"Read as {decided}, as asked.", notices
    if stated is not None:
        notices = []
        if asked is not None and asked != stated:
            notices = [f"{name} says it is {words[stated]}, so it was not read as {words[asked]}."]
        return stated, reason, notices
    if asked is not None:
        return asked, f"Read as {words[asked]}, as asked.", []
    if rows.mirrored:
        return False, "Every edge is given both ways with the same weight, so the graph is undirected.", []
    notices = []
    if rows.both:
        given = f"{rows.both // 2:,} of {counted(rows.pairs - rows.both // 2, 'edge')} are given both ways"
        if rows.both == rows.pairs:
            given = "Every edge is given both ways, with different weights"
        notices.append(f"{given}: if {name} is a directed graph, read it as directed.")
    return False, "No direction is stated, so the graph is read as undirected.", notices


def combine(weights: sparse.csr_array, directed: bool, mirrored: bool) -> sparse.csr_array:
    """(n, n) interaction counts from the sums of row weights by start and end."""
    if directed:
        return weights
    if mirrored:
        return sparse.csr_array(weights.maximum(weights.T))
    loops = sparse.diags_array(weights.diagonal(), dtype=np.float64)
    return sparse.csr_array(weights + weights.T - loops)
