"""Edge lists of every kind are read as the graph they mean, or refused in one sentence."""

from pathlib import Path

import pytest

from gwl_core import Graph, InputError
from gwl_core.readers import GraphReport, Limits, read_graph

PATH = {("ann", "bob"), ("bob", "cyd"), ("cyd", "dee")}


def read(text: str | bytes, **options: object) -> GraphReport:
    data = text.encode() if isinstance(text, str) else text
    return read_graph(data, name="g.csv", **options)


def edges(graph: Graph) -> dict[tuple[str, str], float]:
    rows, columns, weights = graph.edges
    return {(graph.labels[i], graph.labels[j]): w for i, j, w in zip(rows, columns, weights, strict=True)}


def refusal(text: str | bytes, **options: object) -> str:
    with pytest.raises(InputError) as error:
        read(text, **options)
    message = str(error.value)
    assert message.startswith("g.csv")
    assert message.endswith(".")
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"source,target\nann,bob\nbob,cyd\ncyd,dee\n", id="header"),
        pytest.param(b"ann,bob\nbob,cyd\ncyd,dee\n", id="no header"),
        pytest.param(b"source,target\r\nann,bob\r\nbob,cyd\r\ncyd,dee\r\n", id="CRLF"),
        pytest.param(b"source,target\rann,bob\rbob,cyd\rcyd,dee\r", id="CR only"),
        pytest.param(b"ann,bob\nbob,cyd\ncyd,dee", id="no final newline"),
        pytest.param(b"\xef\xbb\xbfsource,target\nann,bob\nbob,cyd\ncyd,dee\n", id="BOM and header"),
        pytest.param(b"\xef\xbb\xbfann,bob\nbob,cyd\ncyd,dee\n", id="BOM, no header"),
        pytest.param(b"ann,bob\nbob,cyd\n\xef\xbb\xbfcyd,dee\n", id="BOM inside, from joined files"),
        pytest.param("source,target\nann,bob\nbob,cyd\ncyd,dee\n".encode("utf-16"), id="UTF-16"),
        pytest.param("\ufeffann,bob\nbob,cyd\ncyd,dee\n".encode("utf-16-be"), id="UTF-16 big-endian"),
        pytest.param("ann,bob\nbob,cyd\ncyd,dee\n".encode("utf-32"), id="UTF-32"),
        pytest.param(b"ann, bob\nbob, cyd\ncyd, dee\n", id="space after comma"),
        pytest.param(b" ann ,bob \n bob , cyd\n  cyd,dee\n", id="spaces around ids"),
        pytest.param(b'"ann","bob"\n"bob" ,"cyd"\ncyd, "dee"\n', id="quotes"),
        pytest.param(b"\n\nann,bob\n\n  \nbob,cyd\n,,\ncyd,dee\n\n", id="blank lines"),
        pytest.param(b"ann,bob,\nbob,cyd,\ncyd,dee,\n", id="trailing commas"),
        pytest.param(b"ann\tbob\nbob\tcyd\ncyd\tdee", id="tabs"),
        pytest.param(b"ann;bob\nbob;cyd\ncyd;dee\n", id="semicolons"),
        pytest.param(b"  ann   bob\nbob cyd  \ncyd\t dee\n", id="spaces and tabs"),
        pytest.param(b"# made today\n% ann,zoe\nann bob\nbob cyd\n  # cyd zoe\ncyd dee\n", id="comments"),
        pytest.param(b"#\xe2\x80\xa8 x\nann bob\nbob cyd\ncyd dee\n", id="line separator inside a comment"),
        pytest.param(b"source,target\nann,bob\nbob,cyd\nsource,target\ncyd,dee\n", id="header repeated"),
        pytest.param(b"sep=;\r\nann;bob\r\nbob;cyd\r\ncyd;dee\r\n", id="a note to spreadsheets"),
        pytest.param(b",source,target\n0,ann,bob\n1,bob,cyd\n2,cyd,dee\n", id="row numbers"),
    ],
)
def test_every_spelling_of_a_file_gives_the_same_graph(data: bytes) -> None:
    report = read(data)
    assert edges(report.graph) == dict.fromkeys(PATH, 1.0)
    assert report.rows_present == report.rows_read == 3
    assert not report.has_weights
    assert not report.graph.directed
    assert report.graph.name == "g.csv"


