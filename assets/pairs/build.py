"""Rebuild the built-in pairs from the published packages they come from.

    python -m pip download --no-deps --dest PACKAGES \\
        cect==0.3.5 graspologic==3.4.4 topohub==1.5.1 bible-alignments==0.4.2
    npm pack --pack-destination PACKAGES vega-datasets@3.2.1
    python assets/pairs/build.py PACKAGES

The archives are read as they are; nothing is installed. Needs Python 3.11 and pyarrow (for one file of flights).
Each pair's folder gets source.csv, target.csv, truth.csv and LICENSE, and the counts in its about.json are brought
up to date; the texts in about.json are written by hand. The same archives give the same bytes.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import random
import sys
import tarfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

HERE = Path(__file__).parent
Edges = dict[tuple[str, str], int]
Read = Callable[[str], bytes]


class Pair(NamedTuple):
    """Two edge lists with integer weights, and which source label is which target label."""

    source: Edges
    target: Edges
    directed: bool
    same: dict[str, str] | None = None  # None: equal labels are the same node


def celegans_adult(read: Read) -> Pair:
    source, target = (_chemical_synapses(read, f"WitvlietDataReader{i}") for i in (7, 8))
    return Pair(source, target, directed=True)


def celegans_hermaphrodite(read: Read) -> Pair:
    neurons = _hermaphrodite_neurons(read("cect/Cells.py").decode())
    source, target = (
        {pair: count for pair, count in _chemical_synapses(read, name).items() if neurons.issuperset(pair)}
        for name in ("White_whole", "Cook2019HermReader")
    )
    return Pair(source, target, directed=True)


def _chemical_synapses(read: Read, reader: str) -> Edges:
    data = json.loads(read(f"cect/cache/{reader}.json"))
    cells = data["nodes"]
    return {
        (cells[i], cells[j]): int(count)
        for i, row in enumerate(data["connections"]["Generic_CS"])
        for j, count in enumerate(row)
        if count
    }


def _hermaphrodite_neurons(module: str) -> set[str]:
    """The 302 names listed in the package's source, read without importing it."""
    for statement in ast.parse(module).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "PREFERRED_HERM_NEURON_NAMES":
            return set(ast.literal_eval(statement.value))
    raise SystemExit("cect/Cells.py lists no PREFERRED_HERM_NEURON_NAMES.")


def mouse(read: Read) -> Pair:
    """The first two C57BL/6J mice of the list (both male)."""
    regions = _table(read("graspologic/datasets/mice/atlas.csv"), ",")
    names = [f"{side}_{region['Abbreviation']}" for side in "LR" for region in regions]
    source, target = (_strongest(read, subject, names, 6000) for subject in (54790, 54793))
    return Pair(source, target, directed=False)


def _strongest(read: Read, subject: int, names: list[str], count: int) -> Edges:
    lines = read(f"graspologic/datasets/mice/edgelists/sub-{subject}_ses-1_dti.edgelist").decode().splitlines()
    rows = [(-int(float(weight)), int(i), int(j)) for i, j, weight in map(str.split, lines)]
    return {(names[i], names[j]): -minus for minus, i, j in sorted(rows)[:count]}


def geant(read: Read) -> Pair:
    return Pair(_topology(read, "Geant2009"), _topology(read, "Geant2012"), directed=False)


def vtlwavenet(read: Read) -> Pair:
    return Pair(_topology(read, "VtlWavenet2008"), _topology(read, "VtlWavenet2011"), directed=False)


def _topology(read: Read, name: str) -> Edges:
    data = json.loads(read(f"topohub/data/topozoo/{name}.json"))
    names = {node["id"]: node["name"] for node in data["nodes"]}
    return _undirected((names[str(edge["source"])], names[str(edge["target"])], 1) for edge in data["edges"])


def flights(read: Read) -> Pair:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(
        io.BytesIO(read("package/data/flights-3m.parquet")), columns=["origin", "destination"]
    )
    counts = table.group_by(["origin", "destination"]).aggregate([([], "count_all")]).to_pylist()
    source = _undirected((row["origin"], row["destination"], row["count_all"]) for row in counts)
    routes = _table(read("package/data/flights-airport.csv"), ",")
    target = _undirected((row["origin"], row["destination"], int(row["count"])) for row in routes)
    return Pair(source, target, directed=False)


