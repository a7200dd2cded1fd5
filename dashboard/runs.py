"""The runs of a session as their process describes them (see `branches`): settings and differences. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from gwl_core.settings import Config, Hyperparameters

Summary = Mapping[str, Any]


def settings_of(summary: Summary) -> tuple[str, Config, Hyperparameters]:
    """Preset, Config and Hyperparameters of a run."""
    known = summary["settings"]
    config, hyper = (kind(**{f.name: known[f.name] for f in fields(kind)}) for kind in (Config, Hyperparameters))
    return str(known["preset"]), config, hyper  # type: ignore[return-value]


def differing(summaries: Sequence[Summary]) -> dict[str, list[Any]]:
    """The settings in which runs differ, in the order of the settings: a value a run. Pins count by their number."""
    names = list(dict.fromkeys(name for s in summaries for name in s["settings"]))
    table = {name: [s["settings"].get(name) for s in summaries] for name in names}
    table["pins"] = [len(s["pins"]) for s in summaries]
    return {name: values for name, values in table.items() if any(value != values[0] for value in values)}
