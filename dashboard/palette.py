"""The colours and shapes every figure shares: Okabe and Ito's colour-blind-safe set, with shape as second channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

BLUE: Final = "#0072B2"
ORANGE: Final = "#E69F00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"
SKY: Final = "#56B4E9"
VERMILION: Final = "#D55E00"
GREY: Final = "#8A8F98"

SOURCE: Final = BLUE
TARGET: Final = ORANGE

# A stand-in that a live chart swaps for the page's text colour, so that figures need not know the theme. Read as it is,
# in an export on white, it is near-black.
INK: Final = "#010203"

SEQUENTIAL: Final = "Cividis"


@dataclass(frozen=True)
class VerdictStyle:
    """How nodes with one verdict are drawn."""

    color: str
    symbol: str
    label: str


VERDICTS: Final[dict[str, VerdictStyle]] = {
    "right": VerdictStyle(GREEN, "circle", "right"),
    "wrong": VerdictStyle(PURPLE, "x", "wrong"),
    "tied": VerdictStyle(SKY, "square", "tied by symmetry"),
    "unmatched": VerdictStyle(GREY, "circle-open", "unmatched"),
    "unknown": VerdictStyle(GREY, "circle", "truth unknown"),
}
