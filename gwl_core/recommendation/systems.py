"""The eight systems of the paper's table, and two references, behind one protocol: admissions in, distances out.

Settings were chosen on the validation parts of other generated admissions (seeds 100 to 103), never on a test part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from gwl_core.baselines.glove import glove
from gwl_core.baselines.word2vec import word2vec
from gwl_core.datasets.admissions import Admissions
from gwl_core.recommendation.gwl import learn_jointly
from gwl_core.recommendation.task import co_occurrence

DIM = 50
"""Dimension of every embedding."""

_WORD2VEC_EPOCHS, _GLOVE_EPOCHS, _DWL_EPOCHS, _FINE_TUNING_EPOCHS = 10, 50, 12, 6


@dataclass(frozen=True, eq=False)
class Learned:
    """What a system learned.

    Attributes:
        distances: (diseases, procedures), smaller is closer; an admission's procedures are ranked by their sums.
        coupling: (diseases, procedures) transport, of the systems that have one.
    """

    distances: np.ndarray
    coupling: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class System:
    """One row of the table; `learn` sees the training admissions alone.

    Attributes:
        reference: no system of the paper, but a yardstick.
    """

    key: str
    title: str
    citation: str
    learn: Callable[[Admissions, np.random.Generator], Learned]
    reference: bool = False


def cosine_distances(embeddings: np.ndarray, diseases: int) -> np.ndarray:
    """(diseases, procedures) 1 − cosine of embeddings, the first `diseases` rows of which are diseases.

    A zero vector, of a code never seen, is at right angles to all.
    """
    unit = embeddings / np.maximum(np.linalg.norm(embeddings, axis=1, keepdims=True), 1e-12)
    return 1 - unit[:diseases] @ unit[diseases:].T


def _word2vec(training: Admissions, generator: np.random.Generator) -> Learned:
    found = word2vec(training.rows, DIM, _WORD2VEC_EPOCHS, generator)
    return Learned(cosine_distances(found, len(training.diseases)))


def _glove(training: Admissions, generator: np.random.Generator, inner: bool = False) -> Learned:
    found, _ = glove(training.rows, DIM, _GLOVE_EPOCHS, generator)
    diseases = len(training.diseases)
    if inner:
        return Learned(-found[:diseases] @ found[diseases:].T)
    return Learned(cosine_distances(found, diseases))


def _dwl(training: Admissions, generator: np.random.Generator, fine_tuned: bool) -> Learned:
    from gwl_core.baselines.dwl import dwl  # it loads torch

    start = word2vec(training.rows, DIM, _WORD2VEC_EPOCHS, generator) if fine_tuned else None
    epochs = _FINE_TUNING_EPOCHS if fine_tuned else _DWL_EPOCHS
    found = dwl(training.rows, DIM, epochs, generator, start)
    return Learned(cosine_distances(found.embeddings, len(training.diseases)))


def _gwl(
    training: Admissions, generator: np.random.Generator, kernel: str, outer: int, printed: bool = False
) -> Learned:
    joint = learn_jointly(training, kernel, DIM, outer, int(generator.integers(2**31)), printed)
    return Learned(joint.distances, joint.coupling)


def _popularity(training: Admissions, _: np.random.Generator) -> Learned:
    counts = np.asarray(training.procedure_rows.sum(axis=0)).ravel()
    return Learned(np.tile(-counts / max(1, len(training)), (len(training.diseases), 1)))


def _conditional(training: Admissions, _: np.random.Generator) -> Learned:
    together = co_occurrence(training.disease_rows, training.procedure_rows).toarray()
    counts = np.asarray(training.disease_rows.sum(axis=0)).ravel()
    return Learned(-together / np.maximum(counts, 1)[:, None])


_PAPER = "Xu, Luo, Zha and Carin, Gromov-Wasserstein learning for graph matching and node embedding, ICML 2019."
_DWL = "Xu, Wang, Liu and Carin, Distilled Wasserstein learning for word embedding and topic modeling, NeurIPS 2018."
OUTER = 3
"""Outer iterations of GWL; GWD has one."""

SYSTEMS: Mapping[str, System] = {
    system.key: system
    for system in (
        System("word2vec", "Word2Vec", "Mikolov et al., 2013.", _word2vec),
        System("glove", "GloVe", "Pennington, Socher and Manning, EMNLP 2014.", _glove),
        System("dwl", "DWL (from scratch)", _DWL, partial(_dwl, fine_tuned=False)),
        System("dwl-fine-tuned", "DWL (fine-tuned)", _DWL, partial(_dwl, fine_tuned=True)),
        System("gwd-r", "GWD-R", _PAPER, partial(_gwl, kernel="rbf", outer=1)),
        System("gwd-c", "GWD-C", _PAPER, partial(_gwl, kernel="cosine", outer=1)),
        System("gwl-r", "GWL-R", _PAPER, partial(_gwl, kernel="rbf", outer=OUTER)),
        System("gwl-c", "GWL-C", _PAPER, partial(_gwl, kernel="cosine", outer=OUTER)),
        System(
            "gwl-c-counts", "GWL-C, costs from raw counts", _PAPER,
            partial(_gwl, kernel="cosine", outer=OUTER, printed=True), reference=True,
        ),
        System(
            "glove-inner", "GloVe, by inner product", "Pennington, Socher and Manning, EMNLP 2014.",
            partial(_glove, inner=True), reference=True,
        ),
        System("popularity", "Most frequent procedures", "A yardstick.", _popularity, reference=True),
        System("frequency", "Conditional frequency", "A yardstick: share of a disease's admissions with a procedure.",
               _conditional, reference=True),
    )
}  # fmt: skip
"""In the order of the paper's table; the references last."""
