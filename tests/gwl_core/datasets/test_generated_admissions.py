"""The generated admissions: repeatable, titled, and with the structure that was planted."""

import numpy as np
import pytest

from gwl_core.datasets.generated_admissions import conditions, generate_admissions
from gwl_core.datasets.icd9 import disease_titles, procedure_titles
from gwl_core.errors import InputError


def test_equal_seeds_give_equal_admissions() -> None:
    first, second, other = (generate_admissions(60, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first.codes == second.codes
    assert np.array_equal(first.rows.toarray(), second.rows.toarray())
    assert not np.array_equal(first.rows.sum(axis=0), other.rows.sum(axis=0)[: first.rows.shape[1]])


def test_every_admission_has_both_kinds_and_every_code_a_title() -> None:
    found = generate_admissions(300, np.random.default_rng(0))
    assert len(found) == 300
    assert found.disease_rows.sum(axis=1).min() >= 1
    assert found.procedure_rows.sum(axis=1).min() >= 1
    assert all(found.disease_titles)
    assert all(found.procedure_titles)
    assert found.notices == ()


def test_conditions_use_known_codes_and_probabilities() -> None:
    for condition in conditions():
        assert set(condition.diseases) <= set(disease_titles())
        assert set(condition.procedures) <= set(procedure_titles())
        assert all(0 < chance <= 1 for chance in (*condition.diseases.values(), *condition.procedures.values()))


def test_a_condition_brings_its_codes_together() -> None:
    """Circumcision and the routine circumcision code are far more often together than chance has it."""
    found = generate_admissions(3000, np.random.default_rng(1))
    disease = found.disease_rows[:, [found.diseases.index("V502")]].toarray().ravel()
    procedure = found.procedure_rows[:, [found.procedures.index("640")]].toarray().ravel()
    assert (disease * procedure).mean() > 4 * disease.mean() * procedure.mean()


def test_wards_do_not_mix() -> None:
    """A newborn has coronary disease only as a stray code."""
    found = generate_admissions(3000, np.random.default_rng(2))
    newborn = found.disease_rows[:, [found.diseases.index("V053")]].toarray().ravel() > 0
    coronary = found.disease_rows[:, [found.diseases.index("41401")]].toarray().ravel() > 0
    assert (newborn & coronary).sum() < 0.02 * newborn.sum()


@pytest.mark.parametrize("count", [0, 10**9])
def test_sizes_have_bounds(count: int) -> None:
    with pytest.raises(InputError, match="number of admissions must be from 1 to"):
        generate_admissions(count, np.random.default_rng(0))
