"""The Align page as a script: data, settings, errors, what a run does to it. The browser tests see the rest."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import panels, text
from dashboard.client import Run
from dashboard.problems import load
from dashboard.registry import RUNS
from dashboard.session import Session
from dashboard.snapshot import Snapshot
from dashboard.text import report
from dashboard.text.runs import RESTORING
from dashboard.widgets.tab_token import Tab
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETERS, PRESETS

APP = str(Path(__file__).parents[2] / "dashboard" / "app.py")
SMALL = {"pair": "knn", "nodes": "20", "outer": "2", "inner": "10", "epochs": "3", "dim": "4"}


@pytest.fixture(scope="module")
def process() -> Iterator[Run]:
    """One process for all these pages: starting one takes seconds."""
    run = Run()
    yield run
    run.close()


@pytest.fixture
def visit(process: Run, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., AppTest]]:
    """Open the page with a query."""
    found: dict[str, Run] = {}

    def open_run(token: str, resuming: bool = False) -> Run:
        process.launch()
        return found.setdefault(token, process)

    process.origin = None
    monkeypatch.setattr(RUNS, "warm", lambda: None)  # most of these tests start no run
    monkeypatch.setattr(RUNS, "open", open_run)
    monkeypatch.setattr(RUNS, "find", found.get)

    def open_page(**query: str) -> AppTest:
        app = AppTest.from_file(APP, default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        return sound(app.run())

    yield open_page
    if process.playing:
        process.stop()


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    return app


def press(app: AppTest, label: str) -> AppTest:
    button = next(b for b in app.button if b.label == label)
    assert not button.disabled
    return sound(button.click().run())


def test_a_widget_that_the_browser_draws_late_shows_the_setting(visit: Callable[..., AppTest]) -> None:
    # A value is sent once; after that a browser that draws the widget anew goes by its default.
    app = sound(visit(**SMALL, gamma="0.05", alpha="smooth:0.3", kernel="rbf").run())
    fields = {"set_inner": 10, "set_dim": 4, "set_gamma": 0.05, "schedule_value": 0.3, "nodes": 20, "set_outer": 2}
    assert {key: app.number_input(key).proto.default for key in fields} == pytest.approx(fields)
    assert {app.number_input(key).proto.set_value for key in fields} == {False}
    for key in ("pair", "preset", "set_alpha", "set_kernel", "set_loss"):
        box = app.selectbox(key)
        assert box.proto.default == box.index, key
    # Sent where it is news only: at every tick it would undo a choice that is on its way.
    assert {app.selectbox(key).proto.set_value for key in ("layout", "order")} == {False}
    assert not app.checkbox("lines").proto.set_value
    assert app.selectbox("set_kernel").value == "rbf"
    assert app.checkbox("set_warm_start").proto.default is True


def strip(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def status(app: AppTest) -> str:
    return app.main.markdown[0].value


def warnings(app: AppTest) -> list[str]:
    return [warning.value for warning in app.warning]


def until_rest(app: AppTest, seconds: float = 90) -> AppTest:
    deadline = time.monotonic() + seconds
    while app.session_state["run"].busy:
        assert time.monotonic() < deadline, list(app.session_state["run"].log)
        time.sleep(0.05)
    return sound(app.run())


def number(app: AppTest, name: str) -> Any:
    return app.number_input(key=f"set_{name}")


def test_a_built_in_pair_is_loaded_and_one_press_away(visit: Callable[..., AppTest]) -> None:
    app = visit()
    assert app.selectbox(key="pair").value == "celegans-adult"
    assert status(app).startswith("Ready: press Play to align")
    assert list(strip(app).values()) == ["–"] * 5
    enabled = {b.label for b in app.button if not b.disabled}
    assert {text.PLAY, text.STEP, text.INNER} <= enabled
    assert not {text.STOP, text.RESET} & enabled
    assert not app.error
    assert not app.warning


def test_every_parameter_has_a_widget_a_sentence_and_a_mark(visit: Callable[..., AppTest]) -> None:
    app = visit()
    widgets = {w.key: w for kind in (app.number_input, app.selectbox, app.checkbox) for w in kind}
    for parameter in PARAMETERS:
        widget = widgets[f"set_{parameter.name}"]
        words = text.PARAMETERS[parameter.name]
        assert words.label in widget.label
        assert (text.NOW_ICON if parameter.live else text.RESET_ICON) in widget.label
        assert widget.help.startswith(words.help)
        assert words.help.count(". ") == 0, parameter.name


def test_the_url_follows_every_change(visit: Callable[..., AppTest]) -> None:
    app = visit()
    number(app, "beta").set_value(2.5).run()
    app.selectbox(key="set_kernel").set_value("rbf").run()
    number(app, "seed").set_value(9).run()
    sound(app)
    query = dict(app.query_params)
    assert query == {"pair": "celegans-adult", "preset": "default", "beta": "2.5", "kernel": "rbf", "seed": "9"}
    again = visit(**query)
    assert number(again, "beta").value == 2.5
    assert again.selectbox(key="set_kernel").value == "rbf"
    assert number(again, "seed").value == 9
    assert not again.warning


def test_a_preset_sets_every_widget(visit: Callable[..., AppTest]) -> None:
    app = visit()
    number(app, "seed").set_value(4).run()
    app.selectbox(key="preset").set_value("paper").run()
    paper = PRESETS["paper"]
    assert number(app, "gamma").value == paper.hyperparameters.gamma
    assert number(app, "dim").value == paper.config.dim
    assert app.selectbox(key="set_marginals").value == "degree"
    assert number(app, "seed").value == 4


def test_the_schedule_has_a_number(visit: Callable[..., AppTest]) -> None:
    app = visit()
    app.selectbox(key="set_alpha").set_value("constant").run()
    app.number_input(key="schedule_value").set_value(0.3).run()
    assert app.query_params["alpha"] == "constant:0.3"
    app.selectbox(key="set_alpha").set_value("linear").run()
    assert app.query_params["alpha"] == "linear"
    assert app.number_input(key="schedule_value").value == 1.0


def test_bad_values_in_the_url_are_said_and_clamped(visit: Callable[..., AppTest]) -> None:
    app = visit(dim="0", inner="1e9", preset="gwd", kernel="euclid")
    assert len(warnings(app)) == 3
    assert "Traceback" not in "".join(warnings(app))
    assert number(app, "dim").value == PRESETS["gwd"].config.dim
    assert "dim" not in app.query_params


def test_generated_pairs(visit: Callable[..., AppTest]) -> None:
    app = visit()
    app.selectbox(key="pair").set_value("ba").run()
    app.number_input(key="nodes").set_value(30).run()
    app.number_input(key="noise").set_value(0.2).run()
    sound(app)
    assert app.query_params["nodes"] == "30"
    problem = load(app.session_state["session"].data)
    assert (problem.source.n_nodes, problem.target.n_nodes) == (30, 36)


def test_a_run_from_start_to_exports(visit: Callable[..., AppTest]) -> None:
    app = visit(**SMALL)
    app = until_rest(press(app, text.PLAY))
    assert status(app) == app.session_state["run"].snapshot.status.message
    values = strip(app)
    assert values["Correct by coupling"].endswith("%")
    assert values["Discrepancy"] != "–"
    assert len(app.dataframe) == 1
    table = app.dataframe[0].value
    assert set(table.columns) == {"source", "target", "verdict", "confidence", "coupling", "alternatives"}
    assert len(table) == 20
    offered = {*text.EXPORT_FILES, report.REPORT, report.SAVE_SESSION}
    assert {b.label for b in app.get("download_button")} == offered
    app = press(app, text.RESET)
    app = until_rest(app)
    assert status(app).startswith("Ready")
    assert strip(app)["Correct by coupling"] != values["Correct by coupling"]


def test_step_pause_and_pending_settings(visit: Callable[..., AppTest]) -> None:
    app = visit(**SMALL)
    app = until_rest(press(app, text.STEP))
    assert status(app).startswith("Paused at step")
    app.selectbox(key="set_kernel").set_value("rbf").run()
    number(app, "beta").set_value(3.0).run()
    assert status(sound(app)).endswith("On reset: κ kernel.")
    run = app.session_state["run"]
    assert run.settings[2].beta == 3.0
    assert run.settings[1].kernel == "cosine"
    app = until_rest(press(app, text.RESET))
    assert run.settings[1].kernel == "rbf"
    assert "On reset" not in status(app)


def test_a_press_that_is_delivered_twice_is_one_step(
    visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit(**SMALL)
    app = until_rest(press(app, text.INNER))
    taken = app.session_state["run"].snapshot.last
    assert taken == 1
    app.session_state["pressed"] = {("play", "inner_step"): (time.monotonic() + 60, True)}  # now, with the timer on
    app = until_rest(press(app, text.INNER))
    assert app.session_state["run"].snapshot.last == 1
    app.session_state["pressed"] = {("play", "inner_step"): (time.monotonic() + 60, False)}
    assert until_rest(press(app, text.INNER)).session_state["run"].snapshot.last == 2


def test_what_comes_while_the_page_is_drawn_is_drawn_too(
    visit: Callable[..., AppTest], process: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run at rest answers at once, and no timer tells of it."""
    app = until_rest(press(visit(**SMALL), "Step"))
    drawn: list[int] = []
    grid = panels.grid

    def slow_grid(problem: MatchingProblem, session: Session, snapshot: Snapshot) -> None:
        grid(problem, session, snapshot)
        if not drawn:
            process._merger.snapshot = replace(snapshot, version=snapshot.version + 1)
        drawn.append(snapshot.version)

    monkeypatch.setattr(panels, "grid", slow_grid)
    sound(app.run())
    assert drawn == [drawn[0], drawn[0] + 1]


