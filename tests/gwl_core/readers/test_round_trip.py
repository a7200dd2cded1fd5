"""Whatever graph is written as an edge list, in whatever spelling, is read back the same."""

import csv
import io
import re

from hypothesis import given
from hypothesis import strategies as st

from gwl_core import Graph, InputError
from gwl_core.readers import read_graph

# Any first row is data only if it cannot be taken for a header: these ids are built like no header word.
PLAIN_IDS = st.from_regex(r"9k[a-z0-9.#+-]{0,6}", fullmatch=True)
ODD_IDS = st.text(alphabet="abAB01.#%'\",;{}() -_\n\té", min_size=1, max_size=6).map(str.strip).filter(bool)
WEIGHTS = st.floats(min_value=1e-6, max_value=1e9) | st.integers(1, 10**6).map(float)


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[bytes, list[tuple[str, str, float]], bool]:
    """A file, its rows, and whether the graph is directed."""
    separator = draw(st.sampled_from([",", ";", "\t", " "]))
    header = draw(st.booleans())
    ids = ODD_IDS if header else PLAIN_IDS
    if separator == " ":
        ids = ids.filter(lambda label: "\n" not in label)
    labels = draw(st.lists(ids, min_size=2, max_size=8, unique=True))
    directed = draw(st.booleans())
    pairs = [(a, b) for i, a in enumerate(labels) for j, b in enumerate(labels) if i < j or (directed and i > j)]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=12, unique=True))
    weighted = draw(st.booleans())
    rows = [(a, b, draw(WEIGHTS) if weighted else 1.0) for a, b in chosen]

    buffer = io.StringIO()
    quote_all = draw(st.booleans())
    for cells in ([("source", "target", "weight")] if header else []) + rows:
        written = [str(cell) if isinstance(cell, str) else repr(cell) for cell in cells][: 3 if weighted else 2]
        buffer.write(separator.join(_quoted(cell, quote_all) for cell in written) + "\n")
    text = buffer.getvalue().replace("\n", "\x00")
    ends = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = text.replace("\x00", ends)
    if draw(st.booleans()):
        text = text.removesuffix(ends)
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    return text.encode(encoding), rows, directed


def _quoted(cell: str, always: bool) -> str:
    if not always and re.fullmatch(r"[\w.+-]+", cell):
        return cell
    return '"' + cell.replace('"', '""') + '"'


@given(edge_lists())
def test_a_written_graph_is_read_back(case: tuple[bytes, list[tuple[str, str, float]], bool]) -> None:
    data, rows, directed = case
    expected = Graph.from_edges(rows, directed)
    report = read_graph(data, name="g.csv", directed=directed)
    assert report.graph.labels == expected.labels
    assert (report.graph.weights != expected.weights).nnz == 0
    assert report.graph.directed == directed
    assert report.rows_present == report.rows_read == len(rows)


@given(st.lists(st.tuples(PLAIN_IDS, PLAIN_IDS, WEIGHTS), min_size=1, max_size=10))
def test_files_of_the_csv_module_are_read_back(rows: list[tuple[str, str, float]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([("source", "target", "weight"), *rows])
    expected = Graph.from_edges(rows, directed=True)
    report = read_graph(buffer.getvalue().encode(), name="g.csv", directed=True, nodes=expected.labels)
    assert abs(report.graph.weights - expected.weights).max() <= 1e-9 * expected.weights.max()


@given(st.binary(max_size=200) | st.text(alphabet="ab,;\t \n\r\"'{}#1.-", max_size=60).map(str.encode))
def test_any_bytes_give_a_graph_or_one_sentence(data: bytes) -> None:
    message, edges = "", 0
    try:
        edges = read_graph(data, name="g.csv").graph.n_edges
    except InputError as error:
        message = str(error)
    assert edges > 0 or (message.startswith("g.csv") and message.endswith("."))
