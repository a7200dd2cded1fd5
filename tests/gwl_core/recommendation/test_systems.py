"""The systems on admissions with planted pairs, and a trial of each."""

import math

import numpy as np
import pytest

from gwl_core.datasets.admissions import Admissions, from_records
from gwl_core.datasets.generated_admissions import generate_admissions
from gwl_core.errors import InputError
from gwl_core.recommendation.gwl import learn_jointly, scaled
from gwl_core.recommendation.systems import SYSTEMS
from gwl_core.recommendation.task import matching_problem
from gwl_core.recommendation.trial import pack, run_trial, unpack

SMALL = {"seed": 3, "admissions": 80, "diseases": 20, "procedures": 12}


def planted(count: int = 240) -> Admissions:
    """Three kinds of admissions, each with four diseases and three procedures of its own."""
    generator = np.random.default_rng(0)
    records = []
    for _ in range(count):
        kind = generator.integers(3)
        diseases = generator.choice(4, 3, replace=False) + 4 * kind
        procedures = generator.choice(3, 2, replace=False) + 3 * kind
        records.append(([f"{d:02}" for d in diseases], [str(p) for p in procedures]))
    return from_records(records)


@pytest.mark.parametrize("key", ["word2vec", "glove", "gwd-c", "gwl-r", "gwl-c", "gwl-c-counts", "frequency"])
def test_a_system_brings_planted_codes_together(key: str) -> None:
    """The closest procedure of a disease is one of its own kind."""
    learned = SYSTEMS[key].learn(planted(), np.random.default_rng(1))
    own = np.arange(12) // 4
    assert (learned.distances.argmin(axis=1) // 3 == own).mean() >= 0.9


def test_scaled_counts_by_hand() -> None:
    """n: a 3, b 2, c 2; x 2, y 2, z 2; of N = 4. w_ab = 2 gives 3·2/√6; a with x: 3·(2 − 3·2/4)/3."""
    admissions = from_records([(["a", "b"], ["x", "y"]), (["a", "b", "c"], ["x"]), (["a"], ["y", "z"]), (["c"], ["z"])])
    problem = scaled(matching_problem(admissions), admissions)
    assert problem.source.weights.toarray()[0] == pytest.approx([0, 6 / math.sqrt(6), 3 / math.sqrt(6)])
    assert problem.target.weights.toarray()[0] == pytest.approx([0, 1.5, 0])
    assert problem.anchors is not None
    assert problem.anchors.toarray() == pytest.approx(np.array([[0.5, 0.5, 0], [1.5, 0, 0], [0, 0, 0]]))


def test_gwd_is_gwl_with_one_outer_iteration() -> None:
    """Its coupling knows no embeddings: the kernel makes no difference to it."""
    couplings = [learn_jointly(planted(60), kernel, 8, 1, seed=0).coupling for kernel in ("cosine", "rbf")]
    assert np.array_equal(*couplings)
    assert couplings[0].shape == (12, 9)


@pytest.mark.parametrize("key", SYSTEMS)
def test_a_trial_measures_and_repeats(key: str) -> None:
    values = run_trial({"system": key, **SMALL})
    for name, value in values.items():
        if name.startswith(("precision", "recall", "f1")):
            assert 0 <= value <= 1
    assert values["released_recall_1"] >= values["recall_1"]
    assert ("coupling" in values) == key.startswith("gw")
    if key in ("word2vec", "gwl-c"):
        assert run_trial({"system": key, **SMALL}) == values


def test_the_transport_is_scaled_and_named() -> None:
    values = run_trial({"system": "gwl-c", **SMALL})
    assert max(values["coupling"]) == 1
    assert len(values["coupling"]) == len(values["disease_names"]) * len(values["procedure_names"]) == 20 * 12
    assert all(name.startswith("d") and " " in name for name in values["disease_names"])


def test_given_admissions_give_the_same_as_generated_ones() -> None:
    generated = generate_admissions(SMALL["admissions"], np.random.default_rng([3, 0]))
    packed = pack(generated)
    assert np.array_equal(unpack(packed).rows.toarray(), generated.rows.toarray())
    assert unpack(packed).procedure_titles == generated.procedure_titles
    parameters = {"system": "frequency", **SMALL}
    assert run_trial(parameters, packed) == run_trial(parameters)


def test_an_unknown_system_is_one_sentence() -> None:
    with pytest.raises(InputError, match="There is no system 'x': choose one of word2vec"):
        run_trial({"system": "x", **SMALL})
