"""Several methods on one problem: what a row holds, caps and stops, and that one method cannot disturb another."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gwl_core import comparison
from gwl_core.baselines import BASELINES, Outcome, Progress, align
from gwl_core.baselines.protocol import Baseline, Steps
from gwl_core.comparison import MethodRun, check_methods, compare, method_keys, method_title, run_method
from gwl_core.datasets.builtin import load_pair
from gwl_core.errors import InputError
from gwl_core.memory import PeakMemory
from gwl_core.problem import MatchingProblem
from gwl_core.scorecard import scorecard
from gwl_core.settings import with_changes

PAIR = load_pair("geant")


def system(steps: Any, largest: int = 100) -> Baseline:
    return replace(
        BASELINES["isorank"], key="test", title="Test", largest=largest, settings=(), defaults={}, steps=steps
    )


def endless(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    best = Outcome(matching=np.arange(problem.source.n_nodes))
    while True:
        time.sleep(0.005)
        yield Progress(0.5, "round and round", best)


def broken(problem: MatchingProblem, settings: Mapping[str, Any], generator: np.random.Generator) -> Steps:
    yield Progress(0.0, "about to fail")
    raise RuntimeError("no luck")


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(**systems: Baseline) -> None:
        monkeypatch.setattr(comparison, "BASELINES", {**BASELINES, **systems})

    return put


def test_a_row_is_what_the_method_finds_alone() -> None:
    told: list[tuple[str, float]] = []
    ready: list[MethodRun] = []
    rows = compare(
        PAIR, ["netal", "isorank", "netal"], seed=3, on_row=ready.append,
        on_progress=lambda key, progress: told.append((key, progress.share)),
    )  # fmt: skip
    assert [row.key for row in rows] == ["netal", "isorank"]
    assert ready == list(rows)
    assert {key for key, _ in told} == {"netal", "isorank"}
    for row in rows:
        alone = align(BASELINES[row.key], PAIR, seed=3)
        assert row.status == "done"
        assert row.matching is not None
        assert np.array_equal(row.matching, alone.matching)
        assert row.card == scorecard(PAIR, alone.matching, alone.outcome.scores)
        assert row.seconds > 0
    assert len(rows[0].orders) == BASELINES["netal"].defaults["orders"]
    assert rows[0].card is not None
    assert rows[0].card.edge_correctness == max(card.edge_correctness or 0 for card in rows[0].orders)
    assert rows[1].card is not None
    assert rows[1].card.hits is not None


def test_gwl_is_the_preset_that_align_runs() -> None:
    from gwl_core.matching import one_to_one
    from gwl_core.trajectory import run

    (row,) = compare(PAIR, ["gwd"], seed=1)
    result = run(PAIR, *with_changes("gwd", {"seed": 1}), "gwd")
    assert row.matching is not None
    assert np.array_equal(row.matching, one_to_one(result.coupling, result.slack_rows, result.slack_columns))
    assert row.card is not None
    assert row.card.correctness is not None
    assert row.card.correctness.share == result.measures.node_correctness_one_to_one
    assert comparison.OWN["gwl"] == "default"


def test_the_sparse_mode_is_driven_alike() -> None:
    row = run_method(PAIR, "gwd", settings={"scale": "sparse"})
    assert row.status == "done"
    assert row.card is not None
    assert (row.card.edge_correctness or 0) > 0.4


def test_a_cap_ends_a_method_with_the_best_it_had(register: Any) -> None:
    register(endless=system(endless))
    started = time.monotonic()
    one, other = compare(PAIR, ["endless", "isorank"], cap=0.1)
    assert time.monotonic() - started < 10
    assert (one.status, one.message) == ("cut short", "Cut short after 0.1 s; judged by the best it had.")
    assert one.matching is not None
    assert one.matching.tolist() == list(range(PAIR.source.n_nodes))
    assert other.key == "isorank"


def test_a_stop_ends_the_method_at_hand_and_leaves_out_the_rest(register: Any) -> None:
    register(endless=system(endless))
    asked = iter([False, False, True])
    rows = compare(PAIR, ["endless", "isorank"], should_stop=lambda: next(asked, True))
    assert [(row.key, row.status) for row in rows] == [("endless", "stopped")]


def test_gwl_stops_too() -> None:
    row = run_method(PAIR, "gwl", cap=0.0)
    assert row.status == "cut short"
    assert row.matching is None
    assert "no matching yet" in row.message


def test_who_refuses_or_fails_does_not_disturb_the_others(register: Any) -> None:
    register(small=system(endless, largest=5), broken=system(broken))
    small, failed, done = compare(PAIR, ["small", "broken", "isorank"])
    assert small.status == "refused"
    assert "too large for this method: its limit is 5 nodes" in small.message
    assert failed.status == "failed"
    assert failed.message == "The method failed: RuntimeError: no luck."
    assert small.matching is failed.matching is failed.card is None
    assert done.status == "done"


def test_every_method_has_a_name_and_unknown_ones_are_refused() -> None:
    assert method_keys()[:4] == ("gwl", "paper", "gwd", "gwd-paper")
    assert all(method_title(key) for key in method_keys())
    with pytest.raises(InputError, match="'magic' is not a method; the methods are gwl"):
        check_methods(["gwl", "magic"])
    with pytest.raises(InputError, match="at least one method"):
        check_methods([])


def test_memory_is_what_was_added_at_the_peak() -> None:
    memory = PeakMemory()
    if memory.bytes is None:  # a system that does not say
        return
    block = np.ones(25_000_000)
    del block
    assert memory.bytes >= 150_000_000  # of 200: what was free before is used again
