"""The form for the user's own files: choose, see what was read, change how, then use it or keep what is loaded."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import Any

import streamlit as st

from dashboard import choices, drafts, text
from dashboard.drafts import Draft, File, Wishes
from dashboard.own_files import chooser
from dashboard.text import upload as words
from gwl_core.errors import InputError
from gwl_core.readers import POLICY_VALUES, GraphReport, Policies

_KEPT = "upload_reports"


def form() -> None:
    """The form, above the panels that still show what is loaded."""
    with st.container(border=True, key="upload"):
        st.subheader(text.UPLOAD_TITLE)
        st.caption(words.INTRO)
        columns = dict(zip(drafts.SIDES, st.columns(2), strict=True))
        files = {
            "source": chooser(columns["source"], "source", text.UPLOAD_SOURCE, words.FILE_HELP),
            "target": chooser(columns["target"], "target", text.UPLOAD_TARGET, words.FILE_HELP),
        }
        places = {side: columns[side].container() for side in drafts.SIDES}
        first, second = st.columns(2)
        files["truth"] = chooser(first, "truth", text.UPLOAD_TRUTH, text.UPLOAD_TRUTH_HELP)
        files["anchors"] = chooser(second, "anchors", text.UPLOAD_ANCHORS, text.UPLOAD_ANCHORS_HELP)
        with st.expander(words.MORE_FILES):
            for place, side in zip(st.columns(2), drafts.SIDES, strict=True):
                files[f"{side}_nodes"] = chooser(place, f"{side}_nodes", words.NODES[side], words.NODES_HELP)
        draft = _draft(files, places)
        _pairs(draft, files)
        with st.container(horizontal=True):
            st.button(
                text.UPLOAD_USE, type="primary", disabled=draft.problem is None, on_click=choices.use_upload,
                args=(draft.problem, draft.origin),
            )  # fmt: skip
            st.button(text.UPLOAD_CANCEL, on_click=choices.cancel_upload)


def _draft(files: dict[str, File | None], places: dict[str, Any]) -> Draft:
    """Every graph under its own controls; then what they make together."""
    reports, faults, policies = {}, {}, {}
    for side in drafts.SIDES:
        graph = files[side]
        if graph is None:
            continue
        with places[side]:
            top = st.container()
            policies[side] = _policies(side)
            try:
                reports[side] = _report(side, graph, files[f"{side}_nodes"], policies[side])
            except InputError as error:
                faults[side] = str(error)
            with top:
                if side in reports:
                    _preview(reports[side])
                else:
                    st.error(text.plain(faults[side]))
    wishes = Wishes(policies, _agreed("convert", files), _agreed("order", files))
    return drafts.joined(reports, faults, files, wishes)


def _report(side: str, graph: File, nodes: File | None, policies: Policies) -> GraphReport:
    """The report of a side, kept until its files or policies change: a page runs again at every click."""
    kept = st.session_state.setdefault(_KEPT, {})
    asked = (_digest(graph), _digest(nodes) if nodes else "", policies)
    if side not in kept or kept[side][0] != asked:
        kept[side] = (asked, drafts.read_side(graph, nodes, policies))
    report: GraphReport = kept[side][1]
    return report


def _digest(file: File) -> str:
    return hashlib.blake2b(file[0].encode() + b"\0" + file[1], digest_size=16).hexdigest()


def _policies(side: str) -> Policies:
    """How the user wants a side's file to be read."""
    keys = {field.name: f"{side}_{field.name}" for field in fields(Policies)}
    standard = Policies()
    changed = any(st.session_state.get(key) not in (None, getattr(standard, name)) for name, key in keys.items())
    label = words.POLICIES_CHANGED if changed else words.POLICIES
    with st.popover(label, icon=":material/tune:"):
        chosen = {
            name: st.segmented_control(
                words.POLICY_LABELS[name], values, default=values[0], required=True, key=keys[name],
                format_func=words.POLICY_CHOICES.__getitem__, help=words.POLICY_HELP[name], persist_state="session",
            )
            for name, values in POLICY_VALUES.items()
        }  # fmt: skip
        largest = st.checkbox(
            words.LARGEST, key=keys["largest_component"], help=words.LARGEST_HELP, persist_state="session"
        )
    return Policies(**{name: str(value) for name, value in chosen.items()}, largest_component=largest)


def _preview(report: GraphReport) -> None:
    """What was read, as a small table and sentences."""
    facts = words.facts(report, text.DIRECTED[report.graph.directed])
    st.markdown(f"**{text.plain(report.graph.name)}** · {report.format} · {report.encoding}")
    cells = [text.plain(value) for value in facts.values()]
    st.table({"": list(facts), " ": cells}, border="horizontal", hide_index=True, hide_header=True)
    for sentence in (report.direction_reason, *report.notices):
        if sentence:
            st.caption(text.plain(sentence))


def _key(offer: str, kind: str, file: File) -> str:
    """A consent holds for one file only."""
    return f"{offer}_{kind}_{_digest(file)[:12]}"


def _agreed(offer: str, files: dict[str, File | None]) -> frozenset[str]:
    """Kinds of pairs for which the user agreed to an offer."""
    found = ((kind, files[kind]) for kind in drafts.PAIRS)
    return frozenset(kind for kind, file in found if file and st.session_state.get(_key(offer, kind, file)))


def _pairs(draft: Draft, files: dict[str, File | None]) -> None:
    """What is wrong with the pairs, what can be agreed to, and what was read of them."""
    for sentence in draft.errors:
        st.error(text.plain(sentence))
    for kind in drafts.PAIRS:
        file = files[kind]
        if file is None:
            continue
        for offer, label in (("convert", words.CONVERT), ("order", words.ORDER)):
            key = _key(offer, kind, file)
            if draft.offers.get(kind) == offer or st.session_state.get(key):
                st.checkbox(label.format(name=text.plain(file[0])), key=key, persist_state="session")
    for sentence in draft.notices:
        st.info(text.plain(sentence))
