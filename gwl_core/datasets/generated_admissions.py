"""Generated admissions with planted structure: latent conditions that bring diseases and procedures together.

An admission has a ward (by the conditions' shares), one to three conditions of that ward, the background codes of the
ward, and a few stray codes that mean nothing. Given its conditions, every code is drawn by itself. The conditions, with
the probability of each code, are assets/icd9/conditions.csv; they and the constants below were fixed before any method
was run on them, and are not to be tuned to one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gwl_core.datasets.admissions import Admissions, from_records
from gwl_core.datasets.code_tables import rows_of
from gwl_core.datasets.icd9 import ICD9_FOLDER, disease_titles, procedure_titles
from gwl_core.errors import InputError

EXTRA_CONDITIONS = 0.5
"""Mean of the Poisson number of conditions beyond the first."""

MAX_CONDITIONS = 3

STRAY_DISEASES, STRAY_PROCEDURES = 0.4, 0.2
"""Means of the Poisson numbers of codes drawn uniformly from all there are."""

MAX_ADMISSIONS = 200_000

_BACKGROUND = "background"


@dataclass(frozen=True)
class Condition:
    """A latent condition: how common it is in its ward, and the probability of each code given the condition."""

    name: str
    share: float
    ward: str
    diseases: Mapping[str, float]
    procedures: Mapping[str, float]


def generate_admissions(count: int, generator: np.random.Generator) -> Admissions:
    """Admissions with at least one disease and one procedure each (a draw without is drawn again), with titles.

    Raises:
        InputError: a count out of range.
    """
    if not 1 <= count <= MAX_ADMISSIONS:
        raise InputError(f"The number of admissions must be from 1 to {MAX_ADMISSIONS}, got {count}.")
    common = tuple(c for c in conditions() if c.name != _BACKGROUND)
    background = {c.ward: c for c in conditions() if c.name == _BACKGROUND}
    share = np.array([c.share for c in common]) / sum(c.share for c in common)
    strays = (
        sorted({code for c in conditions() for code in c.diseases}),
        sorted({code for c in conditions() for code in c.procedures}),
    )
    records: list[tuple[set[str], set[str]]] = []
    while len(records) < count:
        first = int(generator.choice(len(common), p=share))
        present = [common[first]]
        extra = min(int(generator.poisson(EXTRA_CONDITIONS)), MAX_CONDITIONS - 1)
        others = [i for i, c in enumerate(common) if c.ward == common[first].ward and i != first]
        extra = min(extra, len(others))
        if extra:
            weights = share[others] / share[others].sum()
            present += [common[i] for i in generator.choice(others, extra, replace=False, p=weights)]
        if common[first].ward in background:
            present.append(background[common[first].ward])
        diseases = {c for condition in present for c in _drawn(condition.diseases, generator)}
        procedures = {c for condition in present for c in _drawn(condition.procedures, generator)}
        diseases |= set(generator.choice(strays[0], int(generator.poisson(STRAY_DISEASES))).tolist())
        procedures |= set(generator.choice(strays[1], int(generator.poisson(STRAY_PROCEDURES))).tolist())
        if diseases and procedures:
            records.append((diseases, procedures))
    return from_records(records).with_titles(disease_titles(), procedure_titles())


def _drawn(chances: Mapping[str, float], generator: np.random.Generator) -> list[str]:
    draws = generator.random(len(chances))
    return [code for (code, chance), draw in zip(chances.items(), draws, strict=True) if draw < chance]


@lru_cache(maxsize=1)
def conditions() -> tuple[Condition, ...]:
    """The planted conditions, and the background codes of a ward as a condition without a share."""
    columns = ("condition", "share", "ward", "kind", "code", "probability")
    heads: dict[str, tuple[float, str]] = {}
    codes: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for _, (name, share, ward, kind, code, probability) in rows_of(ICD9_FOLDER / "conditions.csv", columns):
        heads[name] = (float(share or 0), ward)
        codes[name, kind][code] = float(probability)
    return tuple(
        Condition(name, share, ward, codes[name, "disease"], codes[name, "procedure"])
        for name, (share, ward) in heads.items()
    )
