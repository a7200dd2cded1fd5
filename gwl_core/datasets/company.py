"""A generated company: two channels, teams in departments, counts by Zipf's law, and everybody known in both."""

from __future__ import annotations

import numpy as np

from gwl_core.datasets.contacts import Contacts, contacts_of
from gwl_core.settings import Parameter

TEAM, DEPARTMENT = 8, 64
"""People in a team, and in a department."""
# Chance that one person ever contacts another, and exponent of the number of contacts, by how close they work. The
# values make 630 people as dense as the paper's networks: about 140,000 pairs with a contact, 1,200 with more than 8.
CLOSENESS = ((0.95, 1.65), (0.60, 2.7), (0.34, 3.7))
MOST_CONTACTS = 500
_BOTH_WAYS, _BOTH_CHANNELS = 0.4, 0.4
"""Shares of a tie's strength that its two directions have in common, and beyond that its two channels; the rest is
the channel's own."""


def generate_company(people: int, rng: np.random.Generator) -> tuple[Contacts, Contacts]:
    """Calls and emails among `people` people, numbered from 1000.

    Every ordered pair has a Gaussian strength in each channel, correlated between directions and channels; the chance
    of any contact depends on how close the two work, and the number of contacts follows Zipf's law, P(k) ∝ k^−s for
    k = 1 … 500, the strongest ties having the most.

    Raises InputError for fewer than 2 or more than 5,000 people.
    """
    n = Parameter("people", "int", live=False, low=2, high=5000).check(people)
    place = rng.permutation(n)  # so that numbers do not follow teams
    level = np.where(
        place[:, None] // TEAM == place // TEAM, 0, np.where(place[:, None] // DEPARTMENT == place // DEPARTMENT, 1, 2)
    )
    both = rng.standard_normal((n, n))
    both = (np.triu(both) + np.triu(both, 1).T) * np.sqrt(_BOTH_WAYS)
    shared = both + rng.standard_normal((n, n)) * np.sqrt(_BOTH_CHANNELS)
    rest = np.sqrt(1 - _BOTH_WAYS - _BOTH_CHANNELS)
    calls, emails = (_counts(shared + rng.standard_normal((n, n)) * rest, level) for _ in range(2))
    return _contacts(calls), _contacts(emails)


def _counts(strength: np.ndarray, level: np.ndarray) -> np.ndarray:
    """(n, n) contacts from strengths of unit variance."""
    from scipy.stats import norm  # half a second

    rank = norm.cdf(strength)
    counts = np.zeros(strength.shape, dtype=np.int64)
    for number, (chance, exponent) in enumerate(CLOSENESS):
        law = np.arange(1, MOST_CONTACTS + 1, dtype=np.float64) ** -exponent
        steps = np.cumsum(law) / law.sum()
        here = (level == number) & (rank > 1 - chance)
        counts[here] = 1 + np.searchsorted(steps[:-1], (rank[here] - (1 - chance)) / chance)
    np.fill_diagonal(counts, 0)
    return counts


def _contacts(counts: np.ndarray) -> Contacts:
    rows, columns = np.nonzero(counts)
    return contacts_of(rows + 1000, columns + 1000, counts[rows, columns])
