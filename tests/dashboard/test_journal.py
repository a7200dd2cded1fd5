"""The server's log: whole JSON lines that tell what happened, and nothing of what was in a file."""

from __future__ import annotations

import json
import logging
import traceback

from dashboard.journal import JsonLines, without_contents

PRIVATE = "gene_BRCA1 in my_patients.csv"


def failure() -> ValueError:
    try:
        raise ValueError(PRIVATE)
    except ValueError as error:
        return error


def test_last_words_keep_places_and_kinds_only() -> None:
    lines = "".join(traceback.format_exception(failure())).splitlines()
    kept = without_contents([*lines, PRIVATE, "Fatal Python error: Segmentation fault", "torch.OutOfMemoryError: x"])
    assert "ValueError" in kept
    assert "Fatal Python error: Segmentation fault" in kept
    assert "torch.OutOfMemoryError" in kept
    assert any(line.startswith("test_journal.py:") for line in kept)
    assert "BRCA1" not in str(kept)
    assert "patients" not in str(kept)


def test_a_record_is_one_line_with_its_facts_and_no_message_of_an_exception() -> None:
    error = failure()
    record = logging.LogRecord(
        "x", logging.INFO, "f", 1, "run process died", (), (type(error), error, error.__traceback__)
    )
    record.facts = {"run": 3, "seconds": 1.5}
    line = JsonLines().format(record)
    told = json.loads(line)
    assert "\n" not in line
    assert (told["event"], told["run"], told["seconds"], told["error"]) == ("run process died", 3, 1.5, "ValueError")
    assert told["at"][0].endswith(" failure")
    assert "BRCA1" not in line
