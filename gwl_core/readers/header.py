"""Which column is what: by the names in a first line, if it is a header at all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WEIGHT_WORDS = (
    "weight", "weights", "w", "wt", "wgt", "edgeweight", "count", "counts", "n", "freq", "frequency", "value", "values",
    "val", "strength", "score", "combinedscore",
)  # fmt: skip
NODE_WORDS = ("id", "ids", "node", "nodes", "nodeid", "label", "name", "vertex", "vertices")

_SOURCE, _TARGET = (
    re.compile(rf"(?:node|vertex|id)?(?:{words})(?:node|vertex)?(?:id|name|label|index)?$")
    for words in ("source|src|from", "target|tgt|trg|to|dst|dest|destination")
)
# Names that may also be nodes; they make a header only if nothing in the rows speaks against it.
_WORD_PAIRS = (
    ("sender", "receiver"), ("sender", "recipient"), ("origin", "destination"), ("start", "end"), ("tail", "head"),
    ("node", "neighbor"), ("node", "neighbour"), ("parent", "child"), ("follower", "followee"), ("citing", "cited"),
    ("left", "right"), ("subject", "object"), ("ego", "alter"),
)  # fmt: skip
_MOST_COLUMNS = 200
_ENDINGS = (("1", "2"), ("a", "b"), ("i", "j"), ("u", "v"))


@dataclass(frozen=True)
class Roles:
    """Columns of the two nodes, and whether names alone make the line a header."""

    source: int
    target: int
    certain: bool


def normal(name: str) -> str:
    """A column name without case, spaces and punctuation."""
    return re.sub(r"[\W_]", "", name.lower())


def weight_rank(name: str) -> int | None:
    """How early a name stands among the words for weights, or None if it is none of them."""
    word = normal(name)
    return WEIGHT_WORDS.index(word) if word in WEIGHT_WORDS else None


def find_roles(cells: Sequence[str]) -> Roles | None:
    """The columns that a first line names as the two nodes, or None if it names none.

    Source/target, from/to and src/dst are certain; other pairs (node1/node2, u/v, a/b, sender/receiver, …) are not,
    and count only where there is one such pair.
    """
    names = [normal(cell) for cell in cells[:_MOST_COLUMNS]]
    source, target = _column(names, _SOURCE), _column(names, _TARGET)
    if source is not None and target is not None:
        return Roles(source, target, certain=True)
    pairs = [
        (i, j) for i, first in enumerate(names) for j, second in enumerate(names) if _stem(first, second) is not None
    ]
    stems = [_stem(names[i], names[j]) for i, j in pairs]
    numbered = any(s and sum(bool(re.fullmatch(s + r"\d+", name)) for name in names) > 2 for s in stems)
    return Roles(*pairs[0], certain=False) if len(pairs) == 1 and not numbered else None


def _column(names: Sequence[str], pattern: re.Pattern[str]) -> int | None:
    """The column whose name fits; the shortest if several do (source before source_label)."""
    fitting = [k for k, name in enumerate(names) if pattern.match(name)]
    return min(fitting, key=lambda k: len(names[k]), default=None)


def _stem(first: str, second: str) -> str | None:
    """What two paired names have in common ('node' for node1, node2; '' for u, v), or None if they are no pair."""
    if (first, second) in _WORD_PAIRS:
        return ""
    for one, two in _ENDINGS:
        stem = first.removesuffix(one)
        if first == stem + one and second == stem + two and (stem.isalpha() or (not stem and one != "1")):
            return stem
    return None


def is_like_rows(first: str, second: str, ids: Iterable[str]) -> bool:
    """Whether a line (first, second) looks like the rows below it, given all their ids.

    So it is if there are none, if one of the two occurs again, or if another id is built the same way (n7 beside n1
    and n2; c beside a and b).
    """
    pair = normal(first), normal(second)
    stem = None if pair in _WORD_PAIRS else _stem(*pair)
    ending = r"\d+" if pair[1].endswith("2") else "[a-z]"
    alike = None if stem is None else re.compile(re.escape(stem) + ending)
    distinct = set(ids)
    return (
        not distinct
        or first in distinct
        or second in distinct
        or (alike is not None and any(alike.fullmatch(normal(i)) for i in distinct))
    )


def is_number(text: str) -> bool:
    """Whether a cell reads as a number, with a point or a comma for decimals."""
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True