def new_testament(read: Read) -> Pair:
    data = "data/"
    greek = {word["id"]: word for word in _table(read(data + "sources/SBLGNT.tsv"), "\t") if word["pos"] == "noun"}
    english = {word["id"]: word for word in _table(read(data + "eng/targets/BSB/nt_BSB.tsv"), "\t")}
    english = {key: word for key, word in english.items() if not word["exclude"]}  # punctuation
    forms = {word["text"].lower() for word in english.values()}
    words = {key: _singular(word["text"], forms) for key, word in english.items()}
    records = json.loads(read(data + "eng/alignments/BSB/SBLGNT-BSB-manual.json"))["records"]
    lemmas = {key: word["lemma"] for key, word in greek.items()}
    same = _renderings(records, lemmas, words, 100)
    verse_of = {key: word["source_verse"] for key, word in english.items()}
    source = _co_occurrence({key: key[1:9] for key in lemmas}, lemmas, set(same))
    target = _co_occurrence(verse_of, words, set(same.values()))
    return Pair(source, target, directed=False, same=same)


def _singular(word: str, forms: set[str]) -> str:
    """A light folding of possessives and plurals, so that *sons* and *son's* count for *son*."""
    irregular = {"men": "man", "women": "woman", "children": "child", "feet": "foot", "wives": "wife", "lives": "life"}
    word = word.lower().removesuffix("’s").rstrip("’")
    if word in irregular:
        return irregular[word]
    if len(word) > 3 and word.endswith("ies") and word[:-3] + "y" in forms:
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss") and word[:-1] in forms:
        return word[:-1]
    return word


def _renderings(
    records: list[dict[str, list[str]]], lemmas: dict[str, str], words: dict[str, str], count: int
) -> dict[str, str]:
    """Lemma → English word for the most frequent lemmas that have a clear rendering.

    Clear: each is the other's best partner by the Dice coefficient over alignment records, which is at least 0.5.
    """
    together: Counter[tuple[str, str]] = Counter()
    by_lemma: Counter[str] = Counter()
    by_word: Counter[str] = Counter()
    for record in records:
        nouns = {lemmas[key] for key in record["source"] if key in lemmas}
        english = {words[key] for key in record["target"] if key in words}
        by_lemma.update(nouns)
        by_word.update(english)
        together.update((noun, word) for noun in nouns for word in english)
    dice = {(noun, word): 2 * n / (by_lemma[noun] + by_word[word]) for (noun, word), n in together.items()}
    best_word: dict[str, str] = {}
    best_lemma: dict[str, str] = {}
    for noun, word in sorted(dice, key=lambda pair: (-dice[pair], pair)):
        best_word.setdefault(noun, word)
        best_lemma.setdefault(word, noun)
    clear = {noun: word for noun, word in best_word.items() if best_lemma[word] == noun and dice[noun, word] >= 0.5}
    frequent = sorted(clear, key=lambda noun: (-by_lemma[noun], noun))[:count]
    return {noun: clear[noun] for noun in frequent}


def _co_occurrence(verse_of: dict[str, str], word_of: dict[str, str], kept: set[str]) -> Edges:
    """In how many verses two words stand together."""
    verses: defaultdict[str, set[str]] = defaultdict(set)
    for key, word in word_of.items():
        if word in kept:
            verses[verse_of[key]].add(word)
    return _undirected((a, b, 1) for words in verses.values() for a in words for b in words if a < b)


def _undirected(rows: Iterable[tuple[str, str, int]]) -> Edges:
    edges: Counter[tuple[str, str]] = Counter()
    for a, b, weight in rows:
        edges[min(a, b), max(a, b)] += weight
    return dict(edges)


def _table(content: bytes, delimiter: str) -> list[dict[str, str]]:
    quoting: Literal[0, 3] = csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=delimiter, quoting=quoting))


