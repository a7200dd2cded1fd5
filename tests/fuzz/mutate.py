"""Broken files made from whole ones: seeds, and random changes of their bytes and lines."""

import gzip
import io
import random
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from gwl_core import Graph
from tests.gwl_core.readers import formats

_WORDS = (
    "0", "-1", "1e309", "nan", "inf", "-0.0", "99999999999999999999", "4294967296", "1E1", "01", "0x10", "1_0", "\0",
    "\n", "\r", "\r\n", "\t", " ", ",", ";", '"', '""', "'", "[", "]", "{", "}", "<", ">", "</", "/>", "&", "&lt;",
    "&x;", "#", "%", "*", "|{", "}|", "-2", "null", "true", "\ufeff", "\u2028", "é", "漢", "\U0001f600", "*Arcs\n",
    "*Vertices 3\n", "*Matrix\n", "LEDA.GRAPH\n", "%%MatrixMarket matrix coordinate real general\n", "graph [",
    "node [ id 1 ]", "edge [ source 1 target 2 ]", '{"nodes":[', '"links":[', "<graph>", "</graph>", "<node id='a'/>",
    "<!--", "-->", "<![CDATA[", "]]>", '<!DOCTYPE g [<!ENTITY x "y">]>', "<?xml version='1.0' encoding='utf-7'?>",
    "source,target,weight", "Directed", "mutual", "sep=;\n", "(dp0\n", "=1+1",
)  # fmt: skip
_BYTES = (b"\xff\xfe", b"\xfe\xff", b"\xff", b"\x80\x04", b"\x93NUMPY", b"PK\x03\x04", b"\x1f\x8b")
TOKENS = (*(word.encode("utf-8") for word in _WORDS), *_BYTES)


def seeds(folder: Path | None) -> list[bytes]:
    """A small graph in every format, packed ones too, and the sample files of a folder if there is one, cut to 6 kB."""
    graph = Graph.from_edges(
        [("a b", "01", 2.0), ("01", "1", 0.5), ("1", "<b>", 1e-3), ("<b>", "é", 7.0), ("é", "a b", 1.0)], directed=True
    )
    half = Graph.from_edges([("x", "y", 1.0), ("y", "z", 2.0)], nodes=["alone"])
    made = [write(g) for write in formats.LABELLED.values() for g in (graph, half)]
    made += [write(g) for write, _ in formats.NUMBERED.values() for g in (graph, half)]
    made.append(b"a,x\nb,y\n")
    if folder is not None and folder.is_dir():
        files = sorted(p for part in ("cases", "data/formats") for p in (folder / part).rglob("*") if p.is_file())
        made += [path.read_bytes()[:6_000] for path in files]
    return made


def mutated(pool: Sequence[bytes], rng: random.Random) -> bytes:
    """One of the pool after one to eight random changes, now and then packed or unpacked around them."""
    data = bytearray(rng.choice(pool))
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        data = rng.choice(_CHANGES)(data, rng, pool)[:20_000]
    packing = rng.random()
    if packing < 0.02:
        return gzip.compress(bytes(data), 1)
    if packing < 0.04:
        return _zip(bytes(data), rng.choice(("a.csv", "../../etc/passwd", "C:\\x.gml", "é", "", "x/y/z.npy")))
    return bytes(data)


def _zip(data: bytes, name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name or "x"), data)
    return buffer.getvalue()


def _flip(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    if data:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return data


def _insert(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    at = rng.randint(0, len(data))
    data[at:at] = rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 50))
    return data


def _replace(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    at = rng.randint(0, len(data))
    data[at : at + rng.randint(1, 6)] = rng.choice(TOKENS)
    return data


def _cut(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    at = rng.randint(0, len(data))
    del data[at : at + rng.choice((1, 2, 10, 100, len(data)))]
    return data


def _repeat(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    at = rng.randint(0, len(data))
    part = data[at : at + rng.randint(1, 200)]
    data[at:at] = part * rng.choice((1, 2, 20))
    return data


def _splice(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    other = rng.choice(pool)
    return data[: rng.randint(0, len(data))] + other[rng.randint(0, len(other)) :]


def _lines(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    lines = bytes(data).split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    if rng.random() < 0.5:
        del lines[one]
    return bytearray(b"\n".join(lines))


def _number(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    """Another number in place of a digit."""
    digits = [k for k, byte in enumerate(data) if 48 <= byte < 58]
    if digits:
        at = rng.choice(digits)
        data[at : at + 1] = str(rng.choice((0, 1, 2, 3, 9, 10, 255, 65536, 2**31, 2**63, -1))).encode()
    return data


def _encoding(data: bytearray, rng: random.Random, pool: Sequence[bytes]) -> bytearray:
    text = bytes(data).decode("utf-8", "replace")
    return bytearray(text.encode(rng.choice(("utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-32")), "replace"))


_CHANGES: tuple[Callable[[bytearray, random.Random, Sequence[bytes]], bytearray], ...] = (
    _flip, _flip, _insert, _insert, _replace, _replace, _cut, _repeat, _splice, _lines, _number, _number, _encoding,
)  # fmt: skip
