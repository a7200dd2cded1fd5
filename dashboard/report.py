"""A run as one HTML file that opens without a server: settings, figures, pairs, versions, how to repeat it. Pure."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from dashboard import origin, text
from dashboard.figures.common import Figure
from dashboard.figures.html import figure_parts
from dashboard.session import UPLOAD, Session, to_query
from dashboard.snapshot import Pairs, Snapshot
from dashboard.text import report as words
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETERS

MAX_PAIRS = 5000
_STYLE = (
    "body{font-family:sans-serif;max-width:70rem;margin:1.5rem auto;padding:0 1rem;color:#1c2329;line-height:1.45}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;font-size:.85rem}"
    "td,th{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #d9dee3;vertical-align:top}"
    "@media(max-width:40rem){body{padding:0 .6rem}td,th{padding-right:.4rem}"
    "td:not(:first-child){overflow-wrap:anywhere}}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}code,pre{background:#f4f6f8;padding:.1rem .3rem}"
    "pre{padding:.6rem;overflow:auto}.wide{overflow:auto;max-height:40rem}"
)


def report_html(
    problem: MatchingProblem,
    session: Session,
    snapshot: Snapshot,
    record: Mapping[str, Any],
    figures: Sequence[tuple[Figure, str]],
) -> str:
    """The page. Every label is escaped, and nothing in it is fetched from elsewhere.

    Args:
        record: run.json of the state shown.
        figures: (figure, what it shows in words).
    """
    title = f"{problem.source.name} · {problem.target.name}"
    parts = [
        f"<h1>{_said(title)}</h1><p>{_said(snapshot.status.message)}</p>",
        _section(words.RESULT, _measures(snapshot)),
        _section(words.GRAPHS, _graphs(record)),
        _section(words.FIGURES, "\n".join(figure_parts(figures))),
        _section(words.PAIRS, _pairs(problem, snapshot.pairs)),
        _section(words.SETTINGS, _settings(record)),
        _section(words.VERSIONS, _table((), record["versions"].items())),
        _section(words.REPEAT, _repeat(session, record)),
    ]
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{_said(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )  # fmt: skip


def _section(title: str, content: str) -> str:
    return f"<h2>{_said(title)}</h2>\n{content}"


def _measures(snapshot: Snapshot) -> str:
    rows = [
        (label, text.measure(name, snapshot.measures))
        for name, (label, _) in text.METRICS.items()
        if text.measure(name, snapshot.measures) != text.NOT_YET
    ]
    return _table((), [(words.STEP, f"{snapshot.shown} of {snapshot.last}"), *rows])


def _graphs(record: Mapping[str, Any]) -> str:
    rows = [
        (side, g["name"], g["nodes"], g["edges"], "yes" if g["directed"] else "no", g["sha256"][:16])
        for side, g in (("source", record["source"]), ("target", record["target"]))
    ]
    return _table(words.GRAPH_COLUMNS, rows)


def _pairs(problem: MatchingProblem, pairs: Pairs | None) -> str:
    if pairs is None:
        return f"<p>{_said(words.NO_PAIRS)}</p>"
    columns = pairs.source[:MAX_PAIRS], pairs.target, pairs.confidence, pairs.coupling, pairs.tied
    rows = [
        (problem.source.labels[i], problem.target.labels[j], f"{100 * sure:.1f} %", f"{mass:.4g}", "tied" if t else "")
        for i, j, sure, mass, t in zip(*columns, strict=False)
    ]
    more = len(pairs.source) - len(rows)
    note = f"<p>{_said(words.MORE.format(more=more))}</p>" if more > 0 else ""
    return f'<div class="wide">{_table(words.PAIR_COLUMNS, rows)}</div>{note}'


def _settings(record: Mapping[str, Any]) -> str:
    known = {**record["config"], **record["hyperparameters"]}
    rows = [
        (p.name, text.PARAMETERS[p.name].label, "auto" if known[p.name] is None else known[p.name])
        for p in PARAMETERS
    ]  # fmt: skip
    return _table(words.SETTING_COLUMNS, [("preset", "Preset", record["preset"]), *rows])


def _repeat(session: Session, record: Mapping[str, Any]) -> str:
    query = {name: value for name, value in to_query(session).items() if name != "selected"}
    link = "?" + "&".join(f"{name}={value}" for name, value in query.items())
    sentences = [
        words.FROM_FILES if session.data.pair == UPLOAD else words.FROM_LINK,
        words.SEED.format(seed=record["seed"]),
    ]
    if unsaid := origin.unsaid(session.data):
        sentences.append(words.OTHERWISE.format(names=", ".join(unsaid)))
    if session.pins:
        sentences.append(words.PINNED.format(count=len(session.pins)))
    return f"<p>{_said(' '.join(sentences))}</p><pre>{_said(link)}</pre><pre>{_said(command(session))}</pre>"


def command(session: Session) -> str:
    """The command line that aligns the same graphs with the same settings."""
    data, lines = session.data, []
    files = f"--pair {data.pair}"
    if data.pair == UPLOAD:
        made = session.uploaded
        files = origin.arguments(
            data, made is not None and made.truth is not None, made is not None and made.anchors is not None
        )
    if data.generated:
        size = f"--nodes {data.nodes} --noise {data.noise:g} --seed {data.graph_seed}"
        lines.append(f"python -m gwl_core generate {data.pair} {size} --out graphs")
        files = "graphs/source.csv graphs/target.csv --truth graphs/truth.csv"
    named = [p.name for p in PARAMETERS if p.name in session.changes or p.name == "seed"]
    flags = [f"--preset {session.preset}", *(_flag(name, session.value(name)) for name in named)]
    return "\n".join([*lines, " ".join(["python -m gwl_core align", files, *flags])])


def _flag(name: str, value: Any) -> str:
    words = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{words}" if value else f"--no-{words}"
    return f"--{words} {'auto' if value is None else value}"


def _table(columns: Sequence[str], rows: Any) -> str:
    head = "".join(f"<th>{_said(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_said(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{f'<tr>{head}</tr>' if head else ''}{body}</table>"


def _said(value: object) -> str:
    return html.escape(str(value))
