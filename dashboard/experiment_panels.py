"""The parts of the Experiments page: the choice, the bar, findings, figures, tables, files."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import experiment_state as state
from dashboard import faults
from dashboard import text as words
from dashboard.experiment_run import EXPERIMENTS, ExperimentRun
from dashboard.experiment_state import Choice
from dashboard.figures.common import Figure as Spec
from dashboard.live_plot.component import live_plot
from dashboard.text import experiments as text
from dashboard.widgets.synced import place, synced
from gwl_core.experiments.drawing import panel_spec
from gwl_core.experiments.intervals import quiet
from gwl_core.experiments.output import Stored, table_csv
from gwl_core.experiments.protocol import Figure, Option, Report, Table
from gwl_core.experiments.registry import MODULES, find
from gwl_core.experiments.webpage import figure_html

_HEIGHT = 300
_ROWS, _TALL = 14, 440
"""A table of more rows scrolls within this height."""


def sidebar(choice: Choice) -> None:
    """Which experiment, how large, from which seed."""
    st.html(f"<h1 class='brand'>{words.TITLE}</h1><p class='brand'>{words.SUBTITLE}</p>")
    st.selectbox(
        text.EXPERIMENT, list(MODULES), place("experiment_key", choice.key, list(MODULES)),
        format_func=lambda key: find(key).title, key="experiment_key",
        help=text.EXPERIMENT_HELP, on_change=_choose_experiment,
    )  # fmt: skip
    st.caption(find(choice.key).description)
    sizes = [*text.SIZES, *([choice.size] if choice.size not in text.SIZES else [])]
    st.radio(
        text.SIZE, sizes, place("experiment_size", choice.size, sizes),
        format_func=lambda size: text.SIZES.get(size, size.capitalize()), key="experiment_size",
        help=text.SIZE_HELP, on_change=_choose,
    )  # fmt: skip
    st.number_input(
        text.SEED, 0, 2**31 - 1, synced("experiment_seed", choice.seed), step=1, key="experiment_seed",
        help=text.SEED_HELP, on_change=_choose,
    )  # fmt: skip
    for option in _page_options(choice):
        key = f"experiment_option_{option.name}"
        st.number_input(
            text.OPTIONS.get(option.name, option.name), option.low, option.high,
            synced(key, choice.options.get(option.name)), step=1, help=option.help, key=key,
            placeholder=text.OPTION_DEFAULT, on_change=_choose,
        )  # fmt: skip
    st.caption(text.COMMAND)
    st.code(shlex.join(["python", "-m", "gwl_core", "experiment", *choice.arguments]), language=None, wrap_lines=True)


def _page_options(choice: Choice) -> list[Option]:
    return [option for option in find(choice.key).options if option.page == "int"]


def _choose_experiment() -> None:
    state.put(replace(state.current(), key=st.session_state["experiment_key"], options={}))


def _choose() -> None:
    choice = state.current()
    given = {option.name: st.session_state.get(f"experiment_option_{option.name}") for option in _page_options(choice)}
    options = {name: int(value) for name, value in given.items() if value is not None}
    seed, size = int(st.session_state["experiment_seed"] or 0), st.session_state["experiment_size"]
    state.put(replace(choice, size=size, seed=seed, options=options))


def title(choice: Choice) -> None:
    """Which experiment this is: on a phone the list of them is folded away."""
    st.header(find(choice.key).title, anchor=False)


def bar(choice: Choice, run: ExperimentRun | None, stored: Stored | None) -> None:
    """Run and Stop, and how it stands."""
    busy = run is not None and run.busy
    with st.container(key="player", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(text.RUN, key="experiment_run", icon=":material/play_arrow:", type="primary", disabled=busy,
                  on_click=state.start, help=text.RUN_HELP)  # fmt: skip
        st.button(text.STOP, key="experiment_stop", icon=":material/stop:", disabled=not busy, on_click=state.stop,
                  help=text.STOP_HELP)  # fmt: skip
        with st.container(key="status", gap=None):
            st.markdown(words.plain(_status(choice, run, stored)))
            if run is not None and busy and run.far.total:
                st.progress(min(1.0, (run.far.done + run.far.failed) / run.far.total), text=text.running(run.far))


def _status(choice: Choice, run: ExperimentRun | None, stored: Stored | None) -> str:
    mine = run is not None and run.asked == choice
    if run is not None and run.busy:
        title = find(run.asked.key).title if isinstance(run.asked, Choice) else ""
        if not run.launched and (place := EXPERIMENTS.place(st.session_state["token"])):  # asking may launch it
            return text.WAITING.format(place=words.ordinal(place))
        return f"{title}: {text.STARTING if not run.far.total else text.RUN.lower() + 'ning.'}"
    if run is not None and mine and run.stopped:
        return text.STOPPED.format(done=run.far.done, total=run.far.total)
    if run is not None and mine and run.sentence:
        return run.sentence
    if run is not None and mine and run.died:
        return text.FAILED.format(why=faults.why(run.died))
    if stored is not None and stored.done == stored.total:
        return text.WHOLE.format(total=stored.total, seconds=text.duration(stored.seconds))
    if stored is not None:
        return text.SHOWN.format(done=stored.done, total=stored.total)
    count = state.trial_count(choice.key, choice.size, choice.seed, tuple(sorted(choice.options.items())))
    return text.READY.format(count=count)


def findings(report: Report) -> None:
    """What was found, a sentence each."""
    if report.findings:
        st.subheader(text.FINDINGS)
        st.markdown("\n".join(f"- {words.plain(sentence)}" for sentence in report.findings))


def figures(choice: Choice, report: Report) -> None:
    """Every panel a chart of its own, so that they flow on narrow screens."""
    for figure in report.figures:
        if not any(panel.series or panel.heatmap for panel in figure.panels):
            continue
        st.subheader(figure.title)
        for first in range(0, len(figure.panels), figure.columns):
            row = figure.panels[first : first + figure.columns]
            wide = min(figure.columns, max(2, len(figure.panels)))
            for number, (column, panel) in enumerate(zip(st.columns(wide, gap="small"), row, strict=False), first):
                with column.container(border=True, key=f"panel_{figure.key}_{number}"):
                    live_plot(
                        _spec(figure, number), key=f"plot_{choice.key}_{figure.key}_{number}", height=_HEIGHT,
                        alt=f"{panel.title}. {figure.alt}", view=f"{choice}",
                    )  # fmt: skip


def _spec(figure: Figure, number: int) -> Spec:
    return panel_spec(figure, figure.panels[number])


def tables(report: Report) -> None:
    """Measured columns in the page's colour, published ones in grey: the canvas that draws a table has no italics."""
    for table in report.tables:
        if not table.rows:
            continue
        st.subheader(table.title)
        height: Any = "content" if len(table.rows) <= _ROWS else _TALL
        st.dataframe(_styled(table), hide_index=True, height=height, alt=table.title, placeholder="")
        notes = table.notes + ((text.PUBLISHED_NOTE,) if table.published else ())
        st.caption(" ".join(notes))