@pytest.mark.parametrize(
    ("data", "label", "encoding"),
    [
        (b"a,b\nb,c\n", "comma-separated edge list", "UTF-8"),
        (b"a;b\nb;c\n", "semicolon-separated edge list", "UTF-8"),
        (b"\xef\xbb\xbfa\tb\nb\tc\n", "tab-separated edge list", "UTF-8 with byte-order mark"),
        ("a b\nb c\n".encode("utf-16"), "space-separated edge list", "UTF-16"),
    ],
)
def test_report_names_format_and_encoding(data: bytes, label: str, encoding: str) -> None:
    report = read(data)
    assert (report.format, report.encoding) == (label, encoding)


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        pytest.param(b"", ["no edges", "empty"], id="empty"),
        pytest.param(b"\xef\xbb\xbf", ["no edges", "empty"], id="only a BOM"),
        pytest.param(b"\n \r\n", ["no edges"], id="blank lines"),
        pytest.param(b"# a b\n", ["no edges", "comments"], id="only comments"),
        pytest.param(b"source,target\n", ["no edges", "header"], id="only a header"),
        pytest.param(b"source;target;weight", ["no edges", "header"], id="only a weighted header"),
        pytest.param(b"a,b,0\nb,c,0\n", ["no edges", "every weight is 0"], id="only zero weights"),
        pytest.param(b"a,a\nb,b\n", ["no edges", "to itself"], id="only self-loops"),
        pytest.param(b"source,target\nann,b\xf6b\n", ["line 2", "0xF6", "UTF-8"], id="Latin-1"),
        pytest.param(b"a,b\r\nc,d\r\ne,\xfcf\r\n", ["line 3", "0xFC"], id="Latin-1, CRLF"),
        pytest.param(b"a,b\rc,\xfcf\r", ["line 2"], id="Latin-1, CR"),
        pytest.param("a,b\nb,c\n".encode("utf-16")[:-1], ["byte-order mark", "save it as UTF-8"], id="bad UTF-16"),
        pytest.param(b'"",b\nb,c\n', ["line 1", "node id is empty"], id="empty first source"),
        pytest.param(b'" ",b,2\nb,c,3\n', ["line 1", "node id is empty"], id="empty first source, weights"),
        pytest.param(b"0 1 1\n1 2\n2\n", ["line 3", "only 1 column"], id="lists of neighbours"),
        pytest.param("a,b\nb,c\n".encode("utf-16-le"), ["NUL", "UTF-16"], id="UTF-16 without a mark"),
        pytest.param("\ufeffa,b\n".encode("utf-16")[:-1], ["line", "UTF-16"], id="UTF-16 cut short"),
        pytest.param(b"a,b\nb,c\0\n", ["NUL"], id="NUL byte"),
        pytest.param("a,b\0\n".encode("utf-16"), ["NUL"], id="NUL character"),
        pytest.param(b"id\nsolo\n", ["line 1", "1 column"], id="node list"),
        pytest.param(b"id,label\n1,ann\n2,bob\n", ["line 1", "nodes"], id="node table"),
        pytest.param(b"a,b\nb,c\nc\n", ["line 3", "1 column"], id="one column"),
        pytest.param(b"a b\nb c\nc\n", ["line 3", "1 column"], id="one column, spaces"),
        pytest.param(b"a,b\nb,\n", ["line 2", "empty"], id="empty target"),
        pytest.param(b"a,b\n ,c\n", ["line 2", "empty"], id="empty source"),
        pytest.param(b'a,b\n"  ",c\n', ["line 2", "empty"], id="quoted empty source"),
        pytest.param(b"a,b,1,x\nb,c,1,x\n", ["line 1", "4 columns", "header"], id="four columns, no header"),
        pytest.param(b"a,b\nb,c\nc,d,1,x\n", ["line 3", "4 columns"], id="one row too wide"),
        pytest.param(b"source,target\na,b\nb,c,2\n", ["line 3", "3 columns"], id="wider than the header"),
        pytest.param(b"weight,source,target\n1,a,b\n2,b\n", ["line 3", "too few"], id="narrower than the header"),
        pytest.param(b'a,b\n"b,c\nc,d\n', ["line 2", "quotation mark"], id="open quote"),
        pytest.param(b'a b\n"b c\nc d\n', ["line 2", "quotation mark"], id="open quote, spaces"),
        pytest.param(b"a,b\n" + b"b," * 100_000, ["line 2", "too long"], id="endless line"),
        pytest.param(b"a,b\n" * 99 + b'"' + b"x\n" * 100_000 + b'",c\n', ["line 100", "too long"], id="endless cell"),
    ],
)
def test_refusals_name_the_file_the_line_and_the_reason(data: bytes, parts: list[str]) -> None:
    message = refusal(data)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("New York,Los Angeles\nLos Angeles,Rio\n", id="comma"),
        pytest.param("New York\tLos Angeles\nLos Angeles\tRio\n", id="tab"),
        pytest.param('"New York" "Los Angeles"\n"Los Angeles" Rio\n', id="quoted, spaces"),
    ],
)
def test_ids_may_have_spaces(text: str) -> None:
    assert set(edges(read(text).graph)) == {("New York", "Los Angeles"), ("Los Angeles", "Rio")}


