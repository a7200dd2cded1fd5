"""The coarse match: both graphs' nodes fall into shared classes by their surroundings; candidates come from near ones.

The classes are the centres of a k-means over the features of both graphs together, so that a class of the source is
matched to the target nodes of the same class and of the nearest others. No class is left out: where the target has no
node in a class, the sources in it look in the next ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gwl_core.graph import Graph
from gwl_core.prior import node_features

WHOLE_SEARCH = 4000
"""Targets up to which every class looks at all of them."""

PROBED = 1 / 8
"""Least share of the targets that a class looks at, beyond that size."""

_ROUNDS = 8
_CLIP = 5.0


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of nodes that look alike.

    Attributes:
        rows, columns: source and target of every pair.
        classes: how many classes the nodes fell into.
        bare: sources in classes without a target node; they looked in the nearest others.
    """

    rows: np.ndarray
    columns: np.ndarray
    classes: int
    bare: int


@dataclass(frozen=True, eq=False)
class Features:
    """What two graphs' nodes look like.

    Attributes:
        source, target: (n_s, F) and (n_t, F) robustly scaled features, each graph about its own median, since edges
            that one graph lacks shift the features of all its nodes alike (measured on K-NN pairs of 3000 nodes
            without 5% of the edges: the true target is the nearest for 98% of the nodes, with a shared median for 67
            to 83%).
        white_source, white_target: the same, decorrelated.
    """

    source: np.ndarray
    target: np.ndarray
    white_source: np.ndarray
    white_target: np.ndarray

    def likeness(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """(k,) minus the mean absolute difference of the given pairs' features, at least −2; 0 for the same."""
        found = np.zeros(len(rows))
        if self.source.shape[1]:
            for start in range(0, len(rows), 500_000):
                part = slice(start, start + 500_000)
                found[part] = -np.abs(self.source[rows[part]] - self.target[columns[part]]).mean(axis=1)
        return np.maximum(found, -2.0)


def features(source: Graph, target: Graph) -> Features:
    """Scaled features of both graphs; columns in which neither graph varies are left out."""
    directed = source.directed or target.directed
    raw = [node_features(graph, directed) for graph in (source, target)]
    centred = [part - np.median(part, axis=0) for part in raw]
    spread = np.mean(np.abs(np.vstack(centred)), axis=0)
    kept = spread > 1e-9
    scaled = [np.clip(part[:, kept] / spread[kept], -_CLIP, _CLIP).astype(np.float32) for part in centred]
    white = _white(scaled[0], scaled[1])
    return Features(scaled[0], scaled[1], white[0], white[1])


def _white(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both on the principal axes of the two together, at unit variance; axes of next to no variance are left out."""
    together = np.vstack([source, target]).astype(np.float64)
    if not together.shape[1]:
        return source, target
    mean = together.mean(axis=0)
    values, axes = np.linalg.eigh(np.atleast_2d(np.cov((together - mean).T)))
    kept = values > 1e-3 * max(values.max(), 1e-12)
    white = (((together - mean) @ axes[:, kept]) / np.sqrt(values[kept])).astype(np.float32)
    return white[: len(source)], white[len(source) :]


def nearest(source: np.ndarray, target: np.ndarray, count: int, rng: np.random.Generator) -> Candidates:
    """The `count` nearest targets of every source by features, found class by class; ties fall at random.

    Args:
        source, target: (n_s, F) and (n_t, F).
    """
    n_t = len(target)
    count = min(count, n_t)
    classes = 1 if n_t <= WHOLE_SEARCH else int(np.sqrt(n_t))
    centres = class_centres(np.vstack([source, target]), classes, rng)
    of_source, of_target = _class_of(source, centres), _class_of(target, centres)
    order = np.argsort(of_target, kind="stable")
    bounds = np.searchsorted(of_target[order], np.arange(len(centres) + 1))
    least = n_t if len(centres) == 1 else max(count, int(PROBED * n_t))
    rows, columns = [], []
    for number in range(len(centres)):
        members = np.flatnonzero(of_source == number)
        if not len(members):
            continue
        near = np.argsort(np.square(centres - centres[number]).sum(axis=1), kind="stable")
        sizes = np.diff(bounds)[near]
        near = near[: int(np.searchsorted(np.cumsum(sizes), least)) + 1]
        pool = rng.permutation(np.concatenate([order[bounds[c] : bounds[c + 1]] for c in near]))
        for start in range(0, len(members), 1000):
            part = members[start : start + 1000]
            picked = _least(_distances(source[part], target[pool]), count)
            rows.append(np.repeat(part, picked.shape[1]))
            columns.append(pool[picked].ravel())
    bare = int((np.diff(bounds)[of_source] == 0).sum())
    return Candidates(np.concatenate(rows), np.concatenate(columns), len(centres), bare)


def class_centres(points: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """(count, F) k-means centres of a sample; a centre that loses all its points stays where it is."""
    sample = points[np.sort(rng.choice(len(points), min(len(points), 40 * count), replace=False))]
    centres = sample[rng.choice(len(sample), min(count, len(sample)), replace=False)].copy()
    for _ in range(_ROUNDS if len(centres) > 1 else 0):
        nearest_centre = _class_of(sample, centres)
        sizes = np.bincount(nearest_centre, minlength=len(centres))
        sums = np.stack([np.bincount(nearest_centre, column, len(centres)) for column in sample.T], axis=1)
        filled = sizes > 0
        centres[filled] = sums[filled] / sizes[filled, None]
    return centres


def _class_of(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    parts = [_distances(points[a : a + 5000], centres).argmin(axis=1) for a in range(0, len(points), 5000)]
    return np.concatenate(parts)


def _distances(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Squared distances, up to a constant of each row."""
    return np.square(right).sum(axis=1)[None, :] - 2 * (left @ right.T)


def _least(values: np.ndarray, count: int) -> np.ndarray:
    if count >= values.shape[1]:
        return np.broadcast_to(np.arange(values.shape[1]), values.shape)
    return np.argpartition(values, count - 1, axis=1)[:, :count]
