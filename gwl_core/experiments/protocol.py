"""What an experiment is: small independent trials, one pure function that runs a trial, one that summarises the rows.

To add one: write gwl_core/experiments/<key>.py with a module constant EXPERIMENT (an `Experiment`) and list the module
in gwl_core/experiments/registry.py. The engine does the rest: order, workers, keeping finished trials, progress, files.

    def plan(request: Request) -> Plan: ...                      # cheap; checks the options
    def run_trial(parameters: Parameters, data: Data) -> Values: ...   # pure: equal arguments, equal values
    def summarise(rows: Sequence[Row]) -> Report: ...            # of the finished trials; any subset must do
    EXPERIMENT = Experiment("recommendation", "Procedure recommendation", "…", plan, run_trial, summarise)

`run_trial` is called by its module's name in another process, so it must be reachable as EXPERIMENT.run_trial of that
module; heavy packages (torch, gensim, POT) are imported inside it. Every random draw comes from numbers among the
parameters ("seed"). One thread is given to it; seconds are measured around it by the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Scalar = str | int | float | bool | None
Value = Scalar | list[float] | list[str]
Parameters = Mapping[str, Scalar]
"""What defines one trial: names and plain values. Equal parameters are the same trial."""
Values = Mapping[str, Value]
"""What a trial measured. None where a value is not defined; never NaN. Lists (curves, coordinates) stay out of the
tidy trials.csv, but in the rows."""
Data = Mapping[str, bytes]
"""Inputs too large for parameters, by the SHA-256 of their content (`Plan.data`)."""

SIZES = ("tiny", "quick", "paper")
"""tiny: seconds, for tests. quick: under a minute on 2 cores. paper: the paper's size."""


@dataclass(frozen=True)
class Option:
    """An option of one experiment, on the command line as --name.

    Attributes:
        many: may be given several times; its value in `Request.options` is then a tuple of texts, else one text.
        page: "int" for a whole-number field on the Experiments page; "" for the command line only.
        low, high, default: of that field.
    """

    name: str
    metavar: str
    help: str
    many: bool = False
    page: str = ""
    low: int = 1
    high: int = 1000
    default: int | None = None


@dataclass(frozen=True)
class Request:
    """What was asked for: a size of SIZES, the first seed, and the options that were given, as texts."""

    size: str = "quick"
    seed: int = 0
    options: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """The value of an option that is given once."""
        value = self.options.get(name)
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """The values of an option that may be given several times."""
        value = self.options.get(name, ())
        return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True)
class Plan:
    """The trials of a request, and the inputs that they share.

    Attributes:
        trials: parameters of each trial; all plain values, so that they are the same on disk and on a cluster.
        data: inputs by the SHA-256 of their content; a trial names the one it needs among its parameters.
        notices: sentences to show before the run.
    """

    trials: tuple[Parameters, ...]
    data: Data = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """A finished trial: its parameters, what it measured, and the seconds it took."""

    parameters: Parameters
    values: Values
    seconds: float

    def __getitem__(self, name: str) -> Any:
        """A parameter or a value."""
        return self.parameters[name] if name in self.parameters else self.values[name]


@dataclass(frozen=True)
class Table:
    """A tidy table: every row maps column names to plain values; a missing or None cell is empty.

    Attributes:
        key: name of its CSV file.
        published: the columns that hold values as published, never measured here; shown apart from the others.
        percent: columns of fractions, to be shown in percent (the CSV keeps fractions).
        notes: sentences under the table.
    """

    key: str
    title: str
    rows: tuple[Mapping[str, Scalar], ...]
    published: frozenset[str] = frozenset()
    percent: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for row in self.rows for name in row))


@dataclass(frozen=True)
class Series:
    """One line, or one set of points, in a panel.

    Attributes:
        low, high: bounds of the 95% interval at each x, or empty.
        kind: "line", "points" (scatter), "mark" (a cross at single places), or "bar".
        role: picks the colour; series of equal role look alike in all panels.
        published: the values are as published: drawn hollow and dashed.
        labels: a name for each point, for its hover text, or empty.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    kind: str = "line"
    role: str = ""
    published: bool = False
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Heatmap:
    """A matrix with named rows and columns; z[row][column]."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Panel:
    """One pair of axes: series, or one heatmap."""

    title: str
    series: tuple[Series, ...] = ()
    heatmap: Heatmap | None = None


@dataclass(frozen=True)
class Figure:
    """Panels of equal axes, side by side.

    Attributes:
        key: name of its HTML file.
        alt: what it shows, in one or two sentences, for those who do not see it.
        log_x, log_y: logarithmic axes.
        percent: y values are fractions, shown in percent from 0 to 100.
        columns: panels in a row.
        own_y: every panel has a y range of its own.
    """

    key: str
    title: str
    alt: str
    x_title: str
    y_title: str
    panels: tuple[Panel, ...]
    log_x: bool = False
    log_y: bool = False
    percent: bool = False
    columns: int = 4
    own_y: bool = False


@dataclass(frozen=True)
class Report:
    """What is shown of an experiment: sentences (what was found, against what was published), tables, figures."""

    findings: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """One of the paper's figures or tables, to be measured again.

    Attributes:
        key: its name on the command line and in the URL.
        title, description: for people; the description says in one or two sentences what the paper shows there.
        plan: the trials of a request; raises InputError for an option that cannot be used.
        run_trial: see the module's text.
        summarise: the report of the rows that are finished; called while a run is under way too.
        options: what can be asked for beyond size and seed.
        alone: its trials measure time, so they run one after another.
    """

    key: str
    title: str
    description: str
    plan: Callable[[Request], Plan]
    run_trial: Callable[[Parameters, Data], Values]
    summarise: Callable[[Sequence[Row]], Report]
    options: tuple[Option, ...] = ()
    alone: bool = False
