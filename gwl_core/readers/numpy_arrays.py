"""NumPy arrays: .npy with a matrix or rows of edges, .npz with one of SciPy's sparse matrices or a dense one.

Only plain numbers are read, straight from the bytes: arrays of objects hold pickles and are refused unseen.
"""

from __future__ import annotations

import io
import math
import warnings
from tokenize import TokenError

import numpy as np
from numpy.lib import format as npy
from scipy import sparse

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.matrix_rows import check_entries, matrix_rows
from gwl_core.readers.packed import ZIP, open_zip, read_entry
from gwl_core.readers.phrases import shown, values
from gwl_core.readers.report import SIGNED, EdgeRows
from gwl_core.readers.rows import Rows

_MAGIC = b"\x93NUMPY"
_MATRICES = ("adjacency", "A", "weights", "matrix", "arr_0")
_LABELS = ("labels", "nodes", "names")
_REST = "pickles are not read because loading one can run code; save plain numbers, or a text edge list"


def is_npy(content: Content) -> bool:
    return content.data.startswith(_MAGIC)


def is_npz(content: Content) -> bool:
    """Whether the bytes are a zip archive that was not unpacked: one of arrays only."""
    return content.data.startswith(ZIP) and not content.packed


def read_npy(content: Content) -> EdgeRows:
    """A square matrix, nodes "0" to "n − 1"; or rows of two node numbers and perhaps a weight.

    Raises:
        InputError: for an array of objects, of another shape, or with entries that are no counts.
    """
    array = _array(content.name, content.data)
    if array.ndim == 2 and array.shape[1] in (2, 3) and array.shape[0] != array.shape[1]:
        return _edge_rows(content, array)
    return _dense(content, array, None)


def read_npz(content: Content) -> EdgeRows:
    """A sparse matrix of scipy.sparse.save_npz, or a dense one; an array of labels beside it names the nodes.

    Raises:
        InputError: as read_npy, and for an archive that holds no such matrix.
    """
    arrays = {}
    with open_zip(content.name, content.data) as archive:
        left = content.limits.max_bytes
        for entry in archive.infolist():
            data = read_entry(content.name, archive, entry, left)
            left -= len(data)
            arrays[entry.filename.removesuffix(".npy")] = _array(content.name, data)
    labels = next((arrays.pop(key) for key in _LABELS if key in arrays), None)
    if {"format", "shape", "data"} <= arrays.keys():
        return _sparse(content, arrays, labels)
    matrices = [key for key in _MATRICES if key in arrays] or list(arrays)
    if len(matrices) != 1 or matrices[0] not in arrays or arrays[matrices[0]].ndim != 2:
        held = values(arrays) if arrays else "no arrays"
        raise InputError(f"{content.name} holds {held}; save one square matrix, named adjacency, and perhaps labels.")
    return _dense(content, arrays[matrices[0]], labels)


def _array(name: str, data: bytes) -> np.ndarray:
    """The array in the bytes of a .npy file, without ever unpickling."""
    stream = io.BytesIO(data)
    try:
        version = npy.read_magic(stream)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        with warnings.catch_warnings():  # of headers written by Python 2
            warnings.simplefilter("ignore")
            shape, fortran, dtype = read(stream)
    except (ValueError, SyntaxError, TokenError, TypeError, RecursionError, MemoryError, EOFError, OverflowError):
        raise InputError(f"{name} is a damaged NumPy array file; save it again.") from None
    if dtype.hasobject:
        raise InputError(f"{name} is a NumPy array file that holds a pickle; {_REST}.")
    if dtype.kind not in "buifSU" or dtype.itemsize == 0:
        raise InputError(f"{name} has an array of type {shown(str(dtype))}; save an array of plain numbers.")
    count = math.prod(shape)
    offset = stream.tell()
    if any(k < 0 for k in shape) or count * dtype.itemsize != len(data) - offset:
        raise InputError(f"{name} has not as many numbers as its header says; it was cut short or changed.")
    flat = np.frombuffer(data, dtype=dtype, offset=offset, count=count)
    return flat.reshape(shape, order="F" if fortran else "C")


