"""What one browser session has chosen: a frozen value, its transitions, and its form in the URL. No Streamlit here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from dashboard import text
from dashboard.orders import ORDERS
from dashboard.origin import Origin
from dashboard.projection import PERPLEXITY
from gwl_core.errors import InputError
from gwl_core.pins import Pin
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER, PARAMETERS, PRESETS, Config, Hyperparameters, Parameter, with_changes

DEFAULT_PAIR = "celegans-adult"
GENERATED = ("knn", "ba")
UPLOAD = "upload"

NODES = Parameter("nodes", "int", live=False, low=4, high=1000)
NOISE = Parameter("noise", "float", live=False, low=0, high=1)
GRAPH_SEED = Parameter("graph_seed", "int", live=False, low=0, high=2**31 - 1)
PROJECTION = Parameter("projection", "choice", live=True, choices=("tsne", "pca", "raw"))
LAYOUT = Parameter("layout", "choice", live=True, choices=("truth", "match", "own"))
ORDER = Parameter("order", "choice", live=True, choices=ORDERS)
PERPLEXITIES = Parameter("perplexity", "float", live=True, low=1, high=500)
_OF_DATA = (NODES, NOISE, GRAPH_SEED)


@dataclass(frozen=True)
class DataChoice:
    """Which two graphs.

    Attributes:
        pair: a built-in pair's key, "knn", "ba" or "upload".
        nodes, noise, graph_seed: of a generated pair; noise is a fraction.
        upload: tells one upload from another; never leaves the server.
        origin: of an upload, its files' names and what was noticed in reading them.
    """

    pair: str = DEFAULT_PAIR
    nodes: int = 50
    noise: float = 0.1
    graph_seed: int = 0
    upload: str = ""
    origin: Origin = field(default_factory=Origin)

    @property
    def generated(self) -> bool:
        return self.pair in GENERATED


@dataclass(frozen=True, eq=False)
class Session:
    """All choices of a session. Every change is a new value.

    Attributes:
        changes: settings that differ from the preset's, by name.
        selected: the (source, target) indices that every panel marks, and the panel they were picked in.
        past: the step looked at, or None for the newest.
        fork: whether a setting changed while looking at the past, so that Play goes on from there.
        uploading: whether the form for files is open.
        uploaded: the problem made from files.
        pins: pairs that were pinned or forbidden.
        order, layout, lines: of the heatmap, of the target graph, and whether matches are joined in the embedding.
        show: which pairs the Inspect page goes through.
        notices: sentences to show once.
    """

    data: DataChoice = field(default_factory=DataChoice)
    preset: str = "default"
    changes: Mapping[str, Any] = field(default_factory=dict)
    projection: str = "tsne"
    perplexity: float = PERPLEXITY
    order: str = ORDERS[0]
    layout: str = "truth"
    lines: bool = True
    selected: tuple[int, int] | None = None
    selected_in: str = ""
    past: int | None = None
    fork: bool = False
    uploading: bool = False
    uploaded: MatchingProblem | None = None
    pins: tuple[Pin, ...] = ()
    show: str = "all"
    notices: tuple[str, ...] = ()

    @property
    def settings(self) -> tuple[Config, Hyperparameters]:
        return with_changes(self.preset, self.changes)

    def value(self, name: str) -> Any:
        """A setting's value of now."""
        return self.changes.get(name, preset_value(self.preset, name))


def preset_value(preset: str, name: str) -> Any:
    """A setting's value in a preset."""
    base = PRESETS[preset]
    return getattr(base.config if hasattr(base.config, name) else base.hyperparameters, name)


def with_preset(session: Session, preset: str) -> Session:
    """Another preset, with all its settings. Seed and device are the user's, not the preset's: they stay."""
    if preset not in PRESETS:
        raise InputError(f"preset must be one of {', '.join(PRESETS)}, got {preset!r}.")
    kept = {name: value for name, value in session.changes.items() if name in ("seed", "device", "threads")}
    return _touched(replace(session, preset=preset, changes=kept))


def with_settings(session: Session, preset: str, config: Config, hyperparameters: Hyperparameters) -> Session:
    """The settings of a run that was made before."""
    values = {**vars(config), **vars(hyperparameters)}
    changes = {name: value for name, value in values.items() if value != preset_value(preset, name)}
    return replace(session, preset=preset, changes=changes, past=None, fork=False)


def with_parameter(session: Session, name: str, value: Any) -> Session:
    """One setting changed.

    Raises:
        InputError: the value breaks the parameter's rule.
    """
    value = PARAMETER[name].check(value)
    changes = {key: old for key, old in session.changes.items() if key != name}
    if value != preset_value(session.preset, name):
        changes[name] = value
    changed = replace(session, changes=changes)
    return _touched(changed) if PARAMETER[name].live else changed


def with_data(session: Session, data: DataChoice, uploaded: MatchingProblem | None = None) -> Session:
    """Other graphs; what was selected in the old ones is dropped."""
    return replace(
        session, data=data, uploaded=uploaded, selected=None, selected_in="", past=None, fork=False, uploading=False,
        pins=(),
    )  # fmt: skip


