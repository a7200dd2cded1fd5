"""The upper half of the Compare page: what to compare, how far it is, and the measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard import choices, compare_state, compare_view, opening
from dashboard import text as common
from dashboard.compare_run import CompareRun
from dashboard.compare_state import Choice, cap_rule
from dashboard.session import Session
from dashboard.text import compare as text
from dashboard.widgets.synced import by_user, synced
from gwl_core.baselines import BASELINES
from gwl_core.comparison import OWN, MethodRun, method_keys, method_title
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER

if TYPE_CHECKING:
    from dashboard.agreement_panels import Found


def sidebar(problem: MatchingProblem, session: Session, choice: Choice) -> None:
    """Seed, seconds, methods."""
    st.html(f"<h1 class='brand'>{common.TITLE}</h1><p class='brand'>{text.BRAND}</p>")
    left, right = st.columns(2, gap="small")
    seed = PARAMETER["seed"]
    left.number_input(
        text.SEED, int(seed.low), int(seed.high), synced("set_seed", session.value("seed")), step=1, key="set_seed",
        help=text.SEED_HELP, on_change=by_user("set_seed", choices.change_parameter), args=("seed",),
    )  # fmt: skip
    rule = cap_rule()
    right.number_input(
        text.CAP, float(rule.low), float(rule.high), synced("compare_cap", float(choice.cap)), step=10.0,
        key="compare_cap", format="%g", help=text.CAP_HELP, on_change=by_user("compare_cap", compare_state.choose_cap),
    )  # fmt: skip
    st.html(f"<h2 class='group'>{text.METHODS}</h2>")
    with st.container(horizontal=True, key="compare_sets", gap="small"):
        for label, keys in ((text.QUICK, compare_state.QUICK), (text.ALL, method_keys()), (text.NONE, ())):
            st.button(label, key=f"set_{label}", on_click=compare_state.choose_methods, args=(keys,))
    nodes = max(problem.source.n_nodes, problem.target.n_nodes)
    for group, methods in compare_state.GROUPS.items():
        st.html(f"<h2 class='group'>{text.GROUPS[group]}</h2>")
        with st.container(key=f"compare_group_{group}", gap=None):
            for key in methods:
                _method(key, key in choice.methods, nodes)


def _method(key: str, chosen: bool, nodes: int) -> None:
    """One checkbox with what the method is; a method too large for the graphs may be chosen, and will say so."""
    if key in OWN:
        year, uses, limit, cite, cost = 2019, text.OWN_USES, "", text.OWN_CITATION, text.OWN_COST
    else:
        baseline = BASELINES[key]
        year, uses, cite, cost = baseline.year, ", ".join(baseline.uses), baseline.citation, baseline.cost
        limit = text.LIMIT.format(limit=baseline.largest) + (text.TOO_LARGE if nodes > baseline.largest else "")
    st.checkbox(
        method_title(key), synced(f"method_{key}", chosen), key=f"method_{key}",
        on_change=by_user(f"method_{key}", compare_state.choose_method), args=(key,),
        help=text.METHOD_HELP.format(citation=common.plain(cite), cost=common.plain(cost)),
    )  # fmt: skip
    st.caption(text.ABOUT.format(year=year, uses=uses) + limit)


def pair(problem: MatchingProblem) -> None:
    """Which two graphs."""
    source, target = problem.source, problem.target
    known = 0 if problem.truth is None else len(problem.truth)
    words = text.PAIR.format(
        source=common.plain(source.name), target=common.plain(target.name), n_s=source.n_nodes, n_t=target.n_nodes,
        e_s=source.n_edges, e_t=target.n_edges, kind=common.DIRECTED[source.directed],
        truth=text.TRUTH[known > 0].format(known=known),
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare_pair"):
        st.markdown(words)
        if opening.has("") and st.button(text.CHANGE_PAIR, help=text.CHANGE_PAIR_HELP, type="tertiary"):
            opening.to_page("")


def bar(session: Session, choice: Choice, run: CompareRun | None) -> None:
    """Run or Stop, a sentence, and every method's progress while they work."""
    busy = run is not None and run.busy
    with st.container(key="player", horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            text.RUN, key="compare_run", icon=":material/play_arrow:", type="primary",
            disabled=busy or not choice.methods, on_click=compare_state.start,
        )  # fmt: skip
        st.button(
            text.STOP, key="compare_stop", icon=":material/stop:", help=text.STOP_HELP,
            disabled=run is None or not run.busy or run.stopped, on_click=compare_state.stop,
        )  # fmt: skip
        with st.container(key="status", gap=None):
            st.markdown(sentence(session, choice, run))
            if run is not None and busy and run.launched:
                total, done = len(run.asked.methods), len(run.rows)
                share = (done + (run.at.share if run.at else 0)) / total
                st.progress(min(1.0, share), text=_at_hand(run))
    if run is not None:
        with st.container(key="compare_methods", horizontal=True, gap="small"):
            for key in run.asked.methods:
                st.markdown(_standing(run, key))
        for row in run.rows:
            if row.status != "done":
                st.caption(f"{text.STATES[row.status][0]} **{row.title}** {common.plain(row.message)}")


