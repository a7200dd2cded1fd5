"""What the sparse mode for large graphs writes otherwise than a dense run: its pairs, and its coupling's arrays."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from gwl_core.confidence import confidence
from gwl_core.matching import LEAST_SHARE, MatchedPair
from gwl_core.result import SparseResult

_ALTERNATIVES = 5


def sparse_pairs(result: SparseResult) -> list[MatchedPair]:
    """The one-to-one matching by source index, with confidence, ties and up to 5 alternatives of at least 0.1%."""
    T, n = result.coupling, len(result.row_rest)
    rows = np.flatnonzero(result.matching >= 0)
    columns = result.matching[rows]
    if not len(rows):
        return []
    value = np.asarray(T[rows, columns]).ravel()
    others = T - sparse.csr_array((value, (rows, columns)), shape=T.shape)
    sure = confidence(result.problem, result.matching)
    ranked = sparse.csr_array(others)
    pairs = []
    for at, i in enumerate(rows):
        span = slice(ranked.indptr[i], ranked.indptr[i + 1])
        shares, targets = ranked.data[span] * n, ranked.indices[span]
        best = [k for k in np.lexsort((targets, -shares))[:_ALTERNATIVES] if shares[k] >= LEAST_SHARE]
        pairs.append(
            MatchedPair(
                source=int(i),
                target=int(columns[at]),
                coupling=float(value[at]),
                confidence=float(sure[i]),
                tied=bool(result.tied[i]),
                alternatives=tuple((int(targets[k]), float(shares[k])) for k in best),
            )
        )
    return pairs


def sparse_arrays(result: SparseResult) -> dict[str, np.ndarray]:
    """The coupling as CSR arrays: data, indices, indptr and shape, and the rests of the padded rows and columns."""
    T = result.coupling
    return {
        "data": T.data,
        "indices": T.indices,
        "indptr": T.indptr,
        "shape": np.array(T.shape),
        "row_rest": result.row_rest,
        "column_rest": result.column_rest,
    }
