import networkx as nx
import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from dashboard.figures.layout import aligned_layout, spring_layout


def _weights(graph: nx.Graph) -> sparse.csr_array:
    return nx.to_scipy_sparse_array(graph, format="csr", dtype=float)


def test_a_grid_unfolds() -> None:
    graph = nx.grid_2d_graph(8, 8)
    xy = spring_layout(_weights(graph), np.random.default_rng(0))
    hops = nx.floyd_warshall_numpy(graph)
    assert np.corrcoef(cdist(xy, xy).ravel(), hops.ravel())[0, 1] > 0.9


@pytest.mark.parametrize("n", [300, 900])
def test_neighbours_lie_together_below_and_above_the_sampling_limit(n: int) -> None:
    weights = _weights(nx.connected_caveman_graph(n // 10, 10))
    xy = spring_layout(weights, np.random.default_rng(1))
    rows, columns = weights.nonzero()
    assert np.linalg.norm(xy[rows] - xy[columns], axis=1).mean() < 0.3 * cdist(xy, xy).mean()


@pytest.mark.parametrize(
    "graph",
    [nx.empty_graph(1), nx.empty_graph(5), nx.path_graph(2), nx.disjoint_union(nx.complete_graph(9), nx.empty_graph(4)),
     nx.complete_graph(30)],
)  # fmt: skip
def test_every_graph_fills_the_unit_square(graph: nx.Graph) -> None:
    xy = spring_layout(_weights(graph), np.random.default_rng(0))
    assert xy.shape == (len(graph), 2)
    assert (xy >= 0).all()
    assert (xy <= 1).all()
    assert len(np.unique(xy.round(6), axis=0)) == len(graph)


def test_equal_seeds_give_equal_layouts_and_leave_the_graph_alone() -> None:
    weights = _weights(nx.karate_club_graph())
    before = weights.copy()
    layouts = [spring_layout(weights, np.random.default_rng(4)) for _ in range(2)]
    np.testing.assert_array_equal(*layouts)
    assert (weights != before).nnz == 0


def test_the_target_mirrors_the_source() -> None:
    source = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])
    # Targets 0–2 are matched; 3 hangs on 0 and 1, 4 on 3, and 5 on nothing.
    graph = nx.empty_graph(6)
    graph.add_edges_from([(0, 3), (1, 3), (3, 4), (0, 1), (1, 2)])
    fallback = np.full((6, 2), 0.25)
    xy = aligned_layout(source, np.array([1, 0, 2]), _weights(graph), fallback)
    np.testing.assert_array_equal(xy, [[1, 0], [0, 0], [0.5, 1], [0.5, 0], [0.5, 0], [0.25, 0.25]])
    np.testing.assert_array_equal(fallback, 0.25)
