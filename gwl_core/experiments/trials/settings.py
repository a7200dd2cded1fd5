"""A trial of any settings on any pair: what sweeps and the sensitivity experiment run."""

from __future__ import annotations

import numpy as np

from gwl_core.datasets.builtin import list_pairs, load_pair
from gwl_core.datasets.communication import DENSE, SPARSE, pair, select
from gwl_core.datasets.company import generate_company
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.errors import InputError
from gwl_core.experiments.protocol import Data, Parameters, Values
from gwl_core.experiments.trials.solve import measured
from gwl_core.problem import MatchingProblem
from gwl_core.settings import PARAMETER, Parameter, with_changes

PAIRS = "knn:NODES:NOISE, ba:NODES:NOISE, company:PEOPLE:sparse|dense, or the key of a built-in pair"


def pair_of(name: str, seed: int) -> MatchingProblem:
    """The pair of a name: a generated one of that seed, or a built-in one.

    Raises:
        InputError: a name that is none of PAIRS.
    """
    kind, _, rest = name.partition(":")
    if kind in ("knn", "ba", "company"):
        first, _, second = rest.partition(":")
        nodes = Parameter(f"pair {name}: nodes", "int", live=False, low=2, high=5000).check(first)
        rng = np.random.default_rng(seed)
        if kind == "company":
            if second not in ("sparse", "dense"):
                raise InputError(f"The pair {name!r} must end in :sparse or :dense.")
            return pair(select(*generate_company(nodes, rng)), SPARSE if second == "sparse" else DENSE, rng)
        noise = Parameter(f"pair {name}: noise", "float", live=False, low=0, high=5).check(second)
        return (knn if kind == "knn" else barabasi_albert)(nodes, noise, rng)
    if name not in {info.key for info in list_pairs()}:
        raise InputError(f"There is no pair {name!r}: give {PAIRS}.")
    return load_pair(name)


def run_trial(parameters: Parameters, data: Data) -> Values:
    """Align the pair with the preset, changed by every parameter that is the name of a setting."""
    from gwl_core.trajectory import run  # torch

    seed = int(parameters["seed"] or 0)
    changes = {name: value for name, value in parameters.items() if name in PARAMETER and name != "seed"}
    fixed = {"threads": 1, "device": "cpu", "scale": "dense", "seed": seed}
    config, hyper = with_changes(str(parameters["preset"]), {**fixed, **changes})
    problem = pair_of(str(parameters["pair"]), seed)
    return measured(run(problem, config, hyper, str(parameters["preset"])))
