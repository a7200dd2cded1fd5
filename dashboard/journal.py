"""The server's log: one JSON object a line, with sizes, times and reasons; never labels, file names or contents."""

from __future__ import annotations

import contextlib
import itertools
import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_EVENTS = logging.getLogger("dashboard.events")
_PLACE = re.compile(r'\s*File "(?P<path>[^"]*)", line (?P<line>\d+), in (?P<where>[\w<>.]+)')
_KIND = re.compile(r"(?P<kind>(\w+\.)*\w*(Error|Exception|Interrupt|Warning|Exit))\b(:|$)")
_SIGNAL = re.compile(r"Fatal Python error: [\w ]+|terminate called.*?'[\w:]+'")
_MOST = 20
_count = itertools.count(1)
_set_up = threading.Lock()


def next_number() -> int:
    """A number that names a run in the log; it is in no address and opens nothing."""
    return next(_count)


def tell(event: str, **facts: Any) -> None:
    """Note that something happened. Facts are numbers, words of this program and None."""
    _EVENTS.info(event, extra={"facts": facts})


def without_contents(lines: Sequence[str]) -> list[str]:
    """Places and kinds of errors in a process's last words; messages may quote a user's file, and stay out."""
    kept = []
    for line in lines:
        if place := _PLACE.match(line):
            kept.append(f"{Path(place['path']).name}:{place['line']} {place['where']}")
        elif kind := _KIND.match(line):
            kept.append(kind["kind"])
        elif fatal := _SIGNAL.search(line):
            kept.append(fatal[0])
    return kept[-_MOST:]


class JsonLines(logging.Formatter):
    """A record as one JSON object: time, level, event, facts; of an exception its kind and where it was raised."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(), "event": record.getMessage(), **getattr(record, "facts", {}),
        }  # fmt: skip
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            told["error"] = type(error).__name__
            places = traceback.extract_tb(error.__traceback__)[-_MOST:]
            told["at"] = [f"{Path(place.filename).name}:{place.lineno} {place.name}" for place in places]
        return json.dumps(told, allow_nan=False, default=str)


class _StandardError(logging.Handler):
    """Whatever standard error is now; a log that cannot be written must not stop a server."""

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()


def set_up() -> None:
    """Send what this package tells to standard error, once."""
    logger = logging.getLogger("dashboard")
    with _set_up:
        if any(isinstance(handler.formatter, JsonLines) for handler in logger.handlers):
            return
        handler = _StandardError()
        handler.setFormatter(JsonLines())
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
