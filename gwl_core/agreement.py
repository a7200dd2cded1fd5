"""Where methods agree: which pairs several of them find, which only one does, and a matching from their votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from gwl_core.errors import InputError


@dataclass(frozen=True, eq=False)
class Agreement:
    """Every pair that some method found.

    Attributes:
        methods: (m,) keys.
        pairs: (p, 2) source and target index, ordered by both.
        found: (p, m) bool, which method found which pair.
    """

    methods: tuple[str, ...]
    pairs: np.ndarray
    found: np.ndarray

    @property
    def votes(self) -> np.ndarray:
        """(p,) how many methods found each pair."""
        return self.found.sum(axis=1).astype(np.int64)

    @property
    def counts(self) -> np.ndarray:
        """(m,) how many pairs exactly 1, 2, … m methods found."""
        return np.bincount(self.votes, minlength=len(self.methods) + 1)[1:]

    def by_at_least(self, k: int) -> np.ndarray:
        """(q, 2) pairs that at least k methods found."""
        return self.pairs[self.votes >= k]

    def only(self, key: str) -> np.ndarray:
        """(q, 2) pairs that this method found and no other.

        Raises:
            InputError: a method that is not among these.
        """
        if key not in self.methods:
            raise InputError(f"{key!r} is not among the methods compared: {', '.join(self.methods)}.")
        return self.pairs[self.found[:, self.methods.index(key)] & (self.votes == 1)]

    @property
    def overlap(self) -> np.ndarray:
        """(m, m) share of the pairs of either of two methods that both found; 0 where neither found any."""
        hits = self.found.astype(np.int64)
        both = hits.T @ hits
        either = np.add.outer(np.diag(both), np.diag(both)) - both
        return np.divide(both, either, out=np.zeros(both.shape), where=either > 0)


def agreement(matchings: Mapping[str, np.ndarray]) -> Agreement:
    """Compare (n_s,) matchings by key.

    Raises:
        InputError: no matching, or matchings of different lengths.
    """
    if not matchings or len({len(matching) for matching in matchings.values()}) != 1:
        raise InputError("Agreement needs at least one matching, and all of the same source nodes.")
    width = 1 + max(int(matching.max(initial=-1)) for matching in matchings.values())
    sources = np.arange(len(next(iter(matchings.values()))))
    keys = [(sources * width + matching)[matching >= 0] for matching in matchings.values()]
    every = np.unique(np.concatenate(keys))
    found = np.column_stack([np.isin(every, one) for one in keys])
    pairs = np.column_stack(np.divmod(every, max(1, width)))
    return Agreement(tuple(matchings), pairs, found)


def consensus(agreed: Agreement, n_s: int, least: int | None = None) -> np.ndarray:
    """(n_s,) one-to-one matching of most votes among the pairs that at least `least` methods found, −1 for none.

    Unless given, `least` is more than half of the methods: then no two such pairs exclude each other.

    Raises:
        InputError: a number of methods that is not from 1 to all.
    """
    most = len(agreed.methods)
    least = most // 2 + 1 if least is None else least
    if not 1 <= least <= most:
        raise InputError(f"A consensus takes pairs of 1 to {most} methods, got {least}.")
    kept = agreed.votes >= least
    pairs, votes = agreed.pairs[kept], agreed.votes[kept]
    image = np.full(n_s, -1, dtype=np.int64)
    if len(pairs):
        rows, columns = np.unique(pairs[:, 0]), np.unique(pairs[:, 1])
        taken = _heaviest(np.searchsorted(rows, pairs[:, 0]), np.searchsorted(columns, pairs[:, 1]), votes)
        matched = taken >= 0
        image[rows[matched]] = columns[taken[matched]]
    return image


def _heaviest(rows: np.ndarray, columns: np.ndarray, votes: np.ndarray) -> np.ndarray:
    """Column of every row in a matching of most votes, −1 for none: each row may take a private column instead."""
    n, m, above = int(rows.max()) + 1, int(columns.max()) + 1, float(votes.max()) + 1
    cost = np.concatenate([above - votes, np.full(n, above)])
    places = np.concatenate([rows, np.arange(n)]), np.concatenate([columns, m + np.arange(n)])
    at, taken = min_weight_full_bipartite_matching(sparse.csr_array((cost, places), shape=(n, m + n)))
    image = np.full(n, -1, dtype=np.int64)
    image[at] = np.where(taken < m, taken, -1)
    return image


def known_share(pairs: np.ndarray, truth: np.ndarray | None) -> float | None:
    """Share of (q, 2) pairs that are right, of those whose source has a known target; None if there are none."""
    if truth is None or not len(pairs):
        return None
    known = dict(truth.tolist())
    right: Sequence[bool] = [known[source] == target for source, target in pairs.tolist() if source in known]
    return float(np.mean(right)) if right else None
