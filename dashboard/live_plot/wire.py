"""How a figure travels to the browser: one compressed block of bytes, arrays as they lie in memory.

Layout, before compression (all numbers little-endian): the header's length as uint32, the header as UTF-8 JSON padded
with spaces to a multiple of 8 bytes, then the arrays, each padded likewise. The header is the figure with every array
replaced by ``{"$": [type, offset, shape, step]}``; a list that holds any begins with a dict, a list or an array (the
browser passes over all others, such as a thousand names). Base64 would add a third, JSON lists would be five times as
large.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np

_ALIGN = 8
_LEVELS = 255


def pack(figure: Any) -> bytes:
    """Encode nested dicts and lists that hold NumPy arrays.

    Floats travel as float32 and integers as int32 or narrower. An image (a 2-D float array of values ≥ 0) travels as
    256 levels, an error of at most 1/510 of its largest value. NaN is allowed in arrays only.

    Raises:
        ValueError: a plain number is NaN or infinite.
    """
    buffers: list[bytes] = []
    offset = 0

    def replace(value: Any) -> Any:
        nonlocal offset
        if isinstance(value, dict):
            return {key: replace(item) for key, item in value.items()}
        if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
            array, step = _narrow(value)
            raw = _padded(array.tobytes(), b"\0")
            place = [f"{array.dtype.kind}{array.dtype.itemsize}", offset, list(array.shape), step]
            buffers.append(raw)
            offset += len(raw)
            return {"$": place}
        if isinstance(value, np.ndarray):
            return value.tolist()
        if isinstance(value, list | tuple):
            return [replace(item) for item in value]
        return value.item() if isinstance(value, np.generic) else value

    text = json.dumps(replace(figure), allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    # An unpaired surrogate in a label must not end the stream.
    header = text.encode("utf-8", "replace")
    length = len(header).to_bytes(4, "little")
    head = length + header
    return zlib.compress(_padded(head, b" ") + b"".join(buffers), level=1)


def _padded(raw: bytes, filler: bytes) -> bytes:
    return raw + filler * (-len(raw) % _ALIGN)


def _narrow(array: np.ndarray) -> tuple[np.ndarray, float]:
    """(array in its wire type, step to multiply by; 1 where values travel as they are)."""
    kind = array.dtype.kind
    if kind == "f" and array.ndim == 2:
        top = float(np.max(array, initial=0.0))
        step = top / _LEVELS if top > 0 else 1.0
        return np.rint(array / step).astype(np.uint8), step
    if kind == "f":
        return array.astype("<f4"), 1.0
    if kind == "b" or (array.size and array.min() >= 0 and array.max() <= _LEVELS):
        return array.astype(np.uint8), 1.0
    return array.astype("<i4"), 1.0
