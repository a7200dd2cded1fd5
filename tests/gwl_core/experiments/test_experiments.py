"""Every experiment at its tiny size, from the plan to the files."""

from __future__ import annotations

import csv
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gwl_core.cli import main
from gwl_core.datasets.builtin import load_pair
from gwl_core.errors import InputError
from gwl_core.experiments.communication import PUBLISHED
from gwl_core.experiments.drawing import panel_spec
from gwl_core.experiments.intervals import interval
from gwl_core.experiments.output import read_report
from gwl_core.experiments.protocol import SIZES, Figure, Heatmap, Panel, Parameters, Request, Row, Series
from gwl_core.experiments.registry import MODULES, find
from gwl_core.experiments.session import Finished, perform
from gwl_core.experiments.trials.aligners import ALIGNERS, aligned
from gwl_core.experiments.trials.solve import METHODS
from gwl_core.experiments.webpage import _plotly_js, figure_html

KEYS = list(MODULES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiments")


@pytest.fixture(scope="module")
def finished(folder: Path) -> dict[str, Finished]:
    return {key: perform(find(key), Request("tiny"), folder, workers=1) for key in KEYS}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("size", SIZES)
def test_plans_are_plain_distinct_and_grow(key: str, size: str) -> None:
    trials = find(key).plan(Request(size)).trials
    texts = [json.dumps(dict(trial), sort_keys=True, allow_nan=False) for trial in trials]
    assert len(set(texts)) == len(texts) > 0
    assert all("seed" in trial for trial in trials)


@pytest.mark.parametrize("key", KEYS)
def test_a_tiny_run_leaves_tables_figures_and_a_report(key: str, finished: dict[str, Finished]) -> None:
    done = finished[key]
    assert done.stored.done == done.stored.total > 0
    assert not done.stored.failures
    assert read_report(done.folder / "report.json") == done.stored
    assert done.stored.report.tables[0].rows
    names = {path.name for path in done.files}
    assert {"trials.csv", "report.json"} <= names
    pages = [path for path in done.files if path.suffix == ".html"]
    assert pages
    assert "Plotly.newPlot" in pages[0].read_text(encoding="utf-8")
    with (done.folder / "trials.csv").open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == done.stored.total


@pytest.mark.parametrize("key", KEYS)
def test_a_second_call_runs_nothing(key: str, folder: Path, finished: dict[str, Finished]) -> None:
    def never(*_: object) -> dict[str, float]:
        raise AssertionError("a finished trial was run again")

    never.__module__, never.__name__ = find(key).run_trial.__module__, find(key).run_trial.__name__
    again = perform(replace(find(key), run_trial=never), Request("tiny"), folder, workers=1)
    assert again.reused == again.stored.total
    assert again.stored.report == finished[key].stored.report


@pytest.mark.parametrize("key", KEYS)
def test_reports_of_a_part_and_of_nothing(key: str, finished: dict[str, Finished]) -> None:
    experiment = find(key)
    assert experiment.summarise([]).findings == ()
    rows = [Row(trial, experiment.run_trial(trial, {}), 0.1) for trial in experiment.plan(Request("tiny")).trials[:1]]
    for figure in experiment.summarise(rows).figures:
        for panel in figure.panels:
            json.dumps(panel_spec(figure, panel), allow_nan=False)


def test_trials_are_pure(finished: dict[str, Finished]) -> None:
    experiment = find("sweep")
    trial = experiment.plan(Request("tiny")).trials[0]
    assert experiment.run_trial(trial, {}) == experiment.run_trial(trial, {})


def test_published_values_are_set_apart(finished: dict[str, Finished]) -> None:
    table = finished["communication"].stored.report.tables[0]
    assert "as published" in table.published
    listed = {(row["density"], row["method"]): row["as published"] for row in table.rows}
    assert listed["sparse", "GWL-C"] == pytest.approx(0.4045)
    assert listed["dense", "NETAL"] == pytest.approx(0.0177)
    figure = finished["communication"].stored.report.figures[0]
    published = [series for panel in figure.panels for series in panel.series if series.published]
    assert published
    assert panel_spec(figure, figure.panels[0])["data"][-1]["marker"]["color"] == "rgba(0,0,0,0)"


def test_values_of_a_setting_stand_beside_each_other(finished: dict[str, Finished]) -> None:
    figure = finished["sensitivity"].stored.report.figures[0]
    spec = panel_spec(figure, figure.panels[0])
    assert spec["data"][0]["x"] == ["0", "1", "10", "100", "1000"]
    assert spec["layout"]["xaxis"]["type"] == "category"


def test_the_papers_aligners_are_measured_beside_gwl(finished: dict[str, Finished]) -> None:
    report = finished["communication"].stored.report
    lines = {(row["density"], row["method"]): row for row in report.tables[0].rows}
    for density in ("sparse", "dense"):
        for name in ("LRSA", "MAGNA++"):
            line = lines[density, name]
            assert (line["settings"], line["starts"]) == ("its own", 2)
            assert 0 <= line["one-to-one"] <= line["best of trials"] <= 1
            assert line["as published"] is not None
        assert lines[density, "GWD"]["best of trials"] is None
        assert lines[density, "GAA"].get("starts") is None  # published alone
    assert any("other systems, percent one-to-one, best of trials: LRSA" in text for text in report.findings)


def test_every_aligner_of_the_paper_is_planned_and_runs() -> None:
    asked = {"method": tuple(ALIGNERS), "density": "sparse", "trials": "1", "people": "12", "generations": "3"}
    plan = find("communication").plan(Request("quick", 0, asked))
    assert [trial["method"] for trial in plan.trials] == list(ALIGNERS)
    for trial in plan.trials:
        values = find("communication").run_trial(trial, plan.data)
        assert values["status"] == "done"
        assert 0 <= values["correct_one_to_one"] <= 1
    assert set(ALIGNERS) | set(METHODS) == set(PUBLISHED)


def test_the_cap_ends_a_trial_with_the_best_it_had() -> None:
    problem = load_pair("geant")
    whole = aligned(problem, "MAGNA++", 0, 60.0, 2)
    assert whole["status"] == "done"
    begun = time.process_time()
    cut = aligned(problem, "MAGNA++", 0, 0.5)
    assert time.process_time() - begun < 5
    assert cut["status"] == "cut short"
    assert cut["correct_one_to_one"] is not None
    nothing = aligned(problem, "LRSA", 0, -1.0)
    assert nothing == dict.fromkeys(("correct_one_to_one", "correct_symmetry_aware", "edge_correctness")) | {
        "status": "cut short"
    }
    rows = [Row(trial, {**cut, "people": 16, "call_edges": 1, "email_edges": 1}, 0.1) for trial in _aligner_trials()]
    notes = find("communication").summarise(rows).tables[0].notes
    assert any("2 trials of other systems were ended by the cap" in note for note in notes)


def _aligner_trials() -> list[Parameters]:
    trials = find("communication").plan(Request("tiny", 0, {"method": "MAGNA++", "density": "sparse"})).trials
    return list(trials)


def test_names_are_text_in_the_page_of_a_figure() -> None:
    bad = "</script><img src=x onerror=alert(1)><!--<script>"
    series = Series(bad, (bad, "b"), (1.0, 2.0), kind="bar", labels=(bad, "b"))
    heatmap = Panel(bad, heatmap=Heatmap((bad,), (bad,), ((1.0,),)))
    figure = Figure("key", bad, bad, "x", "y", (Panel(bad, (series,)), heatmap))
    drawn = figure_html(figure)
    assert "<img" not in drawn.replace(_plotly_js(), "")
    assert drawn.replace(_plotly_js(), "").count("<script>") == 2
    for panel in figure.panels:
        assert "<" not in json.dumps(
            {k: v for k, v in panel_spec(figure, panel)["data"][0].items() if k in ("x", "name")}
        )


def test_intervals_agree_with_scipy() -> None:
    values = np.random.default_rng(0).normal(3, 2, 12)
    found = interval([*values, None])
    low, high = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high))
    assert interval([None]) is None
    alone = interval([2.0])
    assert alone is not None
    assert alone.half is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nothing",), "There is no experiment 'nothing'"),
        (("sweep", "--tiny", "--grid", "colour=1"), "cannot vary 'colour'"),
        (("sweep", "--tiny", "--grid", "gamma"), "must be SETTING=VALUE"),
        (("sweep", "--tiny", "--grid", "gamma=-1"), "gamma must be a number"),
        (("sweep", "--tiny", "--pairs", "atlantis"), "There is no pair 'atlantis'"),
        (("synthetic", "--tiny", "--trials", "0"), "--trials must be a whole number"),
        (("communication", "--tiny", "--calls", "here.csv"), "Give both logs"),
        (("communication", "--tiny", "--calls", "a.csv", "--emails", "b.csv"), "a.csv cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["experiment", arguments[0], *arguments[1:], *(["--out", str(tmp_path)] if arguments[1:] else [])]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_the_command_prints_one_json_object(
    folder: Path, finished: dict[str, Finished], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["experiment", "sweep", "--tiny", "--json", "--workers", "1", "--out", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out)["experiment"] == "sweep"


def test_a_bad_option_of_the_plan_is_no_trial() -> None:
    with pytest.raises(InputError, match="twice"):
        find("sweep").plan(Request("tiny", 0, {"grid": ("beta=1", "beta=2")}))
