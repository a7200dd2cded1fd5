"""The commands of the command line, one file each: `add` makes its parser, `run` carries it out."""

from gwl_core.commands import align, compare, experiment, generate, methods, pairs

COMMANDS = (align, generate, compare, methods, pairs, experiment)
