"""The command line where its output has no place to go, and where file names are odd."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def shell(script: str, folder: Path, *arguments: bytes | str) -> tuple[int, bytes, bytes]:
    """Run a command line; $1 … are the arguments and `gwl` is the program."""
    program = f'gwl() {{ "{sys.executable}" -m gwl_core "$@"; }}; {script}'
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        ["/bin/bash", "-c", program, "bash", *arguments], cwd=folder, env=environment, check=False, capture_output=True
    )
    return done.returncode, done.stdout, done.stderr


def test_a_closed_output_is_said_at_once(tmp_path: Path) -> None:
    status, _, error = shell("gwl pairs --json >&-", tmp_path)
    assert status == 2
    assert error == (
        b"gwl_core: Standard output is closed, where the result goes; leave it open or send it to a file.\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_output_is_one_sentence(tmp_path: Path) -> None:
    status, _, error = shell("gwl pairs --json >/dev/full", tmp_path)
    assert status == 2
    assert error.count(b"\n") == 1
    assert error.startswith(b"gwl_core: the output cannot be written (No space left on device)")


def test_without_standard_error_the_output_is_still_json_alone(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text('ann,bob\n"Ann",cyd\n')
    script = "gwl align g.csv g.csv --preset gwd --outer 1 --inner 5 --json 2>&-"
    status, out, _ = shell(script, tmp_path)
    assert status == 0
    assert json.loads(out)["notices"]


def test_file_names_that_are_not_utf_8_are_written_as_escapes(tmp_path: Path) -> None:
    name = b"bad\xff.csv"
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("ann,bob\nbob,cyd\n")
    except OSError:
        pytest.skip("the file system takes UTF-8 only")
    script = 'gwl align "$1" "$1" --preset gwd --outer 1 --inner 5 --out o'
    status, _, error = shell(script, tmp_path, name)
    assert (status, b"Traceback" in error) == (0, False)
    record = json.loads((tmp_path / "o" / "run.json").read_text("utf-8"))
    assert record["source"]["name"] == record["origin"]["source"] == "bad\\xff.csv"


@pytest.mark.parametrize("arguments", [("g.csv", ""), ("g.csv", "g.csv", "--truth", "")])
def test_an_empty_file_name_is_said_to_be_one(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "g.csv").write_text("ann,bob\nbob,cyd\n")
    status, _, error = shell('gwl align "$@"', tmp_path, *arguments)
    assert status == 2
    assert error.endswith(b"The name of a file is empty ('' on the command line); give its path.\n")
