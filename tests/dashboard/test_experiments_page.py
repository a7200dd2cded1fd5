"""The Experiments page as a script, and the process behind it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import experiment_panels
from dashboard.experiment_run import EXPERIMENTS, ExperimentRun
from dashboard.registry import RUNS
from dashboard.text import experiments as text
from gwl_core.experiments.protocol import Request, Table
from gwl_core.experiments.registry import MODULES, find
from gwl_core.experiments.session import perform

SCRIPT = """
from dashboard.screens import experiments
experiments.page()
"""


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("GWL_RESULTS", str(tmp_path))
    monkeypatch.setattr(RUNS, "warm", lambda: None)
    yield tmp_path
    EXPERIMENTS.shut_down()


def visit(**query: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return sound(app.run())


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    return app


def button(app: AppTest, label: str) -> object:
    return next(b for b in app.button if b.label == label)


def test_every_experiment_can_be_chosen(results: Path) -> None:
    app = visit()
    for key in MODULES:
        sound(app.selectbox(key="experiment_key").set_value(key).run())
        assert find(key).description in [caption.value for caption in app.caption]
        assert [info.value for info in app.info] == [text.NOTHING]
        assert app.query_params["experiment"] in (key, [key])


def test_finished_trials_are_shown_without_a_run(results: Path) -> None:
    perform(find("sweep"), Request("tiny"), results, workers=1)
    app = visit(experiment="sweep", size="tiny")
    assert "All 2 trials are finished" in app.main.markdown[0].value
    assert len(app.dataframe) == 1
    assert list(app.dataframe[0].value["gamma"]) == [0.01, 0.1]
    assert "sweep.csv" in [b.label for b in app.get("download_button")]


def test_run_and_its_end(results: Path) -> None:
    app = visit(experiment="sweep", size="tiny")
    button(app, text.RUN).click()  # type: ignore[attr-defined]
    sound(app.run())
    assert button(app, text.RUN).disabled  # type: ignore[attr-defined]
    run = EXPERIMENTS.find(app.session_state["token"])
    assert run is not None
    assert run.wait(120)
    sound(app.run())
    assert "All 2 trials are finished" in app.main.markdown[0].value
    assert (results / "sweep" / "tiny-seed0" / "sweep.html").is_file()


def test_stop_keeps_what_is_finished(results: Path) -> None:
    run = ExperimentRun()
    run.launch()
    run.begin("any", ["sweep", "--tiny", "--trials", "200", "--out", str(results), "--workers", "1"])
    deadline = time.monotonic() + 120
    while run.far.done < 2:
        assert time.monotonic() < deadline
        assert run.busy, run.sentence
        time.sleep(0.05)
    run.stop()
    assert run.wait(20)
    kept = (results / "trials" / "sweep.jsonl").read_text().count("\n")
    assert 2 <= kept < 400


def test_an_error_is_said(results: Path) -> None:
    run = ExperimentRun()
    run.launch()
    run.begin("any", ["sweep", "--tiny", "--grid", "nonsense", "--out", str(results)])
    assert run.wait(60)
    assert run.sentence.startswith("--grid must be SETTING=VALUE")


def test_tables_say_truly_how_published_values_look_and_show_no_rounding_noise() -> None:
    """The canvas that a table is drawn on knows colours and no slant."""
    table = Table("t", "t", ({"d": 4.408e-17, "d ±": -1e-15, "d, as published": 0.5, "c": 0.123},),
                  frozenset({"d, as published"}), frozenset({"c"}))  # fmt: skip
    styled = experiment_panels._styled(table).to_html()
    assert ">0</td>" in styled
    assert "e-1" not in styled
    assert "12.3%" in styled
    assert "color: #8A8F98" in styled
    assert "font-style" not in styled
    for sentence in (text.INTRO, text.PUBLISHED_NOTE):
        assert "grey" in sentence
        assert "italic" not in sentence
