"""The sidebar: which graphs, which preset, every parameter. Draws from the session and reports changes to it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import streamlit as st

from dashboard import choices, text
from dashboard.session import GRAPH_SEED, NODES, NOISE, PERPLEXITIES, UPLOAD, Session
from dashboard.text import upload
from dashboard.widgets import point_out
from dashboard.widgets.spoken import spoken
from dashboard.widgets.synced import by_user, place, synced
from gwl_core.datasets.builtin import PairInfo, list_pairs
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER, PRESETS, SCHEDULES, Parameter, parse_schedule

_STEPS: dict[str, float | int] = {
    "beta": 1.0, "gamma": 0.005, "inner": 10, "sigma": 1.0, "dim": 8, "learning_rate": 0.005, "epochs": 10,
    "batch_size": 50, "tolerance": 1e-7,
}  # fmt: skip
_WIDTHS = {"alpha": 1.35, "device": 1.25}
_SCHEDULE_VALUE = "schedule_value"


def sidebar(session: Session) -> None:
    """Everything left of the panels."""
    st.html(f"<h1 class='brand'>{text.TITLE}</h1><p class='brand'>{text.SUBTITLE}</p>")
    _data(session)
    _preset(session)
    for title, rows in text.GROUPS:
        st.html(f"<h2 class='group'>{title}</h2>")
        for names in rows:
            _row(session, names)
    with st.expander(text.MORE_TITLE, expanded=any(point_out.asked() in names for names in text.MORE)):
        for names in text.MORE:
            _row(session, names)
        st.number_input(
            f"{text.PERPLEXITY} {text.NOW_ICON}", float(PERPLEXITIES.low), float(PERPLEXITIES.high),
            synced("perplexity", session.perplexity), step=1.0,
            key="perplexity", help=text.PERPLEXITY_HELP, on_change=by_user("perplexity", choices.choose_perplexity),
        )  # fmt: skip
    st.caption(text.LEGEND)
    spoken({text.NOW_ICON: text.NOW, text.RESET_ICON: text.ON_RESET})
    point_out.point_out()


def _data(session: Session) -> None:
    infos = {info.key: info for info in list_pairs()}
    titles = {key: f"{i.title} · {i.source_nodes} ↔ {i.target_nodes}" for key, i in infos.items()}
    titles |= text.GENERATED | {UPLOAD: text.UPLOAD}
    chosen = UPLOAD if session.uploading else session.data.pair
    st.selectbox(
        text.DATA, list(titles), place("pair", chosen, list(titles)), format_func=titles.__getitem__, key="pair",
        help=text.DATA_HELP, on_change=by_user("pair", choices.choose_pair),
    )  # fmt: skip
    if session.data.pair in infos and not session.uploading:
        _about(infos[session.data.pair])
    if session.uploaded is not None and not session.uploading:
        _about_files(session.uploaded)
    if session.data.generated and not session.uploading:
        columns = st.columns(3, gap="small")
        for column, rule, label, hint, shown, step in (
            (columns[0], NODES, text.NODES, text.NODES_HELP, session.data.nodes, 10),
            (columns[1], NOISE, text.NOISE, text.NOISE_HELP, session.data.noise, 0.05),
            (columns[2], GRAPH_SEED, text.GRAPH_SEED, text.GRAPH_SEED_HELP, session.data.graph_seed, 1),
        ):
            column.number_input(
                label, _bound(rule, rule.low), _bound(rule, rule.high), synced(rule.name, shown), step=step,
                key=rule.name, help=hint,
                on_change=by_user(rule.name, choices.choose_generated), args=(rule.name,),
            )  # fmt: skip


def _about(info: PairInfo) -> None:
    """Sizes and terms of a built-in pair; the rest on demand."""
    kind = text.KIND.format(kind=text.DIRECTED[info.directed], known=info.known)
    details = "\n\n".join(filter(None, (info.description, kind, info.citation, info.attribution, info.licence)))
    st.caption(text.SIZES.format(**asdict(info)), help=details)


def _about_files(problem: MatchingProblem) -> None:
    """Sizes of the user's own graphs, and the way back to their files."""
    sides = {"source": problem.source, "target": problem.target}
    sizes = {
        f"{side}_{what}": getattr(graph, f"n_{what}") for side, graph in sides.items() for what in ("nodes", "edges")
    }
    known = 0 if problem.truth is None else len(problem.truth)
    st.caption(
        text.SIZES.format(**sizes), help=text.KIND.format(kind=text.DIRECTED[problem.source.directed], known=known)
    )
    st.button(upload.CHANGE, key="change_files", icon=":material/edit_document:", help=upload.CHANGE_HELP,
              on_click=choices.change_upload)  # fmt: skip


