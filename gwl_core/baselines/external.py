"""Original programs of other systems, run as they are where a server's operator has set them up; none by default.

The environment variable GWL_ALIGNERS names a TOML file with one table per program:

    [netal]                                # of KNOWN; the method is then called netal-original
    program = "/opt/netal/NETAL"
    arguments = ["{source}", "{target}"]   # {source}, {target}: files in a temporary folder, the program's own folder
    output = "*.alignment"                 # the file it writes there, or "-" for what it prints
    input = "edges"                        # two columns of names, or "leda" (.gw); "edges" unless given
    timeout = 600                          # seconds; 600 unless given
    largest = 5000                         # nodes; 5000 unless given

{source} is the graph with fewer nodes. Names in both files are made up (a0, a1, … and b0, b1, …), so that no label of
the user's reaches the program. What it writes is read back as pairs, `a -> b` or two columns.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gwl_core.baselines.child_program import run_program
from gwl_core.baselines.program_files import INPUTS, read_pairs
from gwl_core.baselines.protocol import Baseline, Outcome, Steps
from gwl_core.baselines.topology import Sides, direction_notice
from gwl_core.errors import InputError
from gwl_core.problem import MatchingProblem

VARIABLE = "GWL_ALIGNERS"
KNOWN: Mapping[str, tuple[str, int, str]] = {
    "magna++": ("MAGNA++", 2015, "Vijayan, Saraph, Milenković, Bioinformatics 31(14), 2015."),
    "hubalign": ("HubAlign", 2014, "Hashemifar and Xu, Bioinformatics 30(17), 2014."),
    "netal": ("NETAL", 2013, "Neyshabur et al., Bioinformatics 29(13), 2013."),
    "graal": ("GRAAL", 2010, "Kuchaiev et al., J. R. Soc. Interface 7(50), 2010."),
}
"""Title, year and citation by the name of a table."""
_PLACES = ("{source}", "{target}")


@dataclass(frozen=True)
class Program:
    """One table of the settings file; see the module."""

    program: str
    arguments: tuple[str, ...]
    output: str
    input: str = "edges"
    timeout: float = 600.0
    largest: int = 5000


def configured(environment: Mapping[str, str] = os.environ) -> tuple[dict[str, Baseline], tuple[str, ...]]:
    """The programs that the operator has set up, by key, and a sentence for each thing in the file that is wrong."""
    path = environment.get(VARIABLE)
    if not path:
        return {}, ()
    try:
        tables = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        return {}, (f"{VARIABLE}: {path} cannot be read ({error.strerror}); name a file that can be, or unset it.",)
    except ValueError as error:
        return {}, (f"{VARIABLE}: {path} is not TOML ({error}); mend it or unset {VARIABLE}.",)
    found, wrong = {}, []
    for name, table in tables.items():
        try:
            baseline = _baseline(name, _program(name, table))
        except InputError as error:
            wrong.append(f"{VARIABLE}: {path}: {error}")
        else:
            found[baseline.key] = baseline
    return found, tuple(wrong)


def _program(name: str, table: Any) -> Program:
    """A checked table.

    Raises:
        InputError: what is wrong with it.
    """
    if name not in KNOWN or not isinstance(table, dict):
        raise InputError(f"[{name}] is no known program; the tables are {', '.join(KNOWN)}.")
    kinds: dict[str, tuple[type, ...]] = {
        "program": (str,), "arguments": (list,), "output": (str,), "input": (str,), "timeout": (int, float),
        "largest": (int,),
    }  # fmt: skip
    for key, value in table.items():
        if key not in kinds or not isinstance(value, kinds[key]) or isinstance(value, bool):
            raise InputError(f"[{name}] {key} cannot be used; a table has {', '.join(kinds)}, see the README.")
    for key in ("program", "arguments", "output"):
        if key not in table:
            raise InputError(f"[{name}] lacks {key}; give it.")
    arguments = tuple(str(argument) for argument in table["arguments"])
    made = Program(**{**table, "arguments": arguments})
    if any(all(place not in argument for argument in arguments) for place in _PLACES):
        raise InputError(f"[{name}] arguments must name {' and '.join(_PLACES)}.")
    if made.input not in INPUTS:
        raise InputError(f"[{name}] input must be one of {', '.join(INPUTS)}, got {made.input!r}.")
    if "/" in made.output or "\\" in made.output or ".." in made.output or not made.output:
        raise InputError(f"[{name}] output must be a file name or pattern in the program's folder, or -.")
    if not 0 < made.timeout <= 1e7 or not 1 <= made.largest <= 10**6:
        raise InputError(f"[{name}] timeout must be seconds above 0, and largest from 1 to 1000000 nodes.")
    return made


def _baseline(name: str, program: Program) -> Baseline:
    title, year, citation = KNOWN[name]
    return Baseline(
        key=f"{name}-original",
        title=f"{title}, the original program",
        citation=citation,
        year=year,
        uses=("topology",),
        cost="that of the program",
        largest=program.largest,
        settings=(),
        defaults={},
        steps=partial(_steps, f"The original {title}", program),
    )


def _steps(
    title: str,
    program: Program,
    problem: MatchingProblem,
    settings: Mapping[str, Any],
    generator: np.random.Generator,
) -> Steps:
    sides = Sides.of(problem)
    written = {place: INPUTS[program.input](side, letter)
               for place, side, letter in zip(_PLACES, (sides.smaller, sides.larger), "ab", strict=True)}  # fmt: skip
    told = yield from run_program(
        title, (program.program, *program.arguments), written, program.output, program.timeout
    )
    image = read_pairs(title, told, sides.smaller.n, sides.larger.n)
    return Outcome(matching=sides.matching(image), notices=direction_notice(problem))
