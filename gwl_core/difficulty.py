"""How hard each node is: how many of the methods compared match it rightly, or alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gwl_core.agreement import Agreement


@dataclass(frozen=True, eq=False)
class Difficulty:
    """What the methods made of every source node.

    Attributes:
        favourite: (n_s,) the target that most methods gave the node, the first of equals; −1 where none gave any.
        alike: (n_s,) how many methods gave it that target.
        choices: (n_s,) how many different targets they gave it.
        known: (n_s,) its true target, −1 where that is not known.
        right: (n_s,) how many methods gave it the true target; 0 where that is not known.
    """

    favourite: np.ndarray
    alike: np.ndarray
    choices: np.ndarray
    known: np.ndarray
    right: np.ndarray


def difficulty(agreed: Agreement, n_s: int, truth: np.ndarray | None = None) -> Difficulty:
    """Count votes by source node.

    Args:
        agreed: the pairs that the methods found.
        n_s: source nodes.
        truth: (k, 2) known pairs, for the counts of right ones.
    """
    votes, (sources, targets) = agreed.votes, agreed.pairs.T
    favourite, alike = np.full(n_s, -1, dtype=np.int64), np.zeros(n_s, dtype=np.int64)
    order = np.lexsort((-targets, votes))  # assignments keep the last: most votes, then the smallest target
    favourite[sources[order]], alike[sources[order]] = targets[order], votes[order]
    known, right = np.full(n_s, -1, dtype=np.int64), np.zeros(n_s, dtype=np.int64)
    if truth is not None:
        known[truth[:, 0]] = truth[:, 1]
        true = known[sources] == targets
        right[sources[true]] = votes[true]
    return Difficulty(favourite, alike, np.bincount(sources, minlength=n_s), known, right)
