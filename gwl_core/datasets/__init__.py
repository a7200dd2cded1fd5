"""Problems to align: the built-in real pairs and the paper's synthetic graphs."""

from gwl_core.datasets.builtin import PairInfo, list_pairs, load_pair
from gwl_core.datasets.files import write_problem
from gwl_core.datasets.noise import add_noise_edges, add_noise_nodes, permute_and_relabel
from gwl_core.datasets.synthetic import barabasi_albert, knn

__all__ = [
    "PairInfo",
    "add_noise_edges",
    "add_noise_nodes",
    "barabasi_albert",
    "knn",
    "list_pairs",
    "load_pair",
    "permute_and_relabel",
    "write_problem",
]
