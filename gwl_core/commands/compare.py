"""`compare`: run several methods on one pair, measure them alike, and see where they agree."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from gwl_core.agreement import Agreement, agreement, consensus, known_share
from gwl_core.baselines import Progress
from gwl_core.commands.problems import add_graphs, read_problem
from gwl_core.comparison import MethodRun, check_methods, compare, method_keys
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem
from gwl_core.scorecard import Scorecard, scorecard
from gwl_core.settings import PARAMETER, Parameter
from gwl_core.writers.record import describe
from gwl_core.writers.strict_json import strict_json

_CAP = Parameter("cap", "float", live=False, low=0.01, high=1e7)
_COLUMNS = (
    "method", "status", "NC", "sym.", "EC", "ICS", "S3", "LCCS", "MNC", "H@1", "H@5", "H@10", "MRR", "seconds", "MB",
)  # fmt: skip


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The parser of this command."""
    parser = commands.add_parser("compare", help="run several methods on one pair", allow_abbrev=False)
    parser.set_defaults(command=run)
    add_graphs(parser)
    parser.add_argument("--methods", metavar="A,B,…", required=True, help=", ".join(method_keys()))
    parser.add_argument("--seed", metavar="S", default=0)
    parser.add_argument("--cap", metavar="SECONDS", help="end a method after so long, with the best it had")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(arguments: argparse.Namespace) -> None:
    """Compare and print."""
    keys = check_methods([key.strip() for key in arguments.methods.split(",") if key.strip()])
    seed = PARAMETER["seed"].check(arguments.seed)
    cap = None if arguments.cap is None else _CAP.check(arguments.cap)
    if arguments.anchors is not None:
        raise InputError("compare takes no --anchors: most methods cannot use them, and a comparison must be fair.")
    problem, notices = read_problem(arguments)
    for notice in notices:
        print("notice:", notice, file=sys.stderr)
    rows = compare(problem, keys, seed, cap, _progress(), _ended)
    agreed, pairs = _agreement(problem, rows)
    if arguments.json:
        told = {
            "source": describe(problem.source), "target": describe(problem.target), "seed": seed, "cap": cap,
            "truth_pairs": 0 if problem.truth is None else len(problem.truth),
            "methods": [_row(row) for row in rows], "agreement": pairs, "notices": notices,
        }  # fmt: skip
        print(strict_json(told, ascii_only=True))
        return
    _print_table(rows)
    if agreed is not None and pairs is not None:
        _print_agreement(agreed, pairs)


def _progress() -> Callable[[str, Progress], None]:
    """A callback that reports on standard error, at most once a second."""
    last = time.monotonic()

    def show(key: str, progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= 1:
            last = time.monotonic()
            print(f"{key}: {progress.share:.0%}, {progress.text}", file=sys.stderr, flush=True)

    return show


def _ended(row: MethodRun) -> None:
    print(f"{row.key}: {row.status} after {row.seconds:.1f} s. {row.message}", file=sys.stderr, flush=True)
    for notice in row.notices:
        print(f"{row.key}: notice: {notice}", file=sys.stderr, flush=True)


def _row(row: MethodRun) -> dict[str, Any]:
    return {
        "method": row.key, "title": row.title, "status": row.status, "message": row.message, "seconds": row.seconds,
        "memory_bytes": row.memory, **({} if row.card is None else _card(row.card)),
        "orders": [_card(card) for card in row.orders], "notices": row.notices,
    }  # fmt: skip


def _card(card: Scorecard) -> dict[str, Any]:
    told = asdict(card)
    hits = told.pop("hits")
    correctness = told.pop("correctness")
    return {
        "node_correctness": None if card.correctness is None else {"share": card.correctness.share, **correctness},
        **told,
        "hits": None if hits is None else dict(zip(("1", "5", "10"), hits, strict=True)),
    }


def _agreement(problem: MatchingProblem, rows: tuple[MethodRun, ...]) -> tuple[Agreement | None, dict[str, Any] | None]:
    """Where the methods with a matching agree; None for fewer than two of them."""
    found = {row.key: row.matching for row in rows if row.matching is not None}
    if len(found) < 2:
        return None, None
    agreed = agreement(found)
    matching = consensus(agreed, problem.source.n_nodes)
    card = scorecard(problem, matching)
    by_votes = [
        {"methods": k, "pairs": int(count), "right": known_share(agreed.pairs[agreed.votes == k], problem.truth)}
        for k, count in enumerate(agreed.counts, start=1)
    ]
    only = {
        key: {"pairs": len(agreed.only(key)), "right": known_share(agreed.only(key), problem.truth)} for key in found
    }
    labels = [[problem.source.labels[i], problem.target.labels[j]] for i, j in enumerate(matching.tolist()) if j >= 0]
    told = {"methods": list(found), "by_votes": by_votes, "only": only}
    told["consensus"] = {
        "least": len(found) // 2 + 1, "pairs": labels, **_card(card),
        "right": known_share(agreed.by_at_least(len(found) // 2 + 1), problem.truth),
    }  # fmt: skip
    return agreed, told


def _print_table(rows: tuple[MethodRun, ...]) -> None:
    cells = [_COLUMNS, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(_COLUMNS))]
    for line in cells:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)).rstrip())
    known = next((row.card.correctness for row in rows if row.card and row.card.correctness), None)
    if known is not None:
        print(f"NC: share of the {known.known} known pairs (of {known.sources} source nodes), one-to-one.")


def _cells(row: MethodRun) -> tuple[str, ...]:
    memory = "-" if row.memory is None else f"{row.memory / 1e6:.0f}"
    if row.card is None:
        return (row.key, row.status, *"-" * 11, f"{row.seconds:.1f}", memory)
    card = row.card
    correct = None if card.correctness is None else card.correctness.share
    first, rest = (correct, card.symmetry_aware, card.edge_correctness, card.ics, card.s3), card.hits or (None,) * 3
    return (
        row.key, row.status, *map(_share, first), f"{card.lccs_nodes}/{card.lccs_edges}", _share(card.mnc),
        *map(_share, rest), _share(card.mrr), f"{row.seconds:.1f}", memory,
    )  # fmt: skip


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _print_agreement(agreed: Agreement, told: dict[str, Any]) -> None:
    for entry in told["by_votes"]:
        print(f"found by {entry['methods']} of {len(agreed.methods)}: {entry['pairs']} pairs{_right(entry['right'])}")
    for key, entry in told["only"].items():
        print(f"only by {key}: {entry['pairs']} pairs{_right(entry['right'])}")
    best = told["consensus"]
    print(f"consensus of at least {best['least']}: {len(best['pairs'])} pairs{_right(best['right'])}")


def _right(share: float | None) -> str:
    return "" if share is None else f", {share:.1%} of the known ones right"
