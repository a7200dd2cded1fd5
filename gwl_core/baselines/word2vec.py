"""Word2Vec on admissions: a record is an unordered sentence of codes, and every two of its codes are neighbours.

Mikolov et al., Efficient estimation of word representations in vector space, 2013; skip-gram with negative samples, as
gensim has it.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

NEGATIVES = 5


def word2vec(records: sparse.csr_array, dim: int, epochs: int, generator: np.random.Generator) -> np.ndarray:
    """(codes, dim) embeddings of the codes of (records, codes) 0/1 rows; zero for a code that no record has.

    One worker, so that equal generators give equal embeddings.
    """
    from gensim.models import Word2Vec

    sentences = [[str(code) for code in codes] for codes in np.split(records.indices, records.indptr[1:-1])]
    model = Word2Vec(
        sentences, vector_size=dim, window=max(1, max(map(len, sentences)) - 1), shrink_windows=False, sg=1,
        negative=NEGATIVES, min_count=1, sample=0, workers=1, epochs=epochs, seed=int(generator.integers(2**31)),
    )  # fmt: skip
    embeddings = np.zeros((records.shape[1], dim))
    embeddings[[int(code) for code in model.wv.index_to_key]] = model.wv.vectors
    return embeddings
