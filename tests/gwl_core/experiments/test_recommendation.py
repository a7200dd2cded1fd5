"""The recommendation experiment: its plan, its report, and what it says of given admissions."""

from pathlib import Path

import numpy as np
import pytest

from gwl_core.errors import InputError
from gwl_core.experiments import protocol, recommendation


def ran(request, systems=("word2vec", "gwl-c", "popularity")):  # type: ignore[no-untyped-def]
    """The rows of a plan's trials."""
    plan = recommendation.plan(request)
    trials = [t for t in plan.trials if t["system"] in systems]
    return [protocol.Row(t, recommendation.run_trial(t, plan.data), 0.1) for t in trials]


def test_the_paper_size_has_every_system_on_ten_splits() -> None:
    plan = recommendation.plan(protocol.Request("paper"))
    assert len({t["system"] for t in plan.trials}) == len(recommendation.SYSTEMS)
    assert {t["seed"] for t in plan.trials} == set(range(10))
    assert plan.trials[0]["admissions"] == 11086


def test_report() -> None:
    report = recommendation.summarise(ran(protocol.Request("tiny")))
    table = report.tables[0]
    assert [row["system"] for row in table.rows] == ["Word2Vec", "GWL-C", "Most frequent procedures"]
    assert table.rows[0]["F1@1, as published"] == pytest.approx(0.1825)
    assert "F1@1, as published" not in table.rows[2]
    assert table.published <= set(table.columns)
    assert report.findings[1:] == ("Intervals and verdicts need 5 splits of a setting: 3 more of each are needed.",)
    assert report.findings[0].startswith("GWL-C − Word2Vec, top-1 F1: ")
    pairs = next(t for t in report.tables if t.key == "pairs")
    assert max(row["transport"] for row in pairs.rows) == 1
    assert all(row["largest of the disease"] or row["transport"] > 0.15 for row in pairs.rows)
    heatmap = report.figures[0].panels[0].heatmap
    assert np.shape(heatmap.z) == (len(heatmap.y), len(heatmap.x))


def test_a_report_of_nothing_is_empty() -> None:
    assert recommendation.summarise([]).findings == ()


def test_both_sources_are_too_many(tmp_path: Path) -> None:
    request = protocol.Request("tiny", options={"mimic": str(tmp_path), "admissions": "x.csv"})
    with pytest.raises(InputError, match="not both"):
        recommendation.plan(request)


def test_the_open_demo_runs_and_says_how_small_it_is(shared_dir: Path) -> None:
    request = protocol.Request("tiny", options={"mimic": str(shared_dir / "data" / "mimic3demo"), "trials": "1"})
    notices = recommendation.plan(request).notices
    assert any(notice.startswith("Only 99 admissions") for notice in notices)
    rows = ran(request)
    assert len(rows) == 3
    assert all(0 <= row["f1_1"] <= 1 for row in rows)
    assert len(rows[1]["disease_names"]) == 56
