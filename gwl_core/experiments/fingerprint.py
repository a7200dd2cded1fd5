"""What a finished trial depends on: its parameters, and the code that ran it."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from gwl_core.experiments.protocol import Parameters
from gwl_core.writers.strict_json import plain, strict_json

_ROOT = Path(__file__).resolve().parents[2]
_FRAME = frozenset({"gwl_core.experiments.protocol", "gwl_core.experiments.registry", "gwl_core.errors"})
"""Modules that a trial names but whose text decides no number."""


def trial_key(experiment: str, parameters: Parameters, code: str) -> str:
    """A stable name of a trial: equal for equal experiment, parameters (in any order) and code."""
    text = strict_json([experiment, code, sorted(plain(parameters).items())], ascii_only=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:24]


@lru_cache(maxsize=64)
def code_version(module: str) -> str:
    """A hash of the module and of every module of this package that it imports, directly or not.

    Comments, docstrings and layout play no part: what does not change a number loses no finished trial.
    """
    digest = hashlib.sha256()
    for name, tree in sorted(_closure(module).items()):
        digest.update(f"{name}\n{ast.dump(_without_docstrings(tree))}\n".encode())
    return digest.hexdigest()[:16]


def _closure(module: str) -> dict[str, ast.Module]:
    """Module name → syntax tree."""
    found: dict[str, ast.Module] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if name in found or name in _FRAME or path is None:
            continue
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
        waiting += _imports(found[name])
    return found


def _file_of(module: str) -> Path | None:
    """The file of a module of this package, or None."""
    if module.split(".")[0] != "gwl_core":
        return None
    path = _ROOT.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            texts = [s for s in body if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)]
            node.body = [s for s in body if s not in texts] or [ast.Pass()]  # type: ignore[attr-defined]
    return tree
