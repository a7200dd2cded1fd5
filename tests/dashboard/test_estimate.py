"""What is said of a run before it starts, against the run itself."""

from __future__ import annotations

import numpy as np
import pytest

from dashboard.estimate import estimate, steps
from gwl_core.datasets.synthetic import knn
from gwl_core.limits import dense_bytes
from gwl_core.settings import PRESETS
from gwl_core.trajectory import Trajectory


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("nodes", [20, 120])
def test_steps_are_those_that_a_fresh_run_expects(preset: str, nodes: int) -> None:
    problem = knn(nodes, 0.1, np.random.default_rng(1))
    config, hyper = PRESETS[preset].config, PRESETS[preset].hyperparameters
    expected = Trajectory(problem, config, hyper).total_steps_estimate
    assert steps(problem, config, hyper) == pytest.approx(expected, rel=0.05)


def test_more_nodes_take_longer_and_more() -> None:
    small, large = (knn(n, 0.0, np.random.default_rng(1)) for n in (20, 200))
    config, hyper = PRESETS["default"].config, PRESETS["default"].hyperparameters
    first, second = (estimate(p, config, hyper) for p in (small, large))
    assert first.seconds < second.seconds
    assert second.bytes - first.bytes == dense_bytes(large, config) - dense_bytes(small, config)
