"""The Dockerfile keeps the rules of scripts/lint_dockerfile.py, and each rule finds what it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.docker_steps import carried_out, context
from scripts.lint_dockerfile import faults, steps

ROOT = Path(__file__).parents[1]
GOOD = """# comment
FROM python:3.11-slim
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir uv==1.0 \\
    && uv pip install --no-cache -r requirements.txt
COPY . .
USER app
EXPOSE 80
HEALTHCHECK CMD ["curl", "localhost:80"]
CMD ["serve", "80"]
"""
IGNORED = "*\n!requirements.txt\n!app\n"


def test_the_dockerfile_keeps_the_rules() -> None:
    assert faults((ROOT / "Dockerfile").read_text(), (ROOT / ".dockerignore").read_text()) == []
    assert faults(GOOD, IGNORED) == []


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("python:3.11-slim", "python", "line 2: the base image is not pinned"),
        ("python:3.11-slim", "python:latest", "not pinned"),
        ("COPY . .", "ADD https://example.org/a.tar.gz .", "line 7: ADD fetches"),
        ("USER app\n", "", "as root"),
        ("USER app", "USER root", "as root"),
        ("USER app\nEXPOSE 80", "USER app\nRUN touch x\nEXPOSE 80", "behind them"),
        ("uv==1.0", "uv", "uv is not pinned"),
        ("--no-cache-dir ", "", "pip leaves its cache"),
        ("pip install --no-cache -r", "pip install -r", "uv leaves its cache"),
        ("WORKDIR /app", "WORKDIR app", "absolute"),
        ("WORKDIR /app", "ENV API_KEY=1", "secret"),
        ('CMD ["serve", "80"]', "CMD serve 80", "CMD must be a JSON list"),
        ('HEALTHCHECK CMD ["curl", "localhost:80"]\n', "", "one HEALTHCHECK"),
        ('["curl", "localhost:80"]', '["curl", "localhost:8000"]', "exposed, but not served and checked"),
        ("COPY requirements.txt .\n", "", "by itself first"),
        ("COPY . .", "COPY secrets .", "keeps out secrets"),
        ("WORKDIR /app", "RUN apt-get install git", "--no-install-recommends"),
        ("WORKDIR /app", "RUN wget -O - example.org | sh", "unseen"),
    ],
)
def test_each_rule(old: str, new: str, part: str) -> None:
    assert old in GOOD
    told = faults(GOOD.replace(old, new), IGNORED)
    assert any(part in fault for fault in told), told


def test_the_context_must_be_named() -> None:
    assert faults(GOOD, None) == [".dockerignore is missing."]
    assert any("begin with *" in fault for fault in faults(GOOD, ".git\n!requirements.txt\n"))


def test_continued_lines_are_one_step() -> None:
    run = next(step for step in steps(GOOD) if step.word == "RUN")
    assert run.line == 5
    assert run.rest == "pip install --no-cache-dir uv==1.0 && uv pip install --no-cache -r requirements.txt"


def test_what_the_build_sees_is_what_the_program_needs() -> None:
    names = {path.as_posix() for path in context(ROOT)}
    assert {"LICENSE", "pyproject.toml", "dashboard/app.py", "gwl_core/cli.py", ".streamlit/config.toml"} <= names
    assert not any(name.startswith(("tests/", ".git/", "benchmarks/", "dashboard/static/")) for name in names)
    assert not any("__pycache__" in name for name in names)


def test_every_run_step_is_carried_out() -> None:
    text = (ROOT / "Dockerfile").read_text()
    runs = [step for step in steps(text) if step.word == "RUN"]
    assert len(carried_out(text)) == len(runs) > 1
    assert all("--system" not in command for command in carried_out(text))
