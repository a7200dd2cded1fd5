"""Greedy choices in a table of costs, ties broken by a generator."""

from __future__ import annotations

import numpy as np


def cheapest(
    cost: np.ndarray, rows: np.ndarray, columns: np.ndarray, generator: np.random.Generator
) -> tuple[int, int]:
    """The (row, column) of least cost among the given ones, any of equals."""
    block = cost[np.ix_(rows, columns)]
    least = np.flatnonzero(block == block.min())
    row, column = divmod(int(generator.choice(least)), len(columns))
    return int(rows[row]), int(columns[column])


def greedy_matching(
    cost: np.ndarray, rows: np.ndarray, columns: np.ndarray, generator: np.random.Generator
) -> list[tuple[int, int]]:
    """(row, column) pairs: the cheapest, then the cheapest of what is left, until one side is used up."""
    if not len(rows) or not len(columns):
        return []
    rows, columns = generator.permutation(rows), generator.permutation(columns)
    order = np.argsort(cost[np.ix_(rows, columns)], axis=None, kind="stable")
    free_rows, free_columns = np.ones(len(rows), dtype=bool), np.ones(len(columns), dtype=bool)
    pairs: list[tuple[int, int]] = []
    while len(order) and len(pairs) < min(len(rows), len(columns)):
        # In slices, so that pairs that are out of the question are dropped many at a time.
        head, order = order[: 4 * len(columns)], order[4 * len(columns) :]
        for spot in head.tolist():
            row, column = divmod(spot, len(columns))
            if free_rows[row] and free_columns[column]:
                free_rows[row] = free_columns[column] = False
                pairs.append((int(rows[row]), int(columns[column])))
        if len(order):
            order = order[free_rows[order // len(columns)] & free_columns[order % len(columns)]]
    return pairs
