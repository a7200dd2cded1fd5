"""Two-dimensional pictures of both embeddings: PCA at once, t-SNE frame by frame.

Used in a run's process only. openTSNE is imported on first use; that takes seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

PERPLEXITY = 30.0
LONGEST = 400
"""t-SNE iterations spent on embeddings that no longer change."""
_BURST = 20
_EARLY = 100
_AMONG, _ASTRAY = 30, 0.02
"""A point is astray in a picture where its nearest point is not among so many of its nearest there; such a share of
them is too much."""


@dataclass(frozen=True, eq=False)
class Projection:
    """Positions of all points, source nodes first.

    Attributes:
        kind: "tsne", "pca" or "raw".
        positions: (n_s + n_t, 2) float64, or None where there is nothing to draw.
        step: the step whose embeddings it shows.
        age: t-SNE iterations behind it since the first frame.
        note: what a reader must know about it, perhaps empty.
    """

    kind: str
    positions: np.ndarray | None
    step: int
    age: int = 0
    note: str = ""


def joint(source: np.ndarray, target: np.ndarray, cosine: bool) -> np.ndarray:
    """(n_s + n_t, D) rows of both embeddings, of unit length where the kernel is the cosine."""
    rows = np.concatenate([source, target]).astype(np.float64)
    if cosine:
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return rows


def pca(rows: np.ndarray, step: int, previous: Projection | None = None) -> Projection:
    """The first two principal components, turned the way the previous frame was."""
    if len(rows) < 2:
        return Projection("pca", None, step, note="A single point has no projection.")
    left, scale, _ = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)
    positions = np.zeros((len(rows), 2))
    width = min(2, len(scale))
    positions[:, :width] = left[:, :width] * scale[:width]
    if previous is not None and previous.positions is not None and previous.positions.shape == positions.shape:
        positions *= np.where((positions * previous.positions).sum(axis=0) < 0, -1.0, 1.0)
    return Projection("pca", positions, step)


def raw(rows: np.ndarray, step: int) -> Projection:
    """The first two coordinates as they are."""
    positions = np.zeros((len(rows), 2))
    positions[:, : min(2, rows.shape[1])] = rows[:, :2]
    return Projection("raw", positions, step)


def clamp_perplexity(n: int, wanted: float = PERPLEXITY) -> float:
    """A perplexity that n points allow: at most a third of the other points."""
    return min(wanted, (n - 1) / 3)


def tsne(
    rows: np.ndarray,
    step: int,
    previous: Projection | None = None,
    perplexity: float = PERPLEXITY,
    resting: bool = False,
) -> Iterator[Projection]:
    """t-SNE frames, each a few iterations further, from the previous frame's positions on; stop whenever you like.

    Points that came together while the picture was made stay apart in it, for others lie between them. So for
    embeddings at rest a picture with points astray is laid out anew, from the same arrangement.

    Below four points a plain scatter of the principal components stands in.
    """
    n = len(rows)
    if n < 4:
        plain = pca(rows, step, previous)
        note = plain.note or f"{n} points are too few for t-SNE; these are principal components."
        yield replace(plain, kind="tsne", note=note)
        return
    used = clamp_perplexity(n, perplexity)
    note = f"Perplexity {used:.3g}: {n} points allow no more." if used < perplexity else ""
    # Identical rows end scikit-learn's tree in a crash and openTSNE's in a clump: a millionth of the spread parts
    # them, by the same draw in every frame so that nothing dances.
    rng = np.random.default_rng(0)
    rows = rows + rng.normal(scale=1e-6 * (float(rows.std()) or 1.0), size=rows.shape)
    if previous is not None and previous.positions is not None and previous.positions.shape == (n, 2):
        start, age = previous.positions, previous.age
        if resting and age >= _EARLY and astray(rows, start) > _ASTRAY:
            start, age = 1e-2 * start / (start[:, 0].std() or 1.0), 0
    else:
        flat = pca(rows, step).positions
        assert flat is not None
        start, age = 1e-2 * (flat / (flat[:, 0].std() or 1.0) + rng.normal(scale=1e-3, size=flat.shape)), 0
    yield from _bursts(rows, Projection("tsne", start, step, age, note), used)


def astray(rows: np.ndarray, positions: np.ndarray) -> float:
    """Share of points whose nearest point is not among their _AMONG nearest in the picture."""
    from sklearn.neighbors import NearestNeighbors

    among = min(_AMONG, len(rows) - 1)
    nearest = NearestNeighbors(n_neighbors=1).fit(rows).kneighbors(return_distance=False)
    drawn = NearestNeighbors(n_neighbors=among).fit(positions).kneighbors(return_distance=False)
    return float(1 - (drawn == nearest).any(axis=1).mean())


def _bursts(rows: np.ndarray, frame: Projection, perplexity: float) -> Iterator[Projection]:
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import PerplexityBasedNN

    near = PerplexityBasedNN(rows, perplexity=perplexity, metric="euclidean", method="exact", n_jobs=1, random_state=0)
    points = TSNEEmbedding(frame.positions, near, negative_gradient_method="bh", n_jobs=1, random_state=0)
    age = frame.age
    while True:
        exaggeration, momentum = (12, 0.5) if age < _EARLY else (1, 0.8)
        points.optimize(_BURST, exaggeration=exaggeration, momentum=momentum, inplace=True)
        positions = np.array(points, dtype=np.float64)
        if not np.isfinite(positions).all():
            return
        age += _BURST
        yield replace(frame, positions=positions, age=age)
