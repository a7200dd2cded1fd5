"""The Compare page as a script, and the process behind it."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dashboard import compare_run
from dashboard.compare_registry import COMPARISONS, Comparisons
from dashboard.compare_run import Asked, CompareRun, row_of
from dashboard.compare_state import GROUPS
from dashboard.compare_view import best_of, chosen_pairs, score_frame, short_names, styled, telling_pair
from dashboard.compare_worker import row_message
from dashboard.limits import limits
from dashboard.problems import load
from dashboard.session import DataChoice
from dashboard.text import compare as text
from gwl_core.agreement import agreement
from gwl_core.baselines import BASELINES
from gwl_core.baselines.external import KNOWN, VARIABLE
from gwl_core.comparison import MethodRun, compare, method_keys, method_title
from gwl_core.problem import MatchingProblem

SCRIPT = "from dashboard.screens import compare\ncompare.page()\n"
QUICK = ("netal", "faq", "isorank")


def test_charts_call_every_method_by_a_short_name_of_its_own() -> None:
    titles = {key: method_title(key) for key in method_keys()}
    titles |= {f"{name}-original": f"{title}, the original program" for name, (title, _, _) in KNOWN.items()}
    names = short_names([MethodRun(key, title, "done", "", 0.0) for key, title in titles.items()])
    assert len(set(names.values())) == len(titles)
    assert max(map(len, names.values())) <= 16  # what a chart has room for


@pytest.fixture(scope="module")
def geant() -> MatchingProblem:
    return load(DataChoice("geant"))


@pytest.fixture(scope="module")
def rows(geant: MatchingProblem) -> tuple[MethodRun, ...]:
    return compare(geant, QUICK, cap=60)


@pytest.fixture
def visit() -> Iterator[Callable[..., AppTest]]:
    """Open the page with a query."""
    opened: list[AppTest] = []

    def open_page(**query: str) -> AppTest:
        app = AppTest.from_string(SCRIPT, default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        opened.append(app)
        return sound(app.run())

    yield open_page
    for app in opened:
        run = COMPARISONS.find(app.session_state["token"])
        if run is not None:
            run.close()
            assert run.wait(30)


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    return app


def press(app: AppTest, key: str) -> AppTest:
    button = app.button(key=key)
    assert not button.disabled
    return sound(button.click().run())


def finished(app: AppTest) -> tuple[AppTest, CompareRun]:
    run = COMPARISONS.find(app.session_state["token"])
    assert run is not None
    assert run.wait(90), run.log
    return sound(app.run()), run


def words(app: AppTest) -> str:
    return "\n".join(item.value for kind in (app.main.markdown, app.main.caption) for item in kind)


def test_four_quick_methods_are_chosen_and_every_method_is_described(visit: Callable[..., AppTest]) -> None:
    app = visit(pair="geant")
    assert [box.key for box in app.checkbox if box.value] == [
        "method_gwl", "method_gaa", "method_netal", "method_faq-convex",
    ]  # fmt: skip
    assert {box.key for box in app.checkbox} == {f"method_{key}" for key in method_keys()}
    captions = [caption.value for caption in app.sidebar.caption]
    for baseline in BASELINES.values():
        assert any(str(baseline.year) in c and f"{baseline.largest:,} nodes" in c for c in captions), baseline.key
    assert "34 ↔ 37 nodes, 52 ↔ 58 edges" in words(app)
    assert [info.value for info in app.info] == [text.EMPTY]


def test_the_url_keeps_methods_and_seconds(visit: Callable[..., AppTest]) -> None:
    app = visit(pair="geant", methods="faq,nonsense,netal", cap="7")
    assert [box.key for box in app.checkbox if box.value] == ["method_netal", "method_faq"]
    assert app.number_input(key="compare_cap").value == 7
    app.checkbox(key="method_faq").uncheck().run()
    assert app.query_params["methods"] in ("netal", ["netal"])
    press(app, f"set_{text.NONE}")
    assert app.button(key="compare_run").disabled
    assert text.NOT_CHOSEN in words(app)


def test_methods_run_and_are_measured_and_agree(visit: Callable[..., AppTest]) -> None:
    app = visit(pair="geant", methods="netal,faq,isorank")
    app, run = finished(press(app, "compare_run"))
    assert [row.key for row in run.rows] == ["netal", "isorank", "faq"]
    assert {row.status for row in run.rows} == {"done"}
    scores, pairs, nodes = (table.value for table in app.dataframe)
    assert list(scores["title"]) == ["NETAL", "IsoRank", "FAQ"]
    assert scores["ec"].between(0, 1).all()
    assert list(scores["correct"]) == pytest.approx([row.card.correctness.share for row in run.rows if row.card])
    assert pairs["votes"].max() < 3
    assert len(nodes) == 34
    assert "known are right" in words(app)
    app.selectbox(key="compare_show").set_value("only:faq").run()
    assert set(sound(app).dataframe[1].value["methods"]) == {"FAQ"}
    most = words(app)
    app.number_input(key="compare_least").set_value(3).run()
    assert words(sound(app)) != most


def test_a_method_beyond_its_limit_says_so_and_the_others_go_on(visit: Callable[..., AppTest]) -> None:
    app = visit(pair="knn", nodes="1000", noise="0.0", methods="netal,isorank", cap="30")
    # TAME takes 2,000 nodes: an upload of more stands in for the pair.
    big = load(DataChoice("ba", 1000, 0.0))
    lonely = tuple(f"x{k}" for k in range(1500))
    from scipy import sparse

    from gwl_core.graph import Graph

    side = Graph(
        (*big.source.labels, *lonely), sparse.block_diag([big.source.weights, sparse.csr_array((1500, 1500))]).tocsr()
    )
    problem = MatchingProblem(side, side)
    session = app.session_state["session"]
    data = DataChoice("upload", upload="x")
    app.session_state["session"] = replace(session, data=data, uploaded=problem)
    app.run()
    press(app, f"set_{text.NONE}")
    app.checkbox(key="method_tame").check().run()
    app.checkbox(key="method_lrsa").check().run()
    app, run = finished(press(sound(app), "compare_run"))
    status = {row.key: row.status for row in run.rows}
    assert status["tame"] == "refused"
    assert status["lrsa"] in ("done", "cut short")
    assert "too large for this method: its limit is 2000 nodes" in words(app)
    table = app.dataframe[0].value
    assert "its limit is 2000 nodes" in table.set_index("title")["note"]["TAME"]
    assert "correct" not in table, "without truth, only what needs none"
    assert "hits1" not in table


def test_stop_keeps_what_is_there(visit: Callable[..., AppTest]) -> None:
    app = visit(pair="celegans-adult", methods="netal,magna++,faq")
    press(app, "compare_run")
    run = COMPARISONS.find(app.session_state["token"])
    assert run is not None
    while run.busy and not (run.at is not None and run.at.key == "magna++"):
        run.wait(0.05)
    run.stop()
    assert run.wait(10)
    assert [row.key for row in run.rows][-1] != "faq"
    app.run()
    assert "Stopped" in words(sound(app))


def test_a_row_survives_the_journey(rows: tuple[MethodRun, ...]) -> None:
    for row in rows:
        back = row_of(row_message(row))
        assert back.card == row.card
        assert back.orders == row.orders
        assert back.matching is not None
        assert np.array_equal(back.matching, row.matching)


def test_a_method_that_takes_its_process_down_leaves_the_others(
    geant: MatchingProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, gwl_core.comparison as c\n"
        "whole = c.run_method\n"
        "c.run_method = lambda p, key, *r, **m: os._exit(11) if key == 'faq' else whole(p, key, *r, **m)\n"
        "from dashboard.compare_worker import main\nmain()\n"
    )
    monkeypatch.setattr(compare_run, "COMMAND", (compare_run.COMMAND[0], "-c", code))
    run = Comparisons(given=replace(limits(), comparisons=1)).begin(
        "a", Asked("x", ("netal", "faq", "isorank"), 0, 60.0), geant
    )
    assert run.wait(90)
    assert [(row.key, row.status) for row in run.rows] == [("netal", "done"), ("faq", "failed"), ("isorank", "done")]
    assert run.rows[1].message == text.DIED.format(why="ended unexpectedly (status 11)")


def test_comparisons_wait_for_their_place(geant: MatchingProblem) -> None:
    runs = Comparisons(given=replace(limits(), comparisons=0))
    first = runs.begin("a", Asked("x", ("netal",), 0, 60.0), geant)
    runs.begin("b", Asked("x", ("netal",), 0, 60.0), geant)
    assert (runs.place("a"), runs.place("b")) == (1, 2)
    first.stop()
    assert not first.busy
    assert runs.place("b") == 1


def test_the_best_is_marked_by_a_star(geant: MatchingProblem, rows: tuple[MethodRun, ...]) -> None:
    frame = score_frame(geant, rows)
    best = frame["ec"].idxmax()
    html = styled(frame).to_html()
    assert f"{100 * frame['ec'][best]:.1f} % {text.BEST}" in html
    assert best_of(frame, "seconds") == frame["seconds"].min()
    assert best_of(frame.iloc[:1], "ec") is None


def test_pairs_by_how_many_find_them() -> None:
    agreed = agreement({"a": np.array([0, 1]), "b": np.array([0, 2]), "c": np.array([0, 2])})
    every = [[0, 0], [1, 2], [1, 1]]
    for show, wanted in (("all", every), ("differ", every[1:]), ("agreed", every[:1]), ("only:a", every[2:])):
        assert agreed.pairs[chosen_pairs(agreed, show)].tolist() == wanted
    assert agreed.pairs[chosen_pairs(agreed, "by:2")].tolist() == [[1, 2]]


def test_a_methods_most_telling_pair_is_wrong_and_shared_by_few(geant: MatchingProblem) -> None:
    problem = replace(geant, truth=np.array([[0, 0], [1, 1], [2, 2]]))
    agreed = agreement({"a": np.array([0, 2, 3]), "b": np.array([0, 2, 1]), "c": np.array([0, -1, -1])})
    assert telling_pair(problem, agreed, "a") == (2, 3)  # wrong as (1, 2) is, which b says too
    assert telling_pair(problem, agreed, "c") == (0, 0)  # right, but all it has
    assert telling_pair(replace(problem, truth=None), agreed, "b") == (2, 1)
    none = agreement({"a": np.array([0, 1]), "b": np.array([-1, -1])})
    assert telling_pair(problem, none, "b") is None
    assert agreed.pairs[chosen_pairs(agreed, "of:a")].tolist() == [[0, 0], [1, 2], [2, 3]]


def test_a_row_of_the_measures_opens_its_methods_pair(visit: Callable[..., AppTest]) -> None:
    app, run = finished(press(visit(pair="geant", methods="netal,isorank"), "compare_run"))
    assert app.button(key="compare_open_method").disabled
    select_row(app, "compare_scores", 1)
    button = sound(app.run()).button(key="compare_open_method")
    assert "IsoRank" in button.label
    button.click().run()
    source, target = app.session_state["session"].selected
    assert run.rows[1].matching is not None
    assert run.rows[1].matching[source] == target
    assert dict(run.problem.truth.tolist())[source] != target
    select_row(app, "compare_scores", 1)
    press(app.run(), "compare_list_method")
    assert app.selectbox(key="compare_show").value == "of:isorank"
    assert len(app.dataframe[1].value) == int((run.rows[1].matching >= 0).sum())


def select_row(app: AppTest, key: str, row: int) -> None:
    """As a press on the row's box does; the test harness has no such press."""
    app.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}


