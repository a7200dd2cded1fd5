"""What is said of the logs that were given, beside the sizes that the paper has of the whole ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from gwl_core.experiments.company_source import PUBLISHED_SIZES, WHOLE_LOG, beside_the_paper, company_of_request
from gwl_core.experiments.protocol import Request


@dataclass(frozen=True)
class Sized:
    """A company of which only the sizes matter."""

    people: np.ndarray
    sparse: tuple[int, int]
    dense: tuple[int, int]

    def edges(self, threshold: int) -> tuple[int, int]:
        return self.sparse if threshold else self.dense


PAPER = Sized(np.arange(622), (1228, 1235), (141_846, 115_782))


def test_the_published_sizes_are_those_of_the_whole_logs() -> None:
    assert PUBLISHED_SIZES["people"] == 622
    assert beside_the_paper(PAPER, WHOLE_LOG) == (  # type: ignore[arg-type]
        "The selection is the paper's: 622 employees and 1,228 / 1,235 sparse and 141,846 / 115,782 dense edges "
        "(calls / emails)."
    )


@pytest.mark.parametrize(
    "company", [Sized(np.arange(621), PAPER.sparse, PAPER.dense), Sized(PAPER.people, (1228, 1236), PAPER.dense)]
)
def test_a_whole_log_of_another_selection_is_told_apart(company: Sized) -> None:
    said = beside_the_paper(company, WHOLE_LOG)  # type: ignore[arg-type]
    assert said.startswith(f"These logs seem whole ({WHOLE_LOG:,} calls), but their selection is not the paper's: ")
    assert f"{len(company.people)} employees" in said
    assert "where it has 622 employees" in said
    assert "does not compare" in said
    assert beside_the_paper(company, WHOLE_LOG - 1).startswith("A part of the logs: ")  # type: ignore[arg-type]


def test_pieces_of_the_logs_are_a_part(shared_dir: Path) -> None:
    folder = shared_dir / "data/mc3"
    calls, emails = (folder / f"vast_mc3_group{kind}.csv" for kind in ("Calls", "Emails"))
    parameters, data, notices = company_of_request(
        Request("quick", 0, {"calls": str(calls), "emails": str(emails)}), 10
    )
    assert parameters["logs"] in data
    (said,) = notices
    assert said.startswith(f"A part of the logs: {parameters['people']} employees")
