"""Where the graphs of a run came from: in run.json as the command line writes it, and as its arguments. Pure."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from gwl_core.readers import Policies
from gwl_core.writers.strict_json import strict_json

if TYPE_CHECKING:
    from dashboard.session import DataChoice

_FILES = ("source", "target", "truth", "anchors", "source_nodes", "target_nodes")
_READ = tuple(f.name for f in fields(Policies))
_AGREED = ("convert_ids", "by_order")
_LONGEST, _MOST = 1000, 200


@dataclass(frozen=True)
class Origin:
    """Of the user's own files.

    Attributes:
        given: their names, as the user gave them, and how they were read where that is not the standard way; a dict by
            side where the two graphs were read differently, a list of kinds where not all known pairs were.
        notices: what their readers noticed.
    """

    given: Mapping[str, Any] = field(default_factory=dict, hash=False)
    notices: tuple[str, ...] = ()


def of_files(
    names: Mapping[str, str], policies: Mapping[str, Policies], agreed: Mapping[str, Sequence[str]],
    notices: Sequence[str],
) -> Origin:  # fmt: skip
    """The origin of files that were read.

    Args:
        names: of the files, by place.
        policies: by side.
        agreed: kinds of known pairs, by what the user agreed to.
    """
    given: dict[str, Any] = {place: names[place] for place in _FILES if place in names}
    sides = {side: policies.get(side, Policies()) for side in ("source", "target")}
    for name in _READ:
        values = {side: getattr(policy, name) for side, policy in sides.items()}
        if values["source"] != values["target"]:
            given[name] = values
        elif values["source"] != getattr(Policies(), name):
            given[name] = values["source"]
    pairs = [kind for kind in ("truth", "anchors") if kind in names]
    for name in _AGREED:
        kinds = [kind for kind in pairs if kind in agreed.get(name, ())]
        if kinds:
            given[name] = True if kinds == pairs else kinds
    return Origin(given, tuple(notices))


def read_back(told: object) -> Origin:
    """The origin that a session file tells, whatever it says."""
    saved = told.get("origin") if isinstance(told, dict) else None
    given, notices = (saved.get("given"), saved.get("notices")) if isinstance(saved, dict) else ({}, ())
    known = {
        name: value for name, value in (given.items() if isinstance(given, dict) else ())
        if name in (*_FILES, *_READ, *_AGREED) and len(str(value)) <= _LONGEST
    }  # fmt: skip
    said = [str(line)[:_LONGEST] for line in notices[:_MOST]] if isinstance(notices, list) else []
    return Origin({name: value for name, value in known.items() if name not in _FILES or isinstance(value, str)},
                  tuple(said))  # fmt: skip


def recorded(data: DataChoice) -> dict[str, Any]:
    """What was named, for run.json."""
    if data.generated:
        return {"pair": data.pair, "nodes": data.nodes, "noise": data.noise, "graph_seed": data.graph_seed}
    return {"pair": data.pair} if not data.upload else dict(data.origin.given)


def with_origin(run_json: bytes, data: DataChoice) -> bytes:
    """run.json with what the page knows and the solver's process does not."""
    record = json.loads(run_json)
    record["origin"] = recorded(data)
    record["notices"] = [*data.origin.notices, *record["notices"]]
    return (strict_json(record, indent=1) + "\n").encode("utf-8")


def arguments(data: DataChoice, truth: bool, anchors: bool) -> str:
    """The files and how to read them, as arguments of the command line; capitals where names are not known.

    Args:
        truth, anchors: whether there are any.
    """
    given = data.origin.given
    words = [_name(given.get("source", "SOURCE")), _name(given.get("target", "TARGET"))]
    if "source" not in given:
        given = {kind: kind.upper() for kind, there in (("truth", truth), ("anchors", anchors)) if there}
    for name in _FILES[2:]:
        if name in given:
            words += [_flag(name), _name(given[name])]
    for name in _READ:
        if isinstance(given.get(name), str):
            words += [_flag(name), shlex.quote(given[name])]
    words += [_flag(name) for name in ("largest_component", *_AGREED) if _is_agreed(given.get(name))]
    return " ".join(words)


def unsaid(data: DataChoice) -> list[str]:
    """How the two graphs were read differently, which one command line cannot say."""
    return [name for name in _READ if isinstance(data.origin.given.get(name), dict)]


def _is_agreed(value: object) -> bool:
    return value is True or isinstance(value, list)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _name(name: str) -> str:
    """A file's name, which must not read as an option."""
    return shlex.quote(f"./{name}" if name.startswith("-") else name)
