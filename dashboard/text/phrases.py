"""Counts, times, lists and foreign words within a sentence."""

from __future__ import annotations

import re


def duration(seconds: float) -> str:
    """Seconds or minutes, as roughly as an estimate is."""
    if seconds < 100:
        return plural(max(1, round(seconds)), "second", "seconds")
    return plural(round(seconds / 60), "minute", "minutes") if seconds < 6000 else f"{seconds / 3600:.0f} hours"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, …"""
    last = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 % 10 != 1 else 0, "th")
    return f"{number}{last}"


def plural(count: int, one: str, many: str) -> str:
    """A count with the right form of what is counted."""
    return f"{count} {one if count == 1 else many}"


def few(names: list[str], most: int = 4) -> str:
    """A list of names that fits a line."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


_MARKUP = re.compile(r"[\\`*_\[\]<$~]|:(?=\w)|^[#>+-]|^\d+(?=\.)")


def plain(words: str) -> str:
    """Text from files or users, to stand as it is in what is read as Markdown."""
    return _MARKUP.sub(lambda found: "\\" + found[0], " ".join(words.split())[:400])
