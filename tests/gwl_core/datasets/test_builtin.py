"""Every built-in pair loads, is what it says it is, and does not give its answer away."""

import subprocess
import sys

import numpy as np
import pytest

from gwl_core.datasets import builtin
from gwl_core.datasets.builtin import PAIRS_FOLDER, list_pairs, load_pair
from gwl_core.errors import InputError

INFOS = list_pairs()
each_pair = pytest.mark.parametrize("info", INFOS, ids=lambda info: info.key)


def test_the_seven_pairs_are_there():
    assert [info.key for info in INFOS] == [
        "celegans-adult", "celegans-hermaphrodite", "flights", "geant", "mouse", "new-testament", "vtlwavenet",
    ]  # fmt: skip


@each_pair
def test_pair_is_what_it_says(info):
    problem = load_pair(info.key)
    source, target = problem.source, problem.target
    assert (source.n_nodes, source.n_edges) == (info.source_nodes, info.source_edges)
    assert (target.n_nodes, target.n_edges) == (info.target_nodes, info.target_edges)
    assert source.directed == target.directed == info.directed
    assert (source.name, target.name) == (info.source_name, info.target_name)
    assert source.n_isolated == target.n_isolated == source.n_self_loops == target.n_self_loops == 0
    assert max(source.n_nodes, target.n_nodes) <= 450


@each_pair
def test_truth_is_one_to_one(info):
    truth = load_pair(info.key).truth
    assert len(truth) == info.known
    assert len(np.unique(truth[:, 0])) == len(np.unique(truth[:, 1])) == len(truth)
    assert info.known >= 0.9 * min(info.source_nodes, info.target_nodes)


@each_pair
def test_target_order_does_not_tell_the_answer(info):
    truth = load_pair(info.key).truth
    assert np.mean(truth[:, 0] == truth[:, 1]) < 0.1
    assert abs(np.corrcoef(truth.T)[0, 1]) < 4 / np.sqrt(len(truth))


@each_pair
def test_texts_and_licence_are_there(info):
    for text in (info.title, info.description, info.licence, info.citation, info.attribution):
        assert text.strip() == text
        assert "\n" not in text
        assert text
    assert len((PAIRS_FOLDER / info.key / "LICENSE").read_text(encoding="utf-8")) > 500
    assert info.description.endswith(".")


def test_equal_names_are_the_truth_where_both_sides_share_them():
    for info in INFOS:
        if info.key != "new-testament":
            problem = load_pair(info.key)
            names = {(problem.source.labels[i], problem.target.labels[j]) for i, j in problem.truth}
            assert names == {(name, name) for name in set(problem.source.labels) & set(problem.target.labels)}


def test_new_testament_translates():
    problem = load_pair("new-testament")
    words = {problem.source.labels[i]: problem.target.labels[j] for i, j in problem.truth}
    assert (words["θεός"], words["υἱός"], words["ὕδωρ"], words["πόλις"]) == ("god", "son", "water", "city")


def test_the_cc_by_credit_names_source_licence_and_change():
    credit = next(info.attribution for info in INFOS if info.key == "new-testament")
    assert all(word in credit for word in ("Clear Bible, Inc.", "CC BY 4.0", "MACULA", "Changed:"))


def test_known_facts_about_the_graphs():
    geant = load_pair("geant")
    assert {"ME", "MK", "RS"} == set(geant.target.labels) - set(geant.source.labels)
    flights = load_pair("flights").target
    a, b = flights.index["LAX"], flights.index["SFO"]
    assert flights.weights[[a], [b]].item() > 10_000  # one of the busiest routes of 2008


def test_assets_stay_small():
    for info in INFOS:
        assert sum(path.stat().st_size for path in (PAIRS_FOLDER / info.key).iterdir()) < 1_000_000
    assert sum(path.stat().st_size for path in PAIRS_FOLDER.rglob("*") if path.is_file()) < 2_000_000


def test_unknown_pair_lists_the_keys():
    with pytest.raises(InputError) as caught:
        load_pair("no-such")
    assert str(caught.value).startswith("There is no built-in pair 'no-such': choose one of celegans-adult, ")


def test_missing_assets_are_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(builtin, "PAIRS_FOLDER", tmp_path)
    with pytest.raises(InputError, match="built-in pairs are missing"):
        list_pairs.__wrapped__()


def test_datasets_load_neither_pandas_nor_torch():
    code = "import sys, gwl_core.datasets; sys.exit(bool({'pandas', 'torch', 'networkx'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
