"""Whose calls and emails an experiment is about: a generated company, or the logs that were given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from gwl_core.datasets.communication import DENSE, SPARSE, Company, select
from gwl_core.datasets.contacts import CALL, EMAIL, read_contacts
from gwl_core.errors import InputError
from gwl_core.experiments.asking import whole
from gwl_core.experiments.protocol import Option, Request, Scalar

OPTIONS = (
    Option("people", "N", "people of the generated company", page="int", low=10, high=2000),
    Option("calls", "FILE", "log of calls, in place of the generated company: VAST Challenge 2018, MC3"),
    Option("emails", "FILE", "log of emails that goes with it"),
)
WHOLE_LOG = 10_000_000
"""Calls from which on a log is taken for the whole one, a file of 264 MB with 25 bytes a row."""
PUBLISHED_SIZES: Mapping[object, int] = {"people": 622, ("sparse", "call"): 1228, ("sparse", "email"): 1235,
                   ("dense", "call"): 141_846, ("dense", "email"): 115_782}  # fmt: skip
GENERATED_NOTE = (
    "Measured on a generated company; what is published is of the MC3 logs, so the two are not to be compared. Give "
    "the logs with --calls and --emails to measure on them."
)


def company_of_request(
    request: Request, people: int
) -> tuple[Mapping[str, Scalar], Mapping[str, bytes], tuple[str, ...]]:
    """Parameters that name the company, the data they refer to, and notices; `people` unless --people says otherwise.

    Raises:
        InputError: one log without the other, or logs that cannot be used.
    """
    calls, emails = request.text("calls"), request.text("emails")
    if (calls is None) != (emails is None):
        raise InputError("Give both logs, --calls and --emails, or neither.")
    if calls is None or emails is None:
        number = whole(request, "people", people, 10, 2000)
        return {"logs": None, "people": number, "company": request.seed}, {}, ()
    if request.text("people") is not None:
        raise InputError("--people is for the generated company; leave it out with --calls and --emails.")
    log = read_contacts(Path(calls), CALL)
    company = select(log, read_contacts(Path(emails), EMAIL))
    content = company.content()
    name = hashlib.sha256(content).hexdigest()
    notice = beside_the_paper(company, log.rows)
    return {"logs": name, "people": len(company.people), "company": None}, {name: content}, (notice,)


def beside_the_paper(company: Company, rows: int) -> str:
    """Whether the selection is the paper's, in sizes; said most clearly where the log of `rows` calls is whole."""
    sizes: dict[object, int] = {"people": len(company.people)}
    for density, threshold in (("sparse", SPARSE), ("dense", DENSE)):
        sizes |= dict(zip(((density, "call"), (density, "email")), company.edges(threshold), strict=True))
    told, published = _sizes(sizes), _sizes(PUBLISHED_SIZES)
    if sizes == PUBLISHED_SIZES:
        return f"The selection is the paper's: {told}."
    if rows >= WHOLE_LOG:
        return (
            f"These logs seem whole ({rows:,} calls), but their selection is not the paper's: {told}, where it has "
            f"{published}. What is measured does not compare with what is published; see whether both logs are those "
            "of the VAST Challenge 2018 MC3, unchanged."
        )
    return f"A part of the logs: {told}. The paper's whole data has {published}."


def _sizes(sizes: Mapping[object, int]) -> str:
    edges = (f"{sizes[density, 'call']:,} / {sizes[density, 'email']:,} {density}" for density in ("sparse", "dense"))
    return f"{sizes['people']} employees and {' and '.join(edges)} edges (calls / emails)"