@pytest.mark.parametrize(("asked", "reason"), [("stop", text.DEAF_TO_STOP), ("cap", text.DEAF_TO_CAP.format(cap=1))])
def test_a_method_that_hears_nothing_is_ended_and_the_others_go_on(
    geant: MatchingProblem, monkeypatch: pytest.MonkeyPatch, asked: str, reason: str
) -> None:
    code = (
        "import time, gwl_core.comparison as c\n"
        "whole = c.run_method\n"
        "c.run_method = lambda p, key, *r, **m: time.sleep(600) if key == 'faq' else whole(p, key, *r, **m)\n"
        "from dashboard.compare_worker import main\nmain()\n"
    )
    monkeypatch.setattr(compare_run, "COMMAND", (compare_run.COMMAND[0], "-c", code))
    run = Comparisons(given=replace(limits(), comparisons=1)).begin(
        "a", Asked("x", ("faq", "isorank"), 0, 1.0 if asked == "cap" else 600.0), geant
    )
    while run.at is None and not run.wait(0.02):
        pass
    began = time.monotonic()
    if asked == "stop":
        run.stop()
        assert run.wait(compare_run.GRACE + 5)
    while run.busy and not run.rows:
        run.wait(0.02)
    assert time.monotonic() - began < (1 if asked == "cap" else 0) + compare_run.GRACE + 3
    assert compare_run.GRACE <= 2
    assert (run.rows[0].key, run.rows[0].message) == ("faq", reason)
    if asked == "cap":
        assert run.wait(90)
        assert [row.status for row in run.rows] == ["cut short", "done"]