def test_selecting_by_list_marks_the_pair_and_its_row(visit: Callable[..., AppTest]) -> None:
    app = until_rest(press(visit(**SMALL), text.STEP))
    app.selectbox(key="find_source").set_value(7).run()
    session, snapshot = app.session_state["session"], app.session_state["run"].snapshot
    assert session.selected == (7, snapshot.matching[7])
    assert app.dataframe[0].value.iloc[0]["source"] == "s7"
    other = (int(snapshot.matching[7]) + 1) % 20
    app.selectbox(key="find_target").set_value(other).run()
    first = sound(app).dataframe[0].value.iloc[0]
    assert app.session_state["session"].selected == (7, other)
    assert (first["source"], first["target"], first["verdict"]) == ("s7", f"t{other}", text.NOT_MATCHED)
    assert text.MATCH_IS.format(label=f"t{snapshot.matching[7]}") == first["alternatives"]


def edges(*rows: str) -> bytes:
    return "\n".join(["source,target", *rows]).encode()


def upload(app: AppTest, **files: bytes) -> AppTest:
    app.selectbox(key="pair").set_value("upload").run()
    for key, content in files.items():
        app.file_uploader(key=f"file_{key}").set_value((f"{key}.csv", content, "text/csv"))
    return sound(app.run())


