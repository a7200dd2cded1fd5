"""Frames between the page and a run's process: a JSON header and raw numpy arrays, nothing that can run code.

A frame is the magic, the header's and the body's length (big endian, 4 and 8 bytes), the header as UTF-8 JSON and
the arrays' bytes one after another in C order; the header's "arrays" lists [name, dtype, shape] of each.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse

from gwl_core.graph import Graph
from gwl_core.pins import Pin
from gwl_core.problem import MatchingProblem

_MAGIC = b"GWL1"
_PREFIX = struct.Struct(">4sIQ")
_DTYPES = frozenset({"|b1", "|u1", "<i4", "<i8", "<f4", "<f8"})
MAX_HEADER = 64 * 2**20
MAX_BODY = 4 * 2**30


class ProtocolError(Exception):
    """The other side sent something that is not a frame."""


@dataclass(frozen=True, eq=False)
class Message:
    """One frame: what it is, its plain values and its arrays."""

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)


def encode(message: Message) -> bytes:
    """The frame of a message. NaN and infinities in `values` become null."""
    arrays = {name: np.ascontiguousarray(array) for name, array in message.arrays.items()}
    for name, array in arrays.items():
        if array.dtype.str not in _DTYPES:
            raise ProtocolError(f"array {name} has type {array.dtype}, which frames do not carry")
    header = {
        "kind": message.kind,
        "values": _strict(message.values),
        "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
    }
    head = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    body = b"".join(array.tobytes() for array in arrays.values())
    return _PREFIX.pack(_MAGIC, len(head), len(body)) + head + body


def read(stream: BinaryIO) -> Message | None:
    """The next message of a stream, or None at its end.

    Raises:
        ProtocolError: when the stream ends within a frame or holds something else.
    """
    prefix = _exactly(stream, _PREFIX.size, end_allowed=True)
    if prefix is None:
        return None
    magic, head_size, body_size = _PREFIX.unpack(prefix)
    if magic != _MAGIC or head_size > MAX_HEADER or body_size > MAX_BODY:
        raise ProtocolError("not a frame")
    head = _exactly(stream, head_size)
    body = _exactly(stream, body_size)
    try:
        header = json.loads(head or b"")
        return Message(str(header["kind"]), dict(header["values"]), _split(header["arrays"], body or b""))
    except (ValueError, KeyError, TypeError) as error:
        raise ProtocolError(f"unreadable header: {error}") from error


def _exactly(stream: BinaryIO, size: int, end_allowed: bool = False) -> bytes | None:
    parts, missing = [], size
    while missing:
        part = stream.read(missing)
        if not part:
            if end_allowed and missing == size:
                return None
            raise ProtocolError("the stream ended within a frame")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _split(listed: Any, body: bytes) -> dict[str, np.ndarray]:
    arrays, start = {}, 0
    for name, dtype, shape in listed:
        if dtype not in _DTYPES or any(type(side) is not int or side < 0 for side in shape):
            raise ValueError(f"array {name!r} of {dtype!r}, {shape!r}")
        count = math.prod(shape)
        arrays[str(name)] = np.frombuffer(body, np.dtype(dtype), count, start).reshape(shape)
        start += count * np.dtype(dtype).itemsize
    if start != len(body):
        raise ValueError("the arrays do not fill the body")
    return arrays


def _strict(value: Any) -> Any:
    """The value with what strict JSON cannot say replaced."""
    if isinstance(value, Mapping):
        return {str(key): _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def problem_message(problem: MatchingProblem) -> Message:
    """A matching problem, ready to travel."""
    values: dict[str, Any] = {}
    arrays: dict[str, np.ndarray] = {}
    for side, graph in (("source", problem.source), ("target", problem.target)):
        values[side] = {"labels": graph.labels, "directed": graph.directed, "name": graph.name}
        if graph.attributes:
            values[side]["attributes"] = graph.attributes
        arrays.update(_sparse_arrays(side, graph.weights))
    if problem.anchors is not None:
        arrays.update(_sparse_arrays("anchors", problem.anchors))
    for name in _DENSE_FIELDS:
        array = getattr(problem, name)
        if array is not None:
            arrays[name] = np.asarray(array, dtype=np.int64 if name == "truth" else np.float64)
    values["pins"] = pins_values(problem.pins)
    return Message("problem", values, arrays)


def pins_values(pins: Iterable[Pin]) -> list[dict[str, Any]]:
    """Pins, ready to travel."""
    return [asdict(pin) for pin in pins]


def pins_of(values: Mapping[str, Any]) -> tuple[Pin, ...]:
    """The pins that a message's values carry."""
    return tuple(Pin(**pin) for pin in values.get("pins", ()))


_DENSE_FIELDS = ("truth", "source_cost", "target_cost", "source_marginal", "target_marginal")


def problem_of(message: Message) -> MatchingProblem:
    """The matching problem a message carries."""
    graphs = {}
    for side in ("source", "target"):
        about = message.values[side]
        n = len(about["labels"])
        graphs[side] = Graph(
            tuple(about["labels"]), _sparse(message, side, (n, n)), bool(about["directed"]), str(about["name"]),
            {str(key): tuple(map(str, texts)) for key, texts in about.get("attributes", {}).items()},
        )  # fmt: skip
    shape = (graphs["source"].n_nodes, graphs["target"].n_nodes)
    anchors = _sparse(message, "anchors", shape) if "anchors.data" in message.arrays else None
    dense = {name: message.arrays.get(name) for name in _DENSE_FIELDS}
    return MatchingProblem(
        graphs["source"], graphs["target"], anchors=anchors, pins=pins_of(message.values), **dense
    )  # fmt: skip


def _sparse_arrays(name: str, matrix: sparse.csr_array) -> dict[str, np.ndarray]:
    return {
        f"{name}.data": matrix.data.astype(np.float64),
        f"{name}.indices": matrix.indices.astype(np.int64),
        f"{name}.indptr": matrix.indptr.astype(np.int64),
    }


def _sparse(message: Message, name: str, shape: tuple[int, int]) -> sparse.csr_array:
    parts = tuple(message.arrays[f"{name}.{part}"].copy() for part in ("data", "indices", "indptr"))
    return sparse.csr_array(parts, shape=shape)