CECT, GRASPOLOGIC, TOPOHUB, BIBLE, VEGA = (
    "cect-0.3.5-py3-none-any.whl",
    "graspologic-3.4.4-py3-none-any.whl",
    "topohub-1.5.1-py3-none-any.whl",
    "bible_alignments-0.4.2-py3-none-any.whl",
    "vega-datasets-3.2.1.tgz",
)

# key: (archive, licence inside it or None where LICENSE is written by hand, builder)
PAIRS: dict[str, tuple[str, str | None, Callable[[Read], Pair]]] = {
    "celegans-adult": (CECT, "cect-0.3.5.dist-info/licenses/LICENSE", celegans_adult),
    "celegans-hermaphrodite": (CECT, "cect-0.3.5.dist-info/licenses/LICENSE", celegans_hermaphrodite),
    "flights": (VEGA, None, flights),
    "geant": (TOPOHUB, "topohub-1.5.1.dist-info/licenses/LICENSE", geant),
    "mouse": (GRASPOLOGIC, "graspologic-3.4.4.dist-info/LICENSE.txt", mouse),
    "new-testament": (BIBLE, "bible_alignments-0.4.2.dist-info/LICENSE.md", new_testament),
    "vtlwavenet": (TOPOHUB, "topohub-1.5.1.dist-info/licenses/LICENSE", vtlwavenet),
}


def archive_reader(path: Path) -> Read:
    """A function that gives the bytes of one member of a wheel or an npm tarball."""
    if not path.exists():
        raise SystemExit(f"{path} is missing; the top of this script says how to fetch it.")
    if path.suffix == ".whl":
        return zipfile.ZipFile(path).read

    def read(member: str) -> bytes:
        with tarfile.open(path) as archive:
            stream = archive.extractfile(member)
            assert stream is not None, member
            return stream.read()

    return read


def write_pair(key: str, pair: Pair) -> None:
    """Write the three tables; the order of the target's nodes is shuffled, so that position tells nothing."""
    folder = HERE / key
    source, target = ({p: w for p, w in edges.items() if p[0] != p[1]} for edges in (pair.source, pair.target))
    source_nodes, target_nodes = (sorted({label for p in edges for label in p}) for edges in (source, target))
    random.Random(key).shuffle(target_nodes)
    same = pair.same if pair.same is not None else {label: label for label in source_nodes}
    known = set(target_nodes)
    truth = [(label, same[label]) for label in source_nodes if same.get(label) in known]
    header = ("source", "target", "weight", "type")
    _write_rows(folder / "source.csv", header, _edge_rows(source, source_nodes, pair.directed))
    rows = _edge_rows(target, target_nodes, pair.directed)
    kind = "Directed" if pair.directed else "Undirected"
    # Rows of weight 0 name the nodes in their order; by first appearance in an edge, busy nodes would come early.
    _write_rows(folder / "target.csv", header, [(label, label, 0, kind) for label in target_nodes] + rows)
    _write_rows(folder / "truth.csv", ("source", "target"), truth)
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    about |= {
        "source_nodes": len(source_nodes),
        "source_edges": len(source),
        "target_nodes": len(target_nodes),
        "target_edges": len(target),
        "directed": pair.directed,
        "known": len(truth),
    }
    text = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
    (folder / "about.json").write_text(text, encoding="utf-8", newline="\n")


def _edge_rows(edges: Edges, nodes: list[str], directed: bool) -> list[tuple[str, str, int, str]]:
    position = {label: i for i, label in enumerate(nodes)}
    rows = []
    for (a, b), weight in edges.items():
        i, j = position[a], position[b]
        rows.append((i, j, weight) if directed or i < j else (j, i, weight))
    kind = "Directed" if directed else "Undirected"
    return [(nodes[i], nodes[j], weight, kind) for i, j, weight in sorted(rows)]


def _write_rows(path: Path, header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def main(packages: Path) -> None:
    for key, (archive, licence, build) in PAIRS.items():
        read = archive_reader(packages / archive)
        write_pair(key, build(read))
        if licence is not None:
            (HERE / key / "LICENSE").write_bytes(read(licence))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
