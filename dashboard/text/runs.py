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
THINNED = "History: every {spacing} steps are kept, those between are computed again when looked at."