def _numbers(content: Content, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "buif":
        raise InputError(f"{content.name} has an array of text where numbers are due; save a matrix of numbers.")
    return array.astype(np.float64)


def _names(content: Content, labels: np.ndarray | None, n: int) -> tuple[str, ...]:
    if labels is None:
        return tuple(map(str, range(n)))
    if labels.shape != (n,) or labels.dtype.kind not in "Uui":
        raise InputError(f"{content.name} has labels that do not fit its {n:,} nodes; save one text a node.")
    names = tuple(str(label).strip() for label in labels.tolist())
    if not all(names):
        raise InputError(f"{content.name} has an empty label; name every node.")
    return names


def _check_nodes(content: Content, n: int) -> None:
    if n > content.limits.max_nodes:
        raise InputError(f"{content.name} has {n:,} nodes, over the cap of {content.limits.max_nodes:,}; give fewer.")


def _square(content: Content, shape: tuple[int, ...]) -> int:
    if len(shape) != 2 or shape[0] != shape[1] or not shape[0]:
        sizes = " × ".join(map(str, shape)) or "no"
        raise InputError(f"{content.name} has an array of {sizes} entries; a graph needs a square matrix.")
    _check_nodes(content, shape[0])
    return shape[0]


def _dense(content: Content, array: np.ndarray, labels: np.ndarray | None) -> EdgeRows:
    n = _square(content, array.shape)
    names = _names(content, labels, n)
    matrix, notices = check_entries(content, names, _numbers(content, array))
    places = np.nonzero(matrix)
    return matrix_rows(
        content, names, (places[0].astype(np.int64), places[1].astype(np.int64)), matrix[places],
        "NumPy matrix", notices=notices,
    )  # fmt: skip


def _sparse(content: Content, arrays: dict[str, np.ndarray], labels: np.ndarray | None) -> EdgeRows:
    """The matrix of scipy.sparse.save_npz, checked before SciPy sees it."""
    kind = str(
        arrays["format"].tolist().decode("ascii", "replace") if arrays["format"].dtype.kind == "S" else arrays["format"]
    )
    shape = tuple(int(k) for k in arrays["shape"].ravel()) if arrays["shape"].dtype.kind in "ui" else ()
    n = _square(content, shape)
    data = _numbers(content, arrays["data"])
    needed = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}.get(kind)
    if needed is None or data.ndim != 1 or any(key not in arrays for key in needed):
        raise InputError(f"{content.name} has a sparse matrix of kind {shown(kind)}; save it as csr, csc or coo.")
    one, two = (arrays[key] for key in needed)
    if any(a.ndim != 1 or a.dtype.kind not in "ui" for a in (one, two)):
        raise InputError(f"{content.name} has a sparse matrix with places that are no whole numbers; save it again.")
    one, two = one.astype(np.int64), two.astype(np.int64)
    if kind != "coo":
        ends = two
        if len(ends) != n + 1 or ends[0] != 0 or ends[-1] != len(one) or (np.diff(ends) < 0).any():
            raise InputError(f"{content.name} has a sparse matrix whose rows do not add up; save it again.")
        major = np.repeat(np.arange(n), np.diff(ends))
        one, two = (major, one) if kind == "csr" else (one, major)
    if (
        len(one) != len(data)
        or len(two) != len(data)
        or any(len(a) and (a.min() < 0 or a.max() >= n) for a in (one, two))
    ):
        raise InputError(f"{content.name} has a sparse matrix with entries outside it; save it again.")
    names = _names(content, labels, n)
    matrix = sparse.coo_array((data, (one, two)), shape=(n, n)).tocsr()
    if not np.isfinite(matrix.data).all() or ((matrix.data < 0).any() and content.policies.weights not in SIGNED):
        bad = "negative" if np.isfinite(matrix.data).all() else "not finite"
        raise InputError(f"{content.name} has an entry that is {bad}; weights are interaction counts, give 0 or more.")
    matrix.data = np.abs(matrix.data)
    matrix.eliminate_zeros()
    entries = matrix.tocoo()
    places = (entries.row.astype(np.int64), entries.col.astype(np.int64))
    return matrix_rows(content, names, places, entries.data, f"SciPy sparse matrix ({kind})")


def _edge_rows(content: Content, array: np.ndarray) -> EdgeRows:
    """Rows of two node numbers, kept as they are, and perhaps a weight."""
    numbers = _numbers(content, array)
    whole = array[:, :2]
    if array.dtype.kind not in "ui":
        with np.errstate(invalid="ignore"):
            bad = ~(np.isfinite(numbers[:, :2]) & (np.floor(numbers[:, :2]) == numbers[:, :2])).all(axis=1)
            bad |= (np.abs(numbers[:, :2]) > 2**53).any(axis=1)
        if bad.any():
            k = int(np.flatnonzero(bad)[0])
            raise InputError(f"{content.name}, row {k + 1}: a node is no whole number; give node numbers and a weight.")
        whole = numbers[:, :2].astype(np.int64)
    if array.dtype.kind == "b":
        raise InputError(f"{content.name} has rows of true and false; save a square matrix or rows of node numbers.")
    rows = Rows(content, ("row", "row"))
    for k, (start, end) in enumerate(whole.tolist(), 1):
        for node in (str(start), str(end)):
            if node not in rows:
                rows.node(node, "", k)
        rows.edge(str(start), str(end), repr(float(numbers[k - 1, 2])) if array.shape[1] == 3 else None, k)
    return rows.finish("NumPy rows of edges")
