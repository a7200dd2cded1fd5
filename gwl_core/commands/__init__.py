"""The commands of the command line, one file each: `add` makes its parser, `run` carries it out."""

from gwl_core.commands import align, experiment, generate, pairs

COMMANDS = (align, generate, pairs, experiment)
