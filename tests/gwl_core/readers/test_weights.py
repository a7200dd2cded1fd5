"""Weights are counts: what is one is read exactly, what is none is refused by line and value."""

import pytest

from gwl_core import InputError
from gwl_core.readers import GraphReport, read_graph
from gwl_core.readers.weights import attribute_weight


def read(text: str) -> GraphReport:
    return read_graph(text.encode(), name="g.txt")


def weights(text: str) -> dict[str, float]:
    graph = read(text).graph
    rows, columns, values = graph.edges
    return {graph.labels[i] + graph.labels[j]: w for i, j, w in zip(rows, columns, values, strict=True)}


@pytest.mark.parametrize(
    "text",
    [
        "A B 1.5\nB C 2\n",
        "A,B,1.5\nB,C,2\n",
        'A,B,"1.5"\nB,C, 2 \n',
        "A\tB\t1.50\nB\tC\t2e0\n",
        "A  B   1.5\nB C\t+2\n",
        "source;target;weight\nA;B;1,5\nB;C;2,0\n",
        "A;B;1,5\nB;C;2\n",
        "A\tB\t1,5\nB\tC\t2,0\n",
        "A B {'weight': 1.5}\nB C {'weight': 2, 'note': 'x y'}\n",
        "A B {'weight': 1.5, 'n': 1}\nB C {'n': 3, 'weight': 2}\n",
        "A,B,{'weight': 1.5, 'n': 1}\nB,C,{'weight': 2, 'n': 1}\n",
        "A B {'weight': np.float64(1.5)}\nB C {'years': [1, 2], 'weight': 2}\n",
        'A B {"weight": "1.5"}\nB C {"note": "it\'s, {odd}", "weight": 2}\n',
    ],
)
def test_weights_are_read(text: str) -> None:
    report = read(text)
    assert weights(text) == {"AB": 1.5, "BC": 2}
    assert report.has_weights


def test_a_decimal_comma_is_reported() -> None:
    assert any("decimal comma" in notice for notice in read("A;B;1,5\n").notices)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("A B strong\nB C weak\n", ["lines 1 and 2", "'strong' and 'weak'", "no numbers"], id="text"),
        pytest.param("A B 1\nB C weak\n", ["line 2", "'weak'", "no number"], id="one text"),
        pytest.param("A,B,1\nB,C,very weak\n", ["line 2", "'very weak'"], id="text with a space"),
        pytest.param("A,B,very strong\nB,C,very weak\n", ["lines 1 and 2", "'very strong'"], id="texts with spaces"),
        pytest.param("A;B;strong, x\nB;C;weak, y\n", ["lines 1 and 2", "'strong, x'"], id="texts with commas"),
        pytest.param(
            "A B inf\nB C nan\nC D 1e400\nD E 2\n", ["lines 1, 2 and 3", "'1e400'", "not finite"], id="infinite"
        ),
        pytest.param("A B 1.5\nB C -2\nC D 0.5\n", ["line 2", "'-2'", "negative"], id="negative"),
        pytest.param("A,B,1\nB,C,-1\nC,D,-inf\n", ["line 2", "negative"], id="negative before infinite"),
        pytest.param("A,B,1e308\nB,C,1\n", ["line 1", "'1e308' is over 1e+100", "divide all"], id="too large"),
        pytest.param("A,B,1e308\nB,A,1e308\nA,C,1\n", ["lines 1 and 2", "'1e308' are over"], id="too large a sum"),
        pytest.param("A B {'w': 1e200}\nB C {}\n", ["line 1", "'1e200'"], id="too large an attribute"),
        pytest.param(
            ",A,B\nA,0,1e200\nB,1,0\n", ["row 'A', column 'B'", "1e+200", "divide all"], id="too large an entry"
        ),
        pytest.param("A,B,1_000\n", ["line 1", "'1_000'"], id="underscore"),
        pytest.param("A,B,0x10\n", ["line 1", "'0x10'"], id="hexadecimal"),
        pytest.param("A,B,NA\nB,C,2\nA,C,2\n", ["line 1", "'NA'"], id="NA"),
        pytest.param('A,B,"1,5"\nB,C,2\n', ["line 1", "'1,5'", "decimal comma"], id="decimal comma in a comma file"),
        pytest.param("A B 1,5\nB C 2,25\n", ["lines 1 and 2", "decimal comma"], id="decimal comma between spaces"),
        pytest.param("A;B;1,5\nB;C;2.5\n", ["lines 1 and 2", "mixed"], id="both decimal signs"),
        pytest.param("A;B;1.000,5\n", ["line 1", "'1.000,5'"], id="thousands"),
        pytest.param("A B 1\nB C {'weight': f()[0]}\n", ["line 2", "attributes"], id="code as attributes"),
        pytest.param("A B 1\nB C {'weight': 2\n", ["line 2"], id="open attributes"),
        pytest.param("A B {'weight': 'x'}\n", ["line 1", "'x'", "no number"], id="text attribute"),
    ],
)
def test_what_is_no_count_is_refused(text: str, parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        read(text)
    for part in ["g.txt", *parts]:
        assert part in str(error.value)


def test_long_lists_of_bad_lines_are_cut() -> None:
    with pytest.raises(InputError, match=r"lines 1, 2, 3, 4, 5 and 95 more: weights '-1' are negative"):
        read("a,b,-1\n" * 100)


def test_a_bad_cell_is_shown_cut_and_escaped() -> None:
    with pytest.raises(InputError) as error:
        read("a,b,\x1b[31m" + "x" * 500 + "\n")
    assert "\x1b" not in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    "text", ["A\tB\t2\nB\tC\t4\nC\tD\t\nD\tE\n", "A B 2\nB C 4\nC D\nD E\n", "A,B,2\nB,C,4\nC,D,\nD,E"]
)
def test_missing_weights_are_one_with_a_notice(text: str) -> None:
    assert weights(text) == {"AB": 2, "BC": 4, "CD": 1, "DE": 1}
    assert "2 rows without a weight got 1 (lines 3 and 4)." in read(text).notices


def test_a_list_without_any_weight_needs_no_notice() -> None:
    report = read("A B {}\nB C {'color': 'red'}\n")
    assert not report.has_weights
    assert report.notices == ()
    assert read("source,target,weight\nA,B,\nB,C,\n").notices == ()


def test_zero_weight_keeps_the_nodes_without_an_edge() -> None:
    report = read("A B 0\nB C 1\n")
    assert report.graph.labels == ("A", "B", "C")
    assert report.graph.n_edges == 1
    assert (report.rows_present, report.rows_read) == (2, 1)
    assert "1 row of weight 0 made no edge; the nodes stay (line 1)." in report.notices


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{'weight': 1.5}", "1.5"),
        ("{}", ""),
        ("{'note': \"'weight': 5\"}", ""),
        ("{'note': '}', 'weight': 2}", "2"),
        ("{'a\\'b': 1, 'Weight': 3,}", "3"),
        ("{'count': 4}", "4"),
        ("{'w': 2}", "2"),
        ("{'n': 7, 'Weight': 3}", "3"),
        ("{'weight': }", None),
        ("{weight", None),
        ("{'weight': __import__('os').getpid()}", None),
        ("{'weight': 1 2}", None),
    ],
)
def test_attributes_are_parsed_not_evaluated(text: str, expected: str | None) -> None:
    assert attribute_weight(text) == expected
