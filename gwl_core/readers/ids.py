"""Node ids are text and equal only if spelled the same; these helpers notice when spelling may be the trouble."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable
from decimal import Decimal

from gwl_core.readers.phrases import counted, listed, shown

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d{1,3})?$", re.ASCII)


def spelling_key(label: str) -> Decimal | str:
    """Equal for ids that differ only in spelling: exact numeric value, else text without case, extra spaces, quotation
    marks around it and invisible characters."""
    if _NUMBER.match(label):
        return Decimal(label)
    if not label.isascii():
        label = "".join(c for c in unicodedata.normalize("NFKC", label) if unicodedata.category(c) != "Cf")
    return " ".join(label.casefold().split()).strip("'\"")


def look_alike_notice(labels: Iterable[str]) -> list[str]:
    """A sentence about ids that differ only in spelling ('1' and '01', 'Ann' and 'ann'), if there are any."""
    groups = defaultdict(list)
    for label in labels:
        groups[spelling_key(label)].append(label)
    alike = [group for group in groups.values() if len(group) > 1]
    if not alike:
        return []
    example = listed([shown(label) for label in alike[0][:5]], len(alike[0]))
    more = f", and {counted(len(alike) - 1, 'more group')}" if len(alike) > 1 else ""
    return [f"Ids that differ only in spelling are different nodes: {example}{more}."]


def suggest_conversion(ids: Collection[str], labels: Collection[str]) -> str | None:
    """What would turn unknown ids into a graph's labels: a phrase with an example, or None.

    ids are all distinct ids of one column. Spelling is tried for those that are no label; a constant offset between
    whole numbers only if it makes every id a label.
    """
    known = set(labels)
    if known.issuperset(ids):
        return None
    by_key = {spelling_key(label): label for label in known}
    for unknown in ids:
        label = by_key.get(spelling_key(unknown)) if unknown not in known else None
        if label is not None:
            return f"write {shown(label)} instead of {shown(unknown)} ({_difference(unknown, label)})"
    offset = _offset(ids, known)
    if offset is None:
        return None
    return f"add {offset} to every id" if offset > 0 else f"subtract {-offset} from every id"


def converted(ids: Collection[str], labels: Collection[str]) -> dict[str, str]:
    """What suggest_conversion would make of each id that is no label; ids that fit none, or several, are left out."""
    known = set(labels)
    offset = _offset(ids, known)
    if offset is not None and not known.issuperset(ids):
        return {i: str(int(i) + offset) for i in ids}
    by_key = defaultdict(list)
    for label in known:
        by_key[spelling_key(label)].append(label)
    fits = {i: by_key.get(spelling_key(i), []) for i in ids if i not in known}
    return {i: found[0] for i, found in fits.items() if len(found) == 1}


def _difference(one: str, other: str) -> str:
    if not isinstance(spelling_key(one), Decimal):
        return (
            "upper and lower case"
            if one.lower() == other.lower()
            else "spaces, quotation marks or look-alike characters"
        )
    return "decimals" if "." in one + other or "e" in (one + other).lower() else "leading zeros"


def _offset(ids: Collection[str], known: set[str]) -> int | None:
    if not ids or not all(i.isascii() and i.isdigit() and len(i) < 19 for i in ids):
        return None
    numbers = {int(i) for i in ids}
    labels = {int(k) for k in known if k.isascii() and k.isdigit() and len(k) < 19 and str(int(k)) == k}
    if not labels:
        return None
    for offset in (min(labels) - min(numbers), max(labels) - max(numbers)):
        if offset and all(number + offset in labels for number in numbers):
            return offset
    return None
