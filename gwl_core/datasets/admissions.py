"""Hospital admissions: which diseases and which procedures were coded together, and a plain CSV of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy import sparse

from gwl_core.datasets.code_tables import rows_of
from gwl_core.errors import InputError
from gwl_core.readers.phrases import counted, listed, shown

CSV_COLUMNS = ("admission", "diseases", "procedures")


@dataclass(frozen=True, eq=False)
class Admissions:
    """What was coded in each admission; a code given twice in one admission counts once.

    Attributes:
        diseases, procedures: distinct ICD-9 codes as text, leading zeros kept.
        disease_rows, procedure_rows: (admissions, codes) CSR matrices of 0 and 1, float64.
        disease_titles, procedure_titles: a title for every code, "" where none is known.
        notices: sentences for the user.
    """

    diseases: tuple[str, ...]
    procedures: tuple[str, ...]
    disease_rows: sparse.csr_array
    procedure_rows: sparse.csr_array
    disease_titles: tuple[str, ...]
    procedure_titles: tuple[str, ...]
    notices: tuple[str, ...] = ()

    def __len__(self) -> int:
        return int(self.disease_rows.shape[0])

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """Diseases as d<code>, then procedures as p<code>, as the paper writes them: the two lists share codes."""
        return (*(f"d{code}" for code in self.diseases), *(f"p{code}" for code in self.procedures))

    @cached_property
    def rows(self) -> sparse.csr_array:
        """(admissions, diseases + procedures) incidence of `codes`."""
        return sparse.csr_array(sparse.hstack([self.disease_rows, self.procedure_rows]))

    def part(self, positions: np.ndarray) -> Admissions:
        """The admissions at these positions; codes stay, also those that no admission of the part has."""
        return replace(
            self, disease_rows=self.disease_rows[positions], procedure_rows=self.procedure_rows[positions], notices=()
        )

    def with_titles(self, diseases: Mapping[str, str], procedures: Mapping[str, str]) -> Admissions:
        """With titles looked up by code; a notice counts the codes that have none."""
        notices = list(self.notices)
        for kind, codes, known in (("disease", self.diseases, diseases), ("procedure", self.procedures, procedures)):
            missing = [code for code in codes if not known.get(code)]
            if missing:
                few = listed([shown(code) for code in missing[:5]], len(missing))
                notices.append(f"{counted(len(missing), f'{kind} code')} without a title will show as codes: {few}.")
        return replace(
            self,
            disease_titles=tuple(diseases.get(code, "") for code in self.diseases),
            procedure_titles=tuple(procedures.get(code, "") for code in self.procedures),
            notices=tuple(notices),
        )

    def most_frequent(self, diseases: int, procedures: int) -> Admissions:
        """The most frequent codes (ties by code), and the admissions that have at least one of each kind.

        Raises:
            InputError: no admission has both.
        """
        kept_d = _frequent(self.diseases, self.disease_rows, diseases)
        kept_p = _frequent(self.procedures, self.procedure_rows, procedures)
        d, p = self.disease_rows[:, kept_d], self.procedure_rows[:, kept_p]
        both = np.flatnonzero((d.sum(axis=1) > 0) & (p.sum(axis=1) > 0))
        if not len(both):
            raise InputError("No admission has both a frequent disease and a frequent procedure; keep more codes.")
        dropped = len(self) - len(both)
        notices = list(self.notices)
        if dropped:
            notices.append(
                f"{counted(dropped, 'admission')} of {len(self):,} without one of the {len(kept_d)} most frequent "
                f"diseases or without one of the {len(kept_p)} most frequent procedures left out."
            )
        return Admissions(
            tuple(self.diseases[i] for i in kept_d), tuple(self.procedures[j] for j in kept_p),
            sparse.csr_array(d[both]), sparse.csr_array(p[both]),
            tuple(self.disease_titles[i] for i in kept_d), tuple(self.procedure_titles[j] for j in kept_p),
            tuple(notices),
        )  # fmt: skip


def _frequent(codes: Sequence[str], rows: sparse.csr_array, most: int) -> np.ndarray:
    """Positions of the most frequent codes that occur at all, most frequent first."""
    counts = np.asarray(rows.sum(axis=0)).ravel()
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda i: (-counts[i], codes[i]))
    return np.array(order[:most], dtype=np.int64)


def from_records(records: Iterable[tuple[Iterable[str], Iterable[str]]]) -> Admissions:
    """Admissions from (disease codes, procedure codes) pairs; codes are sorted, titles empty.

    Raises:
        InputError: no record, or no code of one of the two kinds at all.
    """
    kept = [(sorted(set(diseases)), sorted(set(procedures))) for diseases, procedures in records]
    sides = []
    for kind, lists in (("disease", [d for d, _ in kept]), ("procedure", [p for _, p in kept])):
        codes = sorted({code for codes in lists for code in codes})
        if not codes:
            raise InputError(f"The admissions hold no {kind} code; check that the right file was given.")
        index = {code: i for i, code in enumerate(codes)}
        columns = np.array([index[code] for codes in lists for code in codes], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum([len(codes) for codes in lists])])
        rows = sparse.csr_array((np.ones(len(columns)), columns, starts), shape=(len(lists), len(codes)))
        sides.append((tuple(codes), rows))
    (diseases, disease_rows), (procedures, procedure_rows) = sides
    blanks = tuple("" for _ in diseases), tuple("" for _ in procedures)
    return Admissions(diseases, procedures, disease_rows, procedure_rows, *blanks)


def read_admissions(path: Path) -> Admissions:
    """A plain CSV, gzip-compressed or not: admission, diseases, procedures, the codes separated by semicolons.

    Raises:
        InputError: a file that cannot be read, misses a column, names an admission twice, or holds no codes.
    """
    records, seen = [], set()
    for line, (admission, diseases, procedures) in rows_of(path, CSV_COLUMNS):
        if not admission:
            raise InputError(f"{path.name}, line {line}: the admission has no name; give each a distinct one.")
        if admission in seen:
            raise InputError(f"{path.name}, line {line}: admission {shown(admission)} comes twice; give it one row.")
        seen.add(admission)
        records.append((_split(diseases), _split(procedures)))
    return from_records(records)


def _split(codes: str) -> list[str]:
    return [code for part in codes.split(";") if (code := part.strip())]
