"""Delimited text to rows of cells: separators, quotes, comments, line numbers."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from gwl_core.errors import InputError
from gwl_core.readers.header import find_roles, is_number
from gwl_core.readers.phrases import at, counted, line_list

BLANKS = " "
SEPARATORS = {"\t": "tab-separated", ";": "semicolon-separated", ",": "comma-separated", BLANKS: "space-separated"}

_SAMPLE = 60
_COVERED = 0.8
_QUOTED = re.compile(r'(?<![^\s,;])"([^"]*(?:""[^"]*)*)"')
# The attributes that networkx's write_edgelist puts after the two nodes.
_ATTRIBUTES = re.compile(r"[\s,;]\{(?:\s*|\s*['\"].*)\}\s*$")
_TOKEN = re.compile(r'"[^"]*(?:""[^"]*)*"|[^ \t]+')
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+$")
_END = "\x1e"


@dataclass(frozen=True, eq=False)
class Table:
    """Lines of text cut at one separator; records() may be walked more than once.

    comments collects the line numbers skipped as comments by the last walk.
    """

    name: str
    lines: list[str]
    separator: str
    comments: list[int] = field(default_factory=list)

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """(line number, cells) of every record; blank lines and lines that start with # or % are left out.

        Raises:
            InputError: for a quotation mark that is never closed, naming the line.
        """
        self.comments.clear()
        return self._blank_separated() if self.separator == BLANKS else self._quoted_csv()

    def _quoted_csv(self) -> Iterator[tuple[int, list[str]]]:
        feed = _Feed(self.lines, self.comments)
        reader = csv.reader(feed, delimiter=self.separator, skipinitialspace=True)
        while True:
            feed.between_records = True
            try:
                cells = next(reader)
            except csv.Error:
                raise InputError(
                    f"{at(self.name, feed.start)}: a cell is too long; close its quotation mark."
                ) from None
            if feed.ended:
                if cells != [_END]:
                    raise InputError(f"{at(self.name, feed.start)}: a quotation mark is opened and never closed.")
                return
            if any(cells):
                yield feed.start, cells

    def _blank_separated(self) -> Iterator[tuple[int, list[str]]]:
        for number, line in enumerate(self.lines, 1):
            first = line.lstrip()[:1]
            if first and first in "#%":
                self.comments.append(number)
            elif first:
                yield number, self._tokens(number, line) if '"' in line or "{" in line else line.split()

    def _tokens(self, number: int, line: str) -> list[str]:
        tail = _attributes(line)
        head = line[: tail.start()] if tail else line
        cells = [self._unquoted(cell, number) for cell in _TOKEN.findall(head)] if '"' in head else head.split()
        return [*cells, tail.group().strip()] if tail else cells

    def _unquoted(self, cell: str, number: int) -> str:
        if not cell.startswith('"'):
            return cell
        if len(cell) < 2 or not cell.endswith('"'):
            raise InputError(f"{at(self.name, number)}: a quotation mark is opened and never closed.")
        return cell[1:-1].replace('""', '"')

    def comment_notice(self) -> list[str]:
        """A sentence about the lines skipped as comments, if there were any."""
        skipped = counted(len(self.comments), "comment line")
        return [f"{skipped} starting with # or % skipped ({line_list(self.comments)})."] if self.comments else []


class _Feed:
    """Gives csv.reader one line at a time, so that comments are seen only between records and lines are counted.

    After the last line comes a sentinel: if it ends up inside a cell, a quotation mark was never closed.
    """

    def __init__(self, lines: list[str], comments: list[int]) -> None:
        self._lines = lines
        self._comments = comments
        self._next = 0
        self.start = 1
        self.between_records = True
        self.ended = False

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        while self._next < len(self._lines):
            line = self._lines[self._next]
            self._next += 1
            if self.between_records:
                first = line.lstrip()[:1]
                if not first:
                    continue
                if first in "#%":
                    self._comments.append(self._next)
                    continue
                self.between_records = False
                self.start = self._next
            return line + "\n"
        if self.ended:
            raise StopIteration
        self.ended = True
        return _END


@dataclass(frozen=True)
class _Fit:
    """How well one separator cuts the sample.

    covers: share of lines it cuts at all; consistent: share with the most usual number of cells, if that is 2 or more.
    """

    rows: list[list[str]]
    named: bool
    covers: float
    consistent: float


def rank_separators(lines: list[str]) -> list[str]:
    """The separators, likeliest first, by the first lines' content.

    A header that names source and target decides. Otherwise a tab, semicolon or comma that cuts nearly all lines, in
    this order (so 'A;B;1,5' is cut at ';'); otherwise the most even cut, and of none the most frequent. Spaces win over
    a tab or a comma that cuts nearly all lines only where lines mix both ('A B<tab>3') or the comma is a decimal one
    ('A B 1,5').
    """
    sample = _sample(lines)
    fits = {separator: _fit(sample, separator) for separator in SEPARATORS}
    blanks = fits[BLANKS]

    def rank(separator: str) -> tuple[bool, bool, float, float]:
        fit = fits[separator]
        doubtful = _ends_in_comma(fit.rows) if separator == BLANKS else _is_blanks_instead(separator, fit, blanks)
        covers = separator != BLANKS and fit.covers >= _COVERED and not doubtful
        return fit.named, covers, *((0.0, 0.0) if covers or doubtful else (fit.consistent, fit.covers))

    return sorted(SEPARATORS, key=rank, reverse=True)


def _sample(lines: list[str]) -> list[str]:
    data = (line for line in lines if line.strip() and line.lstrip()[0] not in "#%")
    text = "\n".join(islice(data, _SAMPLE))
    text = _QUOTED.sub(lambda match: re.sub(r"[\s,;]", "_", match[1]) or "_", text)
    tails = ((line, _attributes(line)) for line in text.split("\n"))
    return [(tail and line[: tail.start()].strip()) or line for line, tail in tails]


def _attributes(line: str) -> re.Match[str] | None:
    # The search alone would take quadratic time on a line of many open braces.
    return _ATTRIBUTES.search(line) if line.rstrip().endswith("}") else None


def _fit(sample: list[str], separator: str) -> _Fit:
    rows = [line.split(None if separator == BLANKS else separator) for line in sample]
    counts = [len(row) for row in rows]
    roles = find_roles(rows[0])
    usual = max(set(counts), key=counts.count)
    return _Fit(
        rows,
        named=roles is not None and roles.certain,
        covers=sum(count > 1 for count in counts) / len(counts),
        consistent=counts.count(usual) / len(counts) if usual > 1 else 0.0,
    )


def _is_blanks_instead(separator: str, fit: _Fit, blanks: _Fit) -> bool:
    """Whether blanks are the separator although this one is in many lines.

    So it is where the comma is a decimal one, tabs are doubled, or blanks cut more evenly into edges with a number.
    """
    thirds = [row[2] for row in blanks.rows if len(row) == 3]
    numbers = thirds[1:] or thirds  # the first may be a header
    if separator == ",":
        return len(thirds) >= len(blanks.rows) - 1 and bool(thirds) and all(map(_DECIMAL_COMMA.match, numbers))
    if separator != "\t":
        return False
    if 2 * sum(len(row) > 2 and not row[1].strip() for row in fit.rows) > len(fit.rows):
        return True
    if not thirds or not all(map(is_number, numbers)):
        return False
    # 'A B<tab>3' on every line: blanks if the first two tokens name the same kind of thing.
    pairs_only = all(len(row) == 2 for row in fit.rows) and len(thirds) == len(blanks.rows)
    alike = bool({row[0] for row in blanks.rows} & {row[1] for row in blanks.rows if len(row) > 1})
    return blanks.consistent > fit.consistent or (pairs_only and alike)


def _ends_in_comma(rows: list[list[str]]) -> bool:
    return 2 * sum(row[0].endswith((",", ";")) for row in rows if row) >= len(rows)
