"""What a run may take: precision, memory and threads."""

import dataclasses

import numpy as np
import pytest

from gwl_core import limits
from gwl_core.datasets.synthetic import barabasi_albert
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS, Config


def pair(nodes: int) -> MatchingProblem:
    return barabasi_albert(nodes, 0.0, np.random.default_rng(0), 2)


def test_auto_takes_half_the_digits_for_large_sparse_graphs_on_the_square_loss() -> None:
    small, large = pair(100), pair(limits.SINGLE_FROM)
    auto = Config()
    assert [limits.is_single(p, auto) for p in (small, large)] == [False, True]
    assert not limits.is_single(large, Config(loss="kl"))
    assert not limits.is_single(large, Config(cost="shortest-path"))
    assert limits.is_single(small, Config(precision="float32"))
    assert not limits.is_single(large, Config(precision="float64"))
    costs = np.zeros((500, 500))
    given = dataclasses.replace(large, source_cost=costs, target_cost=costs)
    assert not limits.is_single(given, auto)


def test_every_preset_takes_the_precision_that_fits_the_size() -> None:
    for nodes, single in ((limits.SINGLE_FROM - 1, False), (limits.SINGLE_FROM, True)):
        graphs = pair(nodes)
        assert {limits.is_single(graphs, preset.config) for preset in PRESETS.values()} == {single}


def test_a_run_that_cannot_fit_is_refused_with_figure_and_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "available_memory", lambda: 1e6)
    limits.check_size(pair(50), Config())
    with pytest.raises(InputError, match=r"Aligning 100 nodes needs about .* GB, above the cap .* at most 59 nodes"):
        limits.check_size(pair(100), Config())


def test_the_cap_follows_the_machine_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits.available_memory() > 0
    monkeypatch.setattr(limits, "available_memory", lambda: 10e9)
    assert limits.memory_cap() == pytest.approx(7e9)
    monkeypatch.setattr(limits, "available_memory", lambda: 1e12)
    assert limits.memory_cap() == 14e9
    assert limits.BYTES_PER_PAIR[True, True] * 10_000**2 < 14e9


def test_threads_are_shared_among_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "cores", lambda: 8)
    monkeypatch.delenv("GWL_THREADS_SHARE", raising=False)
    assert [limits.default_threads(n) for n in (100, 1000)] == [1, 8]
    for share, threads in (("2", 4), ("100", 1), ("0", 8), ("some", 8)):
        monkeypatch.setenv("GWL_THREADS_SHARE", share)
        assert limits.default_threads(1000) == threads
