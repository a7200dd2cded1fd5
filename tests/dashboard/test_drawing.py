"""The four charts from a problem and a snapshot: empty, full, marked, pooled, and cheap."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from dashboard import drawing
from dashboard.figures.heatmap import cell_to_pair
from dashboard.live_plot.wire import pack
from dashboard.snapshot import HISTORY, Snapshot
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.problem import MatchingProblem

TICK_BYTES, TICK_SECONDS = 500_000, 0.1


def snapshot_of(problem: MatchingProblem, steps: int = 40, seed: int = 0) -> Snapshot:
    rng = np.random.default_rng(seed)
    n_s, n_t = problem.source.n_nodes, problem.target.n_nodes
    coupling = rng.random((n_s, n_t)).astype(np.float32) ** 8
    history = np.full((steps, len(HISTORY)), np.nan)
    history[:, HISTORY.index("step")] = np.arange(1, steps + 1)
    history[:, HISTORY.index("phase")] = np.arange(steps) % 20 >= 15
    history[:, HISTORY.index("objective")] = 1 / np.arange(1, steps + 1)
    for name in HISTORY[6:]:
        history[9::10, HISTORY.index(name)] = rng.random(len(history[9::10]))
    return Snapshot(
        last=steps, shown=steps, coupling=coupling, matching=coupling.argmax(axis=1).astype(np.int32),
        confidence=rng.random(n_s).astype(np.float32), points=rng.normal(size=(n_s + n_t, 2)).astype(np.float32),
        history=history,
    )  # fmt: skip


@pytest.fixture(scope="module")
def problem() -> MatchingProblem:
    return knn(30, 0.2, np.random.default_rng(0))


def notes(figure: dict) -> list[str]:
    return [note["text"] for note in figure["layout"].get("annotations", [])]


def test_before_a_run_every_chart_says_what_will_be_there(problem: MatchingProblem) -> None:
    nothing = Snapshot()
    for figure in (
        drawing.curves(nothing),
        drawing.transport(problem, nothing, None),
        drawing.embedding(problem, nothing, True, None),
    ):
        assert figure["data"] == []
        assert len(notes(figure)) == 1
    unmeasured = np.full((5, len(HISTORY)), np.nan)
    assert drawing.curves(replace(nothing, last=5, history=unmeasured)) == drawing.curves(nothing)
    assert drawing.graphs(problem, nothing, None)["data"]
    assert notes(drawing.embedding(problem, nothing, False, None)) != notes(
        drawing.embedding(problem, nothing, True, None)
    )


def test_the_same_snapshot_gives_the_same_bytes(problem: MatchingProblem) -> None:
    for draw in (
        lambda s: drawing.curves(s),
        lambda s: drawing.transport(problem, s, (1, 2)),
        lambda s: drawing.embedding(problem, s, True, (1, 2)),
        lambda s: drawing.graphs(problem, s, (1, 2)),
    ):
        assert pack(draw(snapshot_of(problem))) == pack(draw(snapshot_of(problem)))


def test_embedding_phases_are_shaded_and_the_past_is_marked(problem: MatchingProblem) -> None:
    snapshot = snapshot_of(problem)
    shapes = drawing.curves(snapshot)["layout"]["shapes"]
    assert [(shape["x0"], shape["x1"]) for shape in shapes] == [(15, 20), (35, 40)]
    past = drawing.curves(replace(snapshot, shown=7))["layout"]["shapes"]
    assert [shape["x0"] for shape in past if shape["type"] == "line"] == [7]


def test_a_ghost_is_drawn_beside_the_curves(problem: MatchingProblem) -> None:
    snapshot = snapshot_of(problem)
    with_ghost = replace(snapshot, ghost=snapshot_of(problem, 60).history)
    assert len(drawing.curves(with_ghost)["data"]) == 2 * len(drawing.curves(snapshot)["data"])


def test_the_scale_of_the_curves_is_settled_by_the_first_measured_step(problem: MatchingProblem) -> None:
    snapshot = snapshot_of(problem)
    objective, discrepancy = HISTORY.index("objective"), HISTORY.index("gw_discrepancy")
    history = snapshot.history.copy()
    history[:, [objective, discrepancy]] = np.geomspace(1, 1e-20, len(history))[:, None]
    history[0, [objective, discrepancy]] = np.nan
    assert "type" not in drawing.curves(replace(snapshot, history=history))["layout"]["yaxis"]
    history[1, objective] *= 5
    figure = drawing.curves(replace(snapshot, history=history))
    assert figure["layout"]["yaxis"]["type"] == "log"
    assert history[-1, discrepancy] == 1e-20  # the snapshot itself is not clipped


def test_with_truth_a_right_coupling_is_the_diagonal(problem: MatchingProblem) -> None:
    view = drawing.view_of(problem)
    known = dict(problem.truth.tolist())
    assert [known[int(i)] for i in view.row_order] == view.column_order[: len(view.row_order)].tolist()


@pytest.mark.parametrize("truth", [True, False])
def test_a_cell_is_the_pair_under_it(problem: MatchingProblem, truth: bool) -> None:
    problem = problem if truth else replace(problem, truth=None)
    snapshot = snapshot_of(problem)
    figure = drawing.transport(problem, snapshot, None)
    view = drawing.view_of(problem)
    for row, column in ((0, 0), (3, 17), (29, 5)):
        pair = cell_to_pair({"point": [row, column]}, snapshot.coupling, view)
        assert pair is not None
        assert problem.source.labels[pair[0]] == figure["layout"]["yaxis"]["ticktext"][row]
        assert problem.target.labels[pair[1]] == figure["layout"]["xaxis"]["ticktext"][column]


def test_an_exact_crop_holds_the_pair() -> None:
    problem = barabasi_albert(400, 0.1, np.random.default_rng(0))
    assert drawing.pooled(problem)
    for pair in ((0, 0), (399, 439), (200, 3)):
        view = drawing.view_of(problem, pair)
        assert view.pool == (1, 1)
        assert pair[0] in view.rows
        assert pair[1] in view.columns
        assert len(view.rows) == len(view.columns) == 60


def test_a_tick_of_600_nodes_is_small_and_quick() -> None:
    """What one tick makes and sends at most: every chart new."""
    problem = barabasi_albert(600, 0.05, np.random.default_rng(0))
    drawing.layouts(problem)
    sizes, seconds = [], []
    for seed in range(3):
        snapshot = snapshot_of(problem, 1500, seed)
        start = time.thread_time()
        charts = [
            drawing.curves(snapshot),
            drawing.transport(problem, snapshot, (3, 4)),
            drawing.embedding(problem, snapshot, True, (3, 4)),
            drawing.graphs(problem, snapshot, (3, 4)),
        ]
        sizes.append(sum(len(pack(chart)) for chart in charts))
        seconds.append(time.thread_time() - start)
    assert max(sizes) < TICK_BYTES
    assert min(seconds) < TICK_SECONDS
