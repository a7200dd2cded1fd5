"""Built-in ICD-9-CM titles: the codes of the generated admissions and of the paper's table, from the public list.

assets/icd9 holds the long titles of the final edition (version 32); codes without a point, leading zeros kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from gwl_core.datasets.code_tables import rows_of

ICD9_FOLDER = Path(__file__).resolve().parents[2] / "assets" / "icd9"


def disease_titles() -> Mapping[str, str]:
    """Disease code → long title."""
    return _table("diseases.csv")


def procedure_titles() -> Mapping[str, str]:
    """Procedure code → long title."""
    return _table("procedures.csv")


@lru_cache(maxsize=2)
def _table(name: str) -> Mapping[str, str]:
    return {code: title for _, (code, title) in rows_of(ICD9_FOLDER / name, ("icd9_code", "long_title"))}
