"""The command line: reads a command, runs it, and turns errors into a sentence and an exit status.

Results go to standard output; progress, notices and errors go to standard error. Exit status 0 on success, 2 on bad
input with one sentence, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from gwl_core import __version__
from gwl_core.commands import COMMANDS
from gwl_core.errors import InputError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if sys.stderr is None:  # closed; print would fall back on standard output
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal without Greek letters gets escapes, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        if sys.stdout is None:
            raise InputError("Standard output is closed, where the result goes; leave it open or send it to a file.")
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
        _forget_output()  # its reader has gone
        return 1
    except OSError as error:
        if error.filename is None:
            _forget_output()
            print(f"gwl_core: the output cannot be written ({error.strerror}); send it elsewhere.", file=sys.stderr)
            return 2
        print(f"gwl_core: {error.filename} cannot be used ({error.strerror}); choose another path.", file=sys.stderr)
        return 2
    return 0


def _forget_output() -> None:
    """Keep the interpreter from flushing, on exit, into an output that takes nothing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
