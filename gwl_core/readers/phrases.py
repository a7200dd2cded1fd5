"""Small pieces of the sentences a user reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_FEW = 5


def shown(value: str) -> str:
    """A value from a file, quoted, escaped and cut to 40 characters, safe to show."""
    return repr(value if len(value) <= 40 else value[:39] + "…")


def listed(words: Sequence[str], total: int | None = None) -> str:
    """'a', 'a and b', 'a, b and c'; after a few, how many more there are."""
    total = len(words) if total is None else total
    words = list(words[:_FEW])
    if total > len(words):
        words.append(f"{total - len(words)} more")
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def values(items: Iterable[str]) -> str:
    """Distinct values from a file as a list."""
    distinct = list(dict.fromkeys(items))
    return listed([shown(item) for item in distinct[:_FEW]], len(distinct))


def at(name: str, lines: int | Sequence[int], unit: str = "line") -> str:
    """'g.csv, line 3' or 'g.csv, lines 3, 5 and 9'; `unit` is what is counted, a line or an element."""
    numbers = [lines] if isinstance(lines, int) else lines
    return f"{name}, {line_list(numbers, unit)}"


def line_list(numbers: Sequence[int], unit: str = "line") -> str:
    """'line 3' or 'lines 3, 5 and 9'."""
    distinct = list(dict.fromkeys(numbers))
    return unit + (" " if len(distinct) == 1 else "s ") + listed([str(n) for n in distinct[:_FEW]], len(distinct))


def counted(number: int, noun: str) -> str:
    """'1 row', '2,000 rows'."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