def sentence(session: Session, choice: Choice, run: CompareRun | None) -> str:
    """How the comparison stands."""
    count = common.plural(len(choice.methods), "method", "methods")
    ready = text.READY.format(count=count) if choice.methods else text.NOT_CHOSEN
    if run is None:
        return ready
    total = len(run.asked.methods)
    if run.busy:
        if not run.launched and (place := compare_state.place()):  # asking may launch it
            return text.WAITING.format(place=common.ordinal(place))
        at = run.at
        if at is None:
            return text.STARTING
        return text.RUNNING.format(number=len(run.rows) + 1, total=total, title=method_title(at.key))
    done = sum(row.matching is not None for row in run.rows)
    words = (text.STOPPED if run.stopped else text.DONE).format(done=done, total=total)
    changed = run.asked != compare_state.asked(session, choice)
    return words + (f" {text.CHANGED if choice.methods else text.NOT_CHOSEN}" if changed else "")


def _at_hand(run: CompareRun) -> str:
    at = run.at
    return "" if at is None else common.plain(f"{method_title(at.key)}: {at.share:.0%} {at.text}")


def _standing(run: CompareRun, key: str) -> str:
    """One method in a few words: its symbol, its name, how far it is."""
    row, at = next((row for row in run.rows if row.key == key), None), run.at
    title = common.plain(method_title(key))
    if row is not None:
        symbol, words = text.STATES[row.status]
        words = f"{row.seconds:.1f} s" if row.status == "done" else words
    elif at is not None and at.key == key:
        symbol, words = text.STATES["running"][0], f"{at.share:.0%}"
    else:
        symbol, words = text.STATES["waiting"]
        words = words if run.busy else text.LEFT_OUT
    return f"{symbol} {title} :small[{words}]"


def scores(problem: MatchingProblem, rows: tuple[MethodRun, ...], found: Found | None) -> None:
    """The table of measures; a selected row opens what its method found."""
    frame = compare_view.score_frame(problem, rows)
    st.subheader(text.SCORES)
    with st.container(key="compare_scores_table"):
        event: Any = st.dataframe(
            compare_view.styled(frame), hide_index=True, key="compare_scores", alt=text.SCORES,
            height=36 * (len(frame) + 1) + 18, column_config=_columns(list(frame)), row_height=36,
            placeholder=text.NOTHING, on_select="rerun", selection_mode="single-row",
        )  # fmt: skip
    notes = [text.SCORES_NOTE]
    if problem.truth is not None:
        notes.append(text.KNOWN_NOTE.format(known=len(problem.truth)))
    if "spread" in frame:
        name = "correct" if problem.truth is not None else "ec"
        notes.append(text.ORDERS_NOTE.format(name=text.COLUMNS[name][0]))
    st.caption(" ".join(notes))
    selected = event["selection"]["rows"]
    _open(problem, rows[selected[0]] if selected and selected[0] < len(rows) else None, found)


def _open(problem: MatchingProblem, row: MethodRun | None, found: Found | None) -> None:
    """From a method to one of its pairs in Inspect, and to the list of them all."""
    pair: tuple[int, int] | None = None
    hint: str | None = text.OPEN_METHOD_HINT
    if row is not None:
        matched = found is not None and row.matching is not None
        pair = compare_view.telling_pair(problem, found.agreed, row.key) if found is not None and matched else None
        hint = None if pair is not None else text.OPEN_METHOD_NOTHING.format(title=common.plain(row.title))
    label, title = text.OPEN, "" if row is None else common.plain(row.title)
    if pair is not None:
        names = (common.plain(graph.labels[k]) for graph, k in zip((problem.source, problem.target), pair, strict=True))
        label = text.OPEN_METHOD.format(title=title, source=next(names), target=next(names))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare_method"):
        pressed = st.button(
            label, key="compare_open_method", icon=":material/search:", disabled=pair is None, help=hint,
        )  # fmt: skip
        if row is not None and pair is not None and found is not None and len(found.rows) > 1:
            st.button(
                text.LIST_METHOD.format(title=title), key="compare_list_method", icon=":material/list:",
                on_click=compare_state.show_pairs, args=(f"of:{row.key}",), help=text.LIST_METHOD_HELP,
            )  # fmt: skip
    if pressed and pair is not None:
        opening.inspect(pair, "compare")
        st.caption(text.MARKED)  # reached where there is no page to go to


def _columns(names: list[str]) -> dict[str, Any]:
    make = st.column_config
    kinds: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        "title": (make.TextColumn, {"pinned": True, "width": 116}),
        "correct": (make.NumberColumn, {"width": 100}),
        "aware": (make.NumberColumn, {"width": 100}),
        "state": (make.TextColumn, {"width": 80}),
        "spread": (make.TextColumn, {"width": "medium"}),
        "note": (make.TextColumn, {"width": "large"}),
    }
    made = {}
    for name in names:
        kind, more = kinds.get(name, (make.NumberColumn, {"width": "small"}))
        label, hint = text.COLUMNS[name]
        made[name] = kind(label=label, help=hint, **more)
    return made
