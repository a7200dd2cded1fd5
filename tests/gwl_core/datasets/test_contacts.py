"""Logs of contacts: every layout they come in, whatever the size of the pieces, and how they break."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from gwl_core.datasets.communication import DENSE, SPARSE, company_of, pair, select
from gwl_core.datasets.company import generate_company
from gwl_core.datasets.contacts import CALL, EMAIL, Contacts, contacts_of, read_contacts
from gwl_core.errors import InputError

ROWS = [(5, 0, 7, 100), (7, 0, 5, 101), (5, 0, 7, 102), (5, 1, 9, 103), (12, 0, 5, 104), (5, 0, 7, 105)]
CALLS = {(5, 7): 3, (7, 5): 1, (12, 5): 1}
PLAIN = "".join(",".join(map(str, row)) + "\n" for row in ROWS)
WIDE = "index,X1,X2,X3,X4,date\n" + "".join(
    f'{k},{a},{b},{c},{d},"20150511T000000"\n' for k, (a, b, c, d) in enumerate(ROWS)
)


def counted(contacts: Contacts) -> dict[tuple[int, int], int]:
    keys = zip(contacts.sources.tolist(), contacts.destinations.tolist(), strict=True)
    return dict(zip(keys, contacts.counts.tolist(), strict=True))


def write(folder: Path, content: str | bytes, name: str = "log.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("piece", [1, 7, 40, 2**20])
@pytest.mark.parametrize(
    "content",
    [
        PLAIN, PLAIN.rstrip("\n"), PLAIN.replace("\n", "\r\n"), "Source,Etype,Dest,Time\n" + PLAIN,
        "\ufeffSource,Etype,Destination,Time\n" + PLAIN, WIDE, PLAIN.replace("\n", "\n\n"),
        gzip.compress(PLAIN.encode()),
        "Time,Dest,Etype,Source\n" + "".join(f"{d},{c},{b},{a}\n" for a, b, c, d in ROWS),
    ],
    ids=["plain", "no end", "crlf", "header", "bom", "group file", "blank lines", "gzip", "other order"],
)  # fmt: skip
def test_every_layout_counts_the_same(tmp_path: Path, content: str | bytes, piece: int) -> None:
    calls = read_contacts(write(tmp_path, content), CALL, piece)
    assert counted(calls) == CALLS
    assert (calls.rows, calls.skipped) == (5, 1)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n", "line 1 has the columns a, b, but a log of contacts needs"),
        (PLAIN + "5,0,x,7\n", "line 7 is '5,0,x,7'"),
        (PLAIN + "5,0\n", "line 7 is '5,0'"),
        (gzip.compress(PLAIN.encode() * 50)[:-20], "cut short or damaged"),
        ("5,2,7,100\n", "no contact of type 0"),
        ("99999999999,0,7,100\n", "person number outside"),
    ],
    ids=["empty", "columns", "word", "short row", "truncated gzip", "type", "number"],
)
def test_each_way_to_break_is_one_sentence(tmp_path: Path, content: str | bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_contacts(write(tmp_path, content), CALL)


def test_a_log_larger_than_a_piece_counts_as_counted_one_by_one(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 30, (5000, 2))
    path = write(tmp_path, "".join(f"{a},1,{b},{k}\n" for k, (a, b) in enumerate(ends.tolist())))
    assert counted(read_contacts(path, EMAIL, 1000)) == Counter(map(tuple, ends.tolist()))


def test_selection_and_thresholds_by_hand() -> None:
    calls = contacts_of(np.array([1, 2, 3, 1, 4, 5]), np.array([2, 3, 1, 1, 1, 4]), np.array([11, 9, 8, 99, 10, 10]))
    emails = contacts_of(np.array([3, 2]), np.array([6, 1]), np.array([12, 1]))
    company = select(calls, emails)
    assert company.people.tolist() == [1, 2, 3, 6]  # 4 and 5 have 10 contacts, not more; contacts with oneself are none
    assert company.edges(SPARSE) == (2, 1)
    assert company.edges(DENSE) == (3, 2)
    assert company_of(company.content()).content() == company.content()
    problem = pair(company, SPARSE, np.random.default_rng(1))
    assert problem.truth is not None
    labels = [(problem.source.labels[i], problem.target.labels[j]) for i, j in problem.truth]
    assert all(a == b for a, b in labels)
    assert problem.source.weights[0, 1] == 11


def test_the_pieces_of_the_challenge(shared_dir: Path) -> None:
    folder = shared_dir / "data" / "mc3"
    calls = read_contacts(folder / "vast_mc3_groupCalls.csv", CALL)
    emails = read_contacts(folder / "vast_mc3_groupEmails.csv", EMAIL)
    assert (calls.rows, emails.rows) == (19_291, 27_452)
    company = select(calls, emails)
    assert (len(company.people), company.edges(SPARSE), company.edges(DENSE)) == (29, (418, 477), (728, 741))
    with pytest.raises(InputError, match="more than 10 contacts"):
        select(
            read_contacts(folder / "vast_mc3_Suspicious_calls.csv", CALL),
            read_contacts(folder / "vast_mc3_Suspicious_emails.csv", EMAIL),
        )


def test_a_generated_company_is_repeatable_heavy_tailed_and_shared_between_channels() -> None:
    first, second = (generate_company(80, np.random.default_rng(3)) for _ in range(2))
    assert counted(first[0]) == counted(second[0])
    calls, emails = (counted(log) for log in first)
    sizes = np.array(list(calls.values()))
    assert (sizes == 1).mean() > 0.5
    assert sizes.max() > 50
    strong = {key for key, count in calls.items() if count > 8}
    likely = np.mean([emails.get(key, 0) > 8 for key in strong])
    assert likely > 5 * np.mean([count > 8 for count in emails.values()])
