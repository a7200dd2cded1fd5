"""Node ids are text and equal only if spelled the same; these helpers notice when spelling may be the trouble."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal

from gwl_core.readers.phrases import counted, listed, shown

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d{1,3})?$", re.ASCII)

_MOST_CHECKS = 5_000_000  # an offset among so many is no offer


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


@dataclass(frozen=True)
class Conversion:
    """What turns ids into a graph's labels: the new spelling of each id that changes, and a phrase that says so."""

    of: dict[str, str]
    phrase: str


def conversion(ids: Collection[str], labels: Collection[str]) -> Conversion | None:
    """What would turn unknown ids into a graph's labels, or None.

    ids are all distinct ids of one column. Those that are no label are spelled as the one label that they can only
    mean; where there are none, a constant offset between whole numbers counts if no other makes every id a label, and,
    where some ids are labels as they are, only if every label then has its id.
    """
    known = set(labels)
    if known.issuperset(ids):
        return None
    by_key = defaultdict(list)
    for label in known:
        by_key[spelling_key(label)].append(label)
    fits = {i: by_key.get(spelling_key(i), []) for i in ids if i not in known}
    of = {i: found[0] for i, found in fits.items() if len(found) == 1}
    if of:
        one, label = next(iter(of.items()))
        return Conversion(of, f"write {shown(label)} instead of {shown(one)} ({_difference(one, label)})")
    offset = _offset(ids, known)
    if not offset:
        return None
    phrase = f"add {offset} to every id" if offset > 0 else f"subtract {-offset} from every id"
    return Conversion({i: str(int(i) + offset) for i in ids}, phrase)


def _difference(one: str, other: str) -> str:
    if not isinstance(spelling_key(one), Decimal):
        return (
            "upper and lower case"
            if one.lower() == other.lower()
            else "spaces, quotation marks or look-alike characters"
        )
    return "decimals" if "." in one + other or "e" in (one + other).lower() else "leading zeros"


def _offset(ids: Collection[str], known: set[str]) -> int | None:
    """The one number other than 0 that makes every id a label when added to it, or None."""
    if not all(i.isascii() and i.isdigit() and len(i) < 19 for i in ids):
        return None
    numbers = sorted({int(i) for i in ids})
    labels = {int(k) for k in known if k.isascii() and k.isdigit() and len(k) < 19 and str(int(k)) == k}
    if not numbers or not labels:
        return None
    if len(numbers) < len(known) and not known.isdisjoint(ids):
        return None
    least, most = min(labels) - numbers[0], max(labels) - numbers[-1]
    fitting, checked = [label - numbers[0] for label in labels if least <= label - numbers[0] <= most], 0
    for number in numbers:
        checked += len(fitting)
        if checked > _MOST_CHECKS:
            return None
        fitting = [step for step in fitting if step and number + step in labels]
    return fitting[0] if len(fitting) == 1 else None
