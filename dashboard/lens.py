"""One pair under the lens, made in a run's process: what the Inspect page is told. Imports torch.

The page gets plain numbers and arrays (`inspect_message`) and reads them back (`Seen.of`).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import torch

from dashboard.protocol import Message
from dashboard.views import View
from gwl_core.confidence import confidence, evidence
from gwl_core.embedding import Embeddings
from gwl_core.inspection import Subject, alternatives, exchange_of, injective, sureness, terms
from gwl_core.schedules import alpha_of
from gwl_core.trajectory import PairHistory, Trajectory
from gwl_core.workspace import workspace


def inspect_message(run: Trajectory, history: PairHistory, view: View, pair: tuple[int, int], number: int) -> Message:
    """What there is to say about a pair at the step of a view.

    Args:
        run: the branch that took the step.
        history: of the pair, up to that step.
        view: at rest, or of a run under way.
    """
    subject = _subject(run, view)
    i, j = pair
    matching, match = subject.matching, int(subject.matching[i])
    exchange = exchange_of(subject.space)
    discrepancy, conserved = exchange.changes(matching, i, np.array([j]))
    alike = evidence(run.problem, matching) if (matching >= 0).any() else None
    place = None if alike is None or match < 0 else int(np.searchsorted(alike.rows, i))
    values: dict[str, Any] = {
        "id": number, "pair": [i, j], "step": view.step, "match": match,
        "confidence": float(view.confidence[i]) if match == j else None,
        "would_be": _would_be(subject, i, j),
        "alike": 1 if alike is None or place is None else int(alike.alike[place]),
        "sureness": asdict(sureness(subject, i, j)),
        "terms": [asdict(term) for term in terms(subject, i, j)],
        "matching_discrepancy": exchange.discrepancy(matching),
        "change": [float(discrepancy[0]), int(conserved[0])],
        "alternatives": [asdict(other) for other in alternatives(subject, i)],
        "since": history.since, "spacing": run.spacing,
    }  # fmt: skip
    arrays = {
        "matching": matching.astype(np.int64), "steps": history.steps, "mass": history.mass, "best": history.best,
    }  # fmt: skip
    return Message("answer", values, arrays)


def _would_be(subject: Subject, i: int, j: int) -> float:
    """Confidence of the pair if it were the match, its owner taking over what the source had."""
    after = subject.matching.copy()
    after[after == j] = after[i]
    after[i] = j
    return float(confidence(subject.space.problem, after)[i])


def _subject(run: Trajectory, view: View) -> Subject:
    hyper = run.hyperparameters_at(view.step)
    state = run.state_at(view.step)
    space = workspace(run.problem, run.config)
    if view.result is not None:
        result = view.result
        coupling = np.hstack([result.coupling, result.slack_columns]) if result.slack_columns.size else result.coupling
        coupling = np.vstack([coupling, result.slack_rows]) if result.slack_rows.size else coupling
        matching = view.matching.astype(np.int64)
    else:
        coupling = state.coupling.cpu().double().numpy()
        matching = injective(view.matching.astype(np.int64), coupling)
    x = state.embeddings
    here = None if x is None else Embeddings(x.source.cpu(), x.target.cpu())
    return Subject(
        space, torch.from_numpy(coupling), here, alpha_of(hyper, state), hyper.beta, matching,
        view.measures if view.result is not None else None,
    )  # fmt: skip
