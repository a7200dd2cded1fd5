"""Matched pairs of a transport, by hand."""

import numpy as np

from gwl_core.recommendation.matches import matched_pairs


def test_the_largest_of_each_disease_and_those_above_the_threshold() -> None:
    """Scaled by 0.4: rows (1, 0.5, 0.1), (0, 0.05, 0.15) and one without mass; 0.15 itself is not above 0.15."""
    coupling = np.array([[0.4, 0.2, 0.04], [0.0, 0.02, 0.0599], [0.0, 0.0, 0.0]])
    found = [(m.disease, m.procedure, round(m.transport, 3), m.largest) for m in matched_pairs(coupling)]
    assert found == [(0, 0, 1.0, True), (0, 1, 0.5, False), (1, 2, 0.15, True)]
