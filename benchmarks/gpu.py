"""`python -m benchmarks.gpu`: does CUDA give the couplings of the CPU, and how near is it to the speed of the card?

A proximal iteration is bound by memory, so its time is held against that of copying as many bytes on the same card.
"""

from __future__ import annotations

import sys
from time import perf_counter

import torch

from benchmarks.problems import sparse_pair
from benchmarks.report import Row, Table, as_text
from gwl_core.problem import MatchingProblem
from gwl_core.settings import with_changes
from gwl_core.solver import State, init, step

SIZES = (1000, 2000, 5000, 10000, 20000)

CPU_UP_TO = 5000
"""Nodes beyond which only the card is timed."""

TOLERANCE = 1e-4
"""Largest ‖T_cuda − T_cpu‖₁ that passes."""


def run(problem: MatchingProblem, device: str, iterations: int) -> tuple[State, float, float]:
    """The state after some iterations from the product coupling, seconds of set-up, and seconds per iteration."""
    changes = {
        "device": device, "start": "product", "inner": iterations, "tolerance": 0.0, "precision": "float32",
        "gamma": None, "rounds": 0,
    }  # fmt: skip
    config, hyperparameters = with_changes("gwd", changes)
    start = perf_counter()
    state = init(problem, config, hyperparameters)
    state, _ = step(problem, config, hyperparameters, state)
    ready = perf_counter()
    while state.phase != "done":
        state, _ = step(problem, config, hyperparameters, state)
    _wait(device)
    return state, ready - start, (perf_counter() - ready) / (iterations - 1)


def bandwidth(elements: int, repeats: int = 10) -> float:
    """Bytes read and written per second by a copy of float32 numbers on the card."""
    one = torch.empty(elements, device="cuda")
    other = one.clone()
    _wait("cuda")
    start = perf_counter()
    for _ in range(repeats):
        other.copy_(one)
    _wait("cuda")
    return repeats * 8 * elements / (perf_counter() - start)


def row(nodes: int, iterations: int) -> Row:
    """Both devices on one pair."""
    problem = sparse_pair(nodes)
    on_card, set_up, seconds = run(problem, "cuda", iterations)
    copy = bandwidth(nodes**2)
    found: Row = {
        "nodes": nodes,
        "cuda_ms": 1000 * seconds,
        "cuda_set_up_s": set_up,
        "copy_gb_s": copy / 1e9,
        "copies_of_T": seconds / (8 * nodes**2 / copy),
        "peak_gb": torch.cuda.max_memory_allocated() / 1e9,
    }
    if nodes <= CPU_UP_TO:
        on_cpu, _, other = run(problem, "cpu", iterations)
        difference = float((on_card.coupling.cpu().double() - on_cpu.coupling.double()).abs().sum())
        found |= {
            "cpu_ms": 1000 * other, "ratio": other / seconds, "difference": difference, "same": difference <= TOLERANCE,
        }  # fmt: skip
    return found


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def main() -> int:
    """Print the table; 0 where every coupling agrees or there is no card to ask."""
    if not torch.cuda.is_available():
        print("There is no CUDA device here, so there is nothing to compare.")
        return 0
    rows = [row(nodes, 11) for nodes in SIZES]
    notes = (
        f"{torch.cuda.get_device_name()}; float32, Barabási–Albert graphs of 3 edges a node, {torch.__version__}.",
        "copies_of_T: the time of an iteration in copies of its coupling. difference: ‖T_cuda − T_cpu‖₁.",
    )
    print(as_text(Table("CUDA against CPU", rows, notes)))
    return 0 if all(found.get("same", True) for found in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