def _preset(session: Session) -> None:
    st.selectbox(
        text.PRESET, list(PRESETS), place("preset", session.preset, list(PRESETS)),
        format_func=text.PRESETS.__getitem__, key="preset", help=text.PRESET_HELP,
        on_change=by_user("preset", choices.choose_preset),
    )  # fmt: skip


def _row(session: Session, names: tuple[str, ...]) -> None:
    if "alpha" in names:  # the schedule, then its number
        names = (names[0], _SCHEDULE_VALUE, *names[1:])
    widths = [_WIDTHS.get(name, 1.0) for name in names]
    for column, name in zip(st.columns(widths, gap="small", vertical_alignment="bottom"), names, strict=True):
        with column:
            if name == _SCHEDULE_VALUE:
                _schedule_value(session)
            else:
                _widget(session, PARAMETER[name])


def _widget(session: Session, parameter: Parameter) -> None:
    name, value = parameter.name, session.value(parameter.name)
    words = text.PARAMETERS[name]
    icon, when = (text.NOW_ICON, text.NOW) if parameter.live else (text.RESET_ICON, text.ON_RESET)
    common: dict[str, Any] = {
        "label": f"{words.label} {icon}", "key": f"set_{name}", "help": f"{words.help} {when.capitalize()}.",
        "on_change": by_user(f"set_{name}", choices.change_parameter), "args": (name,),
    }  # fmt: skip
    match parameter.kind:
        case "bool":
            st.checkbox(value=synced(common["key"], value), **common)
        case "choice":
            at = place(common["key"], value, parameter.choices)
            st.selectbox(
                options=parameter.choices, index=at, format_func=lambda c: text.CHOICES.get(c, c), **common
            )  # fmt: skip
        case "schedule":
            at = place(common["key"], parse_schedule(value)[0], SCHEDULES)
            st.selectbox(options=SCHEDULES, index=at, **common)
        case _:
            st.number_input(
                value=synced(common["key"], value),
                min_value=_bound(parameter, parameter.low), max_value=_bound(parameter, parameter.high),
                step=_step(parameter), placeholder=parameter.optional,
                format=None if parameter.kind == "int" else "%.6g", **common,
            )  # fmt: skip


def _schedule_value(session: Session) -> None:
    name, number = parse_schedule(session.value("alpha"))
    label, hint = text.SCHEDULE_VALUE[name]
    st.number_input(
        f"{label} {text.NOW_ICON}", 0.0, 0.99 if name == "delayed" else 1.0, synced(_SCHEDULE_VALUE, number),
        step=0.05, key=_SCHEDULE_VALUE, help=hint,
        on_change=by_user(_SCHEDULE_VALUE, choices.change_schedule_value),
    )  # fmt: skip


def _bound(parameter: Parameter, bound: float) -> float | int:
    return int(bound) if parameter.kind == "int" else float(bound)


def _step(parameter: Parameter) -> float | int:
    """How far one press of + or − goes."""
    return _STEPS.get(parameter.name, 1 if parameter.kind == "int" else 0.1)
