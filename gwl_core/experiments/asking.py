"""What a request asks for, checked: the options that several experiments share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gwl_core.errors import InputError
from gwl_core.experiments.protocol import Option, Request
from gwl_core.settings import Parameter

MAX_TRIALS = 1000

TRIALS = Option("trials", "N", "trials of each setting", page="int", low=1, high=MAX_TRIALS)


def whole(request: Request, name: str, default: int, low: int = 1, high: int = MAX_TRIALS) -> int:
    """A whole number from low to high."""
    value = request.text(name)
    return default if value is None else whole_number(name, value, low, high)


def whole_number(name: str, value: str, low: int, high: int) -> int:
    """The same, of a value."""
    return int(Parameter(f"--{name}", "int", live=False, low=low, high=high).check(value))


def numbers(request: Request, name: str, default: Sequence[float], low: float, high: float) -> tuple[float, ...]:
    """Numbers from low to high, each once."""
    rule = Parameter(f"--{name}", "float", live=False, low=low, high=high)
    return tuple(dict.fromkeys(rule.check(value) for value in request.texts(name))) or tuple(default)


def chosen(request: Request, name: str, allowed: Sequence[str], default: Sequence[str]) -> tuple[str, ...]:
    """Some of the allowed words, in their order."""
    asked = request.texts(name)
    for word in asked:
        if word not in allowed:
            raise InputError(f"--{name} must be one of {', '.join(allowed)}, got {word!r}.")
    return tuple(word for word in allowed if word in asked) if asked else tuple(default)


def seeds(request: Request, count: int) -> Iterable[int]:
    """The seeds of `count` trials."""
    return range(request.seed, request.seed + count)


def choice(name: str, allowed: Sequence[str]) -> Option:
    """An option that `chosen` reads."""
    return Option(name, "WORD", f"{', '.join(allowed)}; may be given several times", many=True)
