"""The paper's problem of section "MC3": who is who in a network of calls and one of emails."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from gwl_core.datasets.contacts import Contacts
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

RELIABLE = 10
"""An employee is selected who has more than this many contacts with somebody, in one direction, in either network."""
SPARSE, DENSE = 8, 0
"""Sparse graphs keep the pairs with more contacts than this; dense ones keep all."""


@dataclass(frozen=True, eq=False)
class Company:
    """The selected employees and what they have to do with each other.

    Attributes:
        people: (n,) their numbers, ascending.
        calls, emails: (n, n) CSR matrices of contacts, from row to column, zero diagonal.
    """

    people: np.ndarray
    calls: sparse.csr_array
    emails: sparse.csr_array

    def edges(self, threshold: int) -> tuple[int, int]:
        """Ordered pairs with more contacts than the threshold: by call, by email."""
        return int((self.calls.data > threshold).sum()), int((self.emails.data > threshold).sum())

    def content(self) -> bytes:
        """The company as bytes that `company_of` reads; equal companies give equal bytes."""
        parts = []
        for channel, matrix in enumerate((self.calls, self.emails)):
            coo = sparse.csr_array(matrix).tocoo()
            parts.append(np.column_stack([np.full(coo.nnz, channel), coo.row, coo.col, coo.data]))
        header = np.column_stack([np.full(len(self.people), 2), self.people, self.people * 0, self.people * 0])
        stream = io.BytesIO()
        np.save(stream, np.concatenate([header, *parts]).astype("<i8"), allow_pickle=False)
        return stream.getvalue()


def company_of(content: bytes) -> Company:
    """The company that `Company.content` wrote."""
    rows = np.load(io.BytesIO(content), allow_pickle=False)
    people = rows[rows[:, 0] == 2, 1]
    shape = (len(people), len(people))
    calls, emails = (
        sparse.csr_array((part[:, 3], (part[:, 1], part[:, 2])), shape=shape)
        for part in (rows[rows[:, 0] == channel] for channel in (0, 1))
    )
    return Company(people, calls, emails)


def select(calls: Contacts, emails: Contacts, reliable: int = RELIABLE) -> Company:
    """The paper's selection: employees with at least one reliable partner in a network (either one).

    Raises:
        InputError: fewer than two employees are selected.
    """
    ends = [np.empty(0, dtype=np.int64)]
    for log in (calls, emails):
        strong = (log.counts > reliable) & (log.sources != log.destinations)
        ends += [log.sources[strong], log.destinations[strong]]
    people = np.unique(np.concatenate(ends))
    if len(people) < 2:
        raise InputError(
            f"No two people in these logs have more than {reliable} contacts with each other, which the selection "
            "asks for: give longer logs."
        )
    return Company(people, _among(calls, people), _among(emails, people))


def _among(log: Contacts, people: np.ndarray) -> sparse.csr_array:
    """Contacts between selected people only."""
    inside = np.isin(log.sources, people) & np.isin(log.destinations, people) & (log.sources != log.destinations)
    rows = np.searchsorted(people, log.sources[inside])
    columns = np.searchsorted(people, log.destinations[inside])
    return sparse.coo_array((log.counts[inside], (rows, columns)), shape=(len(people), len(people))).tocsr()


def pair(company: Company, threshold: int, rng: np.random.Generator) -> MatchingProblem:
    """Calls against emails, directed, weights the numbers of contacts above the threshold; everybody is a true pair.

    The emails' nodes are shuffled, so that places tell nothing.
    """
    order = rng.permutation(len(company.people))
    source = _graph(company.calls, company.people, threshold, "calls")
    target = _graph(company.emails[order][:, order], company.people[order], threshold, "emails")
    truth = np.column_stack([np.arange(len(order)), np.argsort(order)])
    return MatchingProblem(source, target, truth)


def _graph(matrix: sparse.csr_array, people: np.ndarray, threshold: int, name: str) -> Graph:
    weights = sparse.csr_array(matrix, dtype=np.float64, copy=True)
    weights.data[weights.data <= threshold] = 0
    weights.eliminate_zeros()
    weights.sort_indices()
    return Graph(tuple(str(person) for person in people), weights, directed=True, name=name)
