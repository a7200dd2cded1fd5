"""The command line: reads a command, runs it, and turns errors into a sentence and an exit status.

Results go to standard output; progress, notices and errors go to standard error. Exit status 0 on success, 2 on bad
input with one sentence, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from gwl_core import __version__
from gwl_core.commands import COMMANDS
from gwl_core.errors import InputError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal without Greek letters gets escapes, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        arguments = _parser().parse_args(argv)
        arguments.command(arguments)
        sys.stdout.flush()
    except InputError as error:
        print("gwl_core:", " ".join(str(error).split()), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("gwl_core: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of the output has gone; keep the interpreter from flushing into it on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"gwl_core: {error.filename} cannot be used ({error.strerror}); choose another path.", file=sys.stderr)
        return 2
    return 0


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line like any other bad input."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help).")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m gwl_core", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"gwl_core {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    for command in COMMANDS:
        command.add(commands)
    return parser