def test_original_programs_are_a_group_of_their_own_where_they_are_set_up(tmp_path: Path) -> None:
    assert "external" not in GROUPS
    path = tmp_path / "aligners.toml"
    path.write_text("[netal]\nprogram = 'x'\narguments = ['{source}', '{target}']\noutput = '-'\n", encoding="utf-8")
    code = "from dashboard.compare_state import GROUPS; print(GROUPS['external'], 'netal-original' in GROUPS['beside'])"
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, VARIABLE: str(path)},
    )
    assert told.stdout.split("\n")[0] == "('netal-original',) False"


def test_the_consensus_file_is_safe(geant: MatchingProblem) -> None:
    from gwl_core.writers import consensus_csv

    labels = ("=1+1", *geant.source.labels[1:])
    problem = replace(geant, source=replace(geant.source, labels=labels))
    matching = np.full(34, -1)
    matching[:2] = (3, 4)
    agreed = agreement({"a": matching, "b": np.where(np.arange(34) == 1, 5, matching)})
    rows = list(csv.DictReader(io.StringIO(consensus_csv(problem, agreed, matching).decode())))
    assert rows[0] == {
        "source": "'=1+1", "target": problem.target.labels[3], "votes": "2", "of": "2", "methods": "a b",
    }  # fmt: skip
    assert [row["votes"] for row in rows] == ["2", "1"]
