"""Original programs as child processes: a fake one, written by the test, that behaves or misbehaves."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gwl_core import comparison
from gwl_core.baselines import align, child_program
from gwl_core.baselines.external import VARIABLE, configured
from gwl_core.baselines.program_files import edge_list, leda, read_pairs
from gwl_core.baselines.protocol import Baseline
from gwl_core.baselines.topology import topology
from gwl_core.comparison import MethodRun, run_method
from gwl_core.errors import MethodError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.readers import read_graph

PATH = Graph.from_edges([("x", "y", 1.0), ("y", "z", 1.0), ("z", "w", 1.0)])
LONGER = Graph.from_edges([("p", "q", 1.0), ("q", "r", 1.0), ("r", "s", 1.0), ("s", "t", 1.0)])
PAIR = MatchingProblem(PATH, LONGER)

READS = """
source, target = (sorted({w for line in open(path) for w in line.split()}) for path in sys.argv[1:3])
"""

Make = Callable[..., Baseline]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A program of a few lines of Python, set up as the operator would."""

    def program(body: str, output: str = "*.alignment", **more: object) -> Baseline:
        path = tmp_path / "aligner"
        path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        lines = [f'program = "{path}"', 'arguments = ["{source}", "{target}"]', f'output = "{output}"']
        lines += [f"{key} = {value}" for key, value in more.items()]
        settings = tmp_path / "aligners.toml"
        settings.write_text("[netal]\n" + "\n".join(lines), encoding="utf-8")
        found, wrong = configured({VARIABLE: str(settings)})
        assert not wrong
        return found["netal-original"]

    return program


def row(baseline: Baseline, monkeypatch: pytest.MonkeyPatch, **more: object) -> MethodRun:
    """As a comparison runs it."""
    monkeypatch.setattr(comparison, "BASELINES", {**comparison.BASELINES, baseline.key: baseline})
    return run_method(PAIR, baseline.key, **more)  # type: ignore[arg-type]


def failure(baseline: Baseline, monkeypatch: pytest.MonkeyPatch) -> str:
    """The sentence of a row that failed."""
    ended = row(baseline, monkeypatch)
    assert (ended.status, ended.matching) == ("failed", None)
    assert "\n" not in ended.message
    assert ended.message.endswith(".")
    return ended.message


@pytest.mark.parametrize(
    ("write", "output"),
    [
        ("print(*(f'{a} -> {b}' for a, b in zip(source, target)), sep='\\n')", "-"),
        ("open('a.alignment', 'w').writelines(f'{a}\\t{b}\\n' for a, b in zip(source, target))", "*.alignment"),
        ("print('# pairs', '', *(f'{b} {a}' for a, b in zip(source, target)), sep='\\n')", "-"),
    ],
)
def test_its_pairs_are_read_back(make: Make, monkeypatch: pytest.MonkeyPatch, write: str, output: str) -> None:
    ended = row(make(READS + write, output), monkeypatch)
    assert (ended.status, ended.message) == ("done", "Done.")
    assert ended.matching is not None
    assert ended.matching.tolist() == [0, 1, 2, 3]
    assert ended.card is not None
    assert ended.card.edge_correctness == 1


def test_the_smaller_graph_is_its_source_and_no_label_reaches_it(make: Make) -> None:
    body = READS + "assert (source, len(target)) == (['a0', 'a1', 'a2', 'a3'], 5)\n"
    body += "assert 'SECRET' not in os.environ\nprint('a0 b4\\na3 b0')"
    os.environ["SECRET"] = "x"  # noqa: S105
    try:
        turned = align(make(body, "-"), MatchingProblem(LONGER, PATH)).matching
    finally:
        del os.environ["SECRET"]
    assert turned.tolist() == [3, -1, -1, -1, 0]


