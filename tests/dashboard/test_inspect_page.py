"""The Inspect page as a script: choosing pairs, what it says of them, pins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import text
from dashboard.client import Run
from dashboard.filters import listed
from dashboard.registry import RUNS
from dashboard.text import inspect as words
from gwl_core.pins import APART, SAME, Pin

SCRIPT = """
import sys
sys.path.insert(0, {root!r})
from dashboard.screens import inspect
inspect.page()
"""
ROOT = str(Path(__file__).parents[2])
SMALL = {"pair": "knn", "nodes": "20", "noise": "0.4", "outer": "1", "inner": "10", "epochs": "3", "dim": "4",
         "rounds": "2"}  # fmt: skip


@pytest.fixture(scope="module")
def process() -> Iterator[Run]:
    run = Run()
    yield run
    run.close()


@pytest.fixture
def visit(process: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    found: dict[str, Run] = {}

    def open_run(token: str) -> Run:
        process.launch()
        return found.setdefault(token, process)

    process.origin = None
    monkeypatch.setattr(RUNS, "warm", lambda: None)
    monkeypatch.setattr(RUNS, "open", open_run)
    monkeypatch.setattr(RUNS, "find", found.get)

    def open_page(**query: str) -> AppTest:
        app = AppTest.from_string(SCRIPT.format(root=ROOT), default_timeout=60)
        for name, value in {**SMALL, **query}.items():
            app.query_params[name] = value
        return sound(app.run())

    return open_page


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    return app


def press(app: AppTest, key: str) -> AppTest:
    return sound(app.button(key=key).click().run())


def rest(app: AppTest, seconds: float = 90) -> AppTest:
    deadline = time.monotonic() + seconds
    while app.session_state["run"].busy:
        assert time.monotonic() < deadline, list(app.session_state["run"].log)
        time.sleep(0.05)
    return sound(app.run())


def played(app: AppTest) -> AppTest:
    return rest(press(app, "play"))


def metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def test_before_a_run_it_says_what_to_do(visit: Callable[..., AppTest]) -> None:
    app = visit()
    assert [info.value for info in app.info] == [words.NO_RUN]
    assert app.button(key="go_1").disabled


def test_the_pair_is_described_and_gone_through(visit: Callable[..., AppTest]) -> None:
    app = played(visit())
    session, snapshot = app.session_state["session"], app.session_state["run"].snapshot
    problem = app.session_state["run"].problem
    pairs = listed(problem, snapshot, "all")
    assert session.selected in pairs
    app = press(rest(app), "go_1")
    app = rest(app)
    session = app.session_state["session"]
    told = app.query_params["selected"]
    assert (told if isinstance(told, str) else told[0]) == "-".join(map(str, session.selected))
    shown = metrics(app)
    at = [int(i) for i in snapshot.pairs.source].index(session.selected[0])
    assert shown[words.SURE_PARTS["confidence"][0]] == f"{100 * snapshot.pairs.confidence[at]:.1f} %"
    assert shown[words.SURE_PARTS["mutual"][0]] in (words.YES, words.NO)
    others = app.dataframe[0].value
    assert len(others) == 5
    whole = app.table[0].value
    assert whole[words.TERM_COLUMNS[2]][0] == f"{snapshot.measures.gw_discrepancy:.4g}"


def test_filters_list_what_they_say(visit: Callable[..., AppTest]) -> None:
    app = played(visit())
    snapshot, problem = app.session_state["run"].snapshot, app.session_state["run"].problem
    sure = {int(i): float(c) for i, c in zip(snapshot.pairs.source, snapshot.pairs.confidence, strict=True)}
    unsure = [sure[i] for i, _ in listed(problem, snapshot, "unsure")]
    assert unsure == sorted(unsure)
    assert [sure[i] for i, _ in listed(problem, snapshot, "all")] == sorted(unsure, reverse=True)
    truth = dict(problem.truth.tolist())
    assert all(truth[i] != j for i, j in listed(problem, snapshot, "wrong"))
    assert len(listed(problem, snapshot, "tied")) == snapshot.pairs.tied.sum()
    assert len(listed(problem, snapshot, "unmatched")) == snapshot.measures.unmatched


def test_pins_are_listed_kept_and_removed(visit: Callable[..., AppTest]) -> None:
    app = played(visit())
    match = app.session_state["session"].selected
    app = rest(press(app, f"{APART}_inspect"))
    assert app.session_state["session"].pins == (Pin(*match, APART, True),)
    assert app.session_state["run"].snapshot.matching[match[0]] != match[1]
    told = [info.value for info in app.info]
    assert any(value.startswith("Since the last change of pins") for value in told)
    app = rest(press(app, f"{SAME}_inspect"))
    assert app.session_state["session"].pins == (Pin(*match, SAME, True),)
    assert app.session_state["run"].snapshot.matching[match[0]] == match[1]
    app = rest(press(app, "unpin_0"))
    assert app.session_state["session"].pins == ()
    assert words.NO_PINS in [caption.value for caption in app.caption]


def test_a_link_selects_and_a_wrong_one_selects_nothing(visit: Callable[..., AppTest]) -> None:
    assert visit(selected="3-4").session_state["session"].selected == (3, 4)
    for wrong in ("3", "3-999", "a-b", "-1-2", "1-2-3", "٣-٤"):
        assert visit(selected=wrong).session_state["session"].selected is None
    assert text.VERDICTS


def test_what_node_lists_say_stands_under_the_pair_as_text() -> None:
    script = """
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from dashboard import lens_panels
source, target = (
    Graph(g.labels, g.weights, attributes=said)
    for g, said in (
        (Graph.from_edges([("a", "b", 1.0)]), {"team": ("[x](javascript:y)", ""), "role": ("", "<b>")}),
        (Graph.from_edges([("x", "y", 1.0)]), {}),
    )
)
lens_panels.known(MatchingProblem(source, target), (0, 1))
lens_panels.known(MatchingProblem(source, target), (1, 0))
"""
    app = sound(AppTest.from_string(script).run())
    assert [caption.value for caption in app.caption] == [
        text.plain("a: team: [x](javascript:y)"), text.plain("b: role: <b>"),
    ]  # fmt: skip
    assert "\\[x\\]" in app.caption[0].value
