"""The generators keep the paper's counts exactly, hide the answer and repeat with the seed."""

import numpy as np
import pytest

from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.errors import InputError

GENERATORS = (knn, barabasi_albert)


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("generate", GENERATORS)
@pytest.mark.parametrize("n", [4, 25, 50, 100])
@pytest.mark.parametrize("noise", [0, 0.1, 0.2, 0.3, 0.37, 0.5, 1, 5])
def test_counts_are_exact(generate, n, noise):
    for seed in range(3):
        problem = generate(n, noise, rng(seed))
        source, target = problem.source, problem.target
        assert source.n_nodes == n
        assert target.n_nodes == n + round(noise * n)
        assert target.n_edges == source.n_edges + round(noise * source.n_edges)
        assert source.n_self_loops == target.n_self_loops == 0


@pytest.mark.parametrize("generate", GENERATORS)
def test_the_source_is_in_the_target_under_the_truth(generate):
    problem = generate(40, 0.5, rng(3))
    assert problem.truth[:, 0].tolist() == list(range(40))
    image = problem.target.weights.toarray()[np.ix_(problem.truth[:, 1], problem.truth[:, 1])]
    own = problem.source.weights.toarray()
    np.testing.assert_array_equal(image[own > 0], own[own > 0])


@pytest.mark.parametrize("generate", GENERATORS)
def test_index_and_label_do_not_tell_the_answer(generate):
    fixed = 0
    for seed in range(100):
        problem = generate(20, 0, rng(seed))
        pairs = problem.truth
        assert (pairs[:, 0] != pairs[:, 1]).any()
        assert not set(problem.source.labels) & set(problem.target.labels)
        fixed += np.count_nonzero(pairs[:, 0] == pairs[:, 1])
    assert 60 < fixed < 145  # a uniform permutation has one fixed point on average


@pytest.mark.parametrize("generate", GENERATORS)
def test_same_seed_same_problem(generate):
    one, two, other = (generate(30, 0.3, rng(seed)) for seed in (5, 5, 6))
    np.testing.assert_array_equal(one.truth, two.truth)
    for side in ("source", "target"):
        a, b, c = (getattr(problem, side).weights.toarray() for problem in (one, two, other))
        np.testing.assert_array_equal(a, b)
        assert not np.array_equal(a, c)


def test_knn_is_the_simulation_of_the_paper():
    source = knn(400, 0, rng()).source
    selected = source.adjacency.sum(axis=1)
    assert source.directed
    assert selected.mean() == pytest.approx(40, abs=1.5)  # 0.1·|V|
    assert selected.var() == pytest.approx(40, rel=0.25)
    received = source.adjacency.sum(axis=0)
    assert received.var() == pytest.approx(40, rel=0.25)  # selected uniformly: about Poisson too
    weights = source.edges[2]
    assert weights.min() >= 1
    assert weights.mean() == pytest.approx(10, abs=0.1)


def test_knn_mean_degree_is_adjustable_and_clipped():
    assert knn(200, 0, rng(), mean_degree=3).source.n_edges == pytest.approx(600, abs=100)
    assert knn(3, 0, rng(1), mean_degree=2).source.n_edges <= 6


def test_knn_keeps_isolated_nodes():
    problem = knn(40, 0.5, rng(), mean_degree=0.5)
    assert problem.source.n_nodes == 40
    assert problem.source.n_isolated > 0


def test_knn_noise_edges_are_counts_and_reach_old_and_added_nodes():
    problem = knn(50, 0.5, rng(2))
    target = problem.target
    assert target.edges[2].min() >= 1
    added = np.setdiff1d(np.arange(target.n_nodes), problem.truth[:, 1])
    assert (target.degrees[added] > 0).all()
    old = target.adjacency[problem.truth[:, 1]][:, problem.truth[:, 1]]
    assert old.nnz > problem.source.n_edges


@pytest.mark.parametrize("attach", [1, 2, 5])
def test_barabasi_albert_grows_from_a_star(attach):
    source = barabasi_albert(60, 0, rng(), attach).source
    assert not source.directed
    assert source.n_edges == attach * (60 - attach)
    assert set(source.edges[2]) == {1}
    assert source.degrees.min() >= 1
    assert source.degrees.max() > 2.5 * np.median(source.degrees)  # hubs


def test_barabasi_albert_target_grows_on():
    problem = barabasi_albert(50, 0.5, rng(), attach=2)
    old = problem.target.adjacency[problem.truth[:, 1]][:, problem.truth[:, 1]]
    assert old.nnz // 2 == problem.source.n_edges  # every added edge belongs to an added node
    assert set(problem.target.edges[2]) == {1}


def test_no_free_pair_is_one_sentence():
    # Three nodes that all select all others: round(0.16·3) = 0 added nodes, round(0.16·6) = 1 added edge.
    seed = next(s for s in range(100) if knn(3, 0, rng(s), mean_degree=2).source.n_edges == 6)
    with pytest.raises(InputError, match="no free pair for 1 of 1 added edges"):
        knn(3, 0.16, rng(seed), mean_degree=2)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: knn(1, 0, rng()), "n_nodes must be a whole number from 2 to 200000, got 1."),
        (lambda: knn(2.5, 0, rng()), "n_nodes must be a whole number from 2 to 200000, got 2.5."),
        (lambda: knn(50, -0.1, rng()), "noise must be a number from 0 to 5, got -0.1."),
        (lambda: knn(50, float("nan"), rng()), "noise must be a number from 0 to 5, got nan."),
        (lambda: knn(50, 0, rng(), mean_degree=50), "mean_degree must be a number from 0 to 49, got 50."),
        (lambda: barabasi_albert(5, 0, rng(), attach=5), "attach must be a whole number from 1 to 4, got 5."),
        (lambda: barabasi_albert(5, 6, rng()), "noise must be a number from 0 to 5, got 6."),
    ],
)
def test_bad_arguments_name_parameter_rule_and_value(call, sentence):
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == sentence
