"""Rules for the Dockerfile: python scripts/lint_dockerfile.py. Prints what breaks them; exits 1 if anything does."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_SECRET = re.compile(r"password|passwd|secret|token|api_?key|credential", re.IGNORECASE)
_ROOT_USERS = {"root", "0"}


@dataclass(frozen=True)
class Step:
    """One instruction: the line where it begins, its word in capitals, and what follows, on one line."""

    line: int
    word: str
    rest: str

    @property
    def words(self) -> list[str]:
        """What follows, without options such as --chown."""
        return [part for part in self.rest.split() if not part.startswith("--")]


def steps(text: str) -> list[Step]:
    """The instructions of a Dockerfile, continued lines joined, comments left out."""
    found: list[Step] = []
    parts: list[str] = []
    start = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        start = start if parts else number
        parts.append(line.rstrip().removesuffix("\\").strip())
        if not line.rstrip().endswith("\\"):
            word, _, rest = " ".join(parts).partition(" ")
            found.append(Step(start, word.upper(), rest.strip()))
            parts = []
    return found


def faults(text: str, ignored: str | None) -> list[str]:
    """What breaks the rules.

    Args:
        text: the Dockerfile.
        ignored: the text of .dockerignore, or None where there is none.
    """
    found = steps(text)
    told = [f"line {step.line}: {fault}" for step in found for fault in _step_faults(step)]
    return [*told, *_order_faults(found), *_context_faults(found, ignored)]


def _step_faults(step: Step) -> Iterator[str]:
    """What is wrong with an instruction by itself."""
    if step.word == "FROM" and step.words[0] != "scratch":
        name = step.words[0].rsplit("/", 1)[-1]
        if "@sha256:" not in name and (":" not in name or name.endswith(":latest")):
            yield "the base image is not pinned to a version."
    if step.word == "ADD":
        yield "ADD fetches and unpacks; use COPY."
    if step.word == "WORKDIR" and not step.rest.startswith(("/", "$")):
        yield "WORKDIR must be absolute."
    if step.word == "MAINTAINER":
        yield "MAINTAINER is out of date; use LABEL."
    if step.word in ("ENV", "ARG") and _SECRET.search(step.rest):
        yield "a secret would stay in the image's history."
    if step.word in ("CMD", "ENTRYPOINT") and not _is_json(step.rest):
        yield f"{step.word} must be a JSON list, or signals do not reach the process."
    if step.word == "HEALTHCHECK" and "CMD" in step.rest and not _is_json(step.rest.split("CMD", 1)[1].strip()):
        yield "the health check's CMD must be a JSON list."
    if step.word == "RUN":
        yield from _run_faults(step.rest)


def _run_faults(command: str) -> Iterator[str]:
    for part in re.split(r"&&|\|\||;", command):
        words = part.split()
        if "sudo" in words:
            yield "sudo has no place in a build."
        if {"curl", "wget"} & set(words) and "|" in part:
            yield "a script from the network is run unseen."
        if "pip" in words and "install" in words:
            if "uv" not in words and "--no-cache-dir" not in words:
                yield "pip leaves its cache in the image; give --no-cache-dir."
            if "uv" in words and "--no-cache" not in words:
                yield "uv leaves its cache in the image; give --no-cache."
            loose = [
                word for word in words[words.index("install") + 1 :]
                if re.fullmatch(r"[A-Za-z][\w.\[\]-]*", word) and f"-r {word}" not in part
            ]  # fmt: skip
            if loose:
                yield f"{', '.join(loose)} is not pinned (name==version)."
        if words[:2] in (["apt-get", "install"], ["apt", "install"]):
            if not {"-y", "--yes"} & set(words):
                yield "apt-get install asks; give -y."
            if "--no-install-recommends" not in words:
                yield "apt-get installs more than named; give --no-install-recommends."
            if "rm -rf /var/lib/apt/lists" not in command:
                yield "the lists of packages stay in the image; remove /var/lib/apt/lists in the same step."
        if words[:2] == ["chmod", "777"] or "777" in words:
            yield "everybody may write; give narrower permissions."


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), list)
    except json.JSONDecodeError:
        return False


def _order_faults(found: list[Step]) -> Iterator[str]:
    """What is wrong with the instructions together."""
    last = {step.word: number for number, step in enumerate(found)}
    users = [step for step in found if step.word == "USER"]
    if not users or users[-1].rest.split(":")[0] in _ROOT_USERS:
        yield "the container would run as root; end with a USER that is not."
    elif last["USER"] < max(last.get("RUN", -1), last.get("COPY", -1)):
        yield "files are made after USER, so the user owns, and may change, the program; move USER behind them."
    for word in ("CMD", "HEALTHCHECK"):
        if sum(step.word == word for step in found) != 1:
            yield f"there must be one {word}."
    copies = [step for step in found if step.word == "COPY"]
    if copies and copies[0].words[0] in (".", "./"):
        yield "copy requirements.txt by itself first, or every change installs everything anew."
    for port in (step.rest for step in found if step.word == "EXPOSE"):
        served = [
            step for step in found if step.word in ("CMD", "HEALTHCHECK") and re.search(rf"\b{port}\b", step.rest)
        ]
        if len(served) < 2:
            yield f"port {port} is exposed, but not served and checked."


def _context_faults(found: list[Step], ignored: str | None) -> Iterator[str]:
    """What is wrong with what the build may see."""
    if ignored is None:
        yield ".dockerignore is missing."
        return
    rules = [line.strip() for line in ignored.splitlines() if line.strip() and line.strip()[0] != "#"]
    if not rules or rules[0] != "*":
        yield ".dockerignore must begin with *, so that only what is named gets into the image."
    allowed = {rule.removeprefix("!").rstrip("/") for rule in rules if rule.startswith("!")}
    if allowed & {".git", "tests", ".venv", ".env"}:
        yield ".dockerignore lets in what the image does not need."
    for step in found:
        if step.word == "COPY" and "--from" not in step.rest:
            missing = [name for name in step.words[:-1] if name.rstrip("/") not in {".", *allowed}]
            if missing:
                yield f"line {step.line}: .dockerignore keeps out {', '.join(missing)}."


def main() -> int:
    ignored = ROOT / ".dockerignore"
    told = faults((ROOT / "Dockerfile").read_text(), ignored.read_text() if ignored.is_file() else None)
    print("\n".join(f"Dockerfile, {fault}" for fault in told) or "The Dockerfile keeps the rules.")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
