"""Learn: a tour of the method in short steps, each an example that the reader drives."""

from __future__ import annotations

import importlib
import runpy
from pathlib import Path

import streamlit as st

from dashboard import frame, text
from dashboard.guard import guarded
from dashboard.lessons.warm import TORCH
from dashboard.screens import align
from dashboard.text import learn as words
from dashboard.text.learn import TOUR, Step
from dashboard.tour.formula import formula
from dashboard.widgets import point_out

_NEEDS_NO_TORCH = "coupling"
_QUERY, _VIEW, _CLASS = "step", "view", "class"


@guarded
def page() -> None:
    """List of steps, the step, its formulas, and the way on."""
    session = frame.opened()
    for_class = _for_class()
    steps = [step for step in TOUR if not (for_class and step.advanced)]
    step = _current(steps)
    with st.sidebar:
        _list(steps, step)
    frame.notices(session)
    _heading(step, steps)
    _example(step)
    with st.expander(words.ANSWER, icon=":material/lightbulb:"):
        st.markdown(step.answer)
    pressed = None if for_class else formula(step)
    _ways(step, steps, "end")
    _write(step, for_class)
    TORCH.start()
    if pressed:
        point_out.ask(pressed)
        st.switch_page(st.Page(align.page, title="Align", default=True))


def _for_class() -> bool:
    """The teacher's switch: from the link at first, then from the widget."""
    if "tour_class" not in st.session_state:
        st.session_state["tour_class"] = st.query_params.get(_VIEW) == _CLASS
    return bool(st.session_state["tour_class"])


def _current(steps: list[Step]) -> Step:
    """The step last chosen, at first the one that the URL names, else the first; one left out gives way to the next.

    The URL is written, and read once only: a timer may ask for the page with the URL of a step already left.
    """
    if "tour_number" not in st.session_state:
        asked = st.query_params.get(_QUERY, "")
        known = {str(number): number for number in range(1, len(TOUR) + 1)}
        st.session_state["tour_number"] = known.get(asked, 1)
    number = st.session_state["tour_number"]
    step = next((s for s in TOUR[number - 1 :] if s in steps), steps[-1])
    st.session_state["tour_number"] = _number(step)
    return step


def _number(step: Step) -> int:
    return TOUR.index(step) + 1


def _go(step: Step) -> None:
    st.session_state["tour_number"] = _number(step)


def _write(step: Step, for_class: bool) -> None:
    query = {_QUERY: str(_number(step))} | ({_VIEW: _CLASS} if for_class else {})
    if {key: st.query_params[key] for key in st.query_params} != query:
        st.query_params.from_dict(query)


def _list(steps: list[Step], step: Step) -> None:
    """Title, the steps, and the teacher's switch."""
    st.html(f"<h1 class='brand'>{text.TITLE}</h1><p class='brand'>{text.SUBTITLE}</p>")
    st.session_state["tour_list"] = step.key
    titles = {s.key: f"{number} · {s.title}" for number, s in enumerate(steps, start=1)}
    by_key = {s.key: s for s in steps}
    st.radio(
        words.STEPS, list(titles), key="tour_list", format_func=titles.__getitem__,
        on_change=lambda: _go(by_key[st.session_state["tour_list"]]),
    )  # fmt: skip
    st.toggle(words.CLASS_VIEW, key="tour_class", help=words.CLASS_VIEW_HELP, persist_state="session")


def _heading(step: Step, steps: list[Step]) -> None:
    """Where the reader is, and the question."""
    left, right = st.columns([0.72, 0.28], vertical_alignment="top")
    with left:
        st.caption(words.PROGRESS.format(number=steps.index(step) + 1, last=len(steps)))
        st.header(step.title, anchor=False)
    with right:
        _ways(step, steps, "top")
    with st.container(key="question"):
        st.markdown(step.question)


def _example(step: Step) -> None:
    left, right = st.columns([0.3, 0.7], gap="medium")
    with left:
        st.markdown(f"**{words.TRY}.** {step.task}")
    if step.key != _NEEDS_NO_TORCH and not TORCH.ready:
        with right, st.spinner(words.WAKING):
            TORCH.wait()
    importlib.import_module(f"dashboard.tour.{step.key}").draw(left, right)


def _ways(step: Step, steps: list[Step], where: str) -> None:
    """Back and Next."""
    at = steps.index(step)
    with st.container(horizontal=True, horizontal_alignment="right", key=f"ways_{where}"):
        st.button(
            words.BACK, key=f"back_{where}", icon=":material/arrow_back:", disabled=at == 0, on_click=_go,
            args=(steps[max(0, at - 1)],),
        )  # fmt: skip
        st.button(
            words.NEXT, key=f"next_{where}", icon=":material/arrow_forward:", icon_position="right", type="primary",
            disabled=at == len(steps) - 1, on_click=_go, args=(steps[min(len(steps) - 1, at + 1)],),
        )  # fmt: skip


# Until some visitor has opened the first page, Streamlit takes this folder for pages of its own kind, and runs this
# file for those who come here first. It is handed on to the app, which then shows this page as any other.
if __name__ == "__main__":
    runpy.run_path(str(Path(__file__).parents[1] / "app.py"))
