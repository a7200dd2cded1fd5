"""Truth and anchors: pairs are matched by exact ids, either way round, and what does not fit is said."""

import pytest

from gwl_core import Graph, InputError
from gwl_core.errors import OfferError
from gwl_core.readers import AnchorsReport, TruthReport, read_anchors, read_truth

SOURCE = Graph.from_edges([("ann", "bob", 1.0), ("bob", "cyd", 1.0)], name="s.csv")
TARGET = Graph.from_edges([("T0", "T1", 1.0), ("T1", "T2", 1.0)], name="t.csv")
NUMBERS = Graph.from_edges([(str(i), str(i + 1), 1.0) for i in range(4)], name="s.csv")
HUNDREDS = Graph.from_edges([(str(i), str(i + 1), 1.0) for i in range(100, 104)], name="t.csv")
ALL = [[0, 0], [1, 1], [2, 2]]


def truth(text: str, source: Graph = SOURCE, target: Graph = TARGET) -> TruthReport:
    return read_truth(text.encode(), name="truth.csv", source_graph=source, target_graph=target)


def anchors(text: str) -> AnchorsReport:
    return read_anchors(text.encode(), name="anchors.csv", source_graph=SOURCE, target_graph=TARGET)


def refusal(text: str, source: Graph = SOURCE, target: Graph = TARGET) -> str:
    with pytest.raises(InputError) as error:
        truth(text, source, target)
    assert str(error.value).startswith("truth.csv")
    return str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "source,target\nann,T0\nbob,T1\ncyd,T2\n",
        "ann,T0\nbob,T1\ncyd,T2\n",
        "target,source\nT0,ann\nT1,bob\nT2,cyd\n",
        ' ann ,T0 \n bob,\tT1\n"cyd", T2\n',
        "ann\tT0\r\nbob\tT1\r\ncyd\tT2",
        "ann T0\nbob  T1\ncyd\tT2\n",
        "graph1;graph2\nann;T0\nbob;T1\ncyd;T2\n",
        "\ufeffsource,target,coupling,confidence\nann,T0,0.1,0.9\nbob,T1,0.1,0.9\ncyd,T2,0.1,0.9\n",
        ",source,target\n0,ann,T0\n1,bob,T1\n2,cyd,T2\n",
    ],
)
def test_truth_is_read_in_every_spelling(text: str) -> None:
    report = truth(text)
    assert report.pairs.tolist() == ALL
    assert report.pairs.dtype.kind == "i"
    assert (report.rows_present, report.rows_used, report.swapped) == (3, 3, False)


@pytest.mark.parametrize("header", ["", "source,target\n", "target,source\n"])
def test_columns_that_fit_better_the_other_way_are_turned(header: str) -> None:
    report = truth(header + ("ann,T0\nbob,T1\n" if header.startswith("target") else "T0,ann\nT1,bob\n"))
    assert report.pairs.tolist() == ALL[:2]
    assert report.swapped
    assert any("target, source" in notice for notice in report.notices)


def test_ids_that_fit_both_ways_are_read_as_given_and_reported() -> None:
    report = truth("0,1\n1,2\n2,0\n", NUMBERS, NUMBERS)
    assert report.pairs.tolist() == [[0, 1], [1, 2], [2, 0]]
    assert any("either way round" in notice for notice in report.notices)
    assert truth("source,target\n0,1\n1,2\n2,0\n", NUMBERS, NUMBERS).notices == ()
    assert truth("0,0\n1,1\n", NUMBERS, NUMBERS).notices == ()


def test_a_first_row_that_names_nodes_is_data() -> None:
    letters = Graph.from_edges([("a", "b", 1.0), ("b", "c", 1.0)])
    assert truth("a,c\nb,b\n", letters, letters).rows_used == 2
    flow = Graph.from_edges([("source", "x", 1.0), ("x", "target", 1.0)])
    assert truth("source,target\nx,x\n", flow, flow).rows_used == 2
    assert truth("source,target\nsource,source\nx,x\n", flow, flow).rows_used == 2


@pytest.mark.parametrize("text", ["zoe,T7\nann,T0\nbob,T1\n", "ann,T0\nbob,T1\nzoe,T7\n"])
def test_unknown_nodes_are_listed_and_left_out(text: str) -> None:
    report = truth(text)
    assert report.pairs.tolist() == ALL[:2]
    assert (report.rows_present, report.rows_used) == (3, 2)
    (notice,) = report.notices
    assert "1 row" in notice
    assert "'zoe' not in s.csv" in notice
    assert "'T7' not in t.csv" in notice


