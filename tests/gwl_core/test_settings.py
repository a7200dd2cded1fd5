"""Settings: one table of rules, schedules, and the presets as the design pins them down."""

from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwl_core.errors import InputError
from gwl_core.settings import (
    PARAMETER,
    PARAMETERS,
    PRESETS,
    SCHEDULES,
    Config,
    Hyperparameters,
    alpha_at,
    parse_schedule,
    with_changes,
)


def test_the_table_has_one_row_per_field_and_knows_which_are_live() -> None:
    names = [p.name for p in PARAMETERS]
    assert len(names) == len(set(names))
    assert {p.name for p in PARAMETERS if p.live} == {f.name for f in fields(Hyperparameters)}
    assert {p.name for p in PARAMETERS if not p.live} == {f.name for f in fields(Config)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kernel", "KL"), ("loss", "cosine"), ("kernel", "RBF"), ("kernel", None), ("kernel", ["rbf"]),
        ("gamma", 0), ("gamma", 1e-7), ("gamma", 11), ("gamma", "nan"), ("gamma", "small"), ("gamma", True),
        ("dim", 0), ("dim", 1025), ("dim", 2.5), ("dim", "x"), ("dim", 10**400), ("dim", None),
        ("inner", 0), ("inner", 5001), ("inner", float("inf")), ("outer", -1), ("beta", -1), ("sigma", 0),
        ("batch_size", 1), ("seed", -1), ("seed", 2**31), ("unmatched", "yes"), ("unmatched", 1),
        ("alpha", "linear:x"), ("alpha", "constant:2"), ("alpha", "constant:nan"), ("alpha", "delayed:1"),
        ("alpha", "constant:"), ("gamma", "1_0"),
        ("alpha", "0.5"), ("alpha", None), ("alpha", ""),
    ],
)  # fmt: skip
def test_a_value_outside_its_rule_is_refused_with_name_rule_and_value(name: str, value: Any) -> None:
    kind = Hyperparameters if PARAMETER[name].live else Config
    with pytest.raises(InputError) as error:
        kind(**{name: value})
    assert str(error.value).startswith(f"{name} must ")
    assert repr(value) in str(error.value) or repr(str(value)) in str(error.value)


@pytest.mark.parametrize("parameter", [p for p in PARAMETERS if p.kind in ("int", "float")], ids=lambda p: p.name)
def test_bounds_are_inclusive(parameter: Any) -> None:
    for bound in (parameter.low, parameter.high):
        assert parameter.check(bound) == bound
        assert parameter.check(str(bound)) == bound
    with pytest.raises(InputError):
        parameter.check(parameter.low - 1)
    with pytest.raises(InputError):
        parameter.check(parameter.high * 2 + 1)


def test_values_arrive_in_their_own_type() -> None:
    hyper = Hyperparameters(inner="20", gamma="0.1", beta=3)  # type: ignore[arg-type]
    assert (hyper.inner, hyper.gamma, hyper.beta) == (20, 0.1, 3.0)
    assert isinstance(hyper.inner, int)
    assert isinstance(hyper.beta, float)
    assert Hyperparameters(gamma="auto").gamma is None  # type: ignore[arg-type]
    assert Config(sigma="auto").sigma is None  # type: ignore[arg-type]


def test_changes_by_name_reach_the_right_half() -> None:
    config, hyper = with_changes("gwd", {"gamma": 0.3, "kernel": "rbf"})
    assert (config.kernel, hyper.gamma) == ("rbf", 0.3)
    assert replace(config, kernel="cosine") == PRESETS["gwd"].config


@pytest.mark.parametrize(("preset", "changes"), [("default", {"gama": 0.1}), ("Default", {}), ("", {})])
def test_an_unknown_name_is_refused(preset: str, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"gama|preset"):
        with_changes(preset, changes)


def test_schedules_of_a_run() -> None:
    assert [alpha_at("linear", p) for p in (0, 0.25, 1)] == [0, 0.25, 1]
    assert [alpha_at("linear:0.2", p) for p in (0, 0.5, 1)] == [0, 0.1, 0.2]
    assert [alpha_at("constant:0.3", p) for p in (0, 0.5, 1)] == [0.3] * 3
    assert [alpha_at("delayed:0.5", p) for p in (0, 0.5, 0.75, 1)] == [0, 0, 0.5, 1]
    assert [alpha_at("smooth", p) for p in (0, 0.5, 1)] == [0, 0.5, 1]
    assert [parse_schedule(name)[0] for name in SCHEDULES] == list(SCHEDULES)


@given(st.sampled_from(SCHEDULES), st.floats(0, 0.99), st.floats(0, 1), st.floats(0, 1))
def test_alpha_never_falls_and_stays_within_0_and_1(name: str, number: float, p: float, q: float) -> None:
    text = f"{name}:{number}"
    low, high = alpha_at(text, min(p, q)), alpha_at(text, max(p, q))
    assert 0 <= low <= high <= 1


def test_the_paper_preset_is_algorithms_1_and_2_as_printed() -> None:
    config, hyper = PRESETS["paper"].config, PRESETS["paper"].hyperparameters
    assert hyper == Hyperparameters(
        alpha="linear", beta=10.0, gamma=0.01, outer=30, inner=200, sinkhorn=1, learning_rate=1e-3, epochs=5,
        batch_size=100, tolerance=0.0, rounds=0,
    )  # fmt: skip
    assert (config.dim, config.loss, config.cost, config.kernel) == (100, "square", "zipf", "cosine")
    assert (config.gradient, config.marginals, config.start, config.method) == (
        "one-sided", "degree", "product", "proximal",
    )  # fmt: skip
    assert config.sigma is None
    assert config.carry_scaling
    assert config.embeddings
    assert not config.unmatched
    assert not config.warm_start


def test_the_gwd_presets_are_transport_without_embeddings() -> None:
    paper, plain = PRESETS["paper"], PRESETS["gwd-paper"]
    assert plain.config == replace(paper.config, embeddings=False)
    assert plain.hyperparameters == replace(paper.hyperparameters, outer=1)
    assert not PRESETS["gwd"].config.embeddings
    assert PRESETS["default"].config == Config()
