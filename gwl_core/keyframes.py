"""Past states of a run within a memory budget, counting once what states share."""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor

from gwl_core.state import State


class Keyframes:
    """States by step. When memory runs short, every other one goes and the spacing doubles; the first one stays.

    Attributes:
        states: the kept ones by step.
        spacing: steps from one to the next of those to come.
        room: bytes that they may take; two are kept in any case.
        taken: bytes that they take.
    """

    def __init__(self, states: Iterable[State], room: int) -> None:
        self.room, self.spacing = room, 1
        self._hold({state.step: state for state in states})
        self._first = min(self.states)

    def add(self, state: State) -> None:
        """Keep a state if its turn has come."""
        if state.step % self.spacing:
            return
        self.states[state.step] = state
        self._count(state)
        self.thin()

    def before(self, step: int) -> State:
        """The newest one that is not after a step."""
        return self.states[max(k for k in self.states if k <= step)]

    def thin(self) -> None:
        """Let go of as many as there is no room for."""
        while self.taken > self.room and len(self.states) > 2:
            self.spacing *= 2
            self._hold({k: s for k, s in self.states.items() if k % self.spacing == 0 or k == self._first})

    def _hold(self, states: dict[int, State]) -> None:
        self.states, self._storages, self.taken = states, set[int](), 0
        for state in states.values():
            self._count(state)

    def _count(self, state: State) -> None:
        for tensor in _tensors(state):
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in self._storages:
                self._storages.add(storage.data_ptr())
                self.taken += storage.nbytes()


def state_bytes(state: State) -> int:
    """Memory of a state, if it shares nothing with others."""
    return sum(tensor.numel() * tensor.element_size() for tensor in _tensors(state))


def _tensors(state: State) -> list[Tensor]:
    tensors = [state.coupling, state.log_scaling, state.generator]
    for pair in (state.embeddings, *((state.adam.first, state.adam.second) if state.adam else ())):
        tensors += [] if pair is None else [pair.source, pair.target]
    return tensors if state.best is None else [*tensors, state.best.matching]