def test_many_unknown_nodes_are_counted() -> None:
    (notice,) = truth("ann,T0\n" + "".join(f"x{i},T1\n" for i in range(100))).notices
    assert "100 rows" in notice
    assert "95 more" in notice


@pytest.mark.parametrize(
    ("text", "graphs", "parts"),
    [
        pytest.param(
            "0.0,103.0\n1.0,100.0\n", (NUMBERS, HUNDREDS), ["'0' instead of '0.0'", "decimals"], id="decimals"
        ),
        pytest.param("00,100\n01,101\n", (NUMBERS, HUNDREDS), ["'0' instead of '00'", "leading zeros"], id="zeros"),
        pytest.param(
            "Ann,t0\n", (SOURCE, TARGET), ["'ann' instead of 'Ann'", "'T0' instead of 't0'", "case"], id="case"
        ),
        pytest.param("0,0\n1,1\n4,4\n", (NUMBERS, HUNDREDS), ["target column add 100 to every id"], id="offset"),
        pytest.param("T0,Ann\n", (SOURCE, TARGET), ["'ann' instead of 'Ann'"], id="turned, case"),
        pytest.param("x,y\nv,w\n", (SOURCE, TARGET), ["'x' where s.csv has 'ann'", "spelled the same"], id="unrelated"),
    ],
)
def test_truth_that_fits_nowhere_is_refused_with_the_way_out(
    text: str, graphs: tuple[Graph, Graph], parts: list[str]
) -> None:
    message = refusal(text, *graphs)
    for part in [f"0 of {len(text.splitlines())} rows match", "s.csv", "t.csv", *parts]:
        assert part in message


def test_an_offset_is_suggested_when_most_rows_fit_by_accident() -> None:
    (notice, *_) = truth("1,101\n2,102\n3,103\n4,104\n5,105\n", NUMBERS, HUNDREDS).notices
    assert "subtract 1 from every id" in notice


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["no pairs"]),
        ("source,target\n", ["no pairs", "header"]),
        ("ann\nbob\n", ["line 1", "source and a target"]),
        ("ann,T0\nbob,\n", ["line 2"]),
        ("ann,T0\nbob,T1,1,2,3\n", ["line 2", "5 columns"]),
        ("ann,T0\nbob,T1\nann,T2\n", ["lines 1 and 3", "'ann'", "'T0' and 'T2'"]),
        ('ann,T0\n"bob,T1\n', ["line 2", "quotation mark"]),
    ],
)
def test_faulty_truth_is_refused_by_line(text: str, parts: list[str]) -> None:
    for part in parts:
        assert part in refusal(text)


def test_repeated_rows_are_left_out_and_shared_targets_reported() -> None:
    report = truth("ann,T0\nann,T0\nbob,T0\n")
    assert report.pairs.tolist() == [[0, 0], [1, 0]]
    assert "1 repeated row left out (line 2)." in report.notices
    assert "1 target given for more than one source: 'T0'." in report.notices


def test_ids_with_a_hash_or_separator_fit() -> None:
    source = Graph.from_edges([("urn:x#ann", "Lee, A", 1.0)])
    report = truth('urn:x#ann,T0\n"Lee, A",T1\n', source)
    assert report.rows_used == 2
    assert truth("urn:x#ann T0\n", source).rows_used == 1


def test_the_separator_is_the_one_under_which_ids_fit() -> None:
    source = Graph.from_edges([("Lee,A", "Ray,B", 1.0)])
    assert truth("Lee,A T0\nRay,B T1\n", source).rows_used == 2


def test_anchors_add_up_counts() -> None:
    report = anchors("source,target,weight\nann,T0,0.5\nann,T1,2\nann,T0,1\nbob,T1,\n")
    assert report.matrix.toarray().tolist() == [[1.5, 2, 0], [0, 1, 0], [0, 0, 0]]
    assert (report.rows_present, report.rows_used, report.swapped) == (4, 4, False)


def test_anchors_without_counts_are_one() -> None:
    report = anchors("T0,ann\nT1,bob\n")
    assert report.swapped
    assert report.matrix.toarray().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert report.matrix.shape == (3, 3)


