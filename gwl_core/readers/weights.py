"""Weight cells to interaction counts: what is accepted, what is refused and what is said about it."""

from __future__ import annotations

import math
import re

from gwl_core.errors import InputError
from gwl_core.readers.header import weight_rank
from gwl_core.readers.phrases import at, counted, line_list, shown, values

_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?$", re.ASCII)
_STRING = r"'[^'\\]*(?:\\.[^'\\]*)*'|\"[^\"\\]*(?:\\.[^\"\\]*)*\""
_ATTRIBUTE = re.compile(
    rf"\s*(?P<key>{_STRING}|\w+)\s*:\s*"
    rf"(?P<value>{_STRING}|\[[^\[\]]*\]|\([^()]*\)|[\w.]+\((?P<inner>[^()]*)\)|[^\s,{{}}\[\]()'\"]+)\s*(?:,|$)"
)

MOST = 1e100
"""The largest weight; sums and squares of larger ones would not be finite."""


class WeightColumn:
    """Reads weight cells one by one, remembers what was odd, and reports or refuses at the end.

    signed says that signs are dropped, and is None where that is no choice.
    """

    def __init__(self, name: str, decimal_comma: bool = False, signed: bool | None = None, unit: str = "line") -> None:
        self._name = name
        self._decimal_comma = decimal_comma
        self._signed = signed
        self._unit = unit
        self._negative = 0
        self._bad: list[tuple[int, str, str]] = []
        self._missing: list[int] = []
        self._zero: list[int] = []
        self._first_comma: tuple[int, str] | None = None
        self._first_point = 0
        self._read = 0

    @property
    def has_weights(self) -> bool:
        return self._read > len(self._missing)

    def read(self, cell: str, line: int) -> float:
        """The weight in a cell; 1 where it is empty (or unusable: finish() then refuses the file)."""
        self._read += 1
        text = cell.strip()
        if text.startswith("{"):
            found = attribute_weight(text)
            if found is None:
                self._bad.append((line, text, "attributes"))
                return 1.0
            text = found
        if not text:
            self._missing.append(line)
            return 1.0
        return self._number(text, line)

    def _number(self, text: str, line: int) -> float:
        number = text
        if self._decimal_comma:
            if _DECIMAL_COMMA.match(text):
                number = text.replace(",", ".")
                self._first_comma = self._first_comma or (line, text)
            elif "." in text and not self._first_point:
                self._first_point = line
        try:
            value = float(number) if "_" not in number else None
        except ValueError:
            value = None
        if value is None:
            self._bad.append((line, text, "text"))
        elif not math.isfinite(value):
            self._bad.append((line, text, "infinite"))
        elif value < 0 and not self._signed:
            self._bad.append((line, text, "negative"))
        elif abs(value) > MOST:
            self._bad.append((line, text, "huge"))
        elif value < 0:
            self._negative += 1
            return -value
        else:
            if value == 0:
                self._zero.append(line)
            return value
        return 1.0

    def finish(self, zero: str = "made no edge; the nodes stay") -> list[str]:
        """Notices about missing, zero (which means what `zero` says) and decimal-comma weights.

        Raises:
            InputError: for weights that are no number, not finite, over MOST, negative, or of both decimal styles.
        """
        if self._bad:
            self._refuse()
        if self._first_comma and self._first_point:
            lines = sorted((self._first_comma[0], self._first_point))
            raise InputError(f"{at(self._name, lines)}: decimal commas and decimal points are mixed; use one of them.")
        notices = []
        if self._first_comma:
            notices.append(f"Weights were read with a decimal comma (line {self._first_comma[0]}).")
        if self._missing and self.has_weights:
            notices.append(
                f"{counted(len(self._missing), 'row')} without a weight got 1 ({line_list(self._missing, self._unit)})."
            )
        if self._negative:
            notices.append(f"{counted(self._negative, 'weight')} below 0 read without the sign, as asked.")
        if self._zero:
            rows = counted(len(self._zero), "row")
            notices.append(f"{rows} of weight 0 {zero} ({line_list(self._zero, self._unit)}).")
        return notices

    def _refuse(self) -> None:
        kind = self._bad[0][2]
        bad = [(line, text) for line, text, k in self._bad if k == kind]
        what = f"weight {shown(bad[0][1])}" if len(bad) == 1 else f"weights {values(text for _, text in bad)}"
        be, noun = ("is", "number") if len(bad) == 1 else ("are", "numbers")
        reason = {
            "text": f"{be} no {noun}; give numbers of 0 or more, or leave the column out",
            "infinite": f"{be} not finite; give finite numbers of 0 or more",
            "huge": f"{be} over {MOST:g}, too large for sums; divide all weights by one number",
            "negative": f"{be} negative; weights are interaction counts, give 0 or more"
            + (
                ", or leave the row out"
                if self._signed is None
                else ", or choose to drop the signs (--weights absolute)"
            ),
            "attributes": f"{be} not readable as attributes; write them as {{'weight': 1.5}}",
        }[kind]
        if kind == "text" and not self._decimal_comma and _DECIMAL_COMMA.match(bad[0][1]):
            reason += " (a decimal comma is read only where ';' or a tab separates the columns)"
        raise InputError(f"{at(self._name, [line for line, _ in bad], self._unit)}: {what} {reason}.")


def attribute_weight(text: str) -> str | None:
    """The weight in attributes as networkx writes them, {'weight': 1.5}: "" if there is none, None if unreadable.

    Only strings, plain words and flat lists are understood; nothing is evaluated.
    """
    if not text.endswith("}"):
        return None
    body, found, at_ = text[1:-1].rstrip(), {}, 0
    while at_ < len(body):
        match = _ATTRIBUTE.match(body, at_)
        if not match:
            return None
        found[match["key"].strip("'\"").lower()] = (match["inner"] or match["value"]).strip("'\"")
        at_ = match.end()
    ranks = [(rank, key) for key in found if (rank := weight_rank(key)) is not None]
    return found[min(ranks)[1]] if ranks else ""
