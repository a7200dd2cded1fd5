"""The audit of the pinned packages: what it makes of a list's answer, and of none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts import audit

SOUND = {"name": "numpy", "version": "2.4.6", "vulns": []}
BAD = {
    "name": "jinja2", "version": "2.4.1",
    "vulns": [{"id": "PYSEC-2019-217", "aliases": ["CVE-2014-0012"], "fix_versions": ["2.7.2"]}],
}  # fmt: skip
UNKNOWN = {"name": "torch", "skip_reason": "not found"}


def answer(monkeypatch: pytest.MonkeyPatch, *packages: Any) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, stdout=json.dumps({"dependencies": packages}), stderr="")

    monkeypatch.setattr(subprocess, "run", run)


def test_a_vulnerability_fails_and_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, SOUND, BAD, UNKNOWN)
    assert audit.main(Path("requirements.txt")) == 1
    said = capsys.readouterr().out
    assert "jinja2 2.4.1: PYSEC-2019-217 is a known vulnerability; fixed in: 2.7.2." in said
    assert "2 packages were audited, vulnerabilities were found; 1 are not listed" in said


@pytest.mark.parametrize("name", ["PYSEC-2019-217", "CVE-2014-0012"])
def test_one_that_is_listed_with_a_reason_passes(name: str) -> None:
    verdict = audit.judged([SOUND, BAD], {name: "templates are never taken from users."})
    assert verdict.passed
    assert "jinja2 2.4.1: PYSEC-2019-217 does not apply: templates are never taken from users." in verdict.sentences


def test_a_listed_one_that_is_gone_is_told() -> None:
    verdict = audit.judged([SOUND], {"CVE-2014-0012": "of no matter."})
    assert verdict.passed
    assert any("CVE-2014-0012" in sentence and "remove it" in sentence for sentence in verdict.sentences)


@pytest.mark.parametrize("output", ["", "not JSON", '{"dependencies": [{"name": "torch", "skip_reason": "unknown"}]}'])
def test_without_an_answer_it_says_so_and_passes(
    output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1, output, ""))
    assert audit.main(Path("requirements.txt")) == 0
    assert capsys.readouterr().out.startswith("Nothing was audited")


def test_a_list_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def hang(command: list[str], timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", hang)
    assert audit.main(Path("requirements.txt")) == 0
    assert capsys.readouterr().out.startswith("Nothing was audited")


def test_it_reads_every_pin() -> None:
    """pip-audit is given the lock as it is; a line that it cannot read would end it without an answer."""
    pins = [line for line in Path("requirements.txt").read_text().splitlines() if line and line.strip()[0] != "#"]
    assert all("==" in line for line in pins)
    assert len(pins) > 40