def _styled(table: Table) -> object:
    frame = pd.DataFrame([{name: row.get(name) for name in table.columns} for row in table.rows])
    styled = frame.style.format({name: partial(_cell, table, name) for name in table.columns}, na_rep="")
    published = [name for name in table.columns if name in table.published]
    return styled.set_properties(subset=published, color="#8A8F98")


def _cell(table: Table, name: str, value: object) -> str:
    if isinstance(value, str | bool) or value is None:
        return "" if value is None else str(value)
    if not isinstance(value, int | float):
        return str(value)
    value = quiet(value)
    if name in table.percent:
        return f"{100 * value:.2f}%" if name in table.published else f"{100 * value:.1f}%"
    return str(int(value)) if value == int(value) else f"{value:.4g}"


def files(choice: Choice, report: Report) -> None:
    """Tables as CSV and figures as pages, made when they are asked for."""
    st.subheader(text.FILES)
    make: dict[str, Callable[[], bytes]] = {f"{t.key}.csv": partial(table_csv, t) for t in report.tables if t.rows}
    if (choice.folder / "trials.csv").is_file():
        make = {"trials.csv": (choice.folder / "trials.csv").read_bytes} | make
    drawn = [figure for figure in report.figures if any(panel.series or panel.heatmap for panel in figure.panels)]
    make |= {f"{figure.key}.html": partial(_page, figure) for figure in drawn}
    with st.container(horizontal=True, gap="small"):
        for name, content in make.items():
            st.download_button(
                name, content, f"{choice.key}-{name}", key=f"experiment_file_{name}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip
    st.caption(text.FILES_NOTE)


def _page(figure: Figure) -> bytes:
    return figure_html(figure).encode("utf-8")
