"""Look the pinned packages up in the public lists of advisories: python scripts/audit.py [REQUIREMENTS]

A known vulnerability fails, unless audit_allowed.toml beside this file names it with the reason why it does not apply.
Where no list of advisories can be reached, a sentence says that nothing was audited, and nothing fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SERVICES = ("pypi", "osv")
"""Lists that pip-audit knows, tried in turn until one knows a package."""
NOTHING = "Nothing was audited: no list of advisories could be reached that knows these versions."
_ANSWER_SECONDS, _WHOLE_SECONDS = 5, 90


@dataclass(frozen=True)
class Verdict:
    """Sentences for the reader, and whether the audit passes."""

    sentences: tuple[str, ...]
    passed: bool


def asked(requirements: Path, service: str) -> list[dict[str, Any]]:
    """What a list says of each package, as pip-audit gives it; empty where it gives no answer."""
    command = [
        sys.executable, "-m", "pip_audit", "--requirement", str(requirements), "--no-deps", "--disable-pip",
        "--vulnerability-service", service, "--timeout", str(_ANSWER_SECONDS), "--progress-spinner", "off",
        "--format", "json",
    ]  # fmt: skip
    try:
        # Exit status 1 is also what a found vulnerability gives: the output tells them apart.
        done = subprocess.run(command, capture_output=True, text=True, timeout=_WHOLE_SECONDS, check=False)
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return []
    return found


def judged(packages: list[dict[str, Any]], allowed: Mapping[str, str]) -> Verdict:
    """The verdict on a list's answer.

    Args:
        packages: name, version and vulns (id, aliases, fix_versions) of each, or name and skip_reason.
        allowed: advisories that do not apply → the reason.
    """
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        return Verdict((NOTHING,), True)
    sentences, used, passed = [], set[str](), True
    for package in known:
        for advisory in package["vulns"]:
            names = {advisory["id"], *advisory.get("aliases", ())}
            label = f"{package['name']} {package['version']}: {advisory['id']}"
            excused = names & set(allowed)
            if excused:
                used |= excused
                sentences.append(f"{label} does not apply: {allowed[min(excused)]}")
                continue
            passed = False
            remedy = ", ".join(advisory.get("fix_versions", ())) or "none yet"
            sentences.append(f"{label} is a known vulnerability; fixed in: {remedy}. Upgrade it: make lock.")
    sentences += [f"{name} in audit_allowed.toml is of no use any more; remove it." for name in set(allowed) - used]
    unknown = len(packages) - len(known)
    rest = f"; {unknown} are not listed in these versions and were not audited" if unknown else ""
    found = "no known vulnerability" if passed else "vulnerabilities were found"
    return Verdict((*sentences, f"{len(known)} packages were audited, {found}{rest}."), passed)


def main(requirements: Path) -> int:
    allowed = tomllib.loads((HERE / "audit_allowed.toml").read_text(encoding="utf-8"))
    packages: list[dict[str, Any]] = []
    for service in SERVICES:
        packages = asked(requirements, service)
        if any("skip_reason" not in package for package in packages):
            break
    verdict = judged(packages, allowed)
    print("\n".join(verdict.sentences))
    return 0 if verdict.passed else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "requirements.txt"))
