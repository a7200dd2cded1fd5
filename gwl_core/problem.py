"""What is to be matched: two graphs, and what is known about them beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.pins import Pin, check_pins


@dataclass(frozen=True, eq=False)
class MatchingProblem:
    """Two graphs to align.

    Attributes:
        source, target: the graphs.
        truth: (k, 2) int array of known (source index, target index) pairs, for measuring only; or None.
            A source appears at most once.
        anchors: (n_s, n_t) CSR matrix of known-pair counts (E_st); C_st follows by eq. (zipf); or None.
        source_cost, target_cost: given dense costs, used instead of the observed cost when not None.
        source_marginal, target_marginal: given node distributions, used instead of Config.marginals when not None.
        pins: pairs that a person has pinned or forbidden.
    """

    source: Graph
    target: Graph
    truth: np.ndarray | None = None
    anchors: sparse.csr_array | None = None
    source_cost: np.ndarray | None = None
    target_cost: np.ndarray | None = None
    source_marginal: np.ndarray | None = None
    target_marginal: np.ndarray | None = None
    pins: tuple[Pin, ...] = ()

    def __post_init__(self) -> None:
        shape = (self.source.n_nodes, self.target.n_nodes)
        if (self.source_cost is None) != (self.target_cost is None):
            raise InputError("Give both cost matrices or neither.")
        for side, cost, n in (("source", self.source_cost, shape[0]), ("target", self.target_cost, shape[1])):
            if cost is not None:
                _check_array(f"{side} cost", cost, (n, n))
        for side, marginal, n in (
            ("source", self.source_marginal, shape[0]),
            ("target", self.target_marginal, shape[1]),
        ):
            if marginal is not None:
                _check_array(f"{side} marginal", marginal, (n,))
                if (np.asarray(marginal) < 0).any():
                    raise InputError(f"The {side} marginal has a negative mass; masses must be 0 or more.")
                if abs(float(np.sum(marginal)) - 1) > 1e-9:
                    raise InputError(f"The {side} marginal sums to {np.sum(marginal):g}; masses must sum to 1.")
        if self.truth is not None:
            pairs = np.asarray(self.truth)
            if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs) or pairs.dtype.kind not in "iu":
                raise InputError("The truth must hold at least one (source, target) pair of node indices.")
            if (pairs < 0).any() or (pairs >= np.array(shape)).any():
                raise InputError("The truth names a node that is in neither graph.")
            if len(np.unique(pairs[:, 0])) != len(pairs):
                raise InputError("The truth gives two targets for one source node.")
        if self.anchors is not None:
            if self.anchors.shape != shape:
                raise InputError(f"The anchors need shape {shape}, got {self.anchors.shape}.")
            if not np.isfinite(self.anchors.data).all() or (self.anchors.data < 0).any():
                raise InputError("The anchors have a negative or non-finite count; counts must be 0 or more.")
        check_pins(self.pins, shape)

    def with_truth_labels(self, pairs: Iterable[tuple[str, str]]) -> MatchingProblem:
        """The same problem with truth given as label pairs, all of which must exist."""
        try:
            index = [(self.source.index[s], self.target.index[t]) for s, t in pairs]
        except KeyError as missing:
            raise InputError(f"The truth names {missing}, which is not a node of its graph.") from None
        return replace(self, truth=np.array(index, dtype=np.int64))


def _check_array(name: str, values: np.ndarray, shape: tuple[int, ...]) -> None:
    array = np.asarray(values)
    if array.shape != shape:
        raise InputError(f"The {name} needs shape {shape}, got {array.shape}.")
    if array.dtype.kind not in "fiub" or not np.isfinite(array.astype(np.float64)).all():
        raise InputError(f"The {name} has a value that is not a finite number.")
