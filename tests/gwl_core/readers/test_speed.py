"""Long lists are read in about a second; the bounds are several times that, for slow machines."""

import time

import numpy as np
import pytest

from gwl_core.readers import read_graph


@pytest.mark.parametrize("separator", [",", " "])
def test_a_hundred_thousand_rows_take_seconds_at_most(separator: str) -> None:
    pairs = np.random.default_rng(0).integers(0, 10_000, (100_000, 2))
    data = "\n".join(f"n{a}{separator}n{b}{separator}{a % 7 + 1}" for a, b in pairs.tolist()).encode()
    start = time.process_time()
    report = read_graph(data, name="g.csv")
    assert time.process_time() - start < 5
    assert report.rows_read == 100_000
