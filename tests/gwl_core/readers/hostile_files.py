"""Files made to do harm, and a process of capped memory that gives each to every reader.

As a program it prints a JSON object: file → what each reader said of it, and the CPU seconds of the slowest.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import resource
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

MILLION = 1_000_000
MEGABYTES = 600
"""What reading may take beyond the libraries: the largest of the files has 200 MB of zeros inside."""


def zipped(*entries: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return buffer.getvalue()


def xml(doctype: str, body: str, root: str = "graphml") -> bytes:
    return f'<?xml version="1.0"?>\n<!DOCTYPE {root} [{doctype}]>\n<{root}>{body}</{root}>'.encode()


def _bomb(levels: int = 9) -> str:
    """A thousand million characters in a few hundred."""
    return '<!ENTITY e0 "zz">' + "".join(
        f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, levels + 1)
    )  # fmt: skip


def _object_array() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.array([["CANARY", 1]], dtype=object), allow_pickle=True)
    return buffer.getvalue()


def _claimed_array() -> bytes:
    """A header of a matrix of 800 GB, and nothing behind it."""
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (316000, 316000), }"
    padded = header + b" " * (63 - (10 + len(header)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded


FILES: dict[str, Callable[[], bytes]] = {
    "pickle.csv": lambda: pickle.dumps({"CANARY": 1}),
    "pickle of protocol 0.graphml": lambda: pickle.dumps(["CANARY", print], protocol=0),
    "pickle.gz": lambda: gzip.compress(pickle.dumps({"CANARY": 1})),
    "objects.npy": _object_array,
    "objects.npz": lambda: zipped(("data.npy", _object_array())),
    "torch.zip": lambda: zipped(("model/data.pkl", pickle.dumps({"CANARY": 1}))),
    "huge claim.npy": _claimed_array,
    "bomb.graphml": lambda: xml(_bomb(), "&e9;"),
    "bomb.gexf": lambda: xml(_bomb(), "&e9;", "gexf"),
    "bomb in an attribute.graphml": lambda: xml(_bomb(), '<graph id="&e9;"/>'),
    "quadratic.graphml": lambda: xml(f'<!ENTITY a "{"z" * 100_000}">', "&a;" * 10_000),
    "external entity.graphml": lambda: xml('<!ENTITY x SYSTEM "file:///etc/hostname">', "&x;"),
    "external entity.gexf": lambda: xml('<!ENTITY x SYSTEM "file:///etc/hostname">', "&x;", "gexf"),
    "parameter entity.graphml": lambda: xml('<!ENTITY % x SYSTEM "http://127.0.0.1:9/x.dtd"> %x;', ""),
    "UTF-16 entity.graphml": lambda: xml('<!ENTITY x "y">', "&x;").decode().encode("utf-16"),
    "deep.graphml": lambda: b"<graphml>" + b"<graph>" * MILLION,
    "deep.json": lambda: b'{"nodes":' + b"[" * MILLION,
    "deep.gml": lambda: b"graph [ " + b"a [ " * MILLION,
    "zeros.gz": lambda: gzip.compress(bytes(200 * MILLION)),
    "spaces.zip": lambda: zipped(("a.csv", b" " * 200 * MILLION)),
    "zip in zip.zip": lambda: zipped(("a.zip", zipped(("b.csv", b"0" * 10 * MILLION)))),
    "upward.zip": lambda: zipped(("../../../tmp/evil.csv", b"\0")),
    "absolute.zip": lambda: zipped(("/etc/evil.csv", b"\0")),
    "many.zip": lambda: zipped(*((f"{k}.csv", b"a,b\n") for k in range(2000)), how=zipfile.ZIP_STORED),
    "ten million columns.csv": lambda: b"a," * 10 * MILLION,
    "ten million columns.tsv": lambda: b"source\ttarget" + b"\tx" * 10 * MILLION + b"\n1\t2\n",
    "ten million columns, spaces.txt": lambda: b"1 " * 10 * MILLION,
    "one quote of ten million.csv": lambda: b'source,target\n"' + b"x" * 10 * MILLION,
    "ten million quotes.csv": lambda: b'"' * 10 * MILLION,
    "ten million quotes, lines.csv": lambda: b'"\n' * 5 * MILLION,
    "ten million lines.csv": lambda: b"\n" * 10 * MILLION,
    "NUL.csv": lambda: b"source,target\na\0b,c\n",
    "NUL behind a mark.csv": lambda: "source,target\na\0b,c\n".encode("utf-16"),
    "all NUL.csv": lambda: bytes(1000),
    "huge claim.mtx": lambda: b"%%MatrixMarket matrix coordinate real general\n999999999 999999999 1\n1 2 1\n",
    "huge dense claim.mtx": lambda: b"%%MatrixMarket matrix array real general\n999999 999999\n1\n",
    "huge claim.net": lambda: b"*Vertices 999999999999\n*Edges\n1 2\n",
    "huge claim.gw": lambda: b"LEDA.GRAPH\nstring\nint\n-2\n999999999999\n|{a}|\n",
    "huge number.csv": lambda: b"a,b," + b"9" * 100_000 + b"\nb,c,1\n",
    "page.html": lambda: b"<!doctype html><script>alert(1)</script>",
}  # fmt: skip


def main() -> None:
    from gwl_core.errors import InputError
    from gwl_core.graph import Graph
    from gwl_core.readers import read_anchors, read_graph, read_nodes, read_truth

    pair = {"source_graph": Graph.from_edges([("a", "b", 1.0)]), "target_graph": Graph.from_edges([("x", "y", 1.0)])}
    readers: tuple[Callable[[bytes, str], object], ...] = (
        lambda data, name: read_graph(data, name=name),
        lambda data, name: read_truth(data, name=name, **pair),
        lambda data, name: read_anchors(data, name=name, **pair),
        lambda data, name: read_nodes(data, name=name),
    )
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEGABYTES * 1024**2,) * 2)
    told = {}
    for name, make in FILES.items():
        data = make()
        said, slowest = [], 0.0
        for read in readers:
            start = time.process_time()
            try:
                read(data, name)
                said.append("read")
            except InputError as error:
                said.append(str(error))
            except (Exception, RecursionError) as error:  # noqa: BLE001  what this is about
                said.append(f"raised {type(error).__name__}: {error}")
            slowest = max(slowest, time.process_time() - start)
        told[name] = {"said": said, "seconds": slowest}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
