"""What the steps of the tour are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from dashboard.figures.common import Figure
from dashboard.lessons.background import Background
from dashboard.live_plot.component import live_plot
from dashboard.text import tour as words
from dashboard.widgets.synced import by_user, synced
from dashboard.widgets.timed import timed

HEIGHT = 330


def kept(name: str, default: Any) -> Any:
    """A value of the tour in this session; `keep` changes it."""
    return st.session_state.setdefault(f"tour_{name}", default)


def keep(name: str, value: Any) -> None:
    st.session_state[f"tour_{name}"] = value


def slider(name: str, label: str, low: float, high: float, start: float, by: float, *, help: str = "") -> float:  # noqa: A002
    """A slider that remembers where it was."""
    kept(name, start)
    return st.slider(label, low, high, step=by, key=f"tour_{name}", help=help or None, persist_state="session")


def scale(name: str, label: str, values: Sequence[Any], start: Any, *, show: Callable[[Any], str] = str) -> Any:
    """A slider over given values."""
    kept(name, start)
    return st.select_slider(label, values, key=f"tour_{name}", format_func=show, persist_state="session")


def choice(name: str, label: str, options: dict[Any, str], start: Any) -> Any:
    """One of a few."""
    kept(name, start)
    return st.radio(
        label, list(options), key=f"tour_{name}", format_func=options.__getitem__, horizontal=True,
        persist_state="session",
    )  # fmt: skip


def press(
    name: str, label: str, action: Callable[..., None], *args: Any, icon: str = "", disabled: bool = False
) -> None:
    st.button(label, key=f"press_{name}", on_click=action, args=args, icon=icon or None, disabled=disabled)


def readings(values: Sequence[tuple[str, str]]) -> None:
    """Numbers of the example, in a row."""
    with st.container(key="readings"):
        for column, (label, value) in zip(st.columns(len(values), gap="small"), values, strict=True):
            column.metric(label, value)


def found(done: bool, yes: str, no: str) -> None:
    """Where the reader stands, in words and with an icon."""
    icon = ":material/check_circle:" if done else ":material/search:"
    with st.container(key="found"):
        st.markdown(f"{icon} {yes if done else no}")


def chart(
    figure: Figure,
    name: str,
    alt: str,
    *,
    height: int = HEIGHT,
    clicked: Callable[[tuple[int, int]], None] | None = None,
) -> None:
    """A chart in its frame.

    Args:
        clicked: called with the (row, column) of a clicked heatmap cell.
    """
    key = f"plot_tour_{name}"

    def on_click() -> None:
        click = st.session_state[key].get("click") or {}
        point = click.get("point")
        if clicked and isinstance(point, list | tuple) and len(point) == 2:
            clicked((int(point[0]), int(point[1])))

    with st.container(border=True, key=f"panel_tour_{name}"):
        live_plot(figure, key=key, height=height, alt=alt, on_click=on_click if clicked else None)


def destinations(name: str, sources: Sequence[str], targets: Sequence[str], matching: np.ndarray, move: Any) -> None:
    """For each source node, which target it goes to: what clicking a cell does, for the keyboard."""
    for i, source in enumerate(sources):
        key = f"tour_{name}_{i}"
        st.radio(
            words.GOES_TO.format(source=source), range(len(targets)), synced(key, int(matching[i])), key=key,
            format_func=targets.__getitem__, horizontal=True,
            on_change=by_user(key, lambda i=i, key=key: move((i, st.session_state[key]))),
        )  # fmt: skip


def until(table: Background[Any, Any], draw: Callable[[], None]) -> None:
    """Draw now, and again by a timer for as long as the table fills."""
    filling = not table.complete

    def part() -> None:
        draw()
        if filling and table.complete:
            st.rerun()  # which takes the timer away

    timed(part, 0.5 if filling else None)


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def number(value: float) -> str:
    return "0" if abs(value) < 5e-7 else f"{value:.3g}"
