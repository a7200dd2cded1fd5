"""A small result made by hand: three sources on two targets, one source unmatched."""

import numpy as np
import pytest

from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.result import Measures, Result, Status
from gwl_core.settings import Config, Hyperparameters

PLAN = np.array([[0.30, 0.02], [0.01, 0.02], [0.0233333, 0.2933333]])


@pytest.fixture
def result() -> Result:
    source = Graph.from_edges([("p", "q", 2), ("q", "r", 1)], name="left")
    target = Graph.from_edges([("=X", "-5", 1)], name="right")
    third = np.full(3, 1 / 3)
    return Result(
        problem=MatchingProblem(source, target, truth=np.array([[0, 0], [2, 1]])),
        config=Config(seed=7, embeddings=False),
        hyperparameters=Hyperparameters(),
        preset="gwd",
        coupling=PLAN,
        slack_rows=np.zeros((0, 2)),
        slack_columns=(1 / 3 - PLAN.sum(axis=1))[:, None],
        source_marginal=third,
        target_marginal=third,
        source_embedding=None,
        target_embedding=None,
        cross_cost=None,
        status=Status("converged", "Converged."),
        measures=Measures(
            gw_discrepancy=0.25,
            objective=0.25,
            wasserstein=None,
            regularizer=None,
            marginal_error=1e-9,
            unmatched=1,
            node_correctness_coupling=1.0,
            node_correctness_one_to_one=1.0,
            node_correctness_symmetry_aware=1.0,
            edge_correctness=0.0,
        ),
        outer_iterations=1,
        inner_iterations=20,
        seconds=0.5,
        history=(
            {"step": 1, "objective": 0.5, "phase": "coupling"},
            {"step": 2, "objective": np.float64("nan"), "edge_correctness": np.float32(0.5)},
        ),
        notices=("One value was floored.",),
    )
