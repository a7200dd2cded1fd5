"""Words of what a reader may choose about the charts and the history."""

from __future__ import annotations

ORDERS = {"degree": "by degree", "match": "by match", "input": "as in the files", "community": "by community"}
ORDER = "Order of rows and columns"
ORDER_HELP = (
    "By degree, with true partners on the diagonal where they are known; with the present matches on the diagonal; as "
    "in the files; or with densely linked groups together."
)
LINES, LINES_HELP = "lines", "Join matched nodes."
READING = "how to read it"
LAYOUTS = {"truth": "true pairs aligned", "match": "matches aligned", "own": "own layout"}
COMMUNITIES = "{source} and {target} communities in place of nodes · faint: matched apart"
LAYOUT = "Layout of the target graph"
LAYOUT_HELP = (
    "The target's nodes lie where their true partners lie (where these are known), where their present matches lie, or "
    "by their own edges."
)
REPLAY, REPLAY_HALT, REPLAY_SPEED = "Replay", "Halt the replay", "Replay speed"
