"""The Learn page as a script: every step draws, can be driven, and is where its link says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.lessons.background import Background
from dashboard.lessons.compare import outcomes
from dashboard.lessons.warm import TORCH
from dashboard.text import PARAMETERS, tour
from dashboard.text import learn as words
from dashboard.text.learn import TOUR
from gwl_core.settings import PARAMETER

SCRIPT = "from dashboard.screens import learn\nlearn.page()\n"


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Open the page with a query; the step on γ computes one pair of γ and J, not all twelve."""
    TORCH.wait()
    from dashboard.tour import gamma

    monkeypatch.setattr(gamma, "RESULTS", Background(outcomes, [(0.1, 1)]))

    def open_page(**query: str) -> AppTest:
        app = AppTest.from_string(SCRIPT, default_timeout=60)
        for name, value in query.items():
            app.query_params[name] = value
        return sound(app.run())

    return open_page


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [error.value for error in app.exception]
    assert not app.error, [error.value for error in app.error]
    return app


def press(app: AppTest, label: str) -> AppTest:
    button = next(b for b in app.button if b.label == label)
    assert not button.disabled
    return sound(button.click().run())


def readings(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def said(app: AppTest) -> str:
    return "\n".join(m.value for m in app.markdown)


def titles(app: AppTest) -> list[str]:
    return [header.value for header in app.header]


@pytest.mark.parametrize("number", range(1, len(TOUR) + 1))
def test_every_step_asks_shows_and_answers(visit: Callable[..., AppTest], number: int) -> None:
    app = visit(step=str(number))
    step = TOUR[number - 1]
    assert titles(app) == [step.title]
    assert step.question in said(app)
    assert step.answer in said(app)
    assert [latex.value.strip("$\n ") for latex in app.latex] == [formula for formula, _ in step.formulas]
    assert app.query_params["step"] == ["1", "2", "3", "4", "5", "6", "7", "8"][number - 1]
    assert not app.expander[-1].proto.expanded


def test_every_symbol_that_is_a_setting_has_a_button(visit: Callable[..., AppTest]) -> None:
    for number, step in enumerate(TOUR, start=1):
        wanted = [s.parameter for s in step.symbols if s.parameter]
        assert set(wanted) <= set(PARAMETER)
        assert set(wanted) <= set(PARAMETERS)
        app = visit(step=str(number))
        keys = [b.key for b in app.button if (b.key or "").startswith("symbol_button_")]
        assert [key.removeprefix("symbol_button_").rsplit("_", 1)[0] for key in keys] == wanted


def test_back_next_list_and_link_agree(visit: Callable[..., AppTest]) -> None:
    app = visit()
    assert titles(app) == [TOUR[0].title]
    assert next(b for b in app.button if b.label == words.BACK).disabled
    app = press(app, words.NEXT)
    assert titles(app) == [TOUR[1].title]
    assert app.query_params["step"] == "2"
    app = sound(app.radio(key="tour_list").set_value("noise").run())
    assert titles(app) == [TOUR[7].title]
    assert app.query_params["step"] == "8"
    assert next(b for b in app.button if b.label == words.NEXT).disabled
    app = press(app, words.BACK)
    assert app.radio(key="tour_list").value == "cycle"


@pytest.mark.parametrize("asked", ["0", "9", "x", "-1", "3.5", "9" * 50])
def test_a_step_that_does_not_exist_is_the_first(visit: Callable[..., AppTest], asked: str) -> None:
    app = visit(step=asked)
    assert titles(app) == [TOUR[0].title]
    assert app.query_params["step"] == "1"


def test_for_a_class_formulas_and_inner_workings_are_hidden(visit: Callable[..., AppTest]) -> None:
    app = visit(step="3")
    app = sound(app.toggle(key="tour_class").set_value(True).run())
    assert not app.latex
    assert app.query_params["view"] == "class"
    shown = app.radio(key="tour_list").options
    assert len(shown) == len(TOUR) - sum(step.advanced for step in TOUR)
    assert titles(press(app, words.NEXT)) == ["Embeddings and α"]
    assert [name.split(" · ")[0] for name in shown] == [str(k) for k in range(1, len(shown) + 1)]
    assert words.PROGRESS.format(number=4, last=len(shown)) in [caption.value for caption in app.caption]
    linked = visit(step="4", view="class")
    assert not linked.latex
    assert titles(linked) == ["Embeddings and α"]
    app = sound(linked.toggle(key="tour_class").set_value(False).run())
    assert "view" not in app.query_params
    assert app.latex


def test_step_1_reads_a_matching_only_where_one_is_told_apart(visit: Callable[..., AppTest]) -> None:
    app = visit(step="1")
    assert "a → 1" in said(app)
    app = sound(app.radio(key="tour_to_1_0").set_value(2).run())
    assert "a → 3, b → 2, c → 1, d → 4" in said(app)
    app = sound(app.slider(key="tour_sureness").set_value(0.0).run())
    assert tour.NOTHING_READ in said(app)
    app = sound(app.slider(key="tour_sureness").set_value(1.0).run())
    assert "A matching: a → 3" in said(app)


def test_step_2_adds_up_and_can_be_solved(visit: Callable[..., AppTest]) -> None:
    app = visit(step="2")
    values = readings(app)
    assert values[tour.SUM_OF_TERMS] == values[tour.BY_LIBRARY] != "0"
    assert tour.ZERO_SOUGHT in said(app)
    assert len(app.dataframe[0].value) == 81
    assert f"{app.dataframe[0].value['term'].sum():.3g}" == values[tour.BY_LIBRARY]
    for source, target in ((0, 2), (1, 0)):
        app = sound(app.radio(key=f"tour_to_2_{source}").set_value(target).run())
    assert readings(app)[tour.BY_LIBRARY] == "0"
    assert tour.ZERO_FOUND in said(app)
    app = sound(app.radio(key="tour_loss").set_value("kl").run())
    assert readings(app)[tour.SUM_OF_TERMS] == "0"


def test_step_3_is_taken_stage_by_stage(visit: Callable[..., AppTest]) -> None:
    app = visit(step="3")
    for stage in tour.STAGES:
        app = sound(app.radio(key="tour_stage").set_value(stage).run())
        assert tour.STAGE_WORDS[stage] in said(app)
    start = float(readings(app)[tour.DISCREPANCY])
    app = press(app, tour.TAKE_STEP)
    assert "1 step taken" in said(app)
    app = press(app, tour.AGAIN)
    for _ in range(3):
        app = press(app, tour.TAKE_FIVE)
    assert readings(app)[tour.STEPS_TAKEN] == "15"
    assert float(readings(app)[tour.DISCREPANCY]) < 0.01 < start
    assert "A matching after 15 steps" in said(app)
    assert readings(press(app, tour.AGAIN))[tour.STEPS_TAKEN] == "0"


def test_step_4_shows_results_as_they_come(visit: Callable[..., AppTest]) -> None:
    from dashboard.tour import gamma

    app = visit(step="4")
    gamma.RESULTS.get((0.1, 1))
    while not gamma.RESULTS.complete:
        pass
    app = sound(app.run())
    values = readings(app)
    assert float(values["Discrepancy, proximal"]) < 0.1 < float(values["Discrepancy, entropic"])
    app = sound(app.select_slider(key="tour_gamma_4").set_value(1.0).run())
    assert tour.COMING in said(app)


def test_step_5_one_half_stays(visit: Callable[..., AppTest]) -> None:
    app = visit(step="5")
    assert readings(app)["Correct, one half"] == "0 %"
    assert readings(app)["Correct, both halves"] == "100 %"
    assert tour.ONE_HALF_STAYS.format(step=25) in said(app)
    app = sound(app.radio(key="tour_edges_5").set_value("reversed").run())
    assert readings(app)["Correct, one half"] == "100 %"


def test_step_6_is_joined_by_alpha_and_collapses_without_beta(visit: Callable[..., AppTest]) -> None:
    app = visit(step="6")
    assert readings(app)[tour.CORRECT_BY_EMBEDDING] != "100 %"
    app = sound(app.slider(key="tour_alpha_6").set_value(1.0).run())
    assert tour.SHARED in said(app)
    app = sound(app.slider(key="tour_beta_6").set_value(0.0).run())
    assert tour.COLLAPSED in said(app)


def test_step_7_counts_and_solves(visit: Callable[..., AppTest]) -> None:
    app = visit(step="7")
    assert readings(app)[tour.PERFECT_MATCHINGS] == "10 of 120"
    app = press(app, tour.TURN)
    assert readings(app)[tour.DISCREPANCY] == "0"
    assert readings(app)[tour.NODE_CORRECTNESS] == "0 %"
    app = press(press(app, tour.MIRROR), tour.FROM_EVEN)
    assert tour.NO_ANSWER in said(app)
    app = press(app, tour.FROM_CHANCE)
    assert readings(app)[tour.DISCREPANCY] == "0"
    app = sound(app.radio(key="tour_marks_7").set_value("two").run())
    assert readings(app)[tour.PERFECT_MATCHINGS] == "1 of 120"


def test_step_8_draws_other_pairs(visit: Callable[..., AppTest]) -> None:
    app = visit(step="8")
    before = readings(app)
    app = press(app, tour.OTHER_PAIR)
    assert readings(app) != before
    app = sound(app.select_slider(key="tour_noise_8").set_value(0.0).run())
    assert readings(app)[tour.UP_TO_SYMMETRY] == "100 %"


def test_examples_are_kept_from_step_to_step(visit: Callable[..., AppTest]) -> None:
    app = visit(step="1")
    app = sound(app.slider(key="tour_sureness").set_value(0.2).run())
    app = press(press(app, words.NEXT), words.BACK)
    assert app.slider(key="tour_sureness").value == 0.2