def test_quoted_ids_keep_separators_quotes_and_line_breaks() -> None:
    report = read('source,target\n"Lee, Ann","line\nbreak"\n"line\nbreak","say ""x"""\n')
    assert report.graph.labels == ("Lee, Ann", "line\nbreak", 'say "x"')


def test_line_numbers_count_lines_inside_quotes() -> None:
    assert "line 6:" in refusal('source,target,weight\n"a\nb",c,1\nd,"e\nf",1\ng,h,bad\n')


def test_quoted_ids_may_hold_another_separator() -> None:
    assert edges(read('"a;1","b;2"\n"b;2","c;3"\n').graph) == {("a;1", "b;2"): 1, ("b;2", "c;3"): 1}


@pytest.mark.parametrize("name", ["urn:x#ann", "100%", "c#", "a'b", 'six"pipe', "{x}", "Aemon-(Maester)"])
def test_odd_characters_inside_ids_are_kept(name: str) -> None:
    assert read(f"{name} bob\nbob cyd\n").graph.labels == (name, "bob", "cyd")
    assert read(f"{name},bob\nbob,cyd\n").graph.labels == (name, "bob", "cyd")


def test_quoted_ids_may_start_like_a_comment() -> None:
    assert read('"#ann",bob\nbob,"%x"\n').graph.labels == ("#ann", "bob", "%x")


def test_skipped_comments_are_reported() -> None:
    assert "2 comment lines starting with # or % skipped (lines 1 and 3)." in read("# x\na b\n%y\nb c\n").notices


def test_ids_are_text_and_only_equal_when_spelled_the_same() -> None:
    report = read("1,01\n01,001\n001,1.0\n1.0,1e0\n1e0,10\n001,010\n")
    assert report.graph.labels == ("1", "01", "001", "1.0", "1e0", "10", "010")
    assert report.graph.n_edges == 6
    assert any("'1', '01', '001', '1.0' and '1e0'" in notice for notice in report.notices)


def test_long_numbers_stay_apart_without_a_notice() -> None:
    first = 9_007_199_254_740_990
    report = read("".join(f"{first + i},{first + i + 1}\n" for i in range(6)))
    assert report.graph.n_nodes == 7
    assert report.notices == ()


@pytest.mark.parametrize(
    "pair", [("Ann", "ann"), ("a b", "a  b"), ("\u00e9", "e\u0301"), ("a", "a\u200b"), ("b", "'b'")]
)
def test_ids_that_look_alike_are_kept_apart_with_a_notice(pair: tuple[str, str]) -> None:
    report = read(f"{pair[0]},x\n{pair[1]},x\n")
    assert report.graph.n_nodes == 3
    assert any("differ only in spelling" in notice for notice in report.notices)


