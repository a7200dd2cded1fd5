"""Whose calls and emails an experiment is about: a generated company, or the logs that were given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from gwl_core.datasets.communication import DENSE, SPARSE, select
from gwl_core.datasets.contacts import CALL, EMAIL, read_contacts
from gwl_core.errors import InputError
from gwl_core.experiments.asking import whole
from gwl_core.experiments.protocol import Option, Request, Scalar

OPTIONS = (
    Option("people", "N", "people of the generated company", page="int", low=10, high=2000),
    Option("calls", "FILE", "log of calls, in place of the generated company: VAST Challenge 2018, MC3"),
    Option("emails", "FILE", "log of emails that goes with it"),
)
PUBLISHED_SIZES = {"people": 622, ("sparse", "call"): 1228, ("sparse", "email"): 1235,
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
    company = select(read_contacts(Path(calls), CALL), read_contacts(Path(emails), EMAIL))
    content = company.content()
    name = hashlib.sha256(content).hexdigest()
    sparse, dense = company.edges(SPARSE), company.edges(DENSE)
    notice = (
        f"{len(company.people)} employees are selected; {sparse[0]:,} / {sparse[1]:,} sparse and {dense[0]:,} / "
        f"{dense[1]:,} dense edges (calls / emails). The paper's data has 622; 1,228 / 1,235 and 141,846 / 115,782."
    )
    return {"logs": name, "people": len(company.people), "company": None}, {name: content}, (notice,)
