"""`pairs`: list the built-in pairs."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from gwl_core.datasets.builtin import list_pairs
from gwl_core.writers.strict_json import strict_json


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The parser of this command."""
    parser = commands.add_parser("pairs", help="list the built-in pairs", allow_abbrev=False)
    parser.set_defaults(command=run)
    parser.add_argument("--json", action="store_true", help="print a JSON list and nothing else")


def run(arguments: argparse.Namespace) -> None:
    """Print the list."""
    infos = list_pairs()
    if arguments.json:
        print(strict_json([asdict(info) for info in infos], ascii_only=True))
        return
    rows = [("key", "source", "target", "known", "title (sizes: nodes/edges)")]
    for info in infos:
        sizes = f"{info.source_nodes}/{info.source_edges}", f"{info.target_nodes}/{info.target_edges}"
        rows.append((info.key, *sizes, str(info.known), info.title))
    width = max(len(row[0]) for row in rows)
    for key, source, target, known, title in rows:
        print(f"{key:<{width}}  {source:>10}  {target:>10}  {known:>5}  {title}")
