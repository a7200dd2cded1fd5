"""The MIMIC-III tables: DIAGNOSES_ICD, PROCEDURES_ICD and the titles D_ICD_DIAGNOSES and D_ICD_PROCEDURES.

Full release or open demo, headers in capitals or not, compressed or not. Codes are text: 0331 is not 331. None of the
data is part of this project; the full release is given to credentialed users only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gwl_core.datasets.admissions import Admissions, from_records
from gwl_core.datasets.code_tables import rows_of
from gwl_core.datasets.icd9 import disease_titles, procedure_titles
from gwl_core.errors import InputError
from gwl_core.readers.phrases import counted

_SUFFIXES = (".csv", ".csv.gz")


def read_mimic(folder: Path) -> Admissions:
    """Every admission that has a row in DIAGNOSES_ICD or PROCEDURES_ICD, with titles where there are any.

    Titles come from the folder's own title tables, else from the built-in list. Rows without a code (MIMIC has some)
    are counted in a notice.

    Raises:
        InputError: no such folder, a table that is missing, cut short or has other columns.
    """
    if not folder.is_dir():
        raise InputError(f"{folder.name} is not a folder; give the folder that holds DIAGNOSES_ICD.csv[.gz].")
    notices: list[str] = []
    codes: dict[str, tuple[list[str], list[str]]] = {}
    for side, table in enumerate(("DIAGNOSES_ICD", "PROCEDURES_ICD")):
        path = find_table(folder, table)
        if path is None:
            raise InputError(f"{folder.name} has no {table}.csv[.gz]; give the folder that holds the MIMIC tables.")
        blank = 0
        for line, (admission, code) in rows_of(path, ("hadm_id", "icd9_code")):
            if not admission:
                raise InputError(f"{path.name}, line {line}: the row names no admission (hadm_id); mend it.")
            if code:
                codes.setdefault(admission, ([], []))[side].append(code)
            else:
                blank += 1
        if blank:
            notices.append(f"{path.name}: {counted(blank, 'row')} without a code skipped.")
    found = from_records(codes.values())
    titled = found.with_titles(
        _titles(folder, "D_ICD_DIAGNOSES", disease_titles()), _titles(folder, "D_ICD_PROCEDURES", procedure_titles())
    )
    return replace(titled, notices=(*notices, *titled.notices))


def find_table(folder: Path, table: str) -> Path | None:
    """A table's file, whatever the case of its name; the uncompressed one where both are there."""
    names = {path.name.lower(): path for path in sorted(folder.iterdir())}
    return next((names[key] for suffix in _SUFFIXES if (key := (table + suffix).lower()) in names), None)


def read_titles(path: Path) -> dict[str, str]:
    """Code → long title of a D_ICD table."""
    return {code: title for _, (code, title) in rows_of(path, ("icd9_code", "long_title")) if code}


def _titles(folder: Path, table: str, builtin: Mapping[str, str]) -> Mapping[str, str]:
    path = find_table(folder, table)
    return builtin if path is None else read_titles(path)
