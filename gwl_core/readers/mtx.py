"""Matrix Market files (.mtx): sparse or dense square matrices, general or symmetric, counted from 1."""

from __future__ import annotations

import re
from array import array

import numpy as np

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.matrix_rows import matrix_rows
from gwl_core.readers.phrases import at, shown
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import weight_column

_WORDS = {
    "format": ("coordinate", "array"), "field": ("real", "double", "integer", "unsigned-integer", "pattern"),
    "symmetry": ("general", "symmetric"),
}  # fmt: skip


def is_mtx(content: Content) -> bool:
    return content.head[:14].lower() == "%%matrixmarket"


def read_mtx(content: Content) -> EdgeRows:
    """The graph of a square matrix, nodes "1" to "n"; a symmetric one gives each edge once.

    Raises:
        InputError: for complex, skew-symmetric or rectangular matrices, a count that does not fit, and the line of an
            entry that is none.
    """
    name = content.name
    form, field, symmetry = _header(content)
    lines = (
        (number, line.split())
        for number, line in enumerate(content.lines, 1)
        if line.strip() and not line.startswith("%")
    )
    line, sizes = next(lines, (0, []))
    if len(sizes) != (3 if form == "coordinate" else 2) or not all(
        re.fullmatch(r"\d{1,12}", s, re.ASCII) for s in sizes
    ):
        raise InputError(f"{at(name, line or 1)}: the line of sizes is missing; give rows, columns and entries.")
    n, columns = int(sizes[0]), int(sizes[1])
    if n != columns:
        raise InputError(f"{at(name, line)}: {n:,} rows and {columns:,} columns; a graph needs as many of both.")
    if n > content.limits.max_nodes:
        raise InputError(f"{at(name, line)}: {n:,} nodes, over the cap of {content.limits.max_nodes:,}; give fewer.")
    places = _Places(content, n, form, symmetry)
    expected = int(sizes[2]) if form == "coordinate" else (n * (n + 1) // 2 if symmetry == "symmetric" else n * n)
    weights = weight_column(content)
    rows, ends, counts = array("q"), array("q"), array("d")
    number = 0
    for number, (line, words) in enumerate(lines, 1):
        i, j = places.of(number - 1, line, words)
        given = words[-1] if len(words) == places.width else ""
        if not given and field != "pattern":
            raise InputError(f"{at(name, line)}: an entry needs a value; give it, or say pattern in the first line.")
        if form == "array" and not given.strip("0.") and i != j:
            continue
        rows.append(i)
        ends.append(j)
        counts.append(weights.read(given, line) if field != "pattern" else 1.0)
    if number != expected:
        raise InputError(
            f"{name} has {number:,} entries where its sizes say {expected:,}; correct it or export it again."
        )
    return matrix_rows(
        content,
        tuple(str(k) for k in range(1, n + 1)),
        (np.array(rows, dtype=np.int64), np.array(ends, dtype=np.int64)),
        np.array(counts, dtype=np.float64),
        kind=f"Matrix Market ({form}, {symmetry})",
        symmetric=symmetry == "symmetric",
        has_weights=field != "pattern",
        notices=weights.finish("made no edge"),
    )


def _header(content: Content) -> tuple[str, str, str]:
    words = content.lines[0].lower().split()
    if len(words) != 5 or words[1] != "matrix":
        raise InputError(
            f"{at(content.name, 1)}: the first line is not complete; "
            "write %%MatrixMarket matrix coordinate real general."
        )
    for (what, allowed), word in zip(_WORDS.items(), words[2:], strict=True):
        if word not in allowed:
            raise InputError(
                f"{at(content.name, 1)}: {what} {shown(word)} is not that of a graph; give one of {', '.join(allowed)}."
            )
    return words[2], words[3], words[4]


class _Places:
    """Row and column of an entry, from 0."""

    def __init__(self, content: Content, n: int, form: str, symmetry: str) -> None:
        self._content, self._n, self._form = content, n, form
        self._triangle = symmetry == "symmetric"
        self._i, self._j = 0, 0
        self.width = 3 if form == "coordinate" else 1

    def of(self, k: int, line: int, words: list[str]) -> tuple[int, int]:
        """The place of the k-th entry."""
        if self._form == "array":
            return self._next(line, words)
        if len(words) not in (2, 3):
            raise InputError(
                f"{at(self._content.name, line)}: {len(words)} numbers are no entry; give row, column, value."
            )
        ends = [int(w) if re.fullmatch(r"\d{1,12}", w, re.ASCII) else 0 for w in words[:2]]
        if not all(1 <= end <= self._n for end in ends):
            raise InputError(
                f"{at(self._content.name, line)}: {shown(' '.join(words[:2]))} is no place in the matrix; "
                f"rows and columns count from 1 to {self._n}."
            )
        if self._triangle and ends[0] < ends[1]:
            raise InputError(
                f"{at(self._content.name, line)}: a symmetric matrix gives its lower triangle only "
                "(row not below column); leave the entry out or say general in the first line."
            )
        return ends[0] - 1, ends[1] - 1

    def _next(self, line: int, words: list[str]) -> tuple[int, int]:
        if len(words) != 1 or self._j >= self._n:
            raise InputError(
                f"{at(self._content.name, line)}: a dense matrix gives one number a line, column by column."
            )
        place = self._i, self._j
        self._i += 1
        if self._i == self._n:
            self._j += 1
            self._i = self._j if self._triangle else 0
        return place
