"""The shape of the code: who may import whom, what an import costs, and how long a file may be."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

HEAVY = {"torch", "streamlit", "plotly"}
ROOT = Path(__file__).parents[1]
MODULES = sorted(path for package in ("gwl_core", "dashboard") for path in (ROOT / package).rglob("*.py"))


def loaded_by(code: str) -> set[str]:
    """Which of the heavy packages a fresh interpreter has loaded after running the code."""
    report = f"\nimport json, sys\nprint(json.dumps([name for name in {sorted(HEAVY)} if name in sys.modules]))"
    run = subprocess.run([sys.executable, "-c", code + report], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_the_probe_sees_what_is_loaded() -> None:
    assert loaded_by("import plotly") == {"plotly"}


def test_importing_the_core_loads_nothing_heavy() -> None:
    assert loaded_by("import gwl_core") == set()


def test_the_first_paint_does_not_wait_for_torch() -> None:
    code = """
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("dashboard/app.py", default_timeout=60).run()
assert not app.exception, app.exception
"""
    assert "torch" not in loaded_by(code)


def test_import_rules(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