def test_columns_that_are_no_count_are_named() -> None:
    report = anchors("source,target,confidence\nann,T0,0.5\nbob,T1,1\n")
    assert report.matrix.toarray().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert "Column 'confidence' ignored." in report.notices
    assert anchors("ann,T0,0.5\n").matrix[0, 0] == 0.5


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("ann,T0,-1\n", "line 1: weight '-1' is negative"),
        ("ann,T0,-1\n", "leave the row out\\.$"),
        ("ann,T0,inf\n", "not finite"),
        ("ann,T0,1e308\nann,T0,1e308\n", "lines 1 and 2: weights '1e308' are over 1e\\+100, .*; divide all"),
        ("ann,T0,x\nbob,T1,2\n", "line 1: weight 'x'"),
        ("ann,T0,0\n", "weight 0"),
        ("zoe,T0,1\n", "0 of 1 rows match"),
        ("", "no pairs"),
    ],
)
def test_faulty_anchors_are_refused(text: str, part: str) -> None:
    with pytest.raises(InputError, match=rf"^anchors\.csv.*{part}"):
        anchors(text)


SEVEN = Graph.from_edges([(str(i), str(i + 1), 1.0) for i in range(6)], name="numbers")
SEVEN_MORE = Graph.from_edges([(str(i), str(i + 1), 1.0) for i in range(100, 106)], name="hundreds")


def of_numbers(text: str, **options: bool) -> TruthReport:
    return read_truth(text.encode(), name="t.csv", source_graph=SEVEN, target_graph=SEVEN_MORE, **options)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("".join(f"{i}.0,{i + 100}.0\n" for i in range(7)), "'0.0' became '0'"),
        ("".join(f"{i + 100}.0,{i}.0\n" for i in range(7)), "target, source"),
        ("".join(f"{i + 1},{i + 1}\n" for i in range(7)), "'1' became '100'"),
        ("".join(f"0{i},{i + 100}\n" for i in range(7)), "'00' became '0'"),
    ],
)
def test_ids_are_converted_only_when_the_user_agrees(text: str, said: str) -> None:
    with pytest.raises(OfferError) as error:
        of_numbers(text)
    assert error.value.offer == "convert"
    assert "0 of 7 rows match" in str(error.value)
    report = of_numbers(text, convert=True)
    assert report.rows_used == 7
    assert report.pairs.tolist() == [[i, i] for i in range(7)]
    assert any(said in notice for notice in report.notices)


def test_a_spelling_that_fits_two_nodes_is_not_converted() -> None:
    graph = Graph.from_edges([("1", "01", 1.0), ("01", "a", 1.0)])
    report = read_truth(b"1.0,100\na,101\n", name="t", source_graph=graph, target_graph=SEVEN_MORE, convert=True)
    assert report.rows_used == 1
    assert any("'1.0'" in notice for notice in report.notices)


def test_partly_fitting_ids_can_be_converted() -> None:
    text = "0,100\n1,101\n2.0,102\n"
    report = of_numbers(text)
    assert (report.rows_used, report.convertible) == (2, True)
    whole = of_numbers(text, convert=True)
    assert (whole.rows_used, whole.convertible) == (3, False)


@pytest.mark.parametrize("header", ["", "target\n", "match\n"])
def test_one_column_is_asked_about_and_then_read_in_order(header: str) -> None:
    text = header + "".join(f"{i}\n" for i in range(106, 99, -1))
    with pytest.raises(OfferError, match=r"one column: if its lines follow the nodes of numbers .*--by-order") as error:
        of_numbers(text)
    assert error.value.offer == "order"
    report = of_numbers(text, by_order=True)
    assert report.pairs.tolist() == [[i, 6 - i] for i in range(7)]
    assert any("order of the nodes of numbers" in notice for notice in report.notices)


def test_one_column_of_sources_follows_the_targets() -> None:
    report = of_numbers("".join(f"{i}\n" for i in range(6, -1, -1)), by_order=True)
    assert report.pairs.tolist() == [[6 - j, j] for j in range(7)]


def test_one_column_that_fits_no_order_is_refused() -> None:
    for text, part in (("100\n101\n", "2 ids"), ("x\ny\n", "none of its ids")):
        with pytest.raises(InputError, match=part):
            of_numbers(text, by_order=True)