def test_ids_that_differ_by_surrounding_spaces_are_one() -> None:
    report = read("source,target\nann, bob\n bob ,cyd\n")
    assert report.graph.labels == ("ann", "bob", "cyd")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        pytest.param("A\tB\t2\nB\tC D\t3\n", ("A", "B", "C D"), id="a space in a tab file"),
        pytest.param("A\tB\t2\nB C\t3\nC\tD\t1\n", ("A", "B", "C", "D"), id="a space instead of a tab"),
        pytest.param("A B\t2\nB C\t3\n", ("A", "B", "C"), id="a tab before every weight"),
        pytest.param(
            "Ann Lee\t17\nBob Ray\t18\n", ("Ann Lee", "17", "Bob Ray", "18"), id="tab between name and number"
        ),
        pytest.param("A\t\tB\nB\t\tC\n", ("A", "B", "C"), id="double tabs"),
        pytest.param("Lee, A\tRay, B\nRay, B\tFox, C\n", ("Lee, A", "Ray, B", "Fox, C"), id="commas in a tab file"),
        pytest.param("a,b;c\nb;c,d\nd,e\n", ("a", "b;c", "d", "e"), id="some semicolons in a comma file"),
    ],
)
def test_the_separator_is_found_by_content(text: str, labels: tuple[str, ...]) -> None:
    assert read(text).graph.labels == labels


def test_one_row_with_another_separator_is_refused_not_misread() -> None:
    text = "".join(f"n{i}, n{i + 1}\n" for i in range(20))
    assert "line 21" in refusal(text + "n20 n21\n")


def test_limits_name_figure_and_cap() -> None:
    text = "a,b\nb,c\nc,d\nd,e\n"
    assert read(text, limits=Limits(max_bytes=16, max_nodes=5, max_edges=4)).graph.n_edges == 4
    assert "16 bytes" in refusal(text, limits=Limits(max_bytes=15))
    assert "over the cap of 15" in refusal(text, limits=Limits(max_bytes=15))
    assert "5 nodes, over the cap of 4" in refusal(text, limits=Limits(max_nodes=4))
    assert "4 edges, over the cap of 3" in refusal(text, limits=Limits(max_edges=3))
    assert "20,001 lines" in refusal("a,b\n" * 20_000, limits=Limits(max_edges=3, max_nodes=4))


def test_merged_rows_do_not_count_against_the_edge_cap() -> None:
    both_ways = "a,b\nb,a\nb,c\nc,b\nc,d\nd,c\n"
    assert read(both_ways, limits=Limits(max_edges=3)).graph.n_edges == 3


def test_files_are_read_from_paths(tmp_path: Path) -> None:
    file = tmp_path / "edges.bin"
    file.write_text("a,b\nb,c\n")
    report = read_graph(file, name="shown.csv")
    assert report.graph.n_edges == 2
    assert report.graph.name == "shown.csv"


@pytest.mark.parametrize("make", [lambda p: None, lambda p: p.mkdir()], ids=["missing", "folder"])
def test_paths_that_are_no_files_are_refused(tmp_path: Path, make) -> None:
    make(tmp_path / "x.csv")
    with pytest.raises(InputError, match=r"^x\.csv (does not exist|is not a file)"):
        read_graph(tmp_path / "x.csv", name="x.csv")


def test_too_large_a_file_is_not_even_opened(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_bytes(b"a,b\n" * 10)
    with pytest.raises(InputError, match="40 bytes, over the cap of 39"):
        read_graph(file, name="x.csv", limits=Limits(max_bytes=39))


def test_a_display_name_is_never_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "g.csv").write_text("x,y\ny,z\n")
    monkeypatch.chdir(tmp_path)
    assert read("a,b\nb,c\n").graph.labels == ("a", "b", "c")


def test_reading_twice_gives_separate_graphs() -> None:
    one, other = (read("a,b\nb,c\n").graph for _ in range(2))
    assert one is not other
    assert one.weights is not other.weights
