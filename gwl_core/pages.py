"""Large tensors on large pages."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable

import torch
from torch import Tensor

_HUGE = 2**21
_LEAST = 2**25
"""Bytes from which the allocator maps fresh memory for a tensor. The system clears its pages when they are first
touched; 4 KB at a time, that takes several times as long as to write the tensor."""


def empty_like(tensor: Tensor) -> Tensor:
    """`torch.empty_like`; where the system can, it hands a large one out in pages of 2 MB."""
    made = torch.empty_like(tensor)
    size = made.numel() * made.element_size()
    if made.device.type == "cpu" and size >= _LEAST:
        first = -(-made.data_ptr() // _HUGE) * _HUGE
        last = (made.data_ptr() + size) // _HUGE * _HUGE
        _advise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), _ADVICE)  # no matter whether it is taken
    return made


_ADVICE = getattr(mmap, "MADV_HUGEPAGE", 0)


def _madvise() -> Callable[[ctypes.c_void_p, ctypes.c_size_t, int], object]:
    try:
        found: Callable[..., object] = ctypes.CDLL(None).madvise
    except (AttributeError, OSError, TypeError):
        return lambda _first, _size, _advice: None
    return found if _ADVICE else lambda _first, _size, _advice: None


_advise = _madvise()