def test_files_are_previewed_before_they_are_used(visit: Callable[..., AppTest]) -> None:
    app = upload(
        visit(), source=edges("a,b", "b,c", "c,c", "b,a"), target=edges("x,y", "y,z"), truth=b"source,target\na,x\n"
    )
    assert app.session_state["session"].data.pair == "celegans-adult"
    tables = [table.value for table in app.table]
    facts = dict(zip(tables[0].iloc[:, 0], tables[0].iloc[:, 1], strict=True))
    assert facts["Rows read"] == "4 of 4"
    assert (facts["Nodes"], facts["Edges"], facts["Self-loops"], facts["Merged duplicates"]) == ("3", "2", "1", "1")
    assert "1 of 1 rows used" in app.info[0].value.replace("\\", "")
    app = press(app, text.UPLOAD_USE)
    session = app.session_state["session"]
    assert session.data.pair == "upload"
    assert session.uploaded.source.labels == ("a", "b", "c")
    assert app.query_params["pair"] == "upload"
    assert set(app.query_params) == {"pair", "preset", "seed"}
    app = until_rest(press(app, text.INNER))
    assert strip(app)["Edge correctness"] != "–"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"source": b"", "target": edges("x,y")}, "source.csv"),
        ({"source": edges("a,b"), "target": b"source,target,weight\nx,y,-1\n"}, "target.csv"),
        ({"source": edges("a,b"), "target": edges("x,y"), "truth": b"q,r\n"}, "truth.csv"),
        ({"source": b"\xff\xfe\x00\x01\x80PK\x03\x04", "target": edges("x,y")}, "source.csv"),
    ],
)
def test_a_bad_file_is_one_sentence_and_what_was_loaded_stays(
    visit: Callable[..., AppTest], files: dict[str, bytes], words: str
) -> None:
    app = upload(visit(), **files)
    assert len(app.error) == 1
    assert words in app.error[0].value.replace("\\", "")
    assert next(b for b in app.button if b.label == text.UPLOAD_USE).disabled
    app = press(app, text.UPLOAD_CANCEL)
    assert app.session_state["session"].data.pair == "celegans-adult"
    assert status(app).startswith("Ready")


