"""What happens when graphs, settings or a pair are chosen."""

from __future__ import annotations

import secrets
from dataclasses import replace

import numpy as np
import streamlit as st

from dashboard import session as sessions
from dashboard import state
from dashboard.origin import Origin
from dashboard.problems import load
from dashboard.session import DataChoice
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER


@state.noticed
def choose_pair() -> None:
    pair = st.session_state["pair"]
    if pair == sessions.UPLOAD:
        state.put(replace(state.current(), uploading=True))
        return
    _use(replace(state.current().data, pair=pair, upload=""))


@state.noticed
def choose_generated(name: str) -> None:
    value = {"nodes": sessions.NODES, "noise": sessions.NOISE, "graph_seed": sessions.GRAPH_SEED}[name].check(
        st.session_state[name]
    )
    _use(replace(state.current().data, **{name: value}))


def _use(data: DataChoice) -> None:
    load(data)  # raises before anything is given up
    _leave_run()
    state.put(sessions.with_data(state.current(), data))


@state.noticed
def use_upload(made: MatchingProblem, origin: Origin) -> None:
    _leave_run()
    data = DataChoice(sessions.UPLOAD, upload=secrets.token_hex(8), origin=origin)
    state.put(sessions.with_data(state.current(), data, made))


@state.noticed
def change_upload() -> None:
    """The form again: in the list, what is chosen already cannot be chosen."""
    state.put(replace(state.current(), uploading=True))


@state.noticed
def cancel_upload() -> None:
    state.put(replace(state.current(), uploading=False))


def _leave_run() -> None:
    found = state.run()
    if found is not None and found.playing:
        found.stop()


@state.noticed
def choose_preset() -> None:
    state.put(sessions.with_preset(state.current(), st.session_state["preset"]))


@state.noticed
def change_parameter(name: str) -> None:
    value = st.session_state[f"set_{name}"]
    state.put(sessions.with_parameter(state.current(), name, value))
    found = state.run()
    if found is not None and PARAMETER[name].live and found.alive:
        found.set_hyperparameters(**{name: state.current().value(name)})


@state.noticed
def change_schedule_value() -> None:
    name, value = st.session_state["set_alpha"], st.session_state["schedule_value"]
    plain = value == 1 and name in ("linear", "smooth")
    st.session_state["set_alpha"] = name if plain else f"{name}:{value:g}"
    change_parameter("alpha")


@state.noticed
def choose_projection() -> None:
    state.put(replace(state.current(), projection=st.session_state["projection"] or state.current().projection))
    _project()


@state.noticed
def choose_order() -> None:
    state.put(replace(state.current(), order=sessions.ORDER.check(st.session_state["order"])))


@state.noticed
def choose_layout() -> None:
    state.put(replace(state.current(), layout=sessions.LAYOUT.check(st.session_state["layout"])))


@state.noticed
def choose_lines() -> None:
    state.put(replace(state.current(), lines=bool(st.session_state["lines"])))


@state.noticed
def choose_perplexity() -> None:
    state.put(replace(state.current(), perplexity=sessions.PERPLEXITIES.check(st.session_state["perplexity"])))
    _project()


def _project() -> None:
    found = state.run()
    if found is not None:
        state.settle(found, found.project(state.current().projection, state.current().perplexity))


@state.noticed
def pick(pair: tuple[int, int] | None, where: str) -> None:
    state.put(sessions.select(state.current(), pair, where))


@state.noticed
def pick_node(side: str, node: int, where: str) -> None:
    """Select a node with its match, or with the likeliest partner of a node that has none."""
    found = state.run()
    if found is None or found.snapshot.matching is None or found.snapshot.coupling is None:
        return
    matching, coupling = found.snapshot.matching, found.snapshot.coupling
    if side == "source":
        pair = (node, int(matching[node]) if matching[node] >= 0 else int(coupling[node].argmax()))
    else:
        matched = np.flatnonzero(matching == node)
        pair = (int(matched[0]) if len(matched) else int(coupling[:, node].argmax()), node)
    state.put(sessions.select(state.current(), pair, where))
