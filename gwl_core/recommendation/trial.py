"""One trial: a system learns from the training half of some admissions and recommends for the test quarter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from gwl_core.datasets.admissions import Admissions
from gwl_core.datasets.generated_admissions import generate_admissions
from gwl_core.errors import InputError
from gwl_core.recommendation.matches import scaled_to_one
from gwl_core.recommendation.measures import admission_scores, released_top_measures, top_measures
from gwl_core.recommendation.systems import SYSTEMS
from gwl_core.recommendation.task import split

LENGTHS = (1, 5)
"""L of the top-L measures."""

_DATA, _SPLIT, _SYSTEM = range(3)
"""What a seed is used for; each has a stream of its own, so all systems of a seed see the same admissions."""


def run_trial(parameters: Mapping[str, Any], packed: bytes | None = None) -> dict[str, Any]:
    """Precision, recall and F1 of the test admissions, by the paper's definition and by the released code's.

    Args:
        parameters: system (a key of SYSTEMS), seed, diseases and procedures (how many of the most frequent codes), and
            admissions (how many to generate) unless they are given.
        packed: given admissions (`pack`).

    Returns:
        precision_1, recall_1, f1_1, … for every L, released_precision_1, …; how many admissions were tested; and, of a
        system with a coupling, `coupling` row by row with its maximum scaled to 1, with `disease_names` and
        `procedure_names`.
    """
    if parameters["system"] not in SYSTEMS:
        raise InputError(f"There is no system {parameters['system']!r}: choose one of {', '.join(SYSTEMS)}.")
    seed = int(parameters["seed"])
    if packed is None:
        admissions = generate_admissions(int(parameters["admissions"]), np.random.default_rng([seed, _DATA]))
    else:
        admissions = unpack(packed)
    admissions = admissions.most_frequent(int(parameters["diseases"]), int(parameters["procedures"]))
    parts = split(admissions, np.random.default_rng([seed, _SPLIT]))
    learned = SYSTEMS[parameters["system"]].learn(parts.training, np.random.default_rng([seed, _SYSTEM]))
    scores = admission_scores(parts.testing.disease_rows, learned.distances)
    values: dict[str, Any] = {"tested": len(parts.testing)}
    for prefix, measure in (("", top_measures), ("released_", released_top_measures)):
        for length in LENGTHS:
            found = measure(scores, parts.testing.procedure_rows, length)
            for name in ("precision", "recall", "f1"):
                values[f"{prefix}{name}_{length}"] = getattr(found, name)
    if learned.coupling is not None:
        values["coupling"] = [round(float(value), 4) for value in scaled_to_one(learned.coupling).ravel()]
        values["disease_names"] = _names("d", admissions.diseases, admissions.disease_titles)
        values["procedure_names"] = _names("p", admissions.procedures, admissions.procedure_titles)
    return values


def _names(prefix: str, codes: tuple[str, ...], titles: tuple[str, ...]) -> list[str]:
    return [f"{prefix}{code} {title}".rstrip() for code, title in zip(codes, titles, strict=True)]


def pack(admissions: Admissions) -> bytes:
    """Admissions as JSON, to be sent to a worker."""
    rows = [
        [codes.tolist() for codes in np.split(matrix.indices, matrix.indptr[1:-1])]
        for matrix in (admissions.disease_rows, admissions.procedure_rows)
    ]
    names = ("diseases", "procedures", "disease_titles", "procedure_titles", "notices")
    return json.dumps({"rows": rows, **{name: list(getattr(admissions, name)) for name in names}}).encode()


def unpack(packed: bytes) -> Admissions:
    """The inverse of `pack`."""
    found = json.loads(packed)
    matrices = []
    for lists, codes in zip(found["rows"], (found["diseases"], found["procedures"]), strict=True):
        starts = np.concatenate([[0], np.cumsum([len(codes) for codes in lists])])
        columns = np.array([code for codes in lists for code in codes], dtype=np.int64)
        matrices.append(sparse.csr_array((np.ones(len(columns)), columns, starts), shape=(len(lists), len(codes))))
    return Admissions(
        tuple(found["diseases"]), tuple(found["procedures"]), matrices[0], matrices[1],
        tuple(found["disease_titles"]), tuple(found["procedure_titles"]), tuple(found["notices"]),
    )  # fmt: skip