def test_a_wrong_exit_status_is_told_with_its_last_words(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    said = failure(make("print('a0 b0')\nsys.exit('too few nodes')", "-"), monkeypatch)
    assert said == "The original NETAL ended with status 1: too few nodes."
    said = failure(make("os.kill(os.getpid(), 9)", "-"), monkeypatch)
    assert "ended with status -9." in said


def test_one_that_hangs_is_ended_at_its_timeout_with_its_children(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    body = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\nif not os.fork(): time.sleep(600)\n"
    body += "time.sleep(600)"
    said = failure(make(body, "-", timeout=6), monkeypatch)
    assert said == "The original NETAL took longer than 6 s and was ended; raise its timeout in the settings."
    group = int((tmp_path / "pid").read_text())
    wait_until_gone(group)


def wait_until_gone(group: int) -> None:
    """A process group with nobody but the dead in it."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        ps = ["ps", "-eo", "pgid=,stat="]
        listed = subprocess.run(ps, capture_output=True, text=True, check=True).stdout
        if not any(int(line.split()[0]) == group and "Z" not in line.split()[1] for line in listed.splitlines()):
            return
        time.sleep(0.1)
    raise AssertionError(f"process group {group} lives on")


def test_stop_and_cap_end_it(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    body = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    ended = row(make(body, "-"), monkeypatch, should_stop=(tmp_path / "pid").exists)
    assert ended.status == "stopped"
    wait_until_gone(int((tmp_path / "pid").read_text()))
    ended = row(make("time.sleep(600)", "-"), monkeypatch, cap=0.5)
    assert ended.status == "cut short"
    assert ended.seconds < 10


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("a0 b0\\nEC = 0.9 of all edges", "line 2 of its output is no pair of nodes; check its settings."),
        ("a0 -> b0\\na1 -> b77", "line 2 of its output names a node that is in neither graph; check its settings."),
        ("x y", "line 1 of its output names a node that is in neither graph; check its settings."),
        ("a0 b0\\na1 b0", "line 2 of its output matches a node a second time; check its settings."),
        ("", "its output holds no pairs; check its settings."),
        ("\\xff\\xfe\\x00", "line 1 of its output is no pair of nodes; check its settings."),
    ],
)
def test_output_that_cannot_be_used(make: Make, monkeypatch: pytest.MonkeyPatch, printed: str, sentence: str) -> None:
    said = failure(make(f"sys.stdout.buffer.write(b'{printed}')", "-"), monkeypatch)
    assert said == f"The original NETAL: {sentence}"


def test_no_output_file_and_no_program(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    baseline = make("print('a0 b0')")
    assert "left no file *.alignment in its folder" in failure(baseline, monkeypatch)
    (tmp_path / "aligner").unlink()
    assert "cannot be started (No such file or directory)" in failure(baseline, monkeypatch)


def test_too_large_is_refused_before_it_starts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = row(make("", "-", largest=4), monkeypatch)
    assert ended.status == "refused"
    assert "too large for this method: its limit is 4 nodes" in ended.message


def test_graphs_are_written_as_other_readers_read_them(tmp_path: Path) -> None:
    seen = topology(PATH)
    for text, name in ((edge_list(seen, "a"), "g.txt"), (leda(seen, "a"), "g.gw")):
        (tmp_path / name).write_text(text)
        graph = read_graph(tmp_path / name, name=name).graph
        order = [graph.index[f"a{u}"] for u in range(4)]
        assert np.array_equal(graph.adjacency[order][:, order].toarray(), PATH.adjacency.toarray())


def test_pairs_of_either_form() -> None:
    assert read_pairs("T", "a1->b0\nb2,a0\n", 3, 3).tolist() == [2, 0, -1]
    with pytest.raises(MethodError, match="neither graph"):
        read_pairs("T", "a٣ b0", 5, 5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[netal", "is not TOML"),
        ("[word2vec]\nprogram='x'", "[word2vec] is no known program; the tables are magna++, hubalign, netal, graal."),
        ("[netal]\nprogram='x'\narguments=['{source}','{target}']", "[netal] lacks output; give it."),
        ("[netal]\nprogram='x'\narguments=['{source}']\noutput='-'", "arguments must name {source} and {target}."),
        ("[netal]\nprogram='x'\narguments=['{source}{target}']\noutput='../x'", "output must be a file name"),
        ("[netal]\nprogram='x'\narguments=['{source}{target}']\noutput='-'\ninput='xml'", "input must be one of edges"),
        ("[netal]\nprogram='x'\narguments=['{source}{target}']\noutput='-'\ntimeout=-1", "timeout must be seconds"),
        ("[netal]\nprogram='x'\nshell=true", "[netal] shell cannot be used; a table has program, arguments"),
    ],
)
def test_settings_that_cannot_be_used_are_told_and_disturb_nothing(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "aligners.toml"
    path.write_text(text + "\n", encoding="utf-8")
    found, wrong = configured({VARIABLE: str(path)})
    assert found == {}
    assert len(wrong) == 1
    assert sentence in wrong[0]


def test_none_is_listed_unless_set_up_and_the_command_says_what_is_wrong(make: Make, tmp_path: Path) -> None:
    assert configured({}) == ({}, ())
    make("")
    settings = tmp_path / "aligners.toml"
    settings.write_text(settings.read_text() + "\n[other]\n", encoding="utf-8")
    command = [sys.executable, "-m", "gwl_core", "methods"]
    listed = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, VARIABLE: str(settings)}
    )
    assert "netal-original" in listed.stdout
    assert listed.stderr.count("[other] is no known program") == 1
    missing = configured({VARIABLE: str(tmp_path / "absent.toml")})[1]
    assert "cannot be read (No such file or directory)" in missing[0]


def test_a_program_of_many_threads_has_its_time_on_every_core(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """The CPU time of a process is that of all its threads: bounded by the timeout alone, it would end too early."""
    monkeypatch.setattr(child_program, "cores", lambda: 4)
    body = "time.sleep(0.5)\nimport resource\nsys.exit(f'{resource.getrlimit(resource.RLIMIT_CPU)}')"
    said = row(make(body, timeout=6), monkeypatch).message
    assert f"({(6 + 2) * 4}, {(6 + 2) * 4})" in said
