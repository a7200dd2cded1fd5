"""Gromov-Wasserstein Learning: align two graphs and embed their nodes on one manifold.

The library behind the dashboard and the command line (Xu et al., ICML 2019).
Importing it loads neither torch nor any dashboard package.
"""

from gwl_core.errors import InputError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PRESETS, Config, Hyperparameters

__version__ = "0.1.0"

__all__ = ["PRESETS", "Config", "Graph", "Hyperparameters", "InputError", "MatchingProblem", "__version__"]
