"""The HTML report: the numbers of the page, every label escaped, nothing from elsewhere."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace

import numpy as np

from dashboard import drawing, text
from dashboard.origin import Origin
from dashboard.report import command, report_html
from dashboard.session import DataChoice, Session, with_parameter
from dashboard.snapshot import Merger, Snapshot
from dashboard.text import report as words
from dashboard.views import history_rows, pair_arrays, rest_view
from gwl_core.cli import _parser as parser
from gwl_core.datasets.synthetic import knn
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS
from gwl_core.trajectory import Trajectory
from gwl_core.writers import run_json

EVIL = "<script>alert(1)</script>"


def made() -> tuple[MatchingProblem, Snapshot, dict]:
    base = knn(10, 0.2, np.random.default_rng(1))
    labels = (EVIL, *base.source.labels[1:])
    source = Graph(labels, base.source.weights, base.source.directed, "a </title><b>")
    problem = MatchingProblem(source, base.target, base.truth)
    preset = PRESETS["gwd"]
    run = Trajectory(problem, preset.config, replace(preset.hyperparameters, inner=10))
    while not run.done:
        run.advance()
    view = rest_view(run, run.state.step, "gwd", None)
    snapshot = replace(
        Merger().snapshot, last=view.step, shown=view.step, coupling=view.coupling, matching=view.matching,
        confidence=view.confidence, measures=view.measures, history=history_rows(run.infos), status=run.status,
    )  # fmt: skip
    arrays = {name.removeprefix("pairs."): value for name, value in pair_arrays(view.pairs).items()}
    from dashboard.snapshot import Pairs

    assert view.result is not None
    return problem, replace(snapshot, pairs=Pairs(**arrays)), json.loads(run_json(view.result))


def test_the_report_tells_all_and_fetches_nothing() -> None:
    problem, snapshot, record = made()
    session = Session(DataChoice("upload", upload="x"), preset="gwd", uploaded=problem)
    charts = [(drawing.curves(snapshot), EVIL), (drawing.graphs(problem, snapshot, None), "graphs")]
    page = report_html(problem, session, snapshot, record, charts)
    for name in ("gw_discrepancy", "edge_correctness", "unmatched"):
        assert f"<td>{text.measure(name, snapshot.measures)}</td>" in page
    assert snapshot.pairs is not None
    assert page.count('<div class="wide">') == 1
    assert EVIL not in page
    assert "<b>" not in page.split("<h2>")[0]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    outside = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"(src|href)\s*=", outside)
    assert re.findall(r"<script[^>]*src", page) == []
    assert record["versions"]["torch"] in page
    assert page.count("Plotly.newPlot(") >= 2


def test_the_command_is_one_that_the_command_line_takes() -> None:
    session = with_parameter(with_parameter(Session(DataChoice("geant")), "warm_start", False), "gamma", 0.25)
    words = shlex.split(command(session))
    assert words[:3] == ["python", "-m", "gwl_core"]
    taken = parser().parse_args(words[3:])
    assert (taken.pair, taken.preset, taken.warm_start, str(taken.gamma)) == ("geant", "default", False, "0.25")
    generated = command(Session(DataChoice("knn", nodes=40, noise=0.2, graph_seed=3))).splitlines()
    assert [shlex.split(line)[3] for line in generated] == ["generate", "align"]
    for line in generated:
        parser().parse_args(shlex.split(line)[3:])


def own(**more: object) -> Session:
    """A session of files with names that a shell would take apart."""
    truth = np.array([[0, 0]])
    problem = replace(knn(6, 0.0, np.random.default_rng(1)), truth=truth)
    given = {"source": "my net.csv", "target": "-b.csv", "truth": "known;pairs.csv", "source_nodes": "n.csv", **more}
    return Session(DataChoice("upload", upload="x", origin=Origin(given)), uploaded=problem)


def test_the_command_names_the_users_files_and_how_they_were_read() -> None:
    line = command(own(direction="directed", largest_component=True, convert_ids=["truth"]))
    taken = parser().parse_args(shlex.split(line)[3:])
    assert (taken.source, taken.target, taken.truth) == ("my net.csv", "./-b.csv", "known;pairs.csv")
    assert (taken.source_nodes, taken.direction, taken.largest_component) == ("n.csv", "directed", True)
    assert taken.convert_ids
    assert not taken.by_order


def test_without_the_names_the_command_says_what_belongs_there() -> None:
    session = replace(own(), data=DataChoice("upload", upload="x"))
    assert command(session).startswith("python -m gwl_core align SOURCE TARGET --truth TRUTH --preset")


def test_the_report_says_what_the_command_cannot() -> None:
    _, snapshot, record = made()
    session = own(direction={"source": "directed", "target": "file"})
    assert session.uploaded is not None
    page = report_html(session.uploaded, session, replace(snapshot, pairs=None), record, [])
    assert words.OTHERWISE.format(names="direction") in page
    assert "--direction" not in page