def select(session: Session, pair: tuple[int, int] | None, where: str) -> Session:
    """The pair that every panel marks."""
    return replace(session, selected=pair, selected_in=where)


def look_at(session: Session, step: int | None, last: int) -> Session:
    """A step of the past; None or the last for the newest, whichever that will be."""
    past = None if step is None or step >= last else max(0, step)
    return replace(session, past=past, fork=session.fork and past == session.past)


def at_newest(session: Session) -> Session:
    """Back to following the run."""
    return replace(session, past=None, fork=False)


def with_notice(session: Session, *sentences: str) -> Session:
    return replace(session, notices=(*session.notices, *sentences))


def _touched(session: Session) -> Session:
    return replace(session, fork=session.past is not None)


def to_query(session: Session) -> dict[str, str]:
    """The URL of a session: the pair, the preset and what differs from it; no files, labels or runs."""
    query = {"pair": session.data.pair}
    if session.data.generated:
        query |= {p.name: _written(getattr(session.data, p.name)) for p in _OF_DATA}
    query["preset"] = session.preset
    query |= {p.name: _written(session.changes[p.name]) for p in PARAMETERS if p.name in session.changes}
    # The seed is part of what a link repeats, even where it is the preset's.
    query["seed"] = _written(session.value("seed"))
    if session.projection != "tsne":
        query["projection"] = session.projection
    if session.perplexity != PERPLEXITY:
        query["perplexity"] = _written(session.perplexity)
    if session.order != ORDERS[0]:
        query["order"] = session.order
    if session.selected is not None and session.data.pair != UPLOAD:  # nothing of files leaves the server
        query["selected"] = "-".join(map(str, session.selected))
    return query


def from_query(query: Mapping[str, str], pairs: Collection[str]) -> Session:
    """The session of a URL. What it cannot use becomes a notice, and the preset's value stands."""
    notices: list[str] = []
    preset = query.get("preset", "default")
    if preset not in PRESETS:
        notices.append(f"The link's preset is not one of {', '.join(PRESETS)}; the default is used.")
        preset = "default"
    session = Session(data=_data(query, pairs, notices), preset=preset)
    for parameter in PARAMETERS:
        if parameter.name in query:
            try:
                session = with_parameter(session, parameter.name, _read(parameter, query[parameter.name]))
            except InputError as error:
                notices.append(f"The link's {_sentence(error)} The preset's value is used.")
    projection = _checked(PROJECTION, query, "tsne", notices)
    perplexity = _checked(PERPLEXITIES, query, PERPLEXITY, notices)
    order = _checked(ORDER, query, ORDERS[0], notices)
    selected = _pair(query.get("selected", ""))
    return replace(
        session, projection=projection, perplexity=perplexity, order=order, selected=selected,
        selected_in="link" if selected else "", notices=tuple(notices),
    )  # fmt: skip


def _pair(words: str) -> tuple[int, int] | None:
    """Two indices; whether there are such nodes is seen when the graphs are there (`within`)."""
    parts = words.split("-")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def within(session: Session, n_source: int, n_target: int) -> Session:
    """The session without a selected pair that these graphs do not have."""
    pair = session.selected
    if pair is None or (pair[0] < n_source and pair[1] < n_target):
        return session
    return replace(session, selected=None, selected_in="")


def _data(query: Mapping[str, str], pairs: Collection[str], notices: list[str]) -> DataChoice:
    default = DEFAULT_PAIR if DEFAULT_PAIR in pairs else next(iter(pairs), "knn")
    pair = query.get("pair", default)
    if pair == UPLOAD:
        notices.append(text.LINK_WITHOUT_FILES)
        pair = default
    elif pair not in pairs and pair not in GENERATED:
        notices.append(f"The link's pair is not one of {', '.join([*pairs, *GENERATED])}; {default} is loaded.")
        pair = default
    fallback = DataChoice()
    values = {p.name: _checked(p, query, getattr(fallback, p.name), notices) for p in _OF_DATA}
    return DataChoice(pair, **values)


def _checked(parameter: Parameter, query: Mapping[str, str], fallback: Any, notices: list[str]) -> Any:
    if parameter.name not in query:
        return fallback
    try:
        return parameter.check(query[parameter.name])
    except InputError as error:
        notices.append(f"The link's {_sentence(error)} {_written(fallback)} is used.")
        return fallback


def _read(parameter: Parameter, value: str) -> Any:
    if parameter.kind == "bool":
        return {"true": True, "false": False}.get(value.lower(), value)
    return value


def _written(value: Any) -> str:
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _sentence(error: InputError) -> str:
    """The error's sentence, with a value of any length cut to what a line can show."""
    sentence = str(error)
    return sentence if len(sentence) <= 200 else sentence[:199] + "…"


def differing(before: Config, after: Config) -> list[str]:
    """Names of the settings in which two configurations differ, in the table's order."""
    return [f.name for f in fields(Config) if getattr(before, f.name) != getattr(after, f.name)]
