"""A session: what the URL may do to it, and what its transitions keep."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard import text
from dashboard.session import (
    DEFAULT_PAIR,
    DataChoice,
    Session,
    differing,
    from_query,
    look_at,
    preset_value,
    select,
    to_query,
    with_data,
    with_parameter,
    with_preset,
)
from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER, PARAMETERS, PRESETS

PAIRS = [DEFAULT_PAIR, "other"]


def problem() -> MatchingProblem:
    graph = Graph.from_matrix(np.array([[0, 1], [1, 0]]))
    return MatchingProblem(graph, graph)


def test_an_empty_url_is_the_default() -> None:
    session = from_query({}, PAIRS)
    assert session.data.pair == DEFAULT_PAIR
    assert session.settings == (PRESETS["default"].config, PRESETS["default"].hyperparameters)
    assert session.notices == ()


def values_of(name: str) -> st.SearchStrategy:
    parameter = PARAMETER[name]
    match parameter.kind:
        case "bool":
            return st.booleans()
        case "choice":
            return st.sampled_from(parameter.choices)
        case "schedule":
            return st.sampled_from(["linear", "smooth", "constant:0.25", "delayed:0.5"])
        case "int":
            numbers = st.integers(int(parameter.low), int(parameter.high))
        case _:
            numbers = st.floats(parameter.low, parameter.high).map(lambda x: float(f"{x:.6g}"))
            numbers = numbers.filter(lambda x: parameter.low <= x <= parameter.high)
    return st.none() | numbers if parameter.optional else numbers


@given(st.data())
def test_the_url_brings_back_every_setting(data: st.DataObject) -> None:
    session = Session(
        data=DataChoice("knn", 60, 0.25, 3), projection=data.draw(st.sampled_from(["tsne", "pca"])),
        perplexity=data.draw(st.sampled_from([30.0, 7.5])),
    )  # fmt: skip
    session = with_preset(session, data.draw(st.sampled_from(list(PRESETS))))
    for parameter in PARAMETERS:
        if data.draw(st.booleans()):
            session = with_parameter(session, parameter.name, data.draw(values_of(parameter.name)))
    back = from_query(to_query(session), PAIRS)
    assert back.notices == ()
    assert (back.settings, back.preset, back.data, back.projection, back.perplexity) == (
        session.settings, session.preset, session.data, session.projection, session.perplexity,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"dim": "0"}, ["dim", "1 to 1024", "'0'"]),
        ({"inner": "99999999"}, ["inner", "5000"]),
        ({"gamma": "nan"}, ["gamma", "'nan'"]),
        ({"gamma": "1e999"}, ["gamma"]),
        ({"seed": "1.5"}, ["seed", "whole number"]),
        ({"kernel": "<script>"}, ["kernel", "cosine"]),
        ({"alpha": "constant:7"}, ["alpha"]),
        ({"embeddings": "maybe"}, ["embeddings", "true or false"]),
        ({"preset": "best"}, ["preset", "default"]),
        ({"pair": "../../etc"}, ["pair", DEFAULT_PAIR]),
        ({"pair": "knn", "nodes": "1000000"}, ["nodes", "50 is used"]),
        ({"pair": "ba", "noise": "-1"}, ["noise"]),
        ({"projection": "umap"}, ["projection"]),
        ({"pair": "upload"}, ["choose the files again"]),
    ],
)
def test_a_bad_value_in_the_url_is_one_sentence_and_the_presets_value(query: dict[str, str], words: list[str]) -> None:
    session = from_query({"preset": "gwd", **query}, PAIRS)
    assert len(session.notices) == 1
    for word in words:
        assert word in session.notices[0]
    if "preset" not in query:
        assert session.settings == (PRESETS["gwd"].config, PRESETS["gwd"].hyperparameters)


def test_unknown_names_in_the_url_are_ignored() -> None:
    assert from_query({"utm_source": "x", "embed": "true"}, PAIRS).notices == ()


def test_a_long_value_does_not_flood_the_page() -> None:
    assert len(from_query({"kernel": "x" * 10_000}, PAIRS).notices[0]) < 300


def test_uploads_and_labels_stay_out_of_the_url() -> None:
    session = with_data(Session(), DataChoice("upload", upload="secret"), problem())
    session = select(session, (1, 0), "table")
    assert to_query(session) == {"pair": "upload", "preset": "default", "seed": "0"}


def test_the_presets_value_is_no_change() -> None:
    session = with_parameter(Session(), "beta", 3.0)
    assert session.changes == {"beta": 3.0}
    assert with_parameter(session, "beta", preset_value("default", "beta")).changes == {}


def test_a_preset_replaces_settings_but_not_the_seed() -> None:
    session = with_parameter(with_parameter(Session(), "seed", 5), "beta", 3.0)
    session = with_preset(session, "paper")
    assert session.changes == {"seed": 5}
    assert session.settings[1].gamma == PRESETS["paper"].hyperparameters.gamma
    with pytest.raises(InputError, match="preset"):
        with_preset(session, "best")


def test_a_bad_value_changes_nothing() -> None:
    session = Session()
    with pytest.raises(InputError, match="dim must be a whole number from 1 to 1024"):
        with_parameter(session, "dim", 0)
    assert session.changes == {}


def test_a_live_change_in_the_past_forks() -> None:
    past = look_at(Session(), 10, 50)
    assert look_at(past, None, 50).past is None
    assert past.past == 10
    assert with_parameter(past, "beta", 3.0).fork
    assert not with_parameter(past, "dim", 8).fork
    assert not with_parameter(look_at(past, 50, 50), "beta", 3.0).fork
    assert not look_at(with_parameter(past, "beta", 3.0), 11, 50).fork


def test_other_graphs_drop_what_was_about_the_old_ones() -> None:
    session = replace(select(look_at(Session(), 3, 9), (0, 1), "graphs"), uploading=True)
    changed = with_data(session, DataChoice("other"))
    assert (changed.selected, changed.past, changed.uploading) == (None, None, False)
    assert changed.changes == session.changes


def test_differing_names_come_in_order() -> None:
    config = PRESETS["default"].config
    assert differing(config, replace(config, dim=8, kernel="rbf")) == ["dim", "kernel"]


def test_every_parameter_has_words_and_a_place() -> None:
    names = {p.name for p in PARAMETERS}
    assert set(text.PARAMETERS) == names
    placed = [name for _, rows in text.GROUPS for row in rows for name in row] + [n for row in text.MORE for n in row]
    assert sorted(placed) == sorted(names)
    assert set(text.PRESETS) == set(PRESETS)
