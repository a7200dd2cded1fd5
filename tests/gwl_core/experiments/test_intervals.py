"""What a few trials can say: no interval and no verdict below enough of them, and none beyond the possible values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from gwl_core.experiments.drawing import panel_spec
from gwl_core.experiments.grouping import cells, curve, of, parts, wanting
from gwl_core.experiments.intervals import ENOUGH, interval, quiet, within
from gwl_core.experiments.protocol import Figure, Panel, Row, Series
from gwl_core.experiments.registry import find


def rows(method: str, values: list[float], noise: float = 0.5) -> list[Row]:
    same = {"graph": "knn", "nodes": 50, "noise": noise, "settings": "default", "method": method}
    measured = {"added_nodes": 0.5, "added_edges": 0.5, "discrepancy": 4e-17, "correct_by_embedding": 1.0}
    return [Row({**same, "seed": k}, {**measured, "correct_by_coupling": v}, 0.1) for k, v in enumerate(values)]


def test_too_few_values_have_no_interval() -> None:
    values = np.random.default_rng(0).normal(3, 2, ENOUGH)
    found = interval(values)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, ENOUGH - 1, found.mean, stats.sem(values)))
    few = interval(values[1:])
    assert few is not None
    assert few.half is None
    assert "±" not in few.text()


def test_shares_stay_within_the_possible() -> None:
    found = of(rows("GWD", [1.0, 1.0, 1.0, 1.0, 0.2]), "correct_by_coupling")
    assert found is not None
    assert found.half is not None
    assert 0 < found.low < found.mean < found.high == 1
    wild = interval([0.0, 0.0, 1.0, 0.0, 1.0], 0, 1)
    assert wild is not None
    assert (wild.low, wild.high, wild.half) == (0, 1, pytest.approx(0.6))
    below = of(rows("GWD", [1.0] * 5), "discrepancy")
    assert below is not None
    assert 0 <= below.low <= below.mean
    assert within("released_f1_1") == (-math.inf, math.inf)


def test_no_verdict_from_too_few_trials() -> None:
    few = [*rows("GWL-C", [1.0, 1.0]), *rows("GWD", [1.0, 0.22])]
    report = find("synthetic").summarise(few)
    assert "GWL-C is +39.0 points against GWD" in report.findings[0]
    assert report.findings[0].endswith("needs 5 pairs of trials for a verdict: 3 more.")
    assert report.findings[1] == "Intervals and verdicts need 5 trials of a setting: 3 more of each are needed."
    assert "reproduced" not in " ".join(report.findings)
    assert [line["GWL-C better"] for line in report.tables[1].rows] == ["too few trials"]
    assert all(value is None for line in report.tables[0].rows for name, value in line.items() if name.endswith("±"))
    assert not any(series.low for figure in report.figures for p in figure.panels for series in p.series)
    enough = [*rows("GWL-C", [1.0, 0.9, 1.0, 1.0, 0.98]), *rows("GWD", [0.5, 0.4, 0.6, 0.5, 0.5])]
    findings = find("synthetic").summarise(enough).findings
    assert len(findings) == 1
    assert "is reproduced" in findings[0]


def test_stability_needs_enough_trials_too() -> None:
    def swept(count: int) -> str:
        made = [
            Row({"preset": "paper", "vary": "beta", "beta": beta, "seed": seed}, {"correct_by_coupling": 0.9}, 0.1)
            for beta in (1, 10, 100) for seed in range(count)
        ]  # fmt: skip
        return find("sensitivity").summarise(made).findings[0]

    assert "no verdict yet" in swept(2)
    assert "is stable, as published" in swept(5)


@pytest.mark.parametrize(("count", "words"), [(1, "4 more of each are"), (4, "one more of each is"), (5, "")])
def test_how_many_more_are_needed(count: int, words: str) -> None:
    said = wanting([*rows("GWD", [0.5] * count), *rows("GWL-C", [0.5] * 9)])
    assert [f"{words} needed" in sentence for sentence in said] == [True] * bool(words)
    assert not wanting([])


def test_what_rounding_left_is_nothing() -> None:
    assert (quiet(4.408e-17), quiet(-1e-13), quiet(1e-3)) == (0, 0, 1e-3)
    assert cells("d", rows("GWD", [1.0] * 2), "discrepancy") == {"d": pytest.approx(4e-17), "d ±": None}


def drawn(series: Series, own_y: bool) -> dict:
    figure = Figure("d", "d", "d", "noise", "discrepancy", (Panel("p", (series,)),), own_y=own_y)
    return panel_spec(figure, figure.panels[0])


@pytest.mark.parametrize("own_y", [False, True])
def test_axes_of_what_is_never_negative_begin_at_zero(own_y: bool) -> None:
    tiny = drawn(Series("d", (0.0, 0.5), (4e-17, 0.0)), own_y)
    assert tiny["data"][0]["y"] == [0, 0]
    assert tiny["layout"]["yaxis"]["range"] == [pytest.approx(0, abs=0.04), 1]
    points = {0.0: interval([0, 0, 0, 0, 0.0], 0), 0.5: interval([0.1, 0.0, 0.4, 0.0, 0.0], 0)}
    spec = drawn(curve(points, "d"), own_y)
    low, high = spec["layout"]["yaxis"]["range"]
    assert -0.04 * high < low <= 0
    bar = spec["data"][0]["error_y"]
    assert bar["arrayminus"][1] == pytest.approx(0.1)  # to 0, not below
    signed = drawn(Series("d", (0.0, 0.5), (-1.0, 1.0)), own_y)
    assert signed["layout"]["yaxis"].get("range") in (None, [-1.1, 1.1])


def test_series_without_intervals_have_no_bars() -> None:
    alone = interval([0.5, 0.6])
    assert alone is not None
    assert parts([alone]) == ((0.55,), (), ())
    assert "error_y" not in drawn(curve({0.0: alone}, "d"), True)["data"][0]
