"""Words for the runs of a session."""

from __future__ import annotations

RUNS = "Runs"
RUNS_HELP = "Forks, earlier runs and those under other pins; their curves stay as ghosts."
SHOWN = "shown"
SHOW = "Show {name}"
NAME = "Name of {name}"
DELETE = "Delete {name}"
FACTS = "{steps} steps"
DIFFERENCES = "Only what differs"
SAME = "The settings of these runs are the same."
SETTING = "Setting"
PINS = "pins"
THINNED = "To save memory every {spacing} step is kept; those between are computed again."

RESTORING = "Restoring your session…"