def test_without_truth_node_correctness_is_hidden(visit: Callable[..., AppTest]) -> None:
    app = upload(visit(), source=edges("a,b"), target=edges("x,y", "y,z"))
    app = press(app, text.UPLOAD_USE)
    assert list(strip(app)) == ["Discrepancy", "Edge correctness", "ICS", "S³", "Unmatched"]


def test_a_link_made_with_files_asks_for_them_once_the_tab_has_told_that_it_has_none(
    visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard import frame

    app = visit(pair="upload", beta="3")
    assert [info.value for info in app.info] == [RESTORING]
    assert not warnings(app)
    assert not app.button
    assert app.query_params["pair"] == "upload"
    monkeypatch.setattr(frame, "tab_token", lambda fresh, *_: Tab(fresh, settled=True))
    app = sound(app.run())
    assert not app.info
    assert warnings(app) == [text.plain(text.LINK_WITHOUT_FILES)]
    assert number(app, "beta").value == 3


def test_a_reload_finds_the_run_and_its_files_again(
    visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard import frame

    app = upload(visit(), source=edges("a,b"), target=edges("x,y", "y,z"))
    app = until_rest(press(press(app, text.UPLOAD_USE), text.INNER))
    token = app.session_state["token"]
    monkeypatch.setattr(frame, "tab_token", lambda *_: Tab(token, settled=True))
    again = visit(**dict(app.query_params))
    assert again.session_state["run"] is app.session_state["run"]
    assert again.session_state["session"].uploaded.source.labels == ("a", "b")
    assert strip(again) == strip(app)
    assert not again.warning


def test_a_token_that_nobody_knows_changes_nothing(
    visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dashboard import frame

    monkeypatch.setattr(frame, "tab_token", lambda *_: Tab("x" * 22))
    app = visit(pair="geant")
    assert app.session_state["session"].data.pair == "geant"
    assert "run" not in app.session_state
    assert status(app).startswith("Ready")


def test_four_points_and_a_perplexity_that_fits(visit: Callable[..., AppTest]) -> None:
    app = upload(visit(), source=edges("a,b"), target=edges("x,y"))
    app = press(app, text.UPLOAD_USE)
    app = until_rest(press(app, text.STEP))
    run = app.session_state["run"]
    assert "allow no more" in run.snapshot.points_note
    assert not app.error


def test_an_unforeseen_error_is_one_sentence(visit: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    from dashboard import panels

    def fail(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(panels, "strip", fail)
    app = visit()
    assert [error.value for error in app.error] == [text.UNEXPECTED]
    assert app.selectbox(key="pair").value == "celegans-adult"


def test_a_process_is_kept_ready_without_being_asked(visit: Callable[..., AppTest], monkeypatch: Any) -> None:
    calls: list[bool] = []
    monkeypatch.setattr(RUNS, "warm", lambda: calls.append(True))
    visit()
    assert calls == [True]


def test_starting_a_run_executes_no_page_code(visit: Callable[..., AppTest], tmp_path: Path) -> None:
    count = tmp_path / "count"
    script = (
        f"import os\nwith open({str(count)!r}, 'a') as file:\n    file.write(f'{{os.getpid()}} ')\n"
        "import streamlit as st\n"
        "from dashboard.screens import align\n"
        "align.page()\n"
    )
    app = AppTest.from_string(script, default_timeout=60)
    for name, value in SMALL.items():
        app.query_params[name] = value
    app.run()
    press(app, text.STEP)
    executed = count.read_text().split()
    run = app.session_state["run"]
    deadline = time.monotonic() + 60
    while run.busy and time.monotonic() < deadline:
        time.sleep(0.05)
    assert run.snapshot.last > 0
    assert count.read_text().split() == executed
    assert set(executed) == {str(os.getpid())}
    assert not any(
        name.startswith(("streamlit", "dashboard.screens", "dashboard.app")) for name in run.hello["modules"]
    )


def facts_of(app: AppTest, table: int = 0) -> dict[str, str]:
    value = app.table[table].value
    return dict(zip(value.iloc[:, 0], value.iloc[:, 1], strict=True))


def test_how_a_file_is_read_can_be_changed_before_it_is_used(visit: Callable[..., AppTest]) -> None:
    source = edges("a,b", "b,a", "b,c", "x,y").replace(b"target", b"target,weight").replace(b"a,b", b"a,b,3")
    app = upload(visit(), source=source, target=edges("x,y"))
    found = facts_of(app)
    assert (found["Weights"], found["Merged duplicates"]) == ("1 to 4", "1")
    assert (found["Components"], found["Direction"], found["First nodes"]) == ("2", "undirected", "a, b, c, …")
    app.checkbox(key="source_largest_component").check()
    for name, value in (("direction", "directed"), ("weights", "ones")):
        next(g for g in app.button_group if g.key == f"source_{name}").set_value(value)
    found = facts_of(sound(app.run()))
    assert (found["Nodes"], found["Edges"], found["Weights"], found["Direction"]) == ("3", "3", "all 1", "directed")
    assert facts_of(app, 1)["Nodes"] == "2"


def test_a_refused_file_can_be_read_otherwise(visit: Callable[..., AppTest]) -> None:
    app = upload(visit(), source=b"source,target\nann,b\xf6b\n", target=edges("x,y"))
    assert "Latin-1" in app.error[0].value
    next(g for g in app.button_group if g.key == "source_encoding").set_value("latin-1")
    app = sound(app.run())
    assert not app.error
    assert "b\u00f6b" in facts_of(app)["First nodes"]


def test_unreadable_truth_is_asked_about_and_never_scored(visit: Callable[..., AppTest]) -> None:
    truth = b"source,target\n1.0,X\n2.0,Y\n"
    app = upload(visit(), source=edges("1,2"), target=edges("X,Y"), truth=truth)
    assert "0 of 2 rows match" in app.error[0].value
    assert next(b for b in app.button if b.label == text.UPLOAD_USE).disabled
    offer = next(box for box in app.checkbox if "as the graphs do" in box.label)
    app = sound(offer.check().run())
    assert not app.error
    assert any("2 of 2 rows used" in info.value for info in app.info)
    app = press(app, text.UPLOAD_USE)
    assert app.session_state["session"].uploaded.truth.tolist() == [[0, 0], [1, 1]]


def test_node_lists_keep_nodes_without_edges(visit: Callable[..., AppTest]) -> None:
    app = upload(visit(), source=edges("a,b"), target=edges("x,y"), source_nodes=b"id\na\nb\nalone\n")
    assert (facts_of(app)["Nodes"], facts_of(app)["Isolated nodes"]) == ("3", "1")


def test_labels_with_markup_are_shown_as_text(visit: Callable[..., AppTest]) -> None:
    app = upload(visit(), source=edges("<script>x</script>,**b**"), target=edges("x,y"))
    assert facts_of(app)["First nodes"] == text.plain("<script>x</script>, **b**")
