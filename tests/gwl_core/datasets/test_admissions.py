"""Readers of admissions: the MIMIC-III tables and the plain CSV, good and broken."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from gwl_core.datasets.admissions import from_records, read_admissions
from gwl_core.datasets.icd9 import disease_titles, procedure_titles
from gwl_core.datasets.mimic import read_mimic
from gwl_core.errors import InputError

DIAGNOSES = (
    '"ROW_ID","SUBJECT_ID","HADM_ID","SEQ_NUM","ICD9_CODE"\n1,7,100,1,"0389"\n2,7,100,2,"4019"\n3,8,101,1,"4019"\n'
)
PROCEDURES = "row_id,subject_id,hadm_id,seq_num,icd9_code\n1,7,100,1,0331\n2,7,100,2,0331\n3,8,101,1,331\n4,8,101,2,\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small MIMIC folder: one table plain with capitals, one compressed with small letters."""
    (tmp_path / "DIAGNOSES_ICD.csv").write_text(DIAGNOSES)
    (tmp_path / "procedures_icd.csv.gz").write_bytes(gzip.compress(PROCEDURES.encode()))
    return tmp_path


def test_codes_are_text_and_a_repeated_one_counts_once(folder: Path) -> None:
    found = read_mimic(folder)
    assert found.diseases == ("0389", "4019")
    assert found.procedures == ("0331", "331")
    assert found.disease_rows.toarray().tolist() == [[1, 1], [0, 1]]
    assert found.procedure_rows.toarray().tolist() == [[1, 0], [0, 1]]
    assert found.codes == ("d0389", "d4019", "p0331", "p331")
    assert found.disease_titles == ("Unspecified septicemia", "Unspecified essential hypertension")


def test_what_is_missing_is_counted(folder: Path) -> None:
    assert read_mimic(folder).notices == (
        "procedures_icd.csv.gz: 1 row without a code skipped.",
        "1 procedure code without a title will show as codes: '331'.",
    )


def test_own_titles_come_first(folder: Path) -> None:
    table = "ROW_ID,ICD9_CODE,SHORT_TITLE,LONG_TITLE\n1,0331,x,Lumbar puncture\n2,331,x,Other\n"
    (folder / "D_ICD_PROCEDURES.csv").write_text(table)
    assert read_mimic(folder).procedure_titles == ("Lumbar puncture", "Other")


def test_a_truncated_table_is_one_sentence(folder: Path) -> None:
    path = folder / "procedures_icd.csv.gz"
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(InputError, match=r"^procedures_icd\.csv\.gz is a gzip file that ends too early; .*again\.$"):
        read_mimic(folder)


def test_a_damaged_table_is_one_sentence(folder: Path) -> None:
    path = folder / "procedures_icd.csv.gz"
    data = bytearray(path.read_bytes())
    data[20] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="damaged gzip file"):
        read_mimic(folder)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b\n1,2\n", "has no column hadm_id and icd9_code, only 'a' and 'b'"),
        ("", "has no column hadm_id and icd9_code, only nothing"),
        ("hadm_id,icd9_code\n1\n", "line 2: 1 fields where the header has 2"),
        ("hadm_id,icd9_code\n,4019\n", "line 2: the row names no admission"),
    ],
)
def test_wrong_columns_and_rows(folder: Path, text: str, sentence: str) -> None:
    (folder / "DIAGNOSES_ICD.csv").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_mimic(folder)


def test_other_bytes_than_text(folder: Path) -> None:
    (folder / "DIAGNOSES_ICD.csv").write_bytes(b"hadm_id,icd9_code\n1,\xff\xfe\n")
    with pytest.raises(InputError, match=r"^DIAGNOSES_ICD\.csv is not UTF-8 text"):
        read_mimic(folder)


def test_a_missing_table_or_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no DIAGNOSES_ICD\.csv\[\.gz\]"):
        read_mimic(tmp_path)
    with pytest.raises(InputError, match="nowhere is not a folder"):
        read_mimic(tmp_path / "nowhere")


def test_plain_csv(tmp_path: Path) -> None:
    path = tmp_path / "admissions.csv"
    path.write_text("procedures,admission,diseases\n0331;9604,a,038.9 ; 4019\n,b,4019\n")
    found = read_admissions(path)
    assert found.diseases == ("038.9", "4019")
    assert found.procedure_rows.toarray().tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("admission,diseases\na,1\n", "has no column procedures"),
        ("admission,diseases,procedures\na,1,2\na,1,2\n", "line 3: admission 'a' comes twice"),
        ("admission,diseases,procedures\n,1,2\n", "line 2: the admission has no name"),
        ("admission,diseases,procedures\na,1,\n", "hold no procedure code"),
    ],
)
def test_broken_plain_csv(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "admissions.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_admissions(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^none\.csv does not exist"):
        read_admissions(tmp_path / "none.csv")


def test_the_most_frequent_codes_are_kept() -> None:
    found = from_records([(["a", "b"], ["x"]), (["a"], ["y"]), (["c"], ["x"]), (["a", "c"], ["x", "z"])])
    kept = found.most_frequent(1, 2)
    assert kept.diseases == ("a",)
    assert kept.procedures == ("x", "y")
    assert kept.procedure_rows.toarray().tolist() == [[1, 0], [0, 1], [1, 0]]
    assert kept.notices[0].startswith("1 admission of 4 without one")


def test_a_part_keeps_all_codes() -> None:
    found = from_records([(["a"], ["x"]), (["b"], ["y"])]).part(np.array([1]))
    assert (len(found), found.diseases) == (1, ("a", "b"))
    assert found.rows.toarray().tolist() == [[0, 1, 0, 1]]


def test_builtin_titles_keep_their_zeros() -> None:
    """The paper's table prints 389, 331 and 412 without their zeros or with another code's title."""
    assert disease_titles()["0389"] == "Unspecified septicemia"
    assert disease_titles()["412"] == "Old myocardial infarction"
    assert disease_titles()["311"] == "Depressive disorder, not elsewhere classified"
    assert procedure_titles()["0331"] == "Spinal tap"
    assert procedure_titles()["311"] == "Temporary tracheostomy"
    assert "389" not in disease_titles()


def test_the_open_demo(shared_dir: Path) -> None:
    found = read_mimic(shared_dir / "data" / "mimic3demo")
    assert (len(found), len(found.diseases), len(found.procedures)) == (129, 581, 164)
    both = (found.disease_rows.sum(axis=1) > 0) & (found.procedure_rows.sum(axis=1) > 0)
    assert int(both.sum()) == 113
    assert "0389" in found.diseases
    assert len(found.notices) == 2
