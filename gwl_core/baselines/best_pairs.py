"""Greedy alignment: the best free pair of a score matrix whose rows and columns change as pairs are taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class BestPairs:
    """The best pair among free rows and columns, equal scores by row, then column.

    The best column of every row is kept, so that taking a pair costs what it changes and not the whole matrix.

    Attributes:
        matching: (n_s,) the column taken with each row, −1 for none.
    """

    def __init__(self, scores: np.ndarray) -> None:
        """Scores (n_s, n_t), finite; the array is used up."""
        self._scores = scores
        self.matching = np.full(len(scores), -1, dtype=np.int64)
        self._free_column = np.ones(scores.shape[1], dtype=bool)
        self._column = scores.argmax(axis=1)
        self._value = scores[np.arange(len(scores)), self._column]

    @property
    def share_taken(self) -> float:
        """How much of the smaller side is taken."""
        return float((self.matching >= 0).sum() / max(1, min(self._scores.shape)))

    def free_rows(self, rows: np.ndarray) -> np.ndarray:
        """Those of the rows that are not taken."""
        return rows[self.matching[rows] < 0]

    def free_columns(self, columns: np.ndarray) -> np.ndarray:
        """Those of the columns that are not taken."""
        return columns[self._free_column[columns]]

    def pop(self) -> tuple[int, int] | None:
        """Take the best free pair; None when one side has no free node left."""
        row = int(self._value.argmax())
        if self._value[row] == -np.inf:
            return None
        column = int(self._column[row])
        self.take(row, column)
        return row, column

    def take(self, row: int, column: int) -> None:
        """Take a free pair."""
        self.matching[row] = column
        self._free_column[column] = False
        self._scores[row] = -np.inf
        self._scores[:, column] = -np.inf
        self._value[row] = -np.inf
        self._rescan(np.flatnonzero((self._column == column) & (self.matching < 0)))

    def add(self, rows: np.ndarray, columns: np.ndarray, bonus: np.ndarray | float) -> None:
        """Raise the scores of free rows × free columns by bonus ≥ 0."""
        if not len(rows) or not len(columns):
            return
        block = self._scores[np.ix_(rows, columns)] + bonus
        self._scores[np.ix_(rows, columns)] = block
        self._raise(rows, columns, block)

    def refresh(self, rows: np.ndarray, columns: np.ndarray, scores: Callable[[Any, Any], np.ndarray]) -> None:
        """Replace the scores of some free rows and free columns by scores(row index (k, 1), column index (1, l))."""
        free = np.flatnonzero(self._free_column)
        if len(columns):
            others = np.flatnonzero(self.matching < 0)
            block = scores(*np.ix_(others, columns))
            self._scores[np.ix_(others, columns)] = block
            lost = np.isin(self._column[others], columns)
            self._raise(others[~lost], columns, block[~lost])
            stale = others[lost]
        else:
            stale = np.zeros(0, dtype=np.int64)
        if len(rows):
            self._scores[np.ix_(rows, free)] = scores(*np.ix_(rows, free))
        self._rescan(np.union1d(stale, rows))

    def _raise(self, rows: np.ndarray, columns: np.ndarray, block: np.ndarray) -> None:
        """Rows whose other scores are as they were: is one of these better, or as good and earlier?"""
        if not block.size:
            return
        order = np.argsort(columns, kind="stable")
        block, columns = block[:, order], columns[order]
        spot = block.argmax(axis=1)
        value, column = block[np.arange(len(rows)), spot], columns[spot]
        better = (value > self._value[rows]) | ((value == self._value[rows]) & (column < self._column[rows]))
        self._value[rows[better]] = value[better]
        self._column[rows[better]] = column[better]

    def _rescan(self, rows: np.ndarray) -> None:
        if not len(rows):
            return
        self._column[rows] = self._scores[rows].argmax(axis=1)
        self._value[rows] = self._scores[rows, self._column[rows]]
