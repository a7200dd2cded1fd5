"""What the page is shown of a trajectory, as numpy arrays. Runs in a run's process; imports torch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dashboard.snapshot import HISTORY, PHASES
from gwl_core.confidence import confidence
from gwl_core.matching import MatchedPair, by_coupling
from gwl_core.measure import finish
from gwl_core.result import Measures, Result, Status
from gwl_core.state import StepInfo
from gwl_core.trajectory import Trajectory, history_row
from gwl_core.writers import result_pairs

_ALTERNATIVES = 5


@dataclass(frozen=True, eq=False)
class View:
    """A state to show.

    Attributes:
        step: how many steps led to it.
        position: outer, inner, phase, α and γ of its last step.
        coupling: (n_s, n_t) float32.
        matching, confidence: (n_s,) int32 and float32: by coupling while running, one-to-one at rest.
        source, target: embeddings, or None.
        measures: of the state in a view at rest; of the last measured step in a quick one.
        result, pairs: what the run would end with here; None and empty in a quick view.
    """

    step: int
    position: dict[str, Any]
    coupling: np.ndarray
    matching: np.ndarray
    confidence: np.ndarray
    source: np.ndarray | None
    target: np.ndarray | None
    measures: Measures | None
    result: Result | None = None
    pairs: tuple[MatchedPair, ...] = ()


def quick_view(run: Trajectory, step: int | None = None) -> View:
    """A state, by default the newest, as cheaply as it can be had."""
    state = run.state if step is None else run.state_at(step)
    n_s, n_t = run.problem.source.n_nodes, run.problem.target.n_nodes
    padded = state.coupling.cpu().numpy()
    block = padded[:n_s, :n_t]
    found = by_coupling(block)
    sure = confidence(run.problem, found, block)
    measured = next((info.measures for info in reversed(run.infos[: state.step]) if info.measures), None)
    return View(
        state.step, _position(run, state.step), block.astype(np.float32), found.astype(np.int32),
        sure.astype(np.float32), *_embeddings(state), measured,
    )  # fmt: skip


def rest_view(run: Trajectory, step: int, preset: str, status: Status | None) -> View:
    """A state as the result it would be.

    Args:
        status: how the run stands, if the state does not tell.
    """
    if step == run.state.step:
        result = run.result(preset)
    else:
        rows = [history_row(info) for info in run.infos[:step]]
        hyper = run.hyperparameters_at(step)
        result = finish(run.problem, run.config, hyper, run.state_at(step), preset, run.seconds, rows)
    if status is not None:
        result = replace(result, status=status)
    pairs = result_pairs(result)
    found = np.full(result.problem.source.n_nodes, -1, dtype=np.int32)
    sure = np.zeros(len(found), dtype=np.float32)
    for pair in pairs:
        found[pair.source], sure[pair.source] = pair.target, pair.confidence
    return View(
        step, _position(run, step), result.coupling.astype(np.float32), found, sure,
        result.source_embedding, result.target_embedding, result.measures, result, tuple(pairs),
    )  # fmt: skip


def history_rows(infos: Sequence[StepInfo]) -> np.ndarray:
    """(steps, len(HISTORY)) float64."""
    rows = np.full((len(infos), len(HISTORY)), np.nan)
    for row, info in zip(rows, infos, strict=True):
        # The objective is the whole of eq. (rgwl) where it was measured: a step minimises only its own part of it.
        known = {**vars(info), "objective": None, **(vars(info.measures) if info.measures else {})}
        known |= {"phase": PHASES.index(info.phase), "round": None if info.candidate is None else info.round}
        for k, name in enumerate(HISTORY):
            value = known.get(name)
            row[k] = np.nan if value is None else value
    return rows


def pair_arrays(matched: Iterable[MatchedPair]) -> dict[str, np.ndarray]:
    """A one-to-one matching for a "snapshot" message, surest first."""
    pairs = sorted(matched, key=lambda pair: (-pair.confidence, pair.source))
    others = np.full((len(pairs), _ALTERNATIVES), -1, dtype=np.int32)
    shares = np.zeros((len(pairs), _ALTERNATIVES), dtype=np.float32)
    for k, pair in enumerate(pairs):
        for rank, (target, share) in enumerate(pair.alternatives[:_ALTERNATIVES]):
            others[k, rank], shares[k, rank] = target, share
    return {
        "pairs.source": np.array([pair.source for pair in pairs], dtype=np.int32),
        "pairs.target": np.array([pair.target for pair in pairs], dtype=np.int32),
        "pairs.coupling": np.array([pair.coupling for pair in pairs], dtype=np.float64),
        "pairs.confidence": np.array([pair.confidence for pair in pairs], dtype=np.float64),
        "pairs.tied": np.array([pair.tied for pair in pairs], dtype=np.bool_),
        "pairs.alternatives": others,
        "pairs.shares": shares,
    }


def _position(run: Trajectory, step: int) -> dict[str, Any]:
    if not step:
        return {"outer": 0, "inner": 0, "phase": PHASES[0], "alpha": 0.0, "gamma": None}
    info = run.infos[step - 1]
    return {"outer": info.outer, "inner": info.inner, "phase": info.phase, "alpha": info.alpha, "gamma": info.gamma}


def _embeddings(state: Any) -> tuple[np.ndarray | None, np.ndarray | None]:
    if state.embeddings is None:
        return None, None
    return state.embeddings.source.cpu().numpy(), state.embeddings.target.cpu().numpy()
