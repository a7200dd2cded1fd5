"""A trial on a company's calls and emails: section "MC3", one start, with its curves against outer iterations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from gwl_core.datasets.communication import DENSE, SPARSE, Company, company_of, pair, select
from gwl_core.datasets.company import generate_company
from gwl_core.experiments.protocol import Data, Parameters, Value, Values
from gwl_core.experiments.trials.aligners import ALIGNERS, aligned
from gwl_core.experiments.trials.solve import measured, settings_of
from gwl_core.problem import MatchingProblem

DENSITIES = {"sparse": SPARSE, "dense": DENSE}


@lru_cache(maxsize=4)
def generated(people: int, seed: int) -> Company:
    """The selected employees of a generated company."""
    return select(*generate_company(people, np.random.default_rng(seed)))


def problem_of(parameters: Parameters, data: Data) -> MatchingProblem:
    """Calls against emails. The emails' order comes from the trial's seed, as a start does."""
    p: dict[str, Any] = dict(parameters)
    company = generated(p["people"], p["company"]) if p["logs"] is None else company_of(data[p["logs"]])
    return pair(company, DENSITIES[p["density"]], np.random.default_rng(p["seed"]))


def run_trial(parameters: Parameters, data: Data) -> Values:
    """Align from one start. Curves have one value an outer iteration; coordinates are those of a t-SNE."""
    p: dict[str, Any] = dict(parameters)
    problem = problem_of(parameters, data)
    sizes: dict[str, Value] = {
        "people": problem.source.n_nodes,
        "call_edges": problem.source.n_edges,
        "email_edges": problem.target.n_edges,
    }
    if p["method"] in ALIGNERS:
        return aligned(problem, p["method"], p["seed"], p["cap"], p["generations"]) | sizes
    return _learned(p, problem) | sizes


def _learned(p: Mapping[str, Any], problem: MatchingProblem) -> dict[str, Value]:
    """A run of GWL or GWD."""
    from gwl_core.trajectory import Trajectory  # torch

    changes = {} if p["outer"] is None else {"outer": p["outer"]}
    config, hyper, preset = settings_of(p["method"], p["settings"], p["seed"], **changes)
    curves = p.get("curves", False)
    trajectory = Trajectory(problem, config, hyper, budget_bytes=0, measure_every=10**9)
    discrepancy, coupling, embedding = list[float](), list[float](), list[float]()
    while not trajectory.done:
        info = trajectory.advance()
        # The last step of an outer iteration's last phase.
        if curves and info.measures and info.phase == ("embedding" if config.embeddings else "coupling"):
            found = info.measures
            discrepancy.append(found.gw_discrepancy)
            coupling.append(found.node_correctness_coupling or 0.0)
            embedding.append(found.node_correctness_embedding or 0.0)
    result = trajectory.result(preset)
    values: dict[str, Value] = dict(measured(result))
    if curves:
        values |= {"discrepancy_curve": discrepancy, "coupling_curve": coupling}
        if config.embeddings:
            values |= {"embedding_curve": embedding}
    if p.get("project") and result.source_embedding is not None and result.target_embedding is not None:
        values |= _projection(result.source_embedding, result.target_embedding, p["seed"], p["method"])
        values |= {"names": [*problem.source.labels, *problem.target.labels]}
    return values


def _projection(source: np.ndarray, target: np.ndarray, seed: int, method: str) -> dict[str, Value]:
    """t-SNE of both graphs' embeddings together, by the distance that they were learned for."""
    from openTSNE import TSNE

    points = np.concatenate([source, target])
    metric = "cosine" if method == "GWL-C" else "euclidean"
    perplexity = max(2.0, min(30.0, (len(points) - 1) / 4))
    placed = TSNE(perplexity=perplexity, metric=metric, neighbors="exact", random_state=seed % 2**31, n_jobs=1).fit(
        points
    )
    return {"tsne_x": [float(x) for x in placed[:, 0]], "tsne_y": [float(y) for y in placed[:, 1]]}
