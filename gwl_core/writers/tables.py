"""Results as CSV tables: UTF-8, comma-separated, one header row, full precision."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

from gwl_core.confidence import confidence
from gwl_core.matching import MatchedPair, matched_pairs, one_to_one, restricted
from gwl_core.result import Result, SparseResult
from gwl_core.symmetry import find_symmetry, tied_matches
from gwl_core.writers.sparse import sparse_pairs
from gwl_core.writers.strict_json import plain, strict_json

_FORMULA = re.compile(r"[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def matches_csv(result: Result | SparseResult) -> bytes:
    """The one-to-one matching: source, target, coupling, confidence (0–1), alternatives.

    Unmatched nodes have no row; run.json names them. Alternatives are "label (share of the source's mass)", best first,
    separated by "; ". A label that a spreadsheet would run as a formula (it starts with = + - @, a tab or a line break,
    and is not a plain number) gets a leading apostrophe.
    """
    source, target = result.problem.source.labels, result.problem.target.labels
    rows = (
        (
            safe_cell(source[pair.source]),
            safe_cell(target[pair.target]),
            repr(pair.coupling),
            repr(pair.confidence),
            safe_cell("; ".join(f"{target[j]} ({share:.3f})" for j, share in pair.alternatives)),
        )
        for pair in result_pairs(result)
    )
    return csv_table(("source", "target", "coupling", "confidence", "alternatives"), rows)


def history_csv(result: Result | SparseResult) -> bytes:
    """One row per recorded step; the columns are every key that occurs, empty where a value is not defined."""
    columns = list(dict.fromkeys(key for row in result.history for key in row))
    rows = ([_cell(row.get(key)) for key in columns] for row in result.history)
    return csv_table(columns, rows)


def result_pairs(result: Result | SparseResult) -> list[MatchedPair]:
    """The one-to-one matching of a result with confidence, ties and alternatives."""
    if isinstance(result, SparseResult):
        return sparse_pairs(result)
    problem = result.problem
    blocks = restricted(result.coupling, result.slack_rows, result.slack_columns, problem.pins)
    matching = one_to_one(*blocks)
    tied = tied_matches(matching, find_symmetry(problem.source), find_symmetry(problem.target))
    sure = confidence(problem, matching, result.coupling)
    return matched_pairs(result.coupling, matching, sure, result.slack_columns, tied)


def safe_cell(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula."""
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _cell(value: Any) -> str:
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, str):
        return safe_cell(value)
    return repr(value) if isinstance(value, int | float) else strict_json(value)


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A header row and rows of cells that are safe already (see `safe_cell`), as UTF-8 with line feeds."""
    text = io.StringIO()
    plain_writer = csv.writer(text, lineterminator="\n")
    # A lone carriage return ends a line for readers, but is quoted only where it ends one for the writer.
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (columns, *rows):
        (quoting if any("\r" in cell for cell in row) else plain_writer).writerow(row)
    return text.getvalue().encode("utf-8")
